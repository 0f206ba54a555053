"""How much of the differences in a field lies in the decks, and how much in players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deckcheck.stats import Estimate, mean_of
from deckcheck.stats.ratings import Ratings
from deckcheck.studies.meta.field import Entered, Field


@dataclass(frozen=True, slots=True)
class Level:
    """The mean rating of a deck over all players, or of a player over all decks."""

    name: str
    rating: Estimate


@dataclass(frozen=True, slots=True)
class PlayerLevel(Level):
    """A player; `win_rate` is against the other players with the same decks."""

    win_rate: Estimate


@dataclass(frozen=True, slots=True)
class Crossing:
    """Every deck in the hands of every player, the strongest of each first.

    The parts of the differences between ratings, 0 to 1, lie in the deck, in the
    player, and in how well a deck suits a player.
    """

    decks: tuple[Level, ...]
    players: tuple[PlayerLevel, ...]
    deck_part: Estimate
    player_part: Estimate
    both_part: Estimate


def groupings_of(crossing: Sequence[Entered]) -> list[list[int]]:
    """Return the number of the deck of each who takes part, and that of the player."""
    columns = ([e.deck for e in crossing], [e.player for e in crossing])
    orders = [list(dict.fromkeys(column)) for column in columns]
    return [
        [order.index(name) for name in column]
        for column, order in zip(columns, orders, strict=True)
    ]


def crossing_of(field: Field, ratings: Ratings) -> Crossing | None:
    """Return what `ratings` by these groupings say; None if not all played all."""
    if not field.crossing:
        return None
    decks = dict.fromkeys(entered.deck for entered in field.crossing)
    players = dict.fromkeys(entered.player for entered in field.crossing)
    of_decks, of_players = ratings.groups
    deck_part, player_part, both_part = ratings.parts
    levels = [Level(name, r) for name, r in zip(decks, of_decks, strict=True)]
    pilots = [
        PlayerLevel(name, rating, _with_same_decks(field, name))
        for name, rating in zip(players, of_players, strict=True)
    ]
    return Crossing(
        tuple(sorted(levels, key=_strength)),
        tuple(sorted(pilots, key=_strength)),
        deck_part,
        player_part,
        both_part,
    )


def _strength(level: Level) -> float:
    return -level.rating.value


def _with_same_decks(field: Field, player: str) -> Estimate:
    """The win rate of a player against the others, each with the same deck."""
    named = list(zip(field.players, field.crossing, strict=True))
    own = {entered.deck: name for name, entered in named if entered.player == player}
    shares = [
        field.share(own[entered.deck], name)
        for name, entered in named
        if entered.player != player
    ]
    return mean_of(shares).estimate()
