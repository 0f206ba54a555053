"""Every value of every option of Gwent plays other games.

What tables, teams and solo have of their own is tried there. Some of it needs positions
that random games hardly come to: scenarios show it, see `test_scenarios`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gwent_tables import DB, FORMATS, LEADERS, table
from random_play import differs

from deckcheck.formats import load_format

PLAY = "duel"


def options() -> Iterator[tuple[str, object]]:
    """Each value of each option but the default.

    A number has two, the least and one more than the default.
    """
    defaults = load_format(FORMATS[PLAY][0]).options
    for option in DB.game.options:
        if not option.plays or PLAY in option.plays:
            default = defaults[option.name]
            for value in option.values or (option.minimum, default + 1):
                if value != default:
                    yield option.name, value


def without_side_decks(x):
    x.side_deck[:] = 0


@pytest.mark.parametrize(("option", "value"), list(options()))
def test_another_value_of_an_option_plays_other_games(option, value):
    pairs = [
        (table(PLAY, place, who), table(PLAY, place, who, **{option: value}))
        for place, who in enumerate(LEADERS)
    ]
    pairs += [tuple(t.changed(without_side_decks) for t in pair) for pair in pairs[:5]]

    assert differs(pairs)
