"""Every code of Gwen't does something; all of them come from enumerations and data."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from random_play import RandomTable, differs

from deckcheck.cards import load_database
from deckcheck.engine.gwen_t.state import NO_ROW, WEATHER_ROWS, Effect
from deckcheck.engine.registry import Seat
from deckcheck.formats import load_format

DB = load_database("gwen_t")
FORMAT = "gwen_t/pool"
UNITS = [effect for effect in Effect if effect and effect not in WEATHER_ROWS]


@cache
def table(random_decks: bool = False, **options: object) -> RandomTable:
    """Three players with the whole pool, or with random decks."""
    cards = {card.id: card.copies for card in DB.cards.values()}
    return RandomTable(FORMAT, [Seat(None if random_decks else cards)] * 3, **options)


@pytest.mark.parametrize("effect", UNITS, ids=lambda effect: effect.name)
def test_units_without_the_effect_score_otherwise(effect):
    def without(x):
        x.effect[x.effect == effect] = Effect.NONE

    assert differs([(table(), table())], without)


@pytest.mark.parametrize("effect", WEATHER_ROWS, ids=lambda effect: effect.name)
def test_weather_comes_and_goes(effect):
    """After a weather card the row it covers is its own, where it was another."""
    row = WEATHER_ROWS[effect]
    seen = set()
    for seed in range(20):
        covered, played = NO_ROW, 0
        for s, x, _ in table().steps(seed):
            if s.weather != played and x.effect[s.weather] == effect:
                seen.add((covered, int(s.weather_row)))
            covered, played = int(s.weather_row), int(s.weather)

    assert {after for _, after in seen} == {row}
    assert {before for before, _ in seen} - {row}


def options() -> Iterator[tuple[str, object]]:
    """Every value of every option but the default, two if it is a number."""
    default = load_format(FORMAT).options
    for option in DB.game.options:
        now = default[option.name]
        for value in option.values or (option.minimum, now + 1):
            if value != now:
                yield option.name, value


@pytest.mark.parametrize(("option", "value"), list(options()))
def test_another_value_of_an_option_plays_other_games(option, value):
    tables = [
        (table(deals, **others), table(deals, **{**others, option: value}))
        for deals in (False, True)
        for others in (
            {},
            {"hand_size": 4, "hand_limit": 16, "cards_per_round": 5, "gems": 3},
        )
    ]
    assert differs(tables)
