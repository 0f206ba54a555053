"""Sets that add, change and remove cards."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from helpers.commands import stdout_of
from helpers.findings import WRONG, MarkedText, marked_in, validate_text
from jsonschema import Draft202012Validator

from deckcheck import simulate
from deckcheck.cards.models import Card, LeaderRecord
from deckcheck.cli import main
from deckcheck.decks import DeckText
from deckcheck.formats import FormatError, database_of, load_format
from deckcheck.validation import Validator
from tools.schemas import set_schema

# Sets of cards that a format of a user's own adds to its game.

LEAGUE = "title: League\nextends: gwent/standard\nsets: [own.yaml]\n"
WOLF = """\
- id: white_wolf
  name: The White Wolf
  faction: neutral
  kind: hero
  rows: [close]
  strength: 15
  abilities: [medic]
  copies: 1
  aliases: [Gwynbleidd]
"""
HOUND = """\
- {id: hound, name: Hound, faction: skellige, kind: unit, rows: [close], strength: 2,
   copies: 2, abilities: [berserker: {target: big_hound}]}
- {id: big_hound, name: Big Hound, faction: skellige, kind: unit, rows: [close],
   strength: 9, copies: 2, deckable: false}
"""


@pytest.fixture(autouse=True)
def files_of_a_league(here: Path) -> None:
    (here / "league.yaml").write_text(LEAGUE, encoding="utf-8")
    (here / "own.yaml").write_text(WOLF + HOUND, encoding="utf-8")


def test_its_cards_stand_behind_those_of_the_game_with_lasting_numbers() -> None:
    fmt, standard = load_format("league.yaml"), load_format("gwent/standard")
    ours, db = database_of(standard), database_of(fmt)

    assert fmt.fingerprint != standard.fingerprint
    assert db.find_card("gwynbleidd").id == "white_wolf"
    assert db.find_card("Scorch").id == "scorch"
    assert db.cards["hound"].abilities[0].target == "big_hound"
    assert list(db.cards) == [*ours.cards, "white_wolf", "hound", "big_hound"]
    assert db.cards["white_wolf"].number == 1_035_397_838
    assert db.cards["white_wolf"].provenance == "own"


def test_sets_of_the_database_lie_beside_its_formats(
    formats: Callable[..., Path],
) -> None:
    root = formats(cup="title: Cup\nextends: standard\nsets: [../sets/own.yaml]\n")
    with pytest.raises(FormatError, match=r"`\.\./sets/own\.yaml` does not exist"):
        load_format("gwent/cup", root)

    (root / "gwent" / "sets").mkdir()
    (root / "gwent" / "sets" / "own.yaml").write_text(WOLF, encoding="utf-8")
    fmt = load_format("gwent/cup", root)
    assert database_of(fmt, root).find_card("Gwynbleidd").id == "white_wolf"
    assert fmt.own_changes == ()


def test_sets_of_the_database_lie_nowhere_else(formats: Callable[..., Path]) -> None:
    root = formats(cup="title: Cup\nextends: standard\nsets: [own.yaml]\n")
    with pytest.raises(FormatError, match=r"`own\.yaml` is not in .*`gwent/sets`"):
        load_format("gwent/cup", root)


# The made-up set of a club in SG Gwint: it uses every ability, loads and plays.
#
# Each mistake in it is reported at its line.

EXAMPLE = Path(__file__).parents[2] / "examples" / "sg_gwint"
SET = (EXAMPLE / "club_cards.yaml").read_text(encoding="utf-8")
CLUB = load_format(str(EXAMPLE / "club.yaml"))
GAME = database_of(CLUB).game
RECORDS = [change.record for change in CLUB.own_changes]
CARDS = [record for record in RECORDS if isinstance(record, Card)]
LEADERS = [record for record in RECORDS if isinstance(record, LeaderRecord)]
# `unknown` is for leaders of whom only the name is public: a club knows its own.
LEADER_ABILITIES = [word for word in GAME.leader_abilities if word != "unknown"]
FACTIONS = [faction.id for faction in GAME.factions if faction.ability]

MISTAKES = yaml.safe_load((WRONG / "mistakes_in_a_set.yaml").read_text("utf-8"))
"""What is replaced in the set, `^` where the mistake is reported, and what is said."""


def deck_of(faction: str) -> str:
    """All units of a faction and the neutral ones, and one of each special."""
    leader = next(leader for leader in LEADERS if leader.faction == faction)
    lines = [
        f"{1 if card.kind == 'special' else card.copies} {card.name}"
        for card in CARDS
        if card.deckable and card.faction in (faction, "neutral")
    ]
    head = [f"Name: {faction}", f"Leader: {leader.full_name}", ""]
    return "\n".join([*head, *lines, ""])


def mistaken(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, f"`{old}` is not there once"
    return text.replace(old, new)


def defects_of(
    text: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[list[str], list[str]]:
    """What `validate` reports of a set, and the places marked in it."""
    places = [
        f"{number}:{place + 1 - line[:place].count('^')}"
        for number, line in enumerate(text.splitlines(), 1)
        for place, letter in enumerate(line)
        if letter == "^"
    ]
    shutil.copy(EXAMPLE / "club.yaml", folder / "club.yaml")
    (folder / "club_cards.yaml").write_text(text.replace("^", ""), encoding="utf-8")
    (folder / "a.deck").write_text(deck_of("skellige"), encoding="utf-8")

    status = main(["validate", "a.deck", "--format", "./club.yaml"])
    assert status == 2
    lines = capsys.readouterr().err.splitlines()[1:]
    return [line.removeprefix("club_cards.yaml:") for line in lines], places


def test_a_token_has_the_number_of_the_card_that_lays_it(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = mistaken(
        SET, "[reinforcement: {amount: 2}]", "[^reinforcement: {amount: 4}]"
    )

    (line,), (place,) = defects_of(text, here, capsys)

    message = "no card has `reinforcement_token` of 4, so `armourer` would do nothing"
    assert line == f"{place}: {message}"


def test_a_card_or_a_leader_has_each_ability() -> None:
    codes = {ability.code for card in CARDS for ability in card.abilities}

    assert len(CARDS) >= 40
    assert {*GAME.abilities} <= codes
    assert {*LEADER_ABILITIES} <= {leader.ability for leader in LEADERS}


def test_decks_of_the_set_are_legal(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also as share codes, whose numbers are those of the format that judges."""
    club = str(EXAMPLE / "club.yaml")
    for faction in FACTIONS:
        text = deck_of(faction)
        Path("a.deck").write_text(text, "utf-8")
        code = stdout_of(capsys, "convert", "a.deck", "--to", "code", "--format", club)
        for written in (text, code):
            found = validate_text(written, format=club).findings
            assert [(each.name, each.message) for each in found] == [], faction


def test_decks_of_the_set_play(tmp_path: Path) -> None:
    (tmp_path / "decks").mkdir()
    for faction in FACTIONS:
        (tmp_path / "decks" / f"{faction}.deck").write_text(
            deck_of(faction), encoding="utf-8"
        )
    result = simulate(tmp_path / "decks", games=2, format=str(EXAMPLE / "club.yaml"))

    assert [table.games for table in result.tables] == [2] * 10


def test_all_mistakes_are_reported_together(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = SET
    for old, new, _ in MISTAKES:
        text = mistaken(text, old, new)
    lines, places = defects_of(text, here, capsys)

    assert len(lines) == len(places) == len(MISTAKES)
    assert {line.partition(": ")[0] for line in lines} == set(places)
    for _, _, said in MISTAKES:
        assert any(line.partition(": ")[2].startswith(said) for line in lines), said


# Sets that change and remove cards of the game, and add leaders.

WHAT_IF = "title: What if\nextends: gwent/standard\nsets: [winter.yaml]\n"
WINTER = """\
change:
  Katapult: {strength: 10}
remove: [Decoy]
leaders:
  - {id: mason, name: Foltest, title: The Mason, faction: northern_realms,
     ability: horn_own_siege, passive: false}
"""
DECK = "Leader: The Mason\n\n2 Catapult\n"
CHAIN = """\
- {id: hound, name: Hound, faction: neutral, kind: unit, rows: [close], strength: 2,
   copies: 2}
"""


@pytest.fixture(autouse=True)
def files_of_a_change(here: Path) -> None:
    (here / "what_if.yaml").write_text(WHAT_IF, encoding="utf-8")
    (here / "winter.yaml").write_text(WINTER, encoding="utf-8")


def test_each_deck_has_the_cards_of_its_own_format() -> None:
    first = DeckText("a.deck", f"Format: gwent/standard\n{DECK}Decoy\n")
    second = DeckText("b.deck", f"{DECK}Decoy\n")
    for decks in ((first, second), (second, first)):
        validator = Validator(fallback=lambda _: ("what_if.yaml", "deckcheck.toml"))
        names = {
            report.source.path: {finding.name for finding in report.findings}
            for report in validator.check_all(decks).reports
        }
        assert "removed-card" in names["b.deck"] - names["a.deck"]
        assert "unknown-leader" in names["a.deck"] - names["b.deck"]


def test_the_cache_keeps_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    first = load_format("what_if.yaml")
    monkeypatch.setattr("deckcheck.formats.reading.read_format", None)

    assert load_format("what_if.yaml") == first


def test_later_sets_change_what_earlier_ones_did(here: Path) -> None:
    (here / "chain.yaml").write_text(CHAIN, encoding="utf-8")
    (here / "last.yaml").write_text(
        "change: {Hound: {strength: 3}, catapult: {strength: 8}}\n", encoding="utf-8"
    )
    text = "title: Cup\nextends: what_if.yaml\nsets: [chain.yaml, last.yaml]\n"
    (here / "cup.yaml").write_text(text, encoding="utf-8")
    fmt = load_format("cup.yaml")
    changes = {change.record.id: change for change in fmt.changes}

    assert set(changes) == {"decoy", "mason", "hound"}
    assert (changes["hound"].was, changes["hound"].set) == (None, "last.yaml")
    assert database_of(fmt).cards["hound"].strength == 3


def test_bans_of_removed_cards_are_inherited(here: Path) -> None:
    base = "title: B\nextends: gwent/standard\n"
    base += "constraints: {bans: {rule: banned, cards: [Decoy]}}\n"
    (here / "base.yaml").write_text(base, encoding="utf-8")
    text = WHAT_IF.replace("gwent/standard", "base.yaml")
    (here / "what_if.yaml").write_text(text, encoding="utf-8")

    assert "decoy" not in database_of(load_format("what_if.yaml")).cards


def test_an_own_card_may_have_a_name_of_a_card_in_another_language(here: Path) -> None:
    text = CHAIN.replace("name: Hound", "name: Finte")
    (here / "winter.yaml").write_text(text, encoding="utf-8")
    db = database_of(load_format("what_if.yaml"))

    assert db.find_card("Finte").id == "hound"
    assert db.find_card("Katapult").id == "catapult"


@pytest.mark.parametrize("wrong", marked_in("sets_that_change_cards.yaml"), ids=str)
def test_defects_of_changes_are_at_their_place(wrong: MarkedText) -> None:
    Path("winter.yaml").write_text(wrong.text, encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        load_format("what_if.yaml")
    assert caught.value.message.splitlines()[1:] == [f"winter.yaml:{wrong}"]


def test_a_leader_is_changed_in_his_place() -> None:
    text = "change: {The Siegemaster: {ability: scorch_enemy_siege}}\n"
    Path("winter.yaml").write_text(text, encoding="utf-8")
    ours, fmt = load_format("gwent/standard"), load_format("what_if.yaml")
    id = "foltest_the_siegemaster"
    old, new = database_of(ours).leaders[id], database_of(fmt).leaders[id]

    assert new.ability == "scorch_enemy_siege" != old.ability
    assert (new.number, new.full_name) == (old.number, old.full_name)
    assert fmt.fingerprint != ours.fingerprint
    assert Draft202012Validator(set_schema()).is_valid(yaml.safe_load(text))


def test_the_schema_knows_every_part() -> None:
    schema = set_schema()
    check = Draft202012Validator(schema).is_valid
    examples = Path(__file__).parents[2] / "examples" / "what_if" / "catapult.yaml"

    Draft202012Validator.check_schema(schema)
    assert check(yaml.safe_load(WINTER))
    assert check(yaml.safe_load(CHAIN))
    assert check(yaml.safe_load(examples.read_text(encoding="utf-8")))
    for wrong in ("strenght: 9", "number: 9", "strength: ten", ""):
        assert not check(yaml.safe_load(f"change: {{catapult: {{{wrong}}}}}"))
