"""A game of a simulation again: found, played, and told."""

from __future__ import annotations

import io
import pickle
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from types import MappingProxyType
from typing import Any, TypeVar

from deckcheck.engine.host.cache import compilation_told, mark_warm
from deckcheck.playing.tally import Ints
from deckcheck.replays.finding import Pairing, check_game, find_pairing, games_of
from deckcheck.replays.model import Replay, ToldGame
from deckcheck.replays.script import Script, write_script
from deckcheck.scenarios.contract import play_uncompiled
from deckcheck.sim.errors import WorkerDiedError
from deckcheck.sim.jobs.blocks import Job
from deckcheck.sim.jobs.record import MEASURING, Played, Record, Records
from deckcheck.sim.matches.play import MatchTable
from deckcheck.sim.matches.tournament import Tournament
from deckcheck.sim.scheduling.scheduler import compile_and_play
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.tables.seating import Setting

T = TypeVar("T")


def replay(
    simulation: Simulation,
    pairing: str | None,
    number: int,
    *,
    jobs: int = 1,
    records: Records | None = None,
) -> Replay:
    """Play game `number` of a pairing again, from 1, and tell it move by move.

    `pairing` are the names of those who meet, with commas, or the number of their
    table; it may be None where there is one alone. Of a tournament `number` counts
    matches, and all games of the match are shown; `jobs` workers first measure the
    decks where its players choose by win rates that `records` lack. Raises UsageError
    for a pairing or game that does not exist.
    """
    paired = find_pairing(pairings_of(simulation, jobs, records), pairing)
    check_game(paired, number, of_run=records is not None)
    setting = simulation.setting
    scripts = scripts_of(setting, paired, [number])
    return Replay(
        format=setting.format.id,
        snapshot=setting.format.snapshot,
        digest=setting.format.digest,
        seed=setting.request.seed,
        entrants=paired.entrants,
        noun=paired.noun,
        number=number,
        games=tuple(tell_all(scripts)),
    )


def scripts_of(
    setting: Setting, pairing: Pairing, numbers: Iterable[int]
) -> list[Script]:
    """Play games of a pairing again, by their numbers, and note their moves."""
    with compilation_told([pairing.table.engine]):
        scripts = [
            write_script(
                setting, pairing.table, pairing.seats(row[0]), pairing.seed, row
            )
            for number in numbers
            for row in games_of(pairing, number)
        ]
    mark_warm(pairing.table.engine)
    return scripts


def pairings_of(
    simulation: Simulation, jobs: int = 1, records: Records | None = None
) -> list[Pairing]:
    """Everybody who meets: at tables, or lineups and after them their single decks."""
    seed = simulation.setting.request.seed
    tournament = simulation.tournament
    games = simulation.games_each
    if tournament is None:
        tables = simulation.tables
        if simulation.setting.request.stopping.adaptive:
            games *= len(tables)  # one may get the games of all others
        return [
            Pairing(
                table.entrants,
                table.table,
                (table,),
                seed,
                table.number,
                games * table.table.games_of_set // table.table.rotation,
            )
            for table in tables
        ]
    pairings = []
    matches = _match_jobs(simulation, tournament, jobs, records)
    for (pair, duels), job in zip(tournament.duels, matches, strict=True):
        assert isinstance(job.table, MatchTable)
        names = (tournament.lineups[pair.a].name, tournament.lineups[pair.b].name)
        pairings.append(
            Pairing(names, job.table, tuple(duels), seed, job.number, games)
        )
    measured = tournament.measuring_seed
    for _, duels in tournament.duels:
        for duel in duels:
            where = ((duel,), measured, duel.number)
            pairings.append(Pairing(duel.entrants, duel.table, *where, games))
    return pairings


def _match_jobs(
    simulation: Simulation,
    tournament: Tournament,
    jobs: int,
    records: Records | None,
) -> list[Job]:
    """The matches, after what their players choose by was measured."""
    tallies: Mapping[int, Ints] = {}
    measuring = tournament.measuring_jobs()
    if measuring:
        seed = tournament.measuring_seed
        record = _Read(records(MEASURING)) if records else None
        played = compile_and_play(
            simulation.engines, measuring, seed, jobs=jobs, record=record
        )
        tallies = played.tallies
    return tournament.jobs(tournament.plans(tournament.measured(tallies)))


class _Read:
    """A record that is read and not added to."""

    def __init__(self, record: Record) -> None:
        self.played = record.played
        self.missing = record.missing

    def add(self, played: Played) -> None:
        """Forget them."""


def tell_all(scripts: Sequence[Script]) -> list[ToldGame]:
    """Tell games, see `uncompiled`."""
    return uncompiled(_tell, scripts)


def uncompiled(work: Callable[[bytes], T], scripts: Sequence[object]) -> T:
    """Return what `work` makes of scripts, pickled as a list, in an uncompiled engine.

    That is a process of its own where the engine of this one is compiled: a script that
    calls this must be guarded by `if __name__ == "__main__":`.
    """
    if not sys.modules["deckcheck.engine.jit"].compiled:
        return work(_pickled(scripts))
    context = get_context("spawn")
    with ProcessPoolExecutor(1, context, initializer=play_uncompiled) as process:
        try:
            return process.submit(work, _pickled(scripts)).result()
        except BrokenProcessPool as error:
            raise WorkerDiedError from error


def _tell(scripts: bytes) -> list[ToldGame]:
    from deckcheck.replays.telling import tell

    return [tell(script) for script in pickle.loads(scripts)]


class _Pickler(pickle.Pickler):
    """Formats hold mappings that cannot be changed, which pickle does not know."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, MappingProxyType):
            return _unchangeable, (dict(value),)
        return NotImplemented


def _unchangeable(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(values)


def _pickled(scripts: Sequence[object]) -> bytes:
    stream = io.BytesIO()
    _Pickler(stream, pickle.HIGHEST_PROTOCOL).dump(list(scripts))
    return stream.getvalue()
