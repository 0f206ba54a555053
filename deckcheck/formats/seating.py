"""The players of a game of a format, and how many decks one file holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Annotated, Literal, NamedTuple

from deckcheck.findings.fields import CLOSED, AtLeast

Some = Annotated[int, AtLeast(1)]


@dataclass(frozen=True, slots=True)
class Seating:
    """How decks meet. What a file leaves out is that of a duel of two decks."""

    __pydantic_config__ = CLOSED

    play: Literal["duel", "shared", "table", "teams", "solo", "match"] = "duel"
    """How decks meet: in a duel, at a table, in teams, and so on."""
    min_players: Some = 2
    """The smallest number of players at one game."""
    max_players: Some = 2
    """The largest number of players at one game."""
    holds: Literal["deck", "lineup", "team", "table"] = "deck"
    """What one file holds; each deck of a file of `deck` stands for itself."""
    min_decks: Some = 1
    """The smallest number of decks in one file."""
    max_decks: Some = 1
    """The largest number of decks in one file."""
    single_deck: bool = True
    """Whether a file with one deck is judged, too."""


class Play(NamedTuple):
    """A way for decks to meet: what it means, and how many can sit down to it."""

    meaning: str
    fewest: int
    most: int


PLAYS: dict[str, Play] = {
    "duel": Play("two decks meet in mirrored pairs", 2, 2),
    "shared": Play("two players share one deck", 2, 2),
    "table": Play("each for themselves, with a deck of their own", 2, 10),
    "teams": Play("two teams of two decks", 4, 4),
    "solo": Play("one deck against a faction that plays by itself", 1, 1),
    "match": Play("two lineups, the better of several games", 2, 2),
}
"""The words of `play`."""

SEATING: dict[str, object] = asdict(Seating())
"""The seating of a format that says nothing about it."""


_ALONE = "`{}` is only for files that hold a lineup, a team or a table"


def contradictions(seating: Seating) -> Iterator[tuple[str, str]]:
    """What cannot be together: the key to blame, and why."""
    for what in ("players", "decks"):
        low = getattr(seating, f"min_{what}")
        high = getattr(seating, f"max_{what}")
        if low > high:
            why = f"`min_{what}` {low} is greater than `max_{what}` {high}"
            yield f"min_{what}", why
    play = PLAYS[seating.play]
    for key, players in (
        ("min_players", seating.min_players),
        ("max_players", seating.max_players),
    ):
        if not play.fewest <= players <= play.most:
            seats = f"{play.fewest} to {play.most}"
            allowed = seats if play.fewest < play.most else str(play.most)
            yield key, f"`{seating.play}` is for {allowed}, `{key}` is {players}"
    is_deck = seating.holds == "deck"
    if is_deck and (seating.min_decks, seating.max_decks) != (1, 1):
        yield "max_decks", _ALONE.format("max_decks")
    if is_deck and not seating.single_deck:
        yield "single_deck", _ALONE.format("single_deck")
