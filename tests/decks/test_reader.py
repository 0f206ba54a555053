"""Files read whole: of any kind, many at once, and spoiled."""

import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from helpers.decks import DECK, ROOT, SPOILED, Spoiled, follow
from helpers.findings import found_in
from helpers.outputs import SARIF_SCHEMA, check_document
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import deckcheck
from deckcheck.cli import main
from deckcheck.decks import DeckText, decode_deck, parse_decks
from deckcheck.findings import split_lines
from deckcheck.reporters import OUTPUTS, REPORTERS, Style
from deckcheck.validation import Validation, Validator

# Whatever stands in a file, reading it ends and says where it went wrong.

PATHS = st.sampled_from(["a.deck", "a.txt", "a.yaml", "a.json"])
WORDS = st.sampled_from(
    [
        *("Name:", "Leader:", "Faction:", "Format: gwent/standard", "Units:", "---"),
        *("Foltest", "Ballista", "Ballsta", "Crone: Brewess", "3", "x2", "-1", "0x"),
        *("#", "//", "(5)", "\t", "\u3000", "\uff13", "\x1b[31m", "\r", "\n", "\0"),
        *("3 fire up", "2x 5 ice", "fier", "none", "6", "up up", "x2 1"),
        *("cards:", "{", "}", "[", "- ", '"', "decks:", "&a", "*a", "!!x", ": 3"),
    ]
)
TEXTS = st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=30).map(" ".join))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["cards", "decks", "name", "x"]), inner)
    ),
    max_leaves=12,
)


def check(data: bytes, path: str, format: str = "gwent/standard") -> Validation:
    """Check a file; every finding must point into its text."""
    source = decode_deck(data, path)
    point_into(source, Validator("deckmaster/standard").check_all([source]))
    run = Validator(format).check_all([source])
    point_into(source, run)
    for _, write in REPORTERS:
        shown = io.StringIO()
        write(run, shown, Style(color=False), True)
        assert "\x1b" not in shown.getvalue()
    return run


def point_into(source: DeckText, run: Validation) -> None:
    assert run.reports
    lines = split_lines(source.text)
    for finding in run.findings:
        start, end = finding.span.start, finding.span.end
        assert 1 <= start.line <= end.line <= len(lines)
        assert 1 <= start.column <= len(lines[start.line - 1]) + 1
        assert start <= end
        assert finding.message


@given(st.binary(max_size=400), PATHS)
def test_any_bytes(data: bytes, path: str) -> None:
    check(data, path)


@given(TEXTS, PATHS)
def test_any_text(text: str, path: str) -> None:
    check(text.encode("utf-8", errors="replace"), path)


@given(TEXTS)
def test_any_text_in_utf_16(text: str) -> None:
    check(text.encode("utf-16", errors="replace"), "a.deck")


@given(VALUES, st.sampled_from(["a.yaml", "a.json"]))
def test_any_values(value: object, path: str) -> None:
    check(json.dumps(value).encode(), path)


@given(st.lists(TEXTS, max_size=5), st.sampled_from(["tournament", "two_vs_two"]))
def test_any_decks_together(texts: list[str], format: str) -> None:
    data = "\n---\n".join(texts).encode("utf-8", errors="replace")
    check(data, "a.deck", f"gwent/{format}")


@given(st.lists(TEXTS, max_size=3))
def test_reading_twice_gives_the_same(texts: list[str]) -> None:
    data = "\n---\n".join(texts).encode("utf-8", errors="replace")
    source = decode_deck(data, "a.deck")

    assert parse_decks(source) == parse_decks(source)


# Every output has the same findings.


@pytest.mark.usefixtures("here")
def test_every_output_has_the_same_findings() -> None:
    for source in ("examples/broken", "tests/decks/pasted"):
        shutil.copytree(ROOT / source, Path("lists", source))
    # A deck is one line of `line`, whatever is found.
    outputs = [name for name in OUTPUTS if name != "line"]
    words = [f"--output-format={name}:{name}" for name in outputs]
    assert main(["validate", "lists", *words]) == 1
    texts = {name: Path(name).read_text(encoding="utf-8") for name in outputs}
    found = found_in("json", texts["json"])

    assert found.total() > 150
    for name, text in texts.items():
        assert found_in(name, text) == found, name
    check_document("validate", json.loads(texts["json"]))
    for line in texts["jsonl"].splitlines():
        check_document("validate-jsonl", json.loads(line))
    Draft202012Validator(SARIF_SCHEMA).validate(json.loads(texts["sarif"]))


# Spoiled lists, in a folder, an event, Python and the action: none is silent.
#
# Each gets a verdict that names the cause, and is legal once its help line is followed.

FORMAT = "gwent/standard"
ROUNDS = 5
DECKS = [each for each in SPOILED if each.is_deck and each.cause != "other-player"]
OTHERS = [each for each in SPOILED if not each.is_deck]
EVENT = """\
name = "Spring cup"
date = "2026-03-14"
format = "gwent/standard"
lists = "lists"
players = [{}]
"""


def named(spoiled: Spoiled) -> str:
    return spoiled.name


@pytest.fixture
def folder(here: Path) -> Path:
    """The folder of an event in which every list is spoiled but one."""
    assert len({each.player for each in SPOILED}) == len(SPOILED) >= 60
    lists = here / "lists"
    lists.mkdir()
    (lists / "good.deck").write_text(DECK, encoding="utf-8")
    for each in SPOILED:
        (lists / each.file).write_bytes(each.data)
    players = ", ".join(f'"{each.player}"' for each in SPOILED)
    event = EVENT.format(f'"Good", {players}')
    (here / "event.toml").write_text(event, encoding="utf-8")
    return here


def validated(code: int) -> dict[str, Any]:
    words = ["validate", "lists", "--no-suppress", "--format", FORMAT]
    assert main([*words, "--output-format", "json:found.json"]) == code
    content = json.loads(Path("found.json").read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return content


def test_in_a_folder(folder: Path) -> None:
    found = validated(1)

    verdicts = {deck["path"]: deck for deck in found["decks"]}
    for each in DECKS:
        deck = verdicts[f"lists/{each.file}"]
        assert not deck["legal"], each.name
        causes = {finding["name"]: finding["help"] for finding in deck["findings"]}
        assert causes[each.cause], (each.name, causes)
    legal = {path for path, deck in verdicts.items() if deck["legal"]}
    assert legal == {"lists/good.deck", "lists/of_another.deck"}
    assert found["left_out"] == {
        "others": {
            each.suffix.lower(): 1 for each in sorted(OTHERS, key=lambda o: o.suffix)
        },
        "own": 0,
        "excluded": 0,
    }


@pytest.mark.parametrize("spoiled", DECKS, ids=named)
def test_its_help_is_followed(spoiled: Spoiled, folder: Path) -> None:
    file = folder / "lists" / spoiled.file
    for _ in range(ROUNDS):
        run = deckcheck.validate(file, format=FORMAT, suppressions=False)
        errors = [f for f in run.findings if f.severity == "error"]
        if not errors:
            return
        first = next((f for f in errors if f.name == spoiled.cause), errors[0])
        file = follow(spoiled, file, as_data(first))
    pytest.fail(f"{spoiled.name} is not mended: {errors}")


def as_data(finding: deckcheck.Finding) -> dict[str, Any]:
    span = finding.span
    return {
        "help": finding.help,
        "start": span.start._asdict(),
        "end": span.end._asdict(),
    }


@pytest.mark.parametrize("spoiled", DECKS, ids=named)
def test_as_a_text_in_python(spoiled: Spoiled) -> None:
    """As a web form hands it over: without a suffix, its way is guessed."""
    try:
        text = spoiled.data.decode("utf-8")
    except UnicodeDecodeError:
        return
    run = deckcheck.validate(text=text, format=FORMAT, suppressions=False)

    is_one_way = spoiled.name in ("json_as_text", "json_as_deck")
    assert run.legal == is_one_way, run.findings
    assert bool(run.findings) != is_one_way


def judged(code: int) -> dict[str, Any]:
    assert main(["event", "event.toml", "--output-format", "json:event.json"]) == code
    content = json.loads(Path("event.json").read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return content


def test_in_an_event(folder: Path) -> None:
    """Every player has a verdict, and none has no list."""
    found = judged(1)
    decks = {deck["path"]: deck["findings"] for deck in found["decks"]}
    players = {each["name"]: each for each in found["event"]["players"]}

    for each in SPOILED:
        player = players[each.player]
        findings = [*player["findings"], *decks[f"lists/{each.file}"]]
        assert player["verdict"] in ("illegal", "of another player"), each.name
        assert each.cause in {f["name"] for f in findings if f["help"]}, each.name
        assert "missing-list" not in {f["name"] for f in findings}
    assert players["Good"]["verdict"] == "legal"
