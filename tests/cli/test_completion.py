"""`deckcheck completion`: the scripts know everything, and complete it in bash."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import pytest

from deckcheck.cli import main
from deckcheck.cli.completion import describe_program
from deckcheck.completion import SCRIPTS

SHELLS = [shell for shell, _ in SCRIPTS]


@cache
def script(shell: str) -> str:
    return dict(SCRIPTS)[shell](describe_program())


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "deckcheck.bash"
    file.write_text(script("bash"))
    return file


def completed(source: Path, *words: str) -> list[str]:
    """What bash offers for the last of `words`, parted as readline parts them."""
    program = (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
        'COMPREPLY=(); _deckcheck; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "-c", program, "bash", str(source), "deckcheck", *words],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": "/usr/bin:/bin"},
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize("shell", SHELLS)
def test_the_command_prints_the_script(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    assert capsys.readouterr().out == script(shell)


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_option_is_in_every_script(shell: str) -> None:
    text = script(shell)
    for verb in describe_program().verbs:
        assert verb.name in text
        for switch in verb.switches:
            for name in switch.names:
                bare = name.lstrip("-")
                option = f"-l {bare}" if name.startswith("--") else f"-s {bare}"
                assert (option if shell == "fish" else name) in text


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["vali"], ["validate"]),
        (["--ver"], ["--version"]),
        (["validate", "--stat"], ["--statistics"]),
        (["validate", "--fail-on", ""], ["error", "warning", "note"]),
        (["validate", "--fail-on", "=", "w"], ["warning"]),
        (["validate", "--fail-on", "="], ["error", "warning", "note"]),
        (["validate", "a.deck", "--format", "gwent/adv"], ["gwent/advanced"]),
        (["validate", "--output-format", "sar"], ["sarif"]),
        (["convert", "a.deck", "--to", "gw"], ["gwent-classic"]),
        (["cards", ""], ["list", "find", "show"]),
        (["cards", "--faction", "monsters", "f"], ["find"]),
        (["formats", "show", "gwent/adv"], ["gwent/advanced"]),
        (["formats", "gwent/adv"], []),
        (["rule", "unknown-c"], ["unknown-card"]),
        (["schema", "de"], ["deck"]),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["validate", "decks/gw"], []),
        (["simulate", "--games", "1"], []),
    ],
    ids=" ".join,
)
def test_bash_completes(words: list[str], offered: list[str], source: Path) -> None:
    assert completed(source, *words) == offered


def test_bash_completes_files_where_no_word_fits(source: Path) -> None:
    program = f'source "{source}"; complete -p deckcheck'
    done = subprocess.run(
        ["bash", "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout == "complete -o default -F _deckcheck deckcheck\n"


def test_help_means_nothing_to_zsh() -> None:
    """Brackets and colons of a help would end it; quotes would end the word."""
    lines = script("zsh").splitlines()
    specs = [line.strip().removesuffix(" \\") for line in lines if "'*--" in line]

    assert any(r"\:" in spec for spec in specs)
    for spec in specs:
        inside = spec.removeprefix("'").removesuffix("'").replace("'\\''", "")
        assert "'" not in inside
        assert inside.replace(r"\[", "").count("[") == 1
        assert inside.replace(r"\]", "").count("]") == 1


def test_unknown_shells_are_misuse(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    assert "choose `bash`, `zsh` or `fish`" in capsys.readouterr().err
