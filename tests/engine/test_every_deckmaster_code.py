"""Every word of Deckmaster does something; all of them come from the data."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from random_play import RandomTable, differs

from deckcheck.cards import load_database
from deckcheck.engine.deckmaster.state import ARROW_BITS, Element
from deckcheck.engine.registry import Seat
from deckcheck.formats import load_format

DB = load_database("deckmaster")
FORMAT = "deckmaster/standard"


@cache
def table(without: str = "", random_decks: bool = False, **options: object):
    """A deck of cards with every word, which one word is taken from."""
    cards: dict[str, int] = {}
    by_words = {
        (card.strength, *sorted(a.code for a in card.abilities)): card.id
        for card in DB.cards.values()
    }
    for words in list(by_words)[::6]:
        kept = (words[0], *(word for word in words[1:] if word != without))
        cards[by_words[kept]] = cards.get(by_words[kept], 0) + 1
    deck = dict(list(cards.items())[:60])
    return RandomTable(FORMAT, [Seat(None if random_decks else deck)] * 2, **options)


def test_the_words_are_the_elements_and_arrows():
    elements = [each.name.lower() for each in Element if each]

    assert sorted(DB.game.abilities) == sorted((*elements, *ARROW_BITS))


@pytest.mark.parametrize("word", DB.game.abilities)
def test_cards_without_the_word_play_other_games(word):
    assert differs([(table(), table(word))])


def options() -> Iterator[tuple[str, object]]:
    """Every value of every option but the default."""
    default = load_format(FORMAT).options
    for option in DB.game.options:
        for value in option.values:
            if value != default[option.name]:
                yield option.name, value


@pytest.mark.parametrize(("option", "value"), list(options()))
def test_another_value_of_an_option_plays_other_games(option, value):
    pairs = [
        (table("", deals), table("", deals, **{option: value}))
        for deals in (False, True)
    ]
    assert differs(pairs)
