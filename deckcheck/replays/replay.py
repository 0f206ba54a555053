"""Finding a game of a run and playing it again."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from deckcheck.engine.cache import announce_compilations, mark_warm
from deckcheck.engine.registry import CrashedGame
from deckcheck.findings import UsageError
from deckcheck.messages import choice, game_count, list_first, option, quote
from deckcheck.playing.kernel import GameOutcome, Ints, ListedGame
from deckcheck.playing.table import GameLog, Table
from deckcheck.replays.model import Noun, Replay, Script, Seated, ToldGame, write_script
from deckcheck.replays.uncompiled import run_uncompiled
from deckcheck.sim.blocks import MEASURING_PART, BlockRecord, Played, Records
from deckcheck.sim.jobs import Job
from deckcheck.sim.matches import MatchTable
from deckcheck.sim.scheduler import compile_and_play
from deckcheck.sim.seating import SeatedTable, Setting
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.tournament import Tournament

# The games of a simulation that are asked for, and the seats at their table

MAX_LISTED_PAIRINGS = 5
MAX_GAME_NUMBER = 2**32
MATCHES_IN_SET = 2
"""The matches with the same shuffles. In each another side begins."""


@dataclass(frozen=True)
class ReplayedPairing:
    """The entrants of a table, and all that their games follow from."""

    entrants: tuple[str, ...]
    played_at: Table | MatchTable
    """The table of the games, or of the matches."""
    places: tuple[SeatedTable, ...]
    """The tables of their games. Lineups have a table for each deck against each."""
    seed: int
    number: int
    """The number of the table in the run."""
    games: int
    """The most games, or matches, that a run has."""

    @property
    def table(self) -> Table:
        """The table of single games."""
        if isinstance(self.played_at, MatchTable):
            return self.played_at.table
        return self.played_at

    @property
    def noun(self) -> Noun:
        """The word for a game or match."""
        return "match" if isinstance(self.played_at, MatchTable) else "game"

    def seats(self, context: int) -> tuple[Seated, ...]:
        """Return the seats in games of that context, in the order of play."""
        if isinstance(self.played_at, MatchTable):
            return _make_seats(self.places[context], 0)
        return _make_seats(self.places[0], context)


def find_pairing(
    pairings: Sequence[ReplayedPairing], asked: str | None
) -> ReplayedPairing:
    """Return the pairing named by its entrants, or by the number of its table.

    Raises UsageError for an unknown pairing, or if several exist and none was named.
    """
    if asked is None:
        if len(pairings) == 1:
            return pairings[0]
        help = f"Name one: {_list_some(pairings)}"
        raise UsageError(f"There are {len(pairings)} pairings", help)
    for pairing in pairings:
        if _fold_name(asked) in map(_fold_name, _list_names(pairing)):
            return pairing
    if asked.isascii() and asked.isdigit() and 1 <= int(asked) <= len(pairings):
        return pairings[int(asked) - 1]
    help = f"Pairings are {_list_some(pairings)}"
    raise UsageError(f"No pairing {quote(asked)}", help)


def check_game(pairing: ReplayedPairing, number: int, *, of_run: bool) -> None:
    """Raise UsageError for the number of a game that does not exist."""
    if not 1 <= number <= MAX_GAME_NUMBER:
        message = f"{option('game')} is {number}, must be 1 to {MAX_GAME_NUMBER}"
        raise UsageError(message)
    if of_run and number > pairing.games:
        entrants = choice(pairing.entrants, "and")
        games = number
        # Only one game of a set is played, and counts for all.
        if isinstance(pairing.played_at, Table) and pairing.played_at.once:
            games *= pairing.table.rotation
        raise UsageError(
            f"This run has no {pairing.noun} {number:,} of {entrants}: the last is "
            f"{pairing.games:,}",
            f"Name one from 1 to {pairing.games:,}, or play more: "
            f"`deckcheck resume FOLDER --games {games}`",
        )


def find_games(pairing: ReplayedPairing, number: int) -> Ints:
    """Return the game of that number, from 1, or the games of that match.

    They are rows of `ListedGame`. Games of a match are found by playing it. A game that
    crashes is the last.
    """
    table = pairing.played_at
    if isinstance(table, Table):
        set_number, index = divmod(number - 1, table.games_of_set)
        games = table.list_games(pairing.number, np.array([set_number]))
        return games[index : index + 1]
    set_number, index = divmod(number - 1, MATCHES_IN_SET)
    log = GameLog()
    with suppress(CrashedGame):
        table.play(pairing.seed, pairing.number, set_number, 1, log)
    games_of_match: Ints = log.games[log.of_set == index]
    return games_of_match


# Games to show where nobody names a number: the first that is lost, or the closest

MAX_SEARCHED_GAMES = 2_000
"""Most games in which to look for a lost game."""
CLOSEST_GAMES = 200
"""The games of which the closest is shown."""
SETS_AT_ONCE = 16


class Shown(StrEnum):
    """Which game is shown where no number is given."""

    LOST = "lost"
    CLOSEST = "closest"


def find_game(pairing: ReplayedPairing, shown: Shown) -> int:
    """Return the number of a lost game, or of a close game.

    It is the first game that the entrant named first loses, or the game with the
    smallest lead at its end among the first CLOSEST_GAMES. Raises UsageError where no
    game is lost, and for matches.
    """
    if not isinstance(pairing.played_at, Table):
        raise UsageError(
            f"{option(shown)} finds single games, and lineups play matches",
            f"Name a pairing of two decks with {option('pairing')}",
        )
    with announce_compilations([pairing.table.engine]):
        if shown == Shown.LOST:
            return _find_lost_game(pairing)
        games = _play_outcomes(pairing, pairing.played_at, CLOSEST_GAMES)
        return min(games, key=lambda game: game.lead).number


def _find_lost_game(pairing: ReplayedPairing) -> int:
    """Return the number of the first lost game. Raises UsageError without one."""
    games = 0
    for game in _play_outcomes(pairing, pairing.table, MAX_SEARCHED_GAMES):
        if game.is_lost:
            return game.number
        games += 1
    raise UsageError(
        f"{quote(pairing.entrants[0])} loses none of its first {game_count(games)}",
        f"Show the closest of them: {option(Shown.CLOSEST)}",
    )


class SearchedGame(NamedTuple):
    """The end of a game, seen from the entrant named first."""

    number: int
    is_lost: bool
    lead: int
    """The lead of the winner in points, 0 or more."""


def _play_outcomes(
    pairing: ReplayedPairing, table: Table, most: int
) -> Iterator[SearchedGame]:
    """Play the games of a pairing again in their order, a few sets at a time."""
    sets = max(1, min(most, pairing.games) // table.games_of_set)
    seats = len(table.entrant_in[0])
    for first in range(0, sets, SETS_AT_ONCE):
        count = min(SETS_AT_ONCE, sets - first)
        log = GameLog()
        table.play(pairing.seed, pairing.number, first, count, log)
        for index, outcome in enumerate(log.outcomes):
            number = first * table.games_of_set + index
            # Each set takes the next order of the seats.
            set_number = number // table.games_of_set
            order = set_number % len(table.entrant_in)
            player = table.entrant_in[order].index(0)
            is_lost = bool(outcome[GameOutcome.PLACE + player] > 1)
            lead = abs(int(outcome[GameOutcome.LEAD]))
            if seats > 2:
                # The block of points follows the block of places.
                points_start = GameOutcome.PLACE + seats
                points = outcome[points_start : points_start + seats]
                *_, second, winner = sorted(points.tolist())
                lead = winner - second
            yield SearchedGame(number + 1, is_lost, lead)


def _make_seats(place: SeatedTable, order: int) -> tuple[Seated, ...]:
    """Return the seats. Teams have fewer entrants than seats, an automa no policy."""
    has_teams = len(place.entrants) != len(place.decks)
    seated = []
    for seat in place.orders[order]:
        entrant = place.decks[seat]
        if entrant is not None and has_teams:
            name = entrant.name
        else:
            name = place.entrants[seat]
        policy = place.policies[seat] if seat < len(place.policies) else None
        leader = None if entrant is None else entrant.deck.leader
        seated.append(Seated(name, policy, leader))
    return tuple(seated)


def _list_names(pairing: ReplayedPairing) -> list[str]:
    """Return the names by which a pairing may be asked for, two in either order."""
    names = [",".join(pairing.entrants)]
    if len(pairing.entrants) == 2:
        names.append(",".join(reversed(pairing.entrants)))
    return names


def _fold_name(text: str) -> str:
    """Return a name as names are compared, without case and space around commas."""
    return re.sub(r"\s*,\s*", ",", " ".join(text.split())).casefold()


def _list_some(pairings: Sequence[ReplayedPairing]) -> str:
    """Return the names of the first pairings, for messages."""
    names = [",".join(pairing.entrants) for pairing in pairings]
    return list_first(names, MAX_LISTED_PAIRINGS)


# A game of a simulation, found and played again


def replay(
    simulation: Simulation,
    pairing: str | None,
    game: int | Shown,
    *,
    jobs: int = 1,
    records: Records | None = None,
) -> Replay:
    """Play game `game` of a pairing again, from 1, and tell it move by move.

    `pairing` has the names of the entrants, with commas, or the number of their table.
    It may be None for a single table. In a tournament `game` counts matches, and all
    games of the match are shown. `jobs` workers first measure the decks if players
    choose by win rates missing from `records`. Raises UsageError for an unknown pairing
    or game.
    """
    chosen = find_pairing(list_pairings(simulation, jobs, records), pairing)
    number = find_game(chosen, game) if isinstance(game, Shown) else game
    check_game(chosen, number, of_run=records is not None)
    setting = simulation.setting
    scripts = write_scripts(setting, chosen, [number])
    return Replay(
        format=setting.format.id,
        snapshot=setting.format.snapshot,
        fingerprint=setting.format.fingerprint,
        seed=setting.request.seed,
        entrants=chosen.entrants,
        noun=chosen.noun,
        number=number,
        games=tuple(tell_all(scripts)),
    )


def write_scripts(
    setting: Setting, pairing: ReplayedPairing, numbers: Iterable[int]
) -> list[Script]:
    """Play games of a pairing again, by their numbers, and note their moves."""
    scripts = []
    table = pairing.table
    seed = pairing.seed
    with announce_compilations([table.engine]):
        for number in numbers:
            for game in find_games(pairing, number):
                seats = pairing.seats(game[ListedGame.CONTEXT])
                scripts.append(write_script(setting, table, seats, seed, game))
    mark_warm(table.engine)
    return scripts


def list_pairings(
    simulation: Simulation, jobs: int = 1, records: Records | None = None
) -> list[ReplayedPairing]:
    """Return all pairings: tables, or lineups and after them their single decks."""
    tournament = simulation.tournament
    if tournament is None:
        return list(_list_table_pairings(simulation))
    matches = _make_match_jobs(simulation, tournament, jobs, records)
    return list(_list_match_pairings(simulation, tournament, matches))


def _list_table_pairings(simulation: Simulation) -> Iterator[ReplayedPairing]:
    """Yield a pairing for each table."""
    games = simulation.games_each
    if simulation.setting.request.stopping.adaptive:
        games *= len(simulation.tables)  # one may get the games of all others
    for place in simulation.tables:
        table = place.table
        yield ReplayedPairing(
            entrants=place.entrants,
            played_at=table,
            places=(place,),
            seed=simulation.setting.request.seed,
            number=place.number,
            games=games * table.games_of_set // table.rotation,
        )


def _list_match_pairings(
    simulation: Simulation, tournament: Tournament, matches: Sequence[Job]
) -> Iterator[ReplayedPairing]:
    """Yield a pairing for each two lineups, and then for each two of their decks."""
    for (pair, duels), job in zip(tournament.duels, matches, strict=True):
        assert isinstance(job.table, MatchTable)
        yield ReplayedPairing(
            entrants=(tournament.lineups[pair.a].name, tournament.lineups[pair.b].name),
            played_at=job.table,
            places=tuple(duels),
            seed=simulation.setting.request.seed,
            number=job.number,
            games=simulation.games_each,
        )
    for duel in tournament.places:
        yield ReplayedPairing(
            entrants=duel.entrants,
            played_at=duel.table,
            places=(duel,),
            seed=tournament.measuring_seed,
            number=duel.number,
            games=simulation.games_each,
        )


def _make_match_jobs(
    simulation: Simulation,
    tournament: Tournament,
    jobs: int,
    records: Records | None,
) -> list[Job]:
    """Return the matches, after measuring the win rates by which players choose."""
    tallies: Mapping[int, Ints] = {}
    measuring = tournament.measuring_jobs()
    if measuring:
        seed = tournament.measuring_seed
        record = _ReadOnlyRecord(records(MEASURING_PART)) if records else None
        played = compile_and_play(
            simulation.engines, measuring, seed, jobs=jobs, record=record
        )
        tallies = played.tallies
    return tournament.jobs(tournament.plans(tournament.make_matchups(tallies)))


class _ReadOnlyRecord:
    """A record that is only read."""

    def __init__(self, record: BlockRecord) -> None:
        self.find_played = record.find_played
        self.missing = record.missing

    def add(self, played: Played) -> None:
        """Forget the games."""


def tell_all(scripts: Sequence[Script]) -> list[ToldGame]:
    """Return the moves of games in words, from an uncompiled engine."""
    return run_uncompiled(_tell_pickled, scripts)


def _tell_pickled(scripts: bytes) -> list[ToldGame]:
    """Return the moves of the games of pickled scripts."""
    from deckcheck.replays.narration import tell

    return [tell(script) for script in pickle.loads(scripts)]
