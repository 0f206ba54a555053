"""What `game.yaml` says of cards that can be played is what the engines play."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from deckcheck.cards import load_database
from deckcheck.cards.checks import unplayed_card, unplayed_leader
from deckcheck.cards.models import Card, CardAbility, LeaderRecord
from deckcheck.documents.readers import Source, read_yaml
from deckcheck.engine.gwent import context as gwent
from deckcheck.engine.registry import EngineError
from deckcheck.engine.sg_gwint import codes
from deckcheck.engine.sg_gwint import context as sg_gwint
from deckcheck.engine.sg_gwint import context as sg_seats

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
        return sg_gwint.fault_of(record) is not None
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
        found = unplayed_card(SET, (), record, GAMES[game])
    else:
        found = unplayed_leader(SET, (), record, GAMES[game])
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
