"""Card databases that are wrong: each defect is refused, at its place."""

from collections.abc import Callable
from dataclasses import fields, replace
from itertools import product
from pathlib import Path

import pytest
import yaml
from helpers.findings import WRONG

from deckcheck.cards import DatabaseError, load_database
from deckcheck.cards.checks import PARAMETER_NAMES, Checker
from deckcheck.cards.models import Card, CardAbility, LeaderRecord
from deckcheck.documents.readers import Source, read_yaml
from deckcheck.engine.gwent import context as gwent
from deckcheck.engine.registry import EngineError
from deckcheck.engine.sg_gwint import codes
from deckcheck.engine.sg_gwint import context as sg_gwint
from deckcheck.engine.sg_gwint import context as sg_seats

# Each defect of a card database is refused, at its place.

Defects = Callable[..., list[str]]
Tiny = Callable[..., Path]

CHANGES = [
    (file, *change)
    for file, changes in yaml.safe_load((WRONG / "databases.yaml").read_text()).items()
    for change in changes
]
"""What is replaced in which file, and all defects that this makes."""


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change[3][:60])
def test_defects(defects: Defects, change: tuple[str, ...]) -> None:
    file, old, new, *said = change

    assert defects(file, old, new) == said


def test_the_tiny_game_itself_has_none(tiny: Tiny) -> None:
    assert list(load_database("tiny", tiny()).cards) == ["archer", "horn"]


def test_all_defects_come_at_once(tiny: Tiny) -> None:
    cards = "- {id: a}\n- 3\n"
    leaders = "nothing"

    with pytest.raises(DatabaseError) as caught:
        load_database("tiny", tiny(cards=cards, leaders=leaders))

    assert caught.value.message.splitlines() == [
        "card database `tiny` has 7 defects",
        "db/tiny/cards.yaml:1:3: `number` is missing",
        "db/tiny/cards.yaml:1:3: `name` is missing",
        "db/tiny/cards.yaml:1:3: `kind` is missing",
        "db/tiny/cards.yaml:1:3: `copies` is missing",
        "db/tiny/cards.yaml:1:3: `provenance` is missing",
        "db/tiny/cards.yaml:2:3: expected a mapping, found `3`",
        "db/tiny/leaders.yaml:1:1: expected a list of records",
    ]


def test_parameters_are_the_fields_of_an_ability() -> None:
    names = {
        field.name for record in (CardAbility, LeaderRecord) for field in fields(record)
    }
    own = {field.name for field in fields(CardAbility)}

    assert own - {"code"} <= set(PARAMETER_NAMES) <= names


def test_an_unknown_key_of_the_game_hides_nothing(defects: Defects) -> None:
    year = ("game", "parameters:", "year: 2025\nparameters:")

    assert defects(*year, "cards", "kind: unit", "kind: unti") == [
        "cards.yaml:5:9: unknown kind `unti`, did you mean `unit`?",
        "game.yaml:17:1: unknown key `year`",
    ]


def test_missing_file(tiny: Tiny) -> None:
    root = tiny()
    (root / "tiny" / "cards.yaml").unlink()

    with pytest.raises(DatabaseError, match=r"cards\.yaml:1:1: file cannot be read"):
        load_database("tiny", root)


# What `game.yaml` says of cards that can be played is what the engines play.

SET = Source("set.yaml", read_yaml(b"{}"))
GAMES = {game: load_database(game).game for game in ("gwent", "sg_gwint")}
FIGURES = (1, 6, 7, 12, 13, 100, 101)
COUNTED = ("draw_cards", "opening_cards", "linked_cards")


def card_with(game: str, kind: str, *words: str, amount: int = 1) -> Card:
    """A card of a game with abilities, outside decks where its kind asks for it."""
    is_unit = kind in GAMES[game].unit_kinds
    rows = ("close", "ranged") if "agile" in words else ("close",)
    return Card(
        *("mine", 1, "Mine", kind, 1, "rules"),
        rows=rows if is_unit else (),
        strength=1 if is_unit else None,
        abilities=tuple(CardAbility(word, amount=amount) for word in words),
        deckable=False,
    )


def leader_with(ability: str, *, passive: bool, amount: int = 1) -> LeaderRecord:
    cards = ("a",) * amount if ability == "linked_cards" else ()
    return LeaderRecord(
        *("mine", 1, "Mine", "", "skellige", ability, passive, "rules"),
        amount=amount,
        cards=cards,
    )


def is_refused(game: str, record: Card | LeaderRecord) -> bool:
    """Whether the engine of a game refuses a card or leader."""
    if game == "sg_gwint" and isinstance(record, Card):
        return sg_gwint.find_fault(record) is not None
    try:
        if isinstance(record, Card):
            gwent.check_card(record)
        elif game == "gwent":
            gwent.check_leader(record)
        else:
            sg_seats.check_leader(record, codes.Leader[record.ability.upper()])
    except EngineError:
        return True
    return False


def said(game: str, record: Card | LeaderRecord) -> list[str]:
    """What is reported of a card or leader when it is loaded."""
    if isinstance(record, Card):
        found = Checker(SET, GAMES[game]).check_card_playable((), record)
    else:
        found = Checker(SET, GAMES[game]).check_leader_playable((), record)
    return [defect.message for defect in found]


@pytest.mark.parametrize("game", GAMES)
def test_cards_are_reported_that_the_engine_refuses(game: str) -> None:
    words = GAMES[game].abilities
    sets = [*((word,) for word in words), *product(words, repeat=2)]
    cards = [
        card_with(game, kind, *some, amount=amount)
        for kind in GAMES[game].kinds
        for some in sets
        for amount in FIGURES[: 1 if len(some) > 1 or game == "gwent" else None]
        if len(set(some)) == len(some)
    ]
    wrong = [card for card in cards if bool(said(game, card)) != is_refused(game, card)]

    assert len(cards) > 1000
    assert {is_refused(game, card) for card in cards} == {False, True}
    assert [(card.kind, card.abilities) for card in wrong] == []


@pytest.mark.parametrize("game", GAMES)
def test_leaders_are_reported_that_the_engine_refuses(game: str) -> None:
    leaders = [
        leader_with(word, passive=passive, amount=amount)
        for word in GAMES[game].leader_abilities
        for passive in (False, True)
        for amount in (FIGURES[:5] if word in COUNTED else (1,))
        if word != "unknown"
    ]
    wrong = [
        (each.ability, each.passive, each.amount, said(game, each))
        for each in leaders
        if bool(said(game, each)) != is_refused(game, each)
    ]

    assert {is_refused(game, each) for each in leaders} == {False, True}
    assert wrong == []


def test_a_leader_of_whom_nothing_is_known_has_to_say_so() -> None:
    known = leader_with("unknown", passive=False)

    assert said("sg_gwint", known) == ["`unknown` is for leaders with `known: false`"]


@pytest.mark.parametrize("rows", [("close", "siege"), ("close",), ("ranged",)])
def test_the_rows_of_agile_cards(rows: tuple[str, ...]) -> None:
    agile = replace(card_with("gwent", "unit", "agile"), rows=rows)
    plain = replace(agile, abilities=())

    for card in (agile, plain):
        assert bool(said("gwent", card)) == is_refused("gwent", card)
