"""Every value of every option of Gwent plays other games.

What tables, teams and solo have of their own is tried there. Some of it needs positions
that random games hardly come to: scenarios show it, see `test_scenarios`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gwent_tables import DB, FORMATS, LEADERS, table
from random_play import differs

from deckcheck.engine.gwent.codes import Leader
from deckcheck.formats import load_format

pytestmark = pytest.mark.compiled

DUEL = "duel"
RARE = {
    # what random games hardly come to, and scenarios show
    *("target_together", "nobody_can_play"),
    *("automa_aim", "automa_empty_deck", "automa_moves_heroes"),
    *("automa_passive_leaders", "automa_relentless"),
    ("teams", "white_flame", "opponents"),
}


def options(play: str) -> Iterator[tuple[str, object]]:
    """Each value of each option of a way to play but the default.

    A number has two, the least and one more than the default. Other ways to play have
    those only that duels lack.
    """
    defaults = load_format(FORMATS[play][0]).options
    for option in DB.game.options:
        plays = option.plays or (DUEL,)
        if play in plays and (play == DUEL or DUEL not in plays):
            default = defaults[option.name]
            for value in option.values or (option.minimum, default + 1):
                if value != default:
                    yield option.name, value


OTHERS = [(play, *each) for play in FORMATS if play != DUEL for each in options(play)]


def without_side_decks(x):
    x.side_deck[:] = 0


@pytest.mark.parametrize(("option", "value"), list(options(DUEL)))
def test_another_value_of_an_option_plays_other_games(option, value):
    pairs = [
        (table(DUEL, place, who), table(DUEL, place, who, **{option: value}))
        for place, who in enumerate(LEADERS)
    ]
    pairs += [tuple(t.changed(without_side_decks) for t in pair) for pair in pairs[:5]]

    assert differs(pairs)


@pytest.mark.parametrize(("play", "option", "value"), OTHERS)
def test_the_engine_is_told_of_every_value(play, option, value):
    plain = table(play, 0, Leader.NONE)
    other = table(play, 0, Leader.NONE, **{option: value})

    assert plain.context.tobytes() != other.context.tobytes()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("play", "option", "value"),
    [each for each in OTHERS if RARE.isdisjoint((each, each[1]))],
)
def test_another_value_plays_other_games_at_tables_and_in_solo(play, option, value):
    pairs = [
        (table(play, place, who), table(play, place, who, **{option: value}))
        for place, who in enumerate(LEADERS)
    ]

    assert differs(pairs)
