"""The job of two lineups that play matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deckcheck.playing.host.table import LazyContexts, Table
from deckcheck.sim.jobs.blocks import Job
from deckcheck.sim.matches.lineups import Lineup
from deckcheck.sim.matches.play import MatchTable
from deckcheck.sim.matches.selection import MatchRules, Plans


def match_job(
    number: int,
    sides: tuple[Lineup, Lineup],
    tables: Sequence[Table],
    plans: Plans,
    *,
    rules: MatchRules,
    pairs: int,
) -> Job:
    """Two lineups that play mirrored pairs of matches.

    `tables` are those of each deck of the first against each of the second, row by row.
    """
    a, b = sides
    names = tuple((one.name, other.name) for one in a.entrants for other in b.entrants)
    return Job(
        number,
        f"{a.name} against {b.name}",
        MatchTable(
            all_at_one(tables),
            (len(a.entrants), len(b.entrants)),
            (a.selection, b.selection),
            plans,
            rules,
        ),
        ("match", *a.policies, *b.policies),
        pairs,
        noun="matches",
        names=(a.name, b.name),
        decks=names,
    )


def all_at_one(tables: Sequence[Table]) -> Table:
    """One table at which all of these duels can be played, each by its context."""
    contexts = LazyContexts(
        len(tables), lambda: [table.contexts[0] for table in tables]
    )
    return replace(tables[0], contexts=contexts)
