"""Completion in shells: values that fit, quickly, and never an error message."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from deckcheck.cli import main
from deckcheck.cli.application import VARIABLE, load_command
from deckcheck.cli.commands import COMMANDS, PROGRAM

WRITTEN_FREELY = {
    *(
        "PATH",
        "PATH...",
        "DECK",
        "DECK...",
        "FILE|FOLDER...",
        "FOLDER...",
        "I/N",
        "ADDRESS",
    ),
    *("CARDS", "DATE", "RANGE", "RULE", "PATTERN", "NAME=VALUE"),
    *("FILE", "A,B", "OLD NEW...", "PERCENT", "ELO0,ELO1", "FIRST-LAST", "PLAYER"),
}
"""What nobody can guess, or what the shell completes itself: files."""


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """What bash is offered for the last of some words."""

    def ask(*words: str) -> list[str]:
        monkeypatch.setenv(VARIABLE, "complete_bash")
        # So the script of typer joins them.
        monkeypatch.setenv("COMP_WORDS", "\n".join([PROGRAM, *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        code = main([])
        out, err = capsys.readouterr()

        assert err == ""
        assert code == 0 or out == ""
        return out.split()

    return ask


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["vali"], ["validate"]),
        (["--ver"], ["--version"]),
        (["--install"], ["--install-completion"]),
        (["validate", "--stat"], ["--statistics"]),
        (["validate", "--fail-on", ""], ["error", "warning", "note"]),
        (["validate", "--fail-on", "=", "w"], ["warning"]),
        (["validate", "--fail-on", "="], ["error", "warning", "note"]),
        (["validate", "a.deck", "--format", "gwent/adv"], ["gwent/advanced"]),
        (["validate", "--output-format", "sar"], ["sarif"]),
        (["convert", "a.deck", "--to", "gw"], ["gwent-classic"]),
        (["convert", "a.deck", "--game", "d"], ["deckmaster"]),
        (["cards", ""], ["list", "find", "show"]),
        (["cards", "--faction", "monsters", "f"], ["find"]),
        (["cards", "--faction", "sk"], ["skellige"]),
        (["cards", "--kind", "he"], ["hero"]),
        (["cards", "--row", "si"], ["siege"]),
        (["cards", "--ability", "med"], ["medic"]),
        (["cards", "show", "geralt"], ["geralt_of_rivia"]),
        (["cards", "show", "foltest_the_si"], ["foltest_the_siegemaster"]),
        (["cards", "--game", "deckmaster", "--faction", ""], []),
        (["cards", "list", "geralt"], []),
        (["formats", "show", "gwent/adv"], ["gwent/advanced"]),
        (["formats", "gwent/adv"], []),
        (["generate", "deckm"], ["deckmaster/standard"]),
        (["rule", "unknown-c"], ["unknown-card"]),
        (["rule", "DL103"], ["DL103"]),
        (["schema", "de"], ["deck"]),
        (["simulate", "--policy", "he"], ["heuristic", "heuristic-1"]),
        (["simulate", "--opponent", "mon"], ["monsters"]),
        (["simulate", "--select", "opt"], ["optimal"]),
        (["warmup", "gwen_t/p"], ["gwen_t/pool"]),
        (["validate", "decks/gw"], []),
        (["simulate", "--games", "1"], []),
        (["cards", "show", "Éire"], []),
        (["cards", "show", '"Blue Stri'], ["blue_stripes_commando"]),
        (["cards", "show", "GERALT"], ["geralt_of_rivia"]),
        (["cards", "show", "Geralt\\ of"], ["geralt_of_rivia"]),
        (["cards", "show", "Foltest,\\ The\\ Si"], ["foltest_the_siegemaster"]),
        (
            ["validate", "decks/été\\ d\\'un.deck", "--format", "gwent/st"],
            ["gwent/standard"],
        ),
    ],
    ids=" ".join,
)
def test_values_complete(words: list[str], offered: list[str], ask: Any) -> None:
    assert ask(*words) == offered


def test_commands_complete_in_the_order_of_the_register(ask: Any) -> None:
    assert ask("") == [command.name for command in COMMANDS]


class TestTrouble:
    """What would be an error message elsewhere offers nothing here."""

    def test_no_folder_of_card_databases(self, ask: Any) -> None:
        assert ask("cards", "--card-db", "/nowhere", "--faction", "") == []

    def test_a_broken_card_database(self, tmp_path: Path, ask: Any) -> None:
        folder = tmp_path / "gwent"
        folder.mkdir()
        (folder / "game.yaml").write_text("factions: {[")

        assert ask("cards", "--card-db", str(tmp_path), "--ability", "") == []
        assert ask("cards", "--card-db", str(tmp_path), "show", "geralt") == []

    def test_a_broken_configuration(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ask: Any
    ) -> None:
        (tmp_path / "deckcheck.toml").write_text("= broken")
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("DECKCHECK_FAIL_ON", "sometimes")

        assert ask("validate", "--format", "gwent/st") == ["gwent/standard"]

    def test_options_that_print_and_end(self, ask: Any) -> None:
        assert ask("--version", "val") == ["validate"]
        assert ask("--show-completion", "val") == ["validate"]

    @pytest.mark.parametrize("instruction", ["complete_bash", "complete_fish", "what"])
    def test_a_variable_without_the_others(
        self, instruction: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(VARIABLE, instruction)
        monkeypatch.delenv("COMP_WORDS", raising=False)
        monkeypatch.delenv("_TYPER_COMPLETE_ARGS", raising=False)

        assert main([]) in (0, 1)


@pytest.mark.parametrize(
    ("shell", "line"),
    [
        ("zsh", '"geralt_of_rivia":"Geralt of Rivia"'),
        ("fish", "geralt_of_rivia\tGeralt of Rivia"),
    ],
)
def test_names_stand_beside_ids(
    shell: str,
    line: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(VARIABLE, f"complete_{shell}")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "deckcheck cards show geralt")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")

    assert main([]) == 0
    assert line in capsys.readouterr().out


@pytest.mark.parametrize(
    "line",
    ["deckcheck ", "deckcheck validate --", "deckcheck cards show ", "deckcheck rule "],
)
@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completing_imports_nothing_heavy(shell: str, line: str) -> None:
    program = (
        "import sys; from deckcheck.cli import main; main([]); "
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={
            **os.environ,
            VARIABLE: f"complete_{shell}",
            "_TYPER_COMPLETE_ARGS": line,
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        },
    )
    tops = {name.partition(".")[0] for name in done.stderr.split()}

    assert done.stdout
    assert tops & {"numpy", "numba", "llvmlite", "pandas", "scipy", "rich"} == set()


def test_bash_runs_the_script(tmp_path: Path) -> None:
    """The script that typer prints, with a program of ours that it finds."""
    program = tmp_path / PROGRAM
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m deckcheck "$@"\n')
    program.chmod(0o755)
    script = subprocess.run(
        ["bash", "-c", f"{program} --show-completion; true"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    line = (
        'eval "$1"; COMP_WORDS=(deckcheck validate --format gwent/adv); COMP_CWORD=3; '
        '_deckcheck_completion deckcheck; printf "%s\\n" "${COMPREPLY[@]}"; '
        "complete -p deckcheck"
    )
    done = subprocess.run(
        ["bash", "-c", line, "bash", script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
    )

    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "gwent/advanced",
        # Without a match bash completes files.
        "complete -o default -F _deckcheck_completion deckcheck",
    ]


def test_every_option_completes_or_is_written_freely() -> None:
    forgotten = [
        f"{command.name} {setting.name} {setting.metavar}"
        for command in COMMANDS
        for setting in load_command(command.name).settings
        if setting.kind is str
        and not (setting.choices or setting.info.autocompletion)
        and setting.metavar not in WRITTEN_FREELY
    ]

    assert forgotten == []


class TestInstalling:
    def test_an_unknown_shell_is_misuse(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr("shellingham.detect_shell", lambda: ("tcsh", "/bin/tcsh"))

        assert main(["--install-completion"]) == 2
        assert capsys.readouterr().err == (
            "error: Cannot tell which shell to complete in\n"
            "help: Run this in bash, zsh, fish or PowerShell\n"
        )

    def test_a_home_that_cannot_be_written_is_misuse(
        self,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        home = tmp_path / "home"
        home.write_text("no folder")
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.setattr("shellingham.detect_shell", lambda: ("fish", "fish"))

        assert main(["--install-completion"]) == 2
        assert capsys.readouterr().err.startswith("error: Cannot write `")

    def test_installs_where_the_shell_looks(
        self,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setattr("shellingham.detect_shell", lambda: ("fish", "fish"))
        file = tmp_path / ".config" / "fish" / "completions" / "deckcheck.fish"

        assert main(["--install-completion"]) == 0
        assert VARIABLE in file.read_text()
        assert str(file) in capsys.readouterr().out
