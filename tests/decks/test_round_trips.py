"""Every sample deck through every way of writing: the same deck, or an error."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

import deckcheck
from deckcheck.cli import main
from deckcheck.decks import Deck
from deckcheck.findings import UsageError

ROOT = Path(__file__).parents[2]
WAYS = {"text": "deck", "yaml": "yaml", "json": "json", "csv": "csv", "code": "code"}
SAMPLES = sorted(
    file
    for file in (ROOT / "decks").glob("*/*/*.deck")
    if file.parent.name != "languages"
)
CLUB = ROOT / "examples" / "sg_gwint" / "club.yaml"
WINTER = """\
- id: white_wolf
  name: The White Wolf
  faction: neutral
  kind: hero
  rows: [close]
  strength: 15
  abilities: [medic]
  copies: 1
"""
LEAGUE = "title: Winter league\nextends: gwent/standard\nsets: [cards/{}.yaml]\n"


class Content(NamedTuple):
    """What makes a deck the deck that it is."""

    format: str | None
    leader: str | None
    faction: str | None
    cards: Counter[str]
    reserves: Counter[str]


def content(deck: Deck) -> Content:
    return Content(
        deck.format, deck.leader, deck.faction, deck.counts(), deck.reserve_counts()
    )


def contents(file: str, format: str | None = None) -> list[Content]:
    return [content(deck) for deck in deckcheck.read(file, format=format)]


def converted(file: Path, way: str, *options: str) -> str:
    """The name of a file of the folder with the same decks."""
    name = f"again.{WAYS[way]}"
    assert main(["convert", str(file), "--to", way, "-o", name, *options]) == 0
    return name


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_format_that_builds_decks_has_a_sample() -> None:
    formats = {f"{file.parts[-3]}/{file.parts[-2]}" for file in SAMPLES}

    assert {
        *("gwent/standard", "gwent/tournament", "gwent/solo", "gwent/two_vs_two"),
        *("sg_gwint/approximation", "gwen_t/pool", "deckmaster/standard"),
    } <= formats


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "sample", SAMPLES, ids=lambda file: f"{file.parts[-3]}-{file.stem}"
)
def test_samples_come_back(
    sample: Path, way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(str(sample))
    if way == "csv" and not all(deck.cards for deck in before):
        # A solo deck may leave its cards to the format.
        assert main(["convert", str(sample), "--to", "csv"]) == 2
        assert "this deck has no cards" in capsys.readouterr().err
        return
    again = converted(sample, way)
    after = contents(again)
    if "`Reserves`" in capsys.readouterr().err:
        before = [deck._replace(reserves=Counter()) for deck in before]

    assert after == before
    assert deckcheck.validate(again).legal == deckcheck.validate(str(sample)).legal


def club_deck(folder: Path) -> Path:
    """A deck with a leader and cards that only the club's set has."""
    text = (ROOT / "decks/sg_gwint/approximation/wild_hunt.deck").read_text("utf-8")
    file = folder / "club.deck"
    lines = [line for line in text.splitlines() if not line.startswith("Format:")]
    file.write_text("\n".join([*lines, "2 Shifting Winds", ""]), encoding="utf-8")
    return file


@pytest.mark.parametrize("way", WAYS)
def test_decks_with_a_set_of_a_league_come_back(folder: Path, way: str) -> None:
    deck = club_deck(folder)
    again = converted(deck, way, "--format", str(CLUB))

    [before] = contents(str(deck), str(CLUB))
    assert before.cards["shifting_winds"] == 2
    assert contents(again, str(CLUB)) == [before]


def league(folder: Path, name: str) -> str:
    (folder / "cards").mkdir(exist_ok=True)
    (folder / "cards" / f"{name}.yaml").write_text(WINTER, encoding="utf-8")
    file = folder / f"{name}_league.yaml"
    file.write_text(LEAGUE.format(name), encoding="utf-8")
    return file.name


def test_a_code_of_another_set_names_it(folder: Path) -> None:
    """Though the other set has a card of the same number."""
    winter, summer = league(folder, "winter"), league(folder, "summer")
    deck = folder / "a.deck"
    deck.write_text("Leader: The Siegemaster\n2 Ballista\nThe White Wolf\n")
    code = Path(converted(deck, "code", "--format", winter)).read_text().strip()

    assert deckcheck.parse(code, format=winter).counts()["white_wolf"] == 1
    for format in ("gwent/standard", summer):
        [finding] = deckcheck.validate(text=code, format=format).findings
        assert finding.message == (
            "The code has cards of a set that is not loaded: `winter`"
        )
        assert finding.help == ("Pass `format` with the format file that names the set")
        with pytest.raises(UsageError, match="a set that is not loaded: `winter`"):
            deckcheck.parse(code, format=format)


def test_a_code_of_our_set_names_it_where_its_format_is_not_named(folder: Path) -> None:
    text = club_deck(folder).read_text("utf-8").replace("2 Shifting Winds\n", "")
    deck = folder / "hunt.deck"
    deck.write_text(text, encoding="utf-8")
    code = converted(deck, "code", "--format", "sg_gwint/approximation")

    assert contents(code, "sg_gwint/approximation") == contents(
        "hunt.deck", "sg_gwint/approximation"
    )
    with pytest.raises(UsageError, match="a set that is not loaded: `approximation`"):
        deckcheck.read(code, format="sg_gwint/2.1")


def test_a_code_is_read_by_its_format_and_judged_by_another(folder: Path) -> None:
    """Numbers are those of the format in the code, whatever judges the deck."""
    sample = ROOT / "decks/sg_gwint/approximation/wild_hunt.deck"
    code = converted(sample, "code")

    assert contents(code, str(CLUB))[0].cards == contents(str(sample))[0].cards
