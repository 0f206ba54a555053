"""Settings: from where they come, and which of them counts."""

import json
import os
from dataclasses import fields
from itertools import product
from pathlib import Path

import pytest
from helpers.commands import stderr_of, stdout_of
from helpers.decks import UNITS as LEGAL_UNITS
from helpers.findings import MarkedText, marked_in

from deckcheck.cli import main
from deckcheck.cli.application import all_options
from deckcheck.cli.commands import COMMANDS
from deckcheck.cli.configuration import file_options, find_config
from deckcheck.config import Configuration, load_settings
from deckcheck.rules import DECK_RULES

# Settings of all commands: option, environment, file, default.

Captured = pytest.CaptureFixture[str]

HEAD = "Leader: Foltest, The Siegemaster\n\n"
UNITS = LEGAL_UNITS.replace("2 Ballista", "3 Ballista")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with an illegal deck that names no format, and no variables."""
    monkeypatch.chdir(tmp_path)
    for name in os.environ:
        if name.startswith("DECKCHECK_"):
            monkeypatch.delenv(name)
    (tmp_path / "league").mkdir()
    for name in ("a.deck", "league/b.deck"):
        (tmp_path / name).write_text(HEAD + UNITS)
    return tmp_path


def configure(text: str, name: str = "deckcheck.toml") -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)


def settings(capsys: Captured, *args: str) -> str:
    assert main(["validate", "--show-settings", *args]) == 0
    return capsys.readouterr().out


def refused(capsys: Captured, *args: str) -> tuple[str, str]:
    """The error and the help of a configuration that cannot be used."""
    error, help = [*stderr_of(capsys, "validate", "a.deck", *args).splitlines(), ""][:2]
    return error.removeprefix("error: "), help.removeprefix("help: ")


def test_option_environment_file_default(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = settings(capsys)
    assert shown.startswith("# no configuration\n# format is not set\n")
    assert 'fail-on = "error"  # default\n' in shown

    configure('# ours\nfail-on = "note"\n')
    assert 'fail-on = "note"  # deckcheck.toml:2\n' in settings(capsys)

    monkeypatch.setenv("DECKCHECK_FAIL_ON", "warning")
    shown = 'fail-on = "warning"  # variable DECKCHECK_FAIL_ON\n'
    assert shown in settings(capsys)

    shown = 'fail-on = "error"  # option --fail-on\n'
    assert shown in settings(capsys, "--fail-on", "error")


def test_flags_and_several_values_in_the_environment(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DECKCHECK_EXCLUDE", "my drafts; old/*;")
    shown = 'exclude = ["my drafts", "old/*"]  # variable DECKCHECK_EXCLUDE\n'
    assert shown in settings(capsys)

    monkeypatch.setenv("DECKCHECK_FORMAT", "gwent/standard")
    for text, code in (("1", 0), ("no", 1)):
        monkeypatch.setenv("DECKCHECK_EXIT_ZERO", text)
        assert main(["validate", "a.deck"]) == code
    monkeypatch.setenv("DECKCHECK_EXIT_ZERO", "maybe")
    error, _ = refused(capsys)
    assert error.endswith("choose `1` or `0`, in the variable DECKCHECK_EXIT_ZERO")


def test_a_variable_that_is_empty_is_none(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = settings(capsys)
    for name in ("EXIT_ZERO", "FAIL_ON", "FORMAT", "EXCLUDE", "JOBS"):
        monkeypatch.setenv(f"DECKCHECK_{name}", "")

    assert settings(capsys) == shown


def test_what_is_shown_is_a_configuration_again(capsys: Captured) -> None:
    configure(
        'default-format = "gwent/standard"\nexclude = ["x", "y/*"]\nexit-zero = true\n'
        '[formats]\n"league/**" = "gwent/advanced"\n[severity]\nDL103 = "off"\n'
    )
    shown = settings(capsys)
    kept = [line for line in shown.splitlines() if "default" not in line.split("#")[-1]]

    configure("\n".join(kept))

    assert '[formats]\n"league/**" = "gwent/advanced"  # deckcheck.toml:' in shown
    assert [line.split("#")[0] for line in settings(capsys).splitlines()] == [
        line.split("#")[0] for line in shown.splitlines()
    ]


def test_a_file_whose_name_has_a_line_break(capsys: Captured) -> None:
    configure("quiet = 1\n", "a\nb.toml")
    shown = settings(capsys, "--config", "a\nb.toml")
    assert shown.startswith("# configuration a\\nb.toml\n")
    assert "\nquiet = 1  # a\\nb.toml:1\n" in shown

    configure("seed = true\n", "a\nb.toml")
    error, _ = refused(capsys, "--config", "a\nb.toml")
    assert error.startswith("a\\nb.toml:1:8: ")
    configure("seed = [", "a\nb.toml")
    error, _ = refused(capsys, "--config", "a\nb.toml")
    assert error.startswith("a\\nb.toml:1:")


def test_patterns_start_from_the_folder_of_the_file(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    configure('exclude = ["league/*"]\n')
    monkeypatch.chdir(folder / "league")

    assert main(["validate", "--show-files", "."]) == 2
    assert "Every deck is excluded" in capsys.readouterr().err


OPTIONS = file_options(all_options())
FILES = ("deckcheck.toml", "base.toml", "first.toml")
"""A league's own configuration, the one it extends, and the one which that extends."""
FORMATS = ("gwent/standard", "gwent/advanced", "gwen_t/pool")
LEVELS = ("error", "off", "note")


def said_by(number: int) -> dict[str, object]:
    """A value for each option: two files that follow each other say different ones."""
    return {
        option.key: (number + (option.least or 0))
        if option.kind is int
        else number % 2 == 0
        if option.kind is bool
        else (option.all_words() or ("max specials 4", "max specials 5"))[number % 2]
        for option in OPTIONS.values()
    }


@pytest.mark.parametrize("stated", [*product((True, False), repeat=3)])
def test_each_key_is_that_of_the_nearest_file(stated: tuple[bool, ...]) -> None:
    for number, name in enumerate(FILES):
        keys = {"default-format": FORMATS[number], **said_by(number)}
        lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
        lines += ["[formats]", f'"league/**" = "{FORMATS[number]}"']
        lines += ["[severity]", *(f'{r.code} = "{LEVELS[number]}"' for r in DECK_RULES)]
        base = [f"extend = '{other}'" for other in FILES[number + 1 : number + 2]]
        configure("\n".join(base + lines * stated[number]), name)
        configure("\n".join(lines), f"alone-{name}")

    found = load_settings(Path(FILES[0]), [*OPTIONS.values()])

    if not any(stated):
        assert found == Configuration(files=tuple(map(Path, FILES)))
        return
    nearest = stated.index(True)
    entries = [*found.formats.values(), *found.severity.values(), found.default_format]
    places = {e.place.split(":")[0] for e in [*entries, *found.options.values()] if e}
    assert places == {FILES[nearest]}
    assert {k: e.written for k, e in found.options.items()} == said_by(nearest)
    alone = load_settings(Path(f"alone-{FILES[nearest]}"), [*OPTIONS.values()])
    assert values_of(found) == values_of(alone)
    assert {e.value for e in found.severity.values()} == {LEVELS[nearest]}
    assert len(found.severity) == len(DECK_RULES)
    assert {e.value for e in entries if e} == {FORMATS[nearest], LEVELS[nearest]}


def values_of(configuration: Configuration) -> dict[str, object]:
    return {key: entry.value for key, entry in configuration.options.items()}


@pytest.mark.parametrize("key", [o.key for o in OPTIONS.values() if o.is_many])
def test_none_of_several_values_is_a_value_too(key: str) -> None:
    configure(f"{key} = {json.dumps(said_by(0)[key])}\n", "base.toml")
    configure(f'extend = "base.toml"\n{key} = []\n')

    found = load_settings(Path(FILES[0]), [*OPTIONS.values()])
    assert [*found.options[key].value] == []


def test_a_configuration_has_no_other_parts() -> None:
    """The tests above try these."""
    parts = {field.name for field in fields(Configuration)}

    assert parts == {"files", "options", "default_format", "formats", "severity"}


def test_patterns_of_a_file_come_before_those_of_its_base(capsys: Captured) -> None:
    for own, other in (("league/*", "**/b.deck"), ("**/b.deck", "league/*")):
        configure(f'[formats]\n"{other}" = "gwent/standard"\n', "base.toml")
        configure(f'extend = "base.toml"\n[formats]\n"{own}" = "gwent/advanced"\n')

        main(["validate", "league", "-v", "-qq"])
        assert "format gwent/advanced from" in capsys.readouterr().err


def test_pyproject_and_a_named_file(capsys: Captured) -> None:
    configure('[tool.x]\n[tool.deckcheck]\nfail-on = "note"\n', "pyproject.toml")
    configure("verbose = true\n", "other.toml")

    assert 'fail-on = "note"  # pyproject.toml:3\n' in settings(capsys)
    shown = settings(capsys, "--config", "other.toml")
    assert "verbose = true  # other.toml:1\n" in shown
    assert 'fail-on = "error"  # default\n' in shown
    assert settings(capsys, "--isolated").startswith("# no configuration\n")


def test_what_is_typed_wins_over_variables_about_files(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure("verbose = true\n", "other.toml")
    monkeypatch.setenv("DECKCHECK_CONFIG", "other.toml")
    assert "other.toml" in settings(capsys)
    assert settings(capsys, "--isolated").startswith("# no configuration\n")

    args = ["validate", "a.deck", "--isolated", "--config", "other.toml"]
    assert "`--config` cannot be used together" in stderr_of(capsys, *args)


@pytest.mark.parametrize("wrong", marked_in("configurations.txt"), ids=str)
def test_defects_of_a_file_have_their_place(
    capsys: Captured, wrong: MarkedText
) -> None:
    configure(wrong.text)

    error, help = refused(capsys)
    expected = f"deckcheck.toml:{wrong}"
    assert error.startswith(expected.removesuffix("..."))
    assert error == expected or expected.endswith("...")
    assert help == (wrong.fault.help or "")


ARGUMENTS = {
    "balance": ["plan.toml"],
    "cards": ["list"],
    "expect": ["gone.toml"],
    "convert": ["a.deck"],
    "diff": ["a.deck", "b.deck"],
    "event": ["event.toml"],
    "generate": ["gwent/standard"],
    "merge": ["gone"],
    "meta": ["gone"],
    "report": ["gone"],
    "resume": ["gone"],
    "schema": ["cards"],
    "collect": ["inbox", "event.toml"],
}
"""What commands cannot do without."""


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_command_has_settings(capsys: Captured, command: str) -> None:
    configure("seed = 7\nquiet = 1\ngame = 'gwen_t'\n")

    shown = stdout_of(capsys, command, *ARGUMENTS.get(command, ()), "--show-settings")
    assert shown.startswith("# configuration deckcheck.toml\n")
    for key, line in (("seed", 1), ("quiet", 2), ("game", 3)):
        assert (f"# deckcheck.toml:{line}\n" in shown) == (f"\n{key} = " in shown)


@pytest.mark.parametrize("is_file", [True, False])
def test_options_of_other_commands(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, is_file: bool
) -> None:
    """And outputs are for the commands that have them."""
    if is_file:
        configure(
            'game = "gwen_t"\nseed = 7\noutput-format = ["concise", "json:out"]\n'
        )
    else:
        monkeypatch.setenv("DECKCHECK_GAME", "gwen_t")
        monkeypatch.setenv("DECKCHECK_SEED", "7")
        monkeypatch.setenv("DECKCHECK_OUTPUT_FORMAT", "concise; json:out")

    assert "1 card\n" in stdout_of(capsys, "cards", "find", "winter")
    assert stdout_of(capsys, "generate", "gwen_t/pool").startswith("Name: Random 7-1\n")
    said = stdout_of(capsys, "validate", "a.deck", "-f", "gwent/standard", code=1)
    assert said.startswith("a.deck:6:3: error[DL103]")
    assert Path("out").exists()


def test_an_output_that_no_command_has_is_misuse(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DECKCHECK_OUTPUT_FORMAT", "jsn")

    assert main(["cards"]) == 2
    assert capsys.readouterr().err.startswith(
        "error: Invalid value for `--output-format`: `jsn`, choose `table` or `json`, "
        "in the variable DECKCHECK_OUTPUT_FORMAT\n"
    )


def test_a_variable_that_means_nothing_is_told(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DECKCHECK_FIAL_ON", "note")
    monkeypatch.setenv("DECKCHECK_FOO", "note")
    monkeypatch.setenv("DECKCHECK_GAMES", "10")

    assert main(["validate", "a.deck", "-f", "gwent/standard"]) == 1
    assert capsys.readouterr().err == (
        "warning: Variable `DECKCHECK_FIAL_ON` means nothing, did you mean "
        "`DECKCHECK_FAIL_ON`?\n"
        "warning: Variable `DECKCHECK_FOO` means nothing\n"
    )


def test_every_bad_value_is_told(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DECKCHECK_EXIT_ZERO", "perhaps")

    assert main(["validate", "a.deck", "--color", "blue", "--fail-on", "any"]) == 2
    assert capsys.readouterr().err == (
        "error: Invalid value for `--fail-on`: `any`, choose `error`, `warning` or "
        "`note`\n"
        "Invalid value for `--exit-zero`: `perhaps`, choose `1` or `0`, in the "
        "variable DECKCHECK_EXIT_ZERO\n"
        "Invalid value for `--color`: `blue`, choose `auto`, `always` or `never`\n"
        "help: See `deckcheck validate --help`\n"
    )


# Which configuration file is the nearest.


def test_the_nearest_folder_wins_then_the_name(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    pyproject = tmp_path / "a" / "pyproject.toml"
    pyproject.write_text("[tool.deckcheck]\n")
    (tmp_path / "deckcheck.toml").touch()

    assert find_config(str(inner)) == pyproject
    hidden = tmp_path / "a" / ".deckcheck.toml"
    hidden.touch()
    assert find_config(str(inner)) == hidden
    plain = tmp_path / "a" / "deckcheck.toml"
    plain.touch()
    assert find_config(str(inner)) == plain


def test_a_pyproject_of_somebody_else_is_passed_over(tmp_path: Path) -> None:
    inner = tmp_path / "a"
    inner.mkdir()
    (tmp_path / "deckcheck.toml").touch()
    for text in (
        '[project]\nname = "x"\n',
        '[tool.x]\na = "deckcheck"\n',
        "deckcheck [",
    ):
        (inner / "pyproject.toml").write_text(text)
        assert find_config(str(inner)) == tmp_path / "deckcheck.toml"

    (inner / "pyproject.toml").write_text("[tool]\ndeckcheck = {}\n")
    assert find_config(str(inner)) == inner / "pyproject.toml"


@pytest.mark.parametrize(
    "name", ["deckcheck.toml", ".deckcheck.toml", "pyproject.toml"]
)
@pytest.mark.parametrize("target", ["nowhere.toml", "deckcheck.toml", "."])
def test_a_configuration_behind_a_broken_link_is_misuse(
    folder: Path, name: str, target: str, capsys: Captured
) -> None:
    """What is in it might decide the verdict, so it is never passed over."""
    Path(name).symlink_to(name if target == "deckcheck.toml" else target)
    Path("below").mkdir()
    os.chdir("below")

    message, help = refused(capsys, "--format", "gwent/standard")

    assert message.startswith(f"Configuration `../{name}` is a link that leads nowhere")
    assert help == "Correct or remove it, or pass `--isolated`"
