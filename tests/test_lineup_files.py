"""Files of several decks that belong together, in every tool that meets decks."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from deckcheck.cli import main
from deckcheck.decks import DeckText
from deckcheck.decks.rewriting import Converter, write_decks
from deckcheck.reporters import REPORTERS, Style
from deckcheck.validation import Validation, validate_files, validate_text

Captured = pytest.CaptureFixture[str]
DECKS = Path(__file__).resolve().parent.parent / "decks" / "gwent"
KIN = DECKS / "tournament" / "kin_of_the_coast.deck"
SHARED = DECKS.parents[1] / "examples/broken/gwent/lineup-with-a-shared-hero.deck"
TOGETHER = ("tournament", "two_vs_two", "free_for_all", "solo")
FILES = sorted(file for name in TOGETHER for file in (DECKS / name).glob("*.deck"))


def converted(file: Path, way: str) -> str:
    converter = Converter()
    raws = converter.read(DeckText(file.name, file.read_text(encoding="utf-8")))
    sheets, db, _ = converter.sheets(raws)
    return write_decks(way, sheets, db).text


def seen(run: Validation) -> list[tuple[str, int]]:
    return [(finding.name, finding.span.start.line) for finding in run.findings]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
@pytest.mark.parametrize("way", ["text", "yaml", "json"])
def test_what_is_converted_stays_legal(file: Path, way: str) -> None:
    suffix = {"text": "deck"}.get(way, way)
    run = validate_text(converted(file, way), f"a.{suffix}")

    assert seen(run) == []
    assert len(run.reports) == len(validate_files([file]).reports)


def test_each_share_code_of_a_lineup_has_its_format() -> None:
    codes = converted(KIN, "code")
    raws = Converter().read(DeckText("a.code", codes))

    assert len(codes.splitlines()) == 3
    assert [raw.headers["format"][0].value for raw in raws] == ["gwent/tournament"] * 3


@pytest.mark.parametrize("name", [name for name, _ in REPORTERS])
def test_every_output_tells_what_is_wrong_with_a_lineup(name: str) -> None:
    stream = io.StringIO()
    write = dict(REPORTERS)[name]
    write(validate_files([SHARED]), stream, Style(color=False), True)

    assert "is in 2 decks of a lineup, 1 allowed" in stream.getvalue()


def test_json_has_the_place_in_the_other_deck() -> None:
    stream = io.StringIO()
    dict(REPORTERS)["json"](validate_files([SHARED]), stream, Style(color=False), False)
    decks = json.loads(stream.getvalue())["decks"]

    assert [(deck["index"], deck["legal"]) for deck in decks] == [
        (0, True),
        (1, True),
        (2, False),
    ]
    (finding,) = decks[2]["findings"]
    (related,) = finding["related"]
    assert related["message"] == "also in `Bears and ships`"
    assert related["start"]["line"] < finding["start"]["line"]


@pytest.mark.parametrize("place", ["line", "file"])
def test_findings_about_several_decks_can_be_suppressed(place: str) -> None:
    text = SHARED.read_text(encoding="utf-8")
    comment = "# deckcheck: ignore[shared-card]"
    if place == "file":
        text = f"{comment}\n{text}"
    else:
        text = text.replace("# expect: shared-card", comment)
    run = validate_text(text, "a.deck")

    assert seen(run) == []
    assert run.legal
    assert [len(report.suppressed) for report in run.reports] == [0, 0, 1]


def test_a_useless_suppression_belongs_to_its_deck() -> None:
    text = KIN.read_text(encoding="utf-8")
    text = text.replace("Hjalmar", "Hjalmar  # deckcheck: ignore[shared-card]")
    run = validate_text(text, "a.deck")

    assert [[f.name for f in report.findings] for report in run.reports] == [
        [],
        ["unused-suppression"],
        [],
    ]


UNREAD = "3 Ballista x2\n"
"""Nothing of this deck can be read, not even what it is."""


def said_of_its_number(*decks: str) -> list[str]:
    """What is said of the number of decks in a lineup, and of decks that are none."""
    run = validate_text("---\n".join(decks), "a.deck", "gwent/tournament")
    found = [f for f in run.findings if f.name == "wrong-number-of-decks"]
    return [
        text
        for finding in found
        for text in (finding.message, *finding.notes)
        if text.startswith(("Found", "The file"))
    ]


def test_a_deck_that_cannot_be_read_is_one_of_its_lineup() -> None:
    one, two, _ = KIN.read_text(encoding="utf-8").split("---\n")

    assert said_of_its_number(one, two) == [
        "Found 2 decks, a tournament lineup holds 3"
    ]
    assert said_of_its_number(one, UNREAD, two) == []


def test_a_deck_that_cannot_be_read_is_not_of_another_format() -> None:
    one, two, three = KIN.read_text(encoding="utf-8").split("---\n")

    assert said_of_its_number(one, UNREAD) == [
        "Found 1 deck, a tournament lineup holds 3"
    ]
    assert said_of_its_number(one, UNREAD, two, three, one) == [
        "Found 4 decks, a tournament lineup holds 3"
    ]


def test_fix_repairs_every_deck_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = KIN.read_text(encoding="utf-8")
    broken = text.replace("Catapult", "Catapultt").replace(
        "Geralt of Rivia", "Geralt of Rivja"
    )
    Path("a.deck").write_text(broken, encoding="utf-8")

    assert main(["validate", "a.deck", "--fix"]) == 0
    assert Path("a.deck").read_text(encoding="utf-8") == text


def test_a_configured_format_holds_for_the_whole_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    text = KIN.read_text(encoding="utf-8").replace("Format: gwent/tournament\n", "")
    Path("a.deck").write_text(text.rpartition("---")[0], encoding="utf-8")
    Path("deckcheck.toml").write_text(
        'default-format = "gwent/tournament"\n', encoding="utf-8"
    )

    assert main(["validate", "a.deck"]) == 1
    assert "Found 2 decks, a tournament lineup holds 3" in capsys.readouterr().out


def test_a_league_may_want_other_lineups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    league = (
        "title: League\nextends: gwent/tournament\n"
        "seating:\n  min_decks: 4\n  max_decks: 4\n"
        "constraints:\n  heroes:\n"
    )
    Path("league.yaml").write_text(league, encoding="utf-8")

    args = ["validate", str(SHARED), "--format", "league.yaml"]
    assert main([*args, "--output-format", "concise"]) == 1
    out = capsys.readouterr().out
    assert "Found 3 decks, a league lineup holds 4" in out
    assert "shared-card" not in out


def test_formats_for_a_lineup_says_where_it_is_legal(capsys: Captured) -> None:
    assert main(["formats", "--for", str(KIN), "--output-format", "json"]) == 0

    decks = json.loads(capsys.readouterr().out)["decks"]
    legal = [set(deck["legal"]) for deck in decks]
    assert all("gwent/tournament" in formats for formats in legal)
    assert all("gwent/free_for_all" in formats for formats in legal)
    # A team is two decks: the third is one too many.
    assert ["gwent/two_vs_two" in formats for formats in legal] == [True, True, False]
