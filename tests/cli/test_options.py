"""The options of all commands: their values, defaults, groups and completion."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
import typer
from helpers.commands import stderr_of, stdout_of

import deckcheck
from deckcheck.cli import main
from deckcheck.cli.application import COMPLETION_VARIABLE, load_command
from deckcheck.cli.commands import COMMANDS, PROGRAM
from deckcheck.cli.options import group_options
from deckcheck.cli.settings import read_settings
from deckcheck.messages import identifier
from deckcheck.plans import Settings
from deckcheck.sim import REFERENCE
from deckcheck.studies.registry import STUDIES
from tools.transcripts import transcripts

# Completion in shells: values that fit, quickly, and never an error message.

Captured = pytest.CaptureFixture[str]

WRITTEN_FREELY = {
    *("PATH", "PATH...", "DECK", "DECK...", "OLD", "NEW", "OLD NEW...", "FILE"),
    *("FILE|FOLDER...", "FOLDER...", "I/N", "ADDRESS", "CARDS", "DATE", "RANGE"),
    *("RULE", "PATTERN", "NAME=VALUE", "REASON", "A,B", "PERCENT", "ELO0,ELO1"),
    *("FIRST-LAST", "PLAYER"),
}
"""What nobody can guess, or what the shell completes itself: files."""


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> Any:
    """What bash is offered for the last of some words."""

    def ask(*words: str) -> list[str]:
        monkeypatch.setenv(COMPLETION_VARIABLE, "complete_bash")
        # So the script of typer joins them.
        monkeypatch.setenv("COMP_WORDS", "\n".join([PROGRAM, *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        code = main([])
        out, err = capsys.readouterr()

        assert err == ""
        assert code == 0 or out == ""
        return out.split()

    return ask


COMPLETED = """\
vali -> validate
--ver -> --version
--install -> --install-completion
validate --stat -> --statistics
validate --fail-on | -> error warning note
validate --fail-on = w -> warning
validate --fail-on = -> error warning note
validate a.deck --format gwent/adv -> gwent/advanced
validate --output-format sar -> sarif
convert a.deck --to gw -> gwent-classic
convert a.deck --game d -> deckmaster
cards | -> list find show
cards --faction monsters f -> find
cards --faction sk -> skellige
cards --kind he -> hero
cards --row si -> siege
cards --ability med -> medic
cards show geralt -> geralt_of_rivia
cards show foltest_the_si -> foltest_the_siegemaster
cards --game deckmaster --faction | ->
cards list geralt ->
formats show gwent/adv -> gwent/advanced
formats gwent/adv ->
generate deckm -> deckmaster/standard
rule unknown-c -> unknown-card
rule DL103 -> DL103
schema de -> deck
simulate --policy he -> heuristic heuristic-3 heuristic-2 heuristic-1
simulate --opponent mon -> monsters
simulate --select opt -> optimal
warmup gwen_t/p -> gwen_t/pool
validate decks/gw ->
simulate --games 1 ->
cards show Éire ->
cards show GERALT -> geralt_of_rivia"""
"""What is typed and then offered, with `|` for an empty word."""
QUOTED = {
    '"Blue Stri': "blue_stripes_commando",
    r"Emhyr\ var\ Emreis,\ H": "emhyr_his_imperial_majesty",
    r"Geralt\ of": "geralt_of_rivia",
    r"Foltest,\ The\ Si": "foltest_the_siegemaster",
}
"""Names of several words as they are typed, and the ids that are offered."""


def test_values_complete(ask: Any) -> None:
    """Commands in the order of the register."""
    assert ask("") == [command.name for command in COMMANDS]
    for line in COMPLETED.splitlines():
        typed, _, offered = line.partition(" ->")
        assert ask(*typed.replace("|", "").split(" ")) == offered.split(), line
    for name, id in QUOTED.items():
        assert ask("cards", "show", name) == [id], name
    words = ("validate", r"decks/été\ d\'un.deck", "--format", "gwent/st")
    assert ask(*words) == ["gwent/standard"]


def test_trouble_offers_nothing(
    ask: Any, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What would be an error message elsewhere."""
    broken = ("cards", "--card-db", "broken")
    Path("broken", "gwent").mkdir(parents=True)
    Path("broken", "gwent", "game.yaml").write_text("factions: {[")
    assert ask("cards", "--card-db", "/nowhere", "--faction", "") == []
    assert ask(*broken, "--ability", "") == ask(*broken, "show", "geralt") == []

    Path("deckcheck.toml").write_text("= broken")
    monkeypatch.setenv("DECKCHECK_FAIL_ON", "sometimes")
    assert ask("validate", "--format", "gwent/st") == ["gwent/standard"]
    assert ask("--version", "val") == ask("--show-completion", "val") == ["validate"]
    # A variable without the others.
    for name in ("COMP_WORDS", "_TYPER_COMPLETE_ARGS"):
        monkeypatch.delenv(name, raising=False)
    for instruction in ("complete_bash", "complete_fish", "what"):
        monkeypatch.setenv(COMPLETION_VARIABLE, instruction)
        assert main([]) in (0, 1), instruction


def test_names_stand_beside_ids(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "deckcheck cards show geralt")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    for shell, line in (
        ("zsh", '"geralt_of_rivia":"Geralt of Rivia"'),
        ("fish", "geralt_of_rivia\tGeralt of Rivia"),
    ):
        monkeypatch.setenv(COMPLETION_VARIABLE, f"complete_{shell}")
        assert line in stdout_of(capsys), shell


def test_completing_imports_nothing_heavy() -> None:
    program = (
        "import sys; from deckcheck.cli import main; main([]); "
        "print(*sys.modules, file=sys.stderr)"
    )
    for shell, line in (
        ("zsh", "deckcheck validate --"),
        ("fish", "deckcheck cards show "),
    ):
        variables = {
            COMPLETION_VARIABLE: f"complete_{shell}",
            "_TYPER_COMPLETE_ARGS": line,
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        }
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | variables,
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


def test_every_option_has_a_help_and_completes_or_is_written_freely() -> None:
    assert {*ARGUMENTS} == {command.name for command in COMMANDS}
    forgotten = []
    for command in COMMANDS:
        for setting in load_command(command.name).settings:
            assert setting.info.help, (command.name, setting.name)
            completes = bool(setting.choices or setting.info.autocompletion)
            is_free = setting.metavar in WRITTEN_FREELY
            if setting.kind is str and not (completes or is_free):
                forgotten.append((command.name, setting.name, setting.metavar))
    assert forgotten == []


def test_a_wrong_word_in_the_variable_of_an_option_is_no_crash(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for command in COMMANDS:
        words = [w for w in ARGUMENTS[command.name] if w not in ("--to", "text")]
        for setting in load_command(command.name).settings:
            if setting.is_option and setting.words:
                with monkeypatch.context() as variables:
                    variables.setenv(setting.variable, "wrong-word")
                    code = main([command.name, *words, "--show-settings"])
                assert code in (0, 2), (command.name, setting.key)


def test_completion_is_installed_where_the_shell_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """In the home of somebody whose shell is fish. An unknown one is misuse."""
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr("shellingham.detect_shell", lambda: ("fish", "fish"))
    home.write_text("no folder")
    said = stderr_of(capsys, "--install-completion")
    assert said.startswith("error: Cannot write `")

    home.unlink()
    file = home / ".config" / "fish" / "completions" / "deckcheck.fish"
    assert str(file) in stdout_of(capsys, "--install-completion")
    assert COMPLETION_VARIABLE in file.read_text()

    monkeypatch.setattr("shellingham.detect_shell", lambda: ("tcsh", "/bin/tcsh"))
    assert stderr_of(capsys, "--install-completion") == (
        "error: Unknown shell for completion\n"
        "help: Run this in bash, zsh, fish or PowerShell\n"
    )


# The words of each output stand in a transcript.

NOT_IN_TRANSCRIPTS = {
    "simulate": "parquet",
    "expect": "parquet",
    "compare": "markdown parquet",
    "impact": "markdown parquet",
    **dict.fromkeys(("tune", "build", "solve"), "line markdown parquet"),
    "balance": "line markdown parquet",
    "meta": "parquet",
    "resume": "markdown html parquet",
    "report": "markdown matrix parquet",
    "event": "sarif",
    "scenario": "json",
}
"""Outputs with tests of their own: files of bytes, pages and tables of a result."""


def test_each_output_is_in_a_transcript(ask: Any) -> None:
    asked = re.compile(r"^\$ deckcheck (\w+) (.*)$", re.MULTILINE)
    shown: dict[str, set[str]] = {}
    for path in transcripts():
        for command, words in asked.findall(path.read_text(encoding="utf-8")):
            outputs = re.findall(r"--output-format[ =](\w+)", words)
            shown.setdefault(command, set()).update(outputs)
    for command in COMMANDS:
        keys = {s.key for s in load_command(command.name).settings if s.is_option}
        if "output-format" in keys:
            # The first one is what a command prints by default.
            _, *outputs = ask(command.name, "--output-format", "")
            missing = {*outputs} - shown.get(command.name, set())
            known = NOT_IN_TRANSCRIPTS.get(command.name, "").split()
            assert missing == {*known}, command.name


# What a command does without an option, its function in Python does too.

NOT_SHARED = {"jobs", "executor", "progress", "policy"}
"""Python plays in its own process and without a word, and names the player."""

ONLY_TYPED = {
    *("full", "color", "deck", "decks", "fail_on", "output", "output_format"),
    *("plan", "quiet", "scheduler", "no_keep"),
    *("hand", "new_format", "redraws"),
}
"""What is shown and written, plans and schedulers, which Python has as objects, and
what other functions are for: `compare_formats`, `redraws`."""
OTHER_NAMES = {"which": "format"}

BOTH = [each.name for each in COMMANDS if callable(getattr(deckcheck, each.name, None))]


def defaults(function: Callable[..., object]) -> dict[str, object]:
    """The parameters that need not be given, and what they are then.

    Where no field is named a command takes that of the format, which Python names.
    """
    known = signature(function).parameters.values()
    return {
        each.name: None if each.default == REFERENCE else each.default or None
        for each in known
        if each.default is not Parameter.empty and each.name not in NOT_SHARED
    }


@pytest.mark.parametrize("name", BOTH)
def test_every_option_of_a_command_is_an_argument_in_python(name: str) -> None:
    """With the same default."""
    command, function = load_command(name).function, getattr(deckcheck, name)
    typed, called = defaults(command), defaults(function)
    shared = typed.keys() & called.keys()
    assert {key: typed[key] for key in shared} == {key: called[key] for key in shared}

    if name in STUDIES:
        options = {
            identifier(s.key) if s.is_option else OTHER_NAMES.get(s.name, s.name)
            for s in read_settings(command)
        }
        if name == "solve":
            # One player plays all decks there.
            options = options - {"policies"} | {"policy"}
        arguments = set(signature(function).parameters)
        assert arguments - options == set()
        assert options - arguments <= ONLY_TYPED


def test_every_key_of_a_plan_is_an_option() -> None:
    called = set(signature(deckcheck.simulate).parameters)
    keys = {"rule" if key.name == "rules" else key.name for key in fields(Settings)}

    # These say what `check` expects.
    assert keys - called == {"confidence", "until_decided"}
    assert called - keys == {
        *("decks", "against", "gauntlet"),  # of one experiment each
        *("card_db", "executor", "games_table", "jobs", "progress", "run", "shard"),
    }


# Every command with each of its options: one sentence, no traceback.

ARGUMENTS = {
    "validate": ["a.deck"],
    # Nothing is played here: other tests do.
    "simulate": ["a.deck", "a.deck", "--games", "0"],
    "compare": ["a.deck", "a.deck", "--against", "a.deck", "--games", "0"],
    "impact": ["a.deck", "--against", "a.deck", "--games", "0"],
    "expect": ["gone.toml"],
    "tune": ["a.deck", "--against", "a.deck", "--games", "1"],
    "build": ["gwent/standard", "--against", "a.deck", "--games", "1"],
    "solve": ["gwent/standard", "--games", "1"],
    "balance": ["gone.toml"],
    "replay": ["a.deck", "a.deck", "--games", "0"],
    "resume": ["gone"],
    "merge": ["gone"],
    "report": ["gone"],
    "meta": ["gone"],
    "scenario": ["gone.yaml"],
    "event": ["event.toml"],
    "collect": ["gone", "event.toml"],
    "convert": ["a.deck", "--to", "text"],
    "generate": ["gwent/standard"],
    "stats": ["a.deck"],
    "diff": ["a.deck", "a.deck"],
    "fmt": ["a.deck"],
    "schema": ["cards"],
    "warmup": ["gwent/standrad"],
    **dict.fromkeys(("cards", "formats", "rule"), ()),
}
NASTY = ("", "x\ny\x1b[2J", "-5", "9" * 20)


@pytest.fixture
def sub_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder two below the temporary one, with a deck and an event."""
    folder = tmp_path / "sub"
    (folder / "lists").mkdir(parents=True)
    deck = "Format: gwent/standard\nLeader: Foltest, The Siegemaster\n\n3 Ballista\n"
    (folder / "a.deck").write_text(deck)
    (folder / "event.toml").write_text(
        'name = "Cup"\ndate = "2026-01-01"\nformat = "gwent/standard"\n'
        'lists = "lists"\nplayers = ["a"]\n'
    )
    monkeypatch.chdir(folder)


@pytest.mark.usefixtures("sub_folder")
@pytest.mark.parametrize("command", ARGUMENTS)
def test_isolated_spares_every_command_the_configuration(
    capsys: Captured, command: str
) -> None:
    words = [command, *ARGUMENTS[command]]
    main(words)  # `fmt` has written the deck by now
    capsys.readouterr()
    code, error = main(words), capsys.readouterr().err
    Path("deckcheck.toml").write_text("nonsense = 1\n")

    assert main([*words, "--isolated"]) == code
    assert capsys.readouterr().err == error
    refusal = stderr_of(capsys, *words)
    assert refusal.startswith("error: deckcheck.toml:1:1: unknown key `nonsense`")


@pytest.mark.usefixtures("sub_folder")
@pytest.mark.parametrize("command", ARGUMENTS)
def test_each_option_alone(capsys: Captured, command: str) -> None:
    """Each with one of the values that nobody means."""
    before = {*Path().iterdir()}
    settings = [s for s in load_command(command).settings if s.is_option]
    for number, setting in enumerate(settings):
        option = max(setting.opts, key=len)
        value = [] if setting.is_flag else [NASTY[number % len(NASTY)]]
        if option == "--watch":
            continue
        code = main([command, *ARGUMENTS[command], option, *value])
        error = capsys.readouterr().err

        assert code in (0, 1, 2), (option, value, error)
        assert "\x1b[2J" not in error
        assert "x\ny" not in error
        if code == 2:
            assert error.startswith("error: "), (option, value)
            assert error.endswith("\n"), (option, value)
        for written in {*Path().iterdir()} - before:
            assert written.suffix != ".part"
            shutil.rmtree(written) if written.is_dir() else written.unlink()


def test_every_option_is_in_a_transcript() -> None:
    """One of the commands that have an option shows it."""
    words = {
        word.partition("=")[0]
        for path in transcripts()
        for line in path.read_text("utf-8").splitlines()
        if line.startswith("$ deckcheck ")
        for word in line.split()
    }
    missing = {
        (command, max(setting.opts, key=len))
        for command in ARGUMENTS
        for setting in load_command(command).settings
        if setting.is_option and words.isdisjoint(setting.opts)
    }

    assert missing == set()


# Commands with options that are declared together.


@dataclass(frozen=True, slots=True, kw_only=True)
class Loud:
    color: str = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySpec(Loud):
    games: int = 3


@group_options
def command(deck: str, *, spec: StudySpec, run: str = "") -> int:
    """Play."""
    return len(deck + spec.color + run) * spec.games


def test_options_stand_in_place_of_their_group() -> None:
    """The command gets them as one value."""
    known = signature(command).parameters

    assert list(known) == ["deck", "games", "color", "run"]
    assert known["games"].default == 3
    assert known["color"].annotation is str
    assert command(deck="a", games=2, color="never", run="xy") == 16
    assert command.__doc__ == "Play."


# Options and arguments: words turned into values, without pydantic.

seen: dict[str, object] = {}


def rule(
    words: Annotated[list[str] | None, typer.Argument()] = None,
    *,
    number: Annotated[int, typer.Option(min=1, max=9)] = 3,
    share: Annotated[float | None, typer.Option(min=0.5)] = None,
    kind: Annotated[Literal["a", "b"], typer.Option()] = "a",
    folder: Annotated[Path | None, typer.Option()] = None,
    on: Annotated[bool, typer.Option("--on")] = False,
    loud: Annotated[int, typer.Option("-l", count=True)] = 0,
    many: Annotated[list[int] | None, typer.Option()] = None,
) -> None:
    """A command with an option of each type."""
    seen.update(locals())


BAD_VALUES = {
    "--number x": "`x` is not a whole number",
    "--number 1.5": "`1.5` is not a whole number",
    "--number 10": "10, from 1 to 9 allowed",
    "--number 0": "0, from 1 to 9 allowed",
    "--share 0.4": "0.4, from 0.5 allowed",
    "--share nan": "nan, from 0.5 allowed",
    "--kind c": "`c`, choose `a` or `b`",
    "--many 1 --many b": "`b` is no",
    f"--number {'9' * 5000}": "`999",
}


def test_words_become_values_or_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setattr("deckcheck.cli.validate.rule", rule)
    assert main(["rule"]) == 0
    defaults = {"number": 3, "kind": "a", "on": False, "loud": 0}
    assert seen == {**defaults, **dict.fromkeys(("words", "share", "folder", "many"))}

    args = "x y --number 9 --share 0.5 --kind b --folder /f --on -ll --many 1 --many 2"
    assert main(["rule", *args.split()]) == 0
    assert seen == {
        "words": ["x", "y"],
        "number": 9,
        "share": 0.5,
        "kind": "b",
        "folder": Path("/f"),
        "on": True,
        "loud": 2,
        "many": [1, 2],
    }
    for words, said in BAD_VALUES.items():
        option = words.partition(" ")[0]
        error = f"error: Invalid value for `{option}`: {said}"
        assert stderr_of(capsys, "rule", *words.split()).startswith(error), words
