"""Finds the games of a simulation that are asked for, and the seats at their table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from deckcheck.engine.errors import CrashedGame
from deckcheck.findings import UsageError
from deckcheck.findings.options import option
from deckcheck.findings.words import choice, quote
from deckcheck.playing.host.log import GameLog
from deckcheck.playing.host.table import Table
from deckcheck.playing.tally import Ints
from deckcheck.replays.document import Noun
from deckcheck.replays.model import Seated
from deckcheck.sim.matches.play import MatchTable
from deckcheck.sim.tables.seating import SeatedTable

SHOWN = 5
LAST_GAME = 2**32


@dataclass(frozen=True)
class Pairing:
    """The entrants of a table, and where their games come from.

    `places` are the tables at which their games are played: one, or of lineups a table
    for each deck against each. `seed` and `number` seed the games, of which a run has
    `games` at most.
    """

    entrants: tuple[str, ...]
    player: Table | MatchTable
    places: tuple[SeatedTable, ...]
    seed: int
    number: int
    games: int

    @property
    def table(self) -> Table:
        """What single games are played at."""
        player = self.player
        return player.table if isinstance(player, MatchTable) else player

    @property
    def noun(self) -> Noun:
        """What is counted of them."""
        return "match" if isinstance(self.player, MatchTable) else "game"

    def seats(self, context: int) -> tuple[Seated, ...]:
        """The seats in games of that context, in the order of play."""
        if isinstance(self.player, MatchTable):
            return _seats(self.places[context], 0)
        return _seats(self.places[0], context)


def find_pairing(pairings: Sequence[Pairing], asked: str | None) -> Pairing:
    """The pairing that is named by its entrants, or by the number of its table.

    Raises UsageError when there is none, or several and none was named.
    """
    if asked is None:
        if len(pairings) == 1:
            return pairings[0]
        raise UsageError(
            f"There are {len(pairings)} pairings", f"Name one: {_some(pairings)}"
        )
    for pairing in pairings:
        if _key(asked) in (_key(name) for name in _names(pairing)):
            return pairing
    if asked.isascii() and asked.isdigit() and 1 <= int(asked) <= len(pairings):
        return pairings[int(asked) - 1]
    raise UsageError(f"No pairing {quote(asked)}", f"Pairings are {_some(pairings)}")


def check_game(pairing: Pairing, number: int, *, of_run: bool) -> None:
    """Raise UsageError for the number of a game that does not exist."""
    if not 1 <= number <= LAST_GAME:
        raise UsageError(f"{option('game')} is {number}, must be 1 to {LAST_GAME}")
    if of_run and number > pairing.games:
        whose = choice(pairing.entrants, "and")
        once = isinstance(pairing.player, Table) and pairing.player.once
        more = number * pairing.table.rotation if once else number
        raise UsageError(
            f"This run has no {pairing.noun} {number:,} of {whose}: the last is "
            f"{pairing.games:,}",
            f"Name one from 1 to {pairing.games:,}, or play more: "
            f"`deckcheck resume FOLDER --games {more}`",
        )


def games_of(pairing: Pairing, number: int) -> Ints:
    """The game of that number, from 1, or the games of that match, as rows of `Game`.

    Those of a match are found by playing it; one that crashes is the last of them.
    """
    player = pairing.player
    rotation = 2 if isinstance(player, MatchTable) else player.games_of_set
    first_set, of_set = divmod(number - 1, rotation)
    if isinstance(player, Table):
        return player.games_of_sets(pairing.number, np.array([first_set]))[
            of_set : of_set + 1
        ]
    log = GameLog()
    with suppress(CrashedGame):
        player.play(pairing.seed, pairing.number, first_set, 1, log)
    of_match: Ints = log.games[log.of_set == of_set]
    return of_match


def _seats(place: SeatedTable, order: int) -> tuple[Seated, ...]:
    """The seats; teams have fewer entrants than seats, an automa has no policy."""
    is_each = len(place.entrants) == len(place.decks)
    seated = []
    for seat in place.orders[order]:
        entrant = place.decks[seat]
        name = entrant.name if entrant and not is_each else place.entrants[seat]
        policy = place.policies[seat] if seat < len(place.policies) else None
        seated.append(Seated(name, policy, entrant.deck.leader if entrant else None))
    return tuple(seated)


def _names(pairing: Pairing) -> list[str]:
    names = [",".join(pairing.entrants)]
    if len(pairing.entrants) == 2:
        names.append(",".join(reversed(pairing.entrants)))
    return names


def _key(text: str) -> str:
    """Names as they are compared: case and the space around commas do not matter."""
    return re.sub(r"\s*,\s*", ",", " ".join(text.split())).casefold()


def _some(pairings: Sequence[Pairing]) -> str:
    shown = [",".join(pairing.entrants) for pairing in pairings[:SHOWN]]
    more = len(pairings) - SHOWN
    return choice(shown, "and") + (f", and {more} more" if more > 0 else "")
