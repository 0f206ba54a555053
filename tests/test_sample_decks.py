"""Sample decks are legal, those of `examples/broken/` get what they expect."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deckcheck.cards import load_database
from deckcheck.cli import main
from deckcheck.formats import load_format
from deckcheck.rules import ALL_RULES
from deckcheck.validation import validate_files

ROOT = Path(__file__).resolve().parent.parent
DECKS = ROOT / "decks"

EXPECTED = re.compile(r"(?:#|//) expect: (?P<names>.+)$")
NEIGHBOUR = re.compile(r"line (?P<line>\d+): (?P<names>.+)")

# Found by the size of a file or by several decks of one: no sample would be readable.
WITHOUT_SAMPLE = {
    "ambiguous-card",  # no two cards of Gwent share a name
    "oversized-file",
    "banned-leader",  # no format of Gwent bans leaders or restricts a card
    "restricted-card",
    "removed-card",  # no format of ours has a set that removes cards
    "too-many-points",  # no format of ours has points
    "too-low-total",  # no format of Gwent asks for a least strength
}


def good_folders() -> list[Path]:
    return sorted(folder for folder in DECKS.glob("*/*") if folder.is_dir())


def broken_decks() -> list[Path]:
    return sorted(
        file
        for file in (ROOT / "examples" / "broken").glob("*/*")
        if file.suffix != ".expect" and not file.name.startswith(".")
    )


def expected(deck: Path) -> set[tuple[int, str]]:
    """Lines and names of the findings that a broken deck must get."""
    neighbour = deck.with_name(deck.name + ".expect")
    if neighbour.exists():
        lines = neighbour.read_text(encoding="utf-8").splitlines()
        stated = [NEIGHBOUR.fullmatch(line) for line in lines]
        assert all(stated), f"{neighbour.name} has a line that says nothing"
        return {
            (int(match["line"]), name)
            for match in stated
            if match
            for name in match["names"].split(", ")
        }
    return {
        (number, name)
        for number, line in enumerate(
            deck.read_text(encoding="utf-8").splitlines(), start=1
        )
        if (match := EXPECTED.search(line))
        for name in match["names"].split(", ")
    }


@pytest.mark.parametrize("folder", good_folders(), ids=lambda folder: folder.name)
class TestGoodDecks:
    def test_are_legal_and_draw_no_remark(self, folder: Path) -> None:
        validation = validate_files([folder])

        assert [f"{f.path}: {f.message}" for f in validation.findings] == []

    def test_are_of_the_format_their_folder_names(self, folder: Path) -> None:
        if folder.name == "languages":
            format = f"{folder.parent.name}/standard"
        else:
            format = f"{folder.parent.name}/{folder.name}"
        reports = validate_files([folder]).reports

        assert {report.format.id for report in reports if report.format} == {format}
        assert load_format(format).id == format

    def test_are_named_differently(self, folder: Path) -> None:
        names = [report.name for report in validate_files([folder]).reports]

        assert len(set(names)) == len(names)


@pytest.mark.parametrize("deck", broken_decks(), ids=lambda deck: deck.name)
def test_broken_decks_get_their_findings_and_no_others(deck: Path) -> None:
    found = {
        (finding.span.start.line, finding.name)
        for finding in validate_files([deck]).findings
    }

    assert found == expected(deck)


@pytest.mark.parametrize(
    ("deck", "english"),
    [("maestri_d_assedio", "nr_siege_masters"), ("dziki_gon", "mo_wild_hunt")],
)
def test_decks_in_other_languages_hold_the_same_cards(deck: str, english: str) -> None:
    files = [
        DECKS / "gwent" / "languages" / f"{deck}.deck",
        DECKS / "gwent" / "standard" / f"{english}.deck",
    ]
    found = [report.deck for report in validate_files(files).reports]

    assert found[0]
    assert found[1]
    assert found[0].counts() == found[1].counts()
    assert (found[0].leader, found[0].faction) == (found[1].leader, found[1].faction)


def test_every_kind_of_finding_has_a_broken_deck() -> None:
    shown = {name for deck in broken_decks() for _, name in expected(deck)}

    kinds = {rule.name for rule in ALL_RULES if rule.about == "deck"}
    assert kinds - WITHOUT_SAMPLE == shown


def test_every_faction_of_gwent_has_two_standard_decks_and_an_advanced_one() -> None:
    db = load_database("gwent")
    factions = set(db.factions) - {db.game.neutral}
    for name, least in (("standard", 2), ("advanced", 1)):
        reports = validate_files([DECKS / "gwent" / name]).reports
        played = [report.deck.faction for report in reports if report.deck]

        assert all(played.count(faction) >= least for faction in factions), name


def test_sample_decks_stand_as_fmt_writes_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # Those of `languages` keep the names of their language.
    folders = [str(f) for f in good_folders() if f.name != "languages"]

    assert main(["fmt", "--check", *folders]) == 0
    assert ", 0 would change" in capsys.readouterr().err


@pytest.mark.parametrize("format", ["standard", "advanced"])
def test_it_is_said_what_each_deck_is_an_example_of(format: str) -> None:
    lines = (DECKS / "README.md").read_text(encoding="utf-8").splitlines()
    [start] = [
        i for i, line in enumerate(lines) if line.startswith(f"| `gwent/{format}` |")
    ]
    rows = lines[start + 2 : lines.index("", start)]
    names = [
        report.name for report in validate_files([DECKS / "gwent" / format]).reports
    ]

    assert sorted(row.split(" | ")[0].removeprefix("| ") for row in rows) == sorted(
        str(name) for name in names
    )
