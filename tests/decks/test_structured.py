"""Decks as YAML, JSON and CSV, and through every way of writing."""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

import deckcheck
from deckcheck.cli import main
from deckcheck.decks import DeckText, Reading, parse_decks, read_deck
from deckcheck.decks.lines import MAX_COUNT
from deckcheck.findings import UsageError

# Every sample deck through every way of writing: the same deck, or an error.

ROOT = Path(__file__).parents[2]
WAYS = {"text": "deck", "yaml": "yaml", "json": "json", "csv": "csv", "code": "code"}
SAMPLES = [
    file
    for folder in sorted((ROOT / "decks").glob("*/*"))
    if folder.name != "languages"
    for file in sorted(folder.glob("*.deck"))[:1]
]
"""A deck of each format."""
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


def contents(file: str, format: str | None = None) -> list[Content]:
    return [
        Content(d.format, d.leader, d.faction, d.counts(), d.reserve_counts())
        for d in deckcheck.read(file, format=format)
    ]


def converted(file: Path, way: str, *options: str) -> str:
    """The name of a file of the folder with the same decks."""
    name = f"again.{WAYS[way]}"
    assert main(["convert", str(file), "--to", way, "-o", name, *options]) == 0
    return name


def test_every_format_that_builds_decks_has_a_sample() -> None:
    formats = {f"{file.parts[-3]}/{file.parts[-2]}" for file in SAMPLES}

    assert {
        *("gwent/standard", "gwent/tournament", "gwent/solo", "gwent/two_vs_two"),
        *("sg_gwint/approximation", "gwen_t/pool", "deckmaster/standard"),
    } <= formats


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "sample", SAMPLES, ids=lambda file: f"{file.parts[-3]}-{file.stem}"
)
def test_samples_come_back(
    sample: Path, way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(str(sample))
    findings = deckcheck.validate(str(sample)).findings
    if way == "csv" and not all(deck.cards for deck in before):
        # A solo deck may leave its cards to the format.
        assert main(["convert", str(sample), "--to", "csv"]) == 2
        assert "this deck has no cards" in capsys.readouterr().err
        return
    again = converted(sample, way)
    after = contents(again)
    lost = capsys.readouterr().err
    assert ("`Name`" in lost) == (way == "code")
    names = [[deck.name for deck in deckcheck.read(str(x))] for x in (sample, again)]
    assert names[0] == names[1] or way == "code"
    if "`Reserves`" in lost:
        before = [deck._replace(reserves=Counter()) for deck in before]

    assert after == before
    again_found = deckcheck.validate(again).findings
    assert [found.name for found in again_found] == [found.name for found in findings]


def club_deck(folder: Path) -> Path:
    """A deck with a leader and cards that only the club's set has."""
    text = (ROOT / "decks/sg_gwint/approximation/wild_hunt.deck").read_text("utf-8")
    file = folder / "club.deck"
    lines = [line for line in text.splitlines() if not line.startswith("Format:")]
    file.write_text("\n".join([*lines, "2 Shifting Winds", ""]), encoding="utf-8")
    return file


@pytest.mark.parametrize("way", WAYS)
def test_decks_with_a_set_of_a_league_come_back(here: Path, way: str) -> None:
    deck = club_deck(here)
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


def test_a_code_of_another_set_names_it(here: Path) -> None:
    """Though the other set has a card of the same number."""
    winter, summer = league(here, "winter"), league(here, "summer")
    deck = here / "a.deck"
    deck.write_text("Leader: The Siegemaster\n2 Ballista\nThe White Wolf\n")
    code = Path(converted(deck, "code", "--format", winter)).read_text().strip()

    assert deckcheck.parse(code, format=winter).counts()["white_wolf"] == 1
    for format in ("gwent/standard", summer):
        [finding] = deckcheck.validate(text=code, format=format).findings
        assert finding.message == ("The code has cards of an unknown set: `winter`")
        assert finding.help == ("Pass `format` with the format file that names the set")
        with pytest.raises(UsageError, match="an unknown set: `winter`"):
            deckcheck.parse(code, format=format)


def test_a_code_of_our_set_names_it_where_its_format_is_not_named(here: Path) -> None:
    text = club_deck(here).read_text("utf-8").replace("2 Shifting Winds\n", "")
    deck = here / "hunt.deck"
    deck.write_text(text, encoding="utf-8")
    code = converted(deck, "code", "--format", "sg_gwint/approximation")

    assert contents(code, "sg_gwint/approximation") == contents(
        "hunt.deck", "sg_gwint/approximation"
    )
    with pytest.raises(UsageError, match="an unknown set: `approximation`"):
        deckcheck.read(code, format="sg_gwint/2.1")


@pytest.mark.usefixtures("here")
def test_a_code_is_read_by_its_format_and_judged_by_another() -> None:
    """Numbers are those of the format in the code, whatever judges the deck."""
    sample = ROOT / "decks/sg_gwint/approximation/wild_hunt.deck"
    code = converted(sample, "code")

    assert contents(code, str(CLUB))[0].cards == contents(str(sample))[0].cards


# Decks as YAML and JSON.


def read(text: str, path: str = "a.yaml") -> list[Reading]:
    return [read_deck(raw, None) for raw in parse_decks(DeckText(path, text))]


def one(text: str, path: str = "a.yaml") -> Reading:
    decks = read(text, path)
    assert len(decks) == 1
    return decks[0]


def cards(deck: Reading) -> list[tuple[int, str]]:
    return [(entry.count, entry.name) for entry in deck.entries]


def names(deck: Reading) -> list[str]:
    return [finding.name for finding in deck.findings]


def test_several_decks_share_the_headers_beside_them() -> None:
    decks = read(
        "format: gwent/standard\n"
        "decks:\n"
        "- {name: A, cards: {Ballista: 1}}\n"
        "- {name: B, format: gwent/advanced}\n"
    )

    assert [deck.headers["name"][0].value for deck in decks] == ["A", "B"]
    formats = [deck.headers["format"][0].value for deck in decks]
    assert formats == ["gwent/standard", "gwent/advanced"]
    assert [deck.source.index for deck in decks] == [0, 1]
    wrong = one("colour: 15\nleader:\ndecks: Ballista\n")
    assert names(wrong) == ["unknown-header", "empty-header", "malformed-deck"]


MALFORMED = (
    "- Ballista|just text|42|decks: Ballista|decks: []|decks:\n- Ballista|"
    "cards: Ballista|cards:\n  Units: {Ballista: 2}|cards:\n- [Ballista]|cards:\n- 3|"
    "name: [A, B]\ncards: {Ballista: 1}"
)
UNREAD = {
    ("a.yaml", 3): "cards:\n  Ballista: 1\n  Ballista: 2\n",
    ("a.yml", 1): "cards: &x\n  Ballista: 1\n",
    ("b.yaml", 2): "name: A\n cards:\n",
    ("a.json", 2): '{"name": "A",\n "name": "B"}',
    ("a.json", 1): '{"name": "A"',
    ("c.yaml", 1): "a: " + "[" * 5000,
    ("b.json", 1): "[" * 100_000,
    ("a.csv", 1): "card\n" + "x" * 200_000 + "\n",
}
"""Texts that are no documents, by the file and the line with the fault."""


def test_an_impossible_count_counts_nowhere() -> None:
    for count in ["0", "-3", "1.5", "2147483648", "two", "", "true", "'3x'"]:
        deck = one(f"cards:\n  Ballista: {count}\n")
        assert names(deck) == ["impossible-count"], count
        assert (deck.entries, deck.unread_lines) == ((), 1), count


def test_lines_that_may_hold_a_card_are_counted() -> None:
    for text, unread_lines in {
        "cards:\n- [Ballista]\n- Decoy": 1,
        "colour: 15": 0,
        # Nobody knows how many cards were meant.
        "cards: Ballista": MAX_COUNT,
        "kards: {Ballista: 3}": MAX_COUNT,
        "decks:\n- Ballista": MAX_COUNT,
    }.items():
        assert one(text).unread_lines == unread_lines, text


def test_another_shape_is_reported() -> None:
    tried = dict.fromkeys(MALFORMED.split("|"), "malformed-deck")
    tried |= dict.fromkeys(("", "# nothing\n", "{}\n"), "empty-deck")
    tried["leader:\ncards: {Ballista: 1}\n"] = "empty-header"
    for text, name in tried.items():
        deck = one(text)
        assert names(deck) == [name], text
        assert "leader" not in deck.headers, text
        assert (deck.findings[0].help or "Write ").startswith("Write "), text
    for (path, line), text in UNREAD.items():
        [finding] = one(text, path).findings
        found = (finding.name, finding.span.start.line)
        assert found == ("malformed-document", line), text[:80]


# CSV decks.


def parsed(text: str) -> list[Reading]:
    return read(text, "list.csv")


def test_a_column_names_the_deck_of_each_row() -> None:
    for column in ("deck", "name"):
        decks = parsed(f"{column},card\nA,Ballista\nB,Catapult\nA,Thaler\n")
        found = [[entry.name for entry in deck.entries] for deck in decks]
        assert found == [["Ballista", "Thaler"], ["Catapult"]], column
        assert [deck.source.index for deck in decks] == [0, 1], column


def test_what_is_guarded_against_spreadsheets_is_read_as_it_was() -> None:
    [deck] = parsed("name,count,card\n'=1+1,-2,'@Ballista\n'=1+1,1,'tis\n")

    assert deck.headers["name"][0].value == "=1+1"
    assert [entry.name for entry in deck.entries] == ["'tis"]
    assert [finding.name for finding in deck.findings] == ["impossible-count"]
