"""Names that are markup, links, formulas or commands of a terminal, in every output.

Decks, files, players, events and cards of an own set bear them.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from marked_down import shown_in

from deckcheck.cli import main
from deckcheck.formats import load_format
from deckcheck.messages import HIDDEN
from deckcheck.sim.warmup import warm_format

Captured = pytest.CaptureFixture[str]

STANDARD = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
MARKED = "@user #1 GH-1 https://evil.example [a](b) <img src=x> `c` | *d* :tada:"
HIDING = "\x1b[2Jx\u202ey\u2060z\U000e0041\u3164"
NAME = f"=1+1 {MARKED} {HIDING}"
FILE = "@user #1 `c` www.evil.example.deck"


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
  name: {quoted(f"{NAME} card")}
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
EXPECTED = 'expect = ["win_rate(*) < 0.001"]\n'
LEAGUE = ["--format", "league.yaml"]
PLAYED = ["-n", "20", "--policy", "random", *LEAGUE]


FILES = {f"deck {n}": f"lists/{n} {FILE}" for n in range(2)}
RESULTS = ("table", "json", "csv", "markdown", "html")
FINDINGS = ("full", "concise", "json", "github", "gitlab", "sarif", "junit", "rdjson")
COMMANDS = {
    "validate": (["validate", "lists", *LEAGUE], (*FINDINGS, "markdown")),
    "validate broken": (["validate", "broken", *LEAGUE], (*FINDINGS, "markdown")),
    "event": (["event", "event.toml"], (*FINDINGS, "markdown", "html")),
    "event broken": (["event", "broken.toml"], (*FINDINGS, "markdown", "html")),
    "simulate": (
        ["simulate", "lists", *PLAYED, "--run", "run", "--games-table", "games.csv"],
        RESULTS,
    ),
    "simulate a plan": (["simulate", "--plan", "plan.toml"], RESULTS),
    "expect": (
        ["expect", "check.toml"],
        ("table", "json", "csv", "markdown", "github"),
    ),
    "compare": (
        ["compare", "deck 0", "deck 1", "--against", "lists", *PLAYED],
        RESULTS,
    ),
    "impact": (["impact", "deck 0", "--against", "lists", *PLAYED], RESULTS),
    "redraws": (
        ["impact", "deck 0", "--redraws", "--against", "lists", *PLAYED],
        RESULTS,
    ),
    "meta": (["meta", "run"], RESULTS),
    "report": (["report", "run"], RESULTS),
    "replay": (
        ["replay", "lists", *PLAYED, "--game", "1"],
        ("text", "json", "markdown"),
    ),
}
WITH_TABLES = [name for name, (_, outputs) in COMMANDS.items() if "csv" in outputs]
WITH_PAGES = ("validate", "validate broken", "event", "event broken", "expect")
PRINTING = (
    ["stats", "lists", *LEAGUE],
    ["formats", "show", "league.yaml"],
    ["formats", "diff", "gwent/standard", "league.yaml"],
    ["cards", "list", *LEAGUE],
    ["convert", "lists", "--to", "code", *LEAGUE],
    ["fmt", "lists", "--diff"],
    ["validate", "lists", *LEAGUE, "-v"],
    ["validate", "lists", *LEAGUE, "--show-files"],
)

Outputs = dict[str, str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where we are: a folder with all that has such names."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "lists").mkdir()
    (folder / "broken").mkdir()
    for number, name in enumerate(("mo_swarm", "nr_siege_masters")):
        text = (STANDARD / f"{name}.deck").read_text(encoding="utf-8")
        text = re.sub("Format: .*", "", text)
        text = re.sub("Name: .*", lambda _, n=number: f"Name: {NAME} {n}", text)
        text += f"1 {NAME} card\n"
        (folder / FILES[f"deck {number}"]).write_text(text, encoding="utf-8")
        text += f"3 {NAME} card\n2 {NAME} unknown\n"
        text = f"{MARKED}: {NAME}\n{text}"
        (folder / "broken" / FILE).write_text(text, encoding="utf-8")
    for file, text in {
        "league.yaml": FORMAT,
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
def results(folder: Path) -> dict[str, Outputs]:
    """What each command writes: by output, in `notes` what it says besides."""
    return {name: written(folder / name, *COMMANDS[name]) for name in COMMANDS}


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
def test_markdown_shows_them_as_they_are(
    results: dict[str, Outputs], name: str
) -> None:
    assert MARKED[:40] in shown_in(results[name]["markdown"])


@pytest.mark.parametrize("name", WITH_PAGES)
def test_so_does_the_page_of_a_ci_job(results: dict[str, Outputs], name: str) -> None:
    assert MARKED[:40] in shown_in(results[name]["page"])


@pytest.mark.parametrize("name", ["validate broken", "event broken"])
def test_comments_in_a_review_quote_them(
    results: dict[str, Outputs], name: str
) -> None:
    diagnostics = json.loads(results[name]["rdjson"])["diagnostics"]

    assert MARKED[:40] in str(diagnostics)
    for each in diagnostics:
        for comment in [each, *each.get("related_locations", ())]:
            shown_in(comment["message"])


@pytest.mark.parametrize("name", [*WITH_TABLES, "games table"])
def test_no_cell_is_a_formula(results: dict[str, Outputs], name: str) -> None:
    kept = Path("games.csv").read_text(encoding="utf-8")
    text = results[name]["csv"] if name in results else kept
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]

    assert not hidden_in(text)
    assert any(cell.startswith("'=1+1") for cell in cells)
    for cell in cells:
        assert cell[:1] not in ("=", "+", "@", "\t", "\r")
        assert cell[:1] != "-" or float(cell) < 0


@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_is_hidden_in_any_output(
    results: dict[str, Outputs], name: str
) -> None:
    outputs = results[name]

    assert set(outputs) >= set(COMMANDS[name][1])
    for output, text in outputs.items():
        assert not hidden_in(text), output


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("words", PRINTING, ids=lambda words: " ".join(words[:2]))
def test_nor_in_what_other_commands_print(capsys: Captured, words: list[str]) -> None:
    main(words)
    printed = capsys.readouterr()

    assert printed.out or printed.err
    assert not hidden_in(printed.out + printed.err)
