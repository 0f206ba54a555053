"""The spec of `solve` in a format of matches: the effort, and who plays."""

from __future__ import annotations

from dataclasses import dataclass

from deckcheck.findings.fields import CLOSED
from deckcheck.findings.options import check_range
from deckcheck.sim.defaults import LARGEST_SEED, MOST_GAMES, SOLVE_GAMES
from deckcheck.studies.search.proof import check_confirm


@dataclass(frozen=True, slots=True)
class LineupsQuestion:
    """What a user asks: of all `games` one half chooses, the other half measures.

    `policy` plays all decks. `confirm` is another player who plays the matches of the
    best lineups again, `confirm_games` of each lineup, None for as many as are usual.
    """

    __pydantic_config__ = CLOSED

    seed: int
    policy: str
    games: int = SOLVE_GAMES
    confirm: str | None = None
    confirm_games: int | None = None

    def __post_init__(self) -> None:
        check_range("seed", self.seed, 0, LARGEST_SEED)
        check_range("games", self.games, 1, MOST_GAMES)
        check_confirm(self.confirm, self.confirm_games)
