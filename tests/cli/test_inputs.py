"""What commands read: paths, patterns and lists of paths, whatever they are called."""

import csv
import io
import json
import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from helpers.commands import stderr_of, stdout_of
from helpers.pages import shown_in

from deckcheck.cli import main
from deckcheck.cli.application import all_options, load_command
from deckcheck.cli.settings import spell_out
from deckcheck.formats import load_format
from deckcheck.messages import HIDDEN
from deckcheck.sim.warmup import warm_format

# What `deckcheck validate` checks: lists of names, exclusions, `--show-files`.

Captured = pytest.CaptureFixture[str]


def list_files(capsys: Captured, *words: str) -> list[str]:
    """Return the files that would be checked."""
    return stdout_of(capsys, "validate", "--show-files", *words).splitlines()


def test_files_from_a_list_of_bytes(
    here: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("league").mkdir()
    for name in ("a.deck", "league/b.deck"):
        Path(name).touch()
    for names in (b"a.deck\r\n\nleague\n", b"a.deck\0league/b.deck\0"):
        Path("names").write_bytes(names)
        files = list_files(capsys, "--files-from", "names")
        assert files == ["a.deck", "league/b.deck"], names
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a.deck\n")))
    files = list_files(capsys, "league/b.deck", "--files-from", "-")
    assert files == ["league/b.deck", "a.deck"]


# Names that are markup, links, formulas or commands of a terminal, in every output.
#
# Decks, files, players, events and cards of an own set bear them.

STANDARD = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
MARKED = "@user #1 GH-1 https://evil.example [a](b) <img src=x> `c` | *d* :tada:"
HIDING = "\x1b[2Jx\u202ey\u2060z\U000e0041\u3164v\u2066u\u200ft"
NAME = f"=1+1 {MARKED} {HIDING}"
# A line with markup for images may not be meant, and links are read as their text.
CARD = NAME.replace("<img src=x>", "img").replace("[a](b)", "a")
FILE = "@user #1 `c` www.evil.example.deck"
STEERING_FILE = "a\x1b[2J\nb\u202ec.deck"
STEERING_FORMAT = "le\x1bague.yaml"


def quoted(text: str) -> str:
    """A text as YAML and TOML quote it."""
    return json.dumps(text, ensure_ascii=False)


FORMAT = f"""\
title: {quoted(NAME)}
extends: gwent/standard
sets: [set.yaml]
"""
SET = f"""\
- id: evil
  name: {quoted(f"{CARD} card")}
  faction: neutral
  kind: unit
  rows: [close]
  strength: 4
  copies: 1
"""
EVENT = f"""\
name = {quoted(NAME)}
date = "2026-01-01"
format = "league.yaml"
lists = "lists"
players = [{quoted(f"{NAME} Anna")}, {quoted(f"{NAME} Ben")}]
"""
PLAN = """\
[defaults]
format = "league.yaml"
games = 20
policies = ["random"]

[experiments.one]
decks = ["lists/*.deck"]
"""
SCENARIO = f"""\
rule: gwent 1.2.4
format: gwent/standard
turn: A
players:
  A: {{faction: monsters, hand: [{quoted(NAME)}]}}
  B: {{faction: skellige, hand: [olaf]}}
"""
EXPECTED = 'expect = ["win_rate(*) < 0.001"]\n'
LEAGUE = ["--format", "league.yaml"]
PLAYED = ["-n", "20", "--policy", "random", *LEAGUE]
FIELD = ["--against", "lists", *PLAYED]


FILES = {f"deck {n}": f"lists/{n} {FILE}" for n in range(2)}
RESULTS = ("table", "json", "csv", "markdown", "html")
FINDINGS = ("full", "concise", "json", "github", "gitlab", "sarif", "junit", "rdjson")
COMMANDS = {
    "validate": (["validate", "lists", *LEAGUE], (*FINDINGS, "markdown")),
    "validate broken": (["validate", "broken", *LEAGUE], (*FINDINGS, "markdown")),
    "validate odd": (["validate", "odd", *LEAGUE], (*FINDINGS, "markdown")),
    "event": (["event", "event.toml"], (*FINDINGS, "markdown", "html")),
    "event broken": (["event", "broken.toml"], (*FINDINGS, "markdown", "html")),
    "simulate": (
        ["simulate", "lists", *PLAYED, "--run", "run", "--games-table", "games.csv"],
        RESULTS,
    ),
    "simulate a plan": (["simulate", "--plan", "plan.toml"], RESULTS),
    "expect": (["expect", "check.toml"], (*RESULTS[:4], "github")),
    "compare": (["compare", "deck 0", "deck 1", *FIELD], RESULTS),
    "impact": (["impact", "deck 0", *FIELD], RESULTS),
    "redraws": (["impact", "deck 0", "--redraws", *FIELD], RESULTS),
    "meta": (["meta", "run"], RESULTS),
    "report": (["report", "run"], RESULTS),
    "replay": (["replay", "lists", *PLAYED], ("text", "json", "markdown")),
}
WITH_TABLES = [name for name, (_, outputs) in COMMANDS.items() if "csv" in outputs]
WITH_PAGES = ("validate", "validate broken", "event", "event broken", "expect")
PRINTING = (
    ["stats", "lists", *LEAGUE],
    ["formats", "show", "league.yaml"],
    ["formats", "diff", "gwent/standard", "league.yaml"],
    ["formats", "show", f"./{STEERING_FORMAT}"],
    ["formats", "show", f"./{STEERING_FORMAT}", "--output-format", "json"],
    ["formats", "diff", "gwent/standard", f"./{STEERING_FORMAT}"],
    ["formats", "--for", FILES["deck 0"]],
    ["cards", "list", *LEAGUE],
    ["convert", "lists", "--to", "code", *LEAGUE],
    ["convert", FILES["deck 0"], "--to", "json", *LEAGUE],
    ["fmt", "lists", "--diff"],
    ["validate", "lists", *LEAGUE, "-v"],
    ["validate", "lists", *LEAGUE, "--show-files"],
    ["scenario", "position.yaml"],
    ["scenario", "position.yaml", "--output-format", "json"],
    ["validate", NAME, "--format", NAME],
    ["validate", "lists", "--format", "bad.yaml"],
    ["event", "bad.toml"],
    ["validate", "lists", "--output-format", NAME],
    ["validate", "lists", f"--{NAME}"],
    ["generate", NAME],
    ["generate", "gwent/standard", "--output", f"{NAME}/\n"],
    ["cards", "show", NAME],
    ["rule", NAME],
    [NAME],
)
"""Commands that print names, also those that nobody knows."""

Outputs = dict[str, str]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where we are: a folder with all that has such names."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "lists").mkdir()
    (folder / "broken").mkdir()
    (folder / "odd").mkdir()
    for number, name in enumerate(("mo_swarm", "nr_siege_masters")):
        text = (STANDARD / f"{name}.deck").read_text(encoding="utf-8")
        text = re.sub("Format: .*", "", text)
        text = re.sub("Name: .*", lambda _, n=number: f"Name: {NAME} {n}", text)
        text += f"1 {CARD} card\n"
        (folder / FILES[f"deck {number}"]).write_text(text, encoding="utf-8")
        text += f"3 {CARD} card\n2 {CARD} unknown\n"
        text = f"{MARKED}: {NAME}\n{text}"
        (folder / "broken" / FILE).write_text(text, encoding="utf-8")
        (folder / "odd" / STEERING_FILE).write_text(text, encoding="utf-8")
    for file, text in {
        "league.yaml": FORMAT,
        STEERING_FORMAT: FORMAT,
        "position.yaml": SCENARIO,
        "bad.yaml": f"extends: gwent/standard\n{quoted(NAME)}: 1\n",
        "bad.toml": EVENT.replace('"2026-01-01"', quoted(NAME)),
        "set.yaml": SET,
        "event.toml": EVENT,
        "broken.toml": EVENT.replace('"lists"', '"broken"'),
        "plan.toml": PLAN,
        "check.toml": PLAN + EXPECTED,
    }.items():
        (folder / file).write_text(text, encoding="utf-8")
    warm_format(load_format("gwent/standard"))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield folder


@pytest.fixture(scope="module")
def results(hostile: Path) -> dict[str, Outputs]:
    """What each command writes: by output, in `notes` what it says besides."""
    return {name: written(hostile / name, *COMMANDS[name]) for name in COMMANDS}


def written(folder: Path, words: list[str], outputs: tuple[str, ...]) -> Outputs:
    """All outputs of a command at once."""
    folder.mkdir()
    asked = [f"--output-format={name}:{folder / name}" for name in outputs]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GITHUB_STEP_SUMMARY", str(folder / "page"))
        with redirect_stderr(io.StringIO()) as notes, redirect_stdout(io.StringIO()):
            code = main([*(FILES.get(word, word) for word in words), *asked])
    assert code in (0, 1), notes.getvalue()
    texts = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}
    return {**texts, "notes": notes.getvalue()}


def hidden_in(text: str) -> list[str]:
    return re.findall(HIDDEN, re.sub(r"[\n\t]", "", text))


@pytest.mark.parametrize("name", COMMANDS)
def test_outputs_show_names_as_they_are(results: dict[str, Outputs], name: str) -> None:
    outputs = results[name]

    assert set(outputs) >= set(COMMANDS[name][1])
    for output, text in outputs.items():
        assert not hidden_in(text), output
    for page in ("markdown", "page") if name in WITH_PAGES else ("markdown",):
        assert MARKED[:40] in shown_in(outputs[page]), page


def test_comments_in_a_review_quote_names(results: dict[str, Outputs]) -> None:
    for name in ("validate broken", "event broken"):
        diagnostics = json.loads(results[name]["rdjson"])["diagnostics"]
        assert MARKED.partition(" [")[0] in str(diagnostics)  # a link is read as text
        for each in diagnostics:
            for comment in [each, *each.get("related_locations", ())]:
                shown_in(comment["message"])


def test_no_cell_is_a_formula(results: dict[str, Outputs]) -> None:
    tables = [results[name]["csv"] for name in WITH_TABLES]
    for text in [*tables, Path("games.csv").read_text(encoding="utf-8")]:
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert not hidden_in(text)
        assert any(cell.startswith("'=1+1") for cell in cells)
        for cell in cells:
            assert cell[:1] not in ("=", "+", "@", "\t", "\r")
            assert cell[:1] != "-" or float(cell) < 0


@pytest.mark.usefixtures("hostile")
@pytest.mark.parametrize("words", PRINTING, ids=lambda words: ascii(words)[:40])
def test_nothing_is_hidden_in_what_other_commands_print(
    capsys: Captured, words: list[str]
) -> None:
    main(words)
    printed = capsys.readouterr()

    assert printed.out or printed.err
    assert not hidden_in(printed.out + printed.err)


# Paths that files and options state and that no path can be: a sentence, no crash.

LONG = "a" * 300
STATING = {
    "own.yaml": "title: W\n{}\n",
    "event.toml": 'name = "Cup"\ndate = "2025-12-06"\n{}\nplayers = ["Anna"]\n',
    "deckcheck.toml": "{}\n",
}
COMMANDS_THAT_READ = {
    "own.yaml": "validate a.deck --format ./own.yaml",
    "event.toml": "event event.toml",
    "deckcheck.toml": "validate a.deck",
}
"""Files that state paths, and the command that reads each."""


@pytest.fixture
def loops(here: Path) -> None:
    (here / "a.deck").write_text("Format: gwent/standard\n3 Ballista\n")
    (here / "lists").mkdir()
    for name in ("loop", "loop.yaml"):
        (here / name).symlink_to(name)


IMPOSSIBLE = {
    "own.yaml": {
        "2:10": r'extends: "gwent/st\0andard"|extends: "./st\0andard.yaml"|'
        f"extends: ./{LONG}.yaml|extends: ./loop.yaml",
        "3:8": 'extends: gwent/standard\nsets: ["a\\0.yaml"]',
    },
    "event.toml": {
        "3:10": 'format = "gwent/st\\u0000"\nlists = "lists"|'
        'format = "./st\\u0000.yaml"\nlists = "lists"',
        "4:9": 'format = "gwent/standard"\nlists = "li\\u0000"|'
        'format = "gwent/standard"\nlists = "loop"',
    },
    "deckcheck.toml": {
        "1:": rf'extend = "a\u0000.toml"|extend = "{LONG}.toml"|extend = "loop"|'
        rf'card-db = "a\u0000"|card-db = "{LONG}"|output-format = ["json:a\u0000"]|'
        r'exclude = ["a\u0000"]'
    },
}
"""Lines with a path that no path can be, by file and place."""
PATHS = (
    "validate {}|validate loop|validate a.deck --format ./{}.yaml|"
    "validate a.deck --card-db {}|validate a.deck --config {}|"
    "validate a.deck --output-format json:{}|convert a.deck --to text -o {}/x|"
    "generate gwent/standard --output {}|scenario {}|scenario loop|event {}|"
    "simulate a.deck a.deck --allow-illegal --run {}|simulate --plan {}|expect {}|"
    "balance {}|resume {}|resume {}/a|report {}|report a.deck {} --compare|meta {}|"
    "replay {}|merge {} --run all|merge lists --run {}"
)
"""Commands with such a path."""


@pytest.mark.usefixtures("loops")
def test_a_path_that_no_path_can_be_is_said_in_a_sentence(capsys: Captured) -> None:
    for command in PATHS.split("|"):
        said = stderr_of(capsys, *command.format(LONG).split())
        assert "internal error" not in said, command
    for file, places in IMPOSSIBLE.items():
        for place, several in places.items():
            for lines in several.split("|"):
                Path(file).write_text(STATING[file].replace("{}", lines))
                said = stderr_of(capsys, *COMMANDS_THAT_READ[file].split())
                assert f"{file}:{place}" in said, lines
                assert "internal error" not in said, lines


# Options that take every path up to the next option.

SPELT_OUT = {
    "a b --against c d": "a b --against c --against d",
    "a --against c d -n 5 b": "a --against c --against d -n 5 b",
    "a --against c --against d e": "a --against c --against d --against e",
    "a --against=c b": "a --against=c b",
    "--against c -- -d e": "--against c -- -d e",
    "a --against - b": "a --against - --against b",
    "a --against": "a --against",
    "a --against --seed 4": "a --against --seed 4",
    "a --against --against b": "a --against --against b",
    "a --against --against b c": "a --against --against b --against c",
    "a --policy heuristic b": "a --policy heuristic b",
}


def test_spell_out_gives_paths_to_the_option_before_them() -> None:
    settings = load_command("compare").settings
    for typed, meant in SPELT_OUT.items():
        assert [*spell_out(typed.split(), settings)] == meant.split(), typed
    kinds = {setting.key for setting in all_options() if setting.takes_paths}
    assert kinds == {"against", "mine", "start"}
