"""A field whose decks meet with their cards as they are, and with cards changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.formats import Format
from deckcheck.playing.host.retuned import Retuned, retuned
from deckcheck.playing.host.table import DUEL_STREAMS, Table, seat, set_table
from deckcheck.playing.host.versions import ROTATION
from deckcheck.playing.tally import Ints
from deckcheck.sim.jobs.blocks import Job
from deckcheck.sim.tables.entrants import Entrant
from deckcheck.sim.tables.seating import Pairing, pair_up
from deckcheck.stats import mean_score
from deckcheck.studies.balance.steps import Step, changed_cards, deck_within
from deckcheck.studies.balance.targets import Scores

Steps = tuple[Step, ...]


@dataclass(frozen=True)
class BalancedField:
    """Decks of whom every two meet; jobs and results are in the order of `pairs`."""

    format: Format
    database: CardDatabase
    entrants: tuple[Entrant, ...]

    @cached_property
    def pairs(self) -> list[Pairing]:
        """Every two decks."""
        return pair_up(len(self.entrants))

    @cached_property
    def table(self) -> Table:
        """The table of the first two decks, with the cards as they are."""
        return self._table(
            self.pairs[0], (), [entrant.deck for entrant in self.entrants]
        )

    @cached_property
    def holders(self) -> Mapping[str, tuple[int, ...]]:
        """The decks that hold a card, by its id, in the order of the database."""
        counts = [entrant.deck.counts() for entrant in self.entrants]
        holders = {
            card: tuple(i for i, held in enumerate(counts) if held[card])
            for card in self.database.cards
        }
        return {card: decks for card, decks in holders.items() if decks}

    def decks(self, steps: Steps) -> list[Deck] | None:
        """The decks after some steps, without copies that are not allowed any more.

        None if there is a deck that no legal card can complete then.
        """
        limited = [step.card for step in steps if step.what == "copies"]
        database = changed_cards(self.database, steps)
        decks = []
        for entrant in self.entrants:
            deck = deck_within(entrant.deck, self.format, database, limited)
            if deck is None:
                return None
            decks.append(deck)
        return decks

    def jobs(
        self,
        first: int,
        stream: int,
        games: int,
        versions: Sequence[Steps],
        label: str,
    ) -> list[Job]:
        """All pairs with each version of the cards, the first of which is the base.

        Jobs are numbered from `first` on. From one `stream` come the same games.
        """
        seated = [self._seated(steps) for steps in versions]
        return [
            self._job(first + i, retuned(base, others, stream + i), pair, games, label)
            for i, (pair, (base, *others)) in enumerate(
                zip(self.pairs, zip(*seated, strict=True), strict=True)
            )
        ]

    def scores(self, jobs: Sequence[Job], tallies: Mapping[int, Ints]) -> list[Scores]:
        """Of each version how often the first deck of each pair came to what."""
        scores = [_table_of(job).scores(tallies[job.number]) for job in jobs]
        return [list(version) for version in zip(*scores, strict=True)]

    def effect_jobs(self, first: int, games: int, steps: Sequence[Step]) -> list[Job]:
        """Every pair with each of the steps that touch one of its decks, in stream 0.

        Jobs are numbered from `first` on.
        """
        base = self._seated(())
        after = {step: self.decks((step,)) for step in steps}
        jobs: list[Job] = []
        for i, pair in enumerate(self.pairs):
            own = self._touching(steps, i)
            tables = [self._table(pair, (step,), after[step] or []) for step in own]
            if tables:
                table = retuned(base[i], tables, i)
                number = first + len(jobs)
                jobs.append(self._job(number, table, pair, games, "cards changed"))
        return jobs

    def effects(
        self, steps: Sequence[Step], jobs: Sequence[Job], tallies: Mapping[int, Ints]
    ) -> dict[Step, list[float]]:
        """By how much each step moves the rate of the first deck of each pair.

        `jobs` are those of `effect_jobs`.
        """
        effects = {step: [0.0] * len(self.pairs) for step in steps}
        for job in jobs:
            table = _table_of(job)
            own, *others = map(mean_score, table.scores(tallies[job.number]))
            touching = self._touching(steps, table.stream)
            for step, rate in zip(touching, others, strict=True):
                effects[step][table.stream] = rate - own
        return effects

    def _touching(self, steps: Sequence[Step], pair: int) -> list[Step]:
        both = {self.pairs[pair].a, self.pairs[pair].b}
        return [step for step in steps if both & set(self.holders[step.card])]

    def _seated(self, steps: Steps) -> list[Table]:
        decks = self.decks(steps) or []
        return [self._table(pair, steps, decks) for pair in self.pairs]

    def _table(self, pair: Pairing, steps: Steps, decks: Sequence[Deck]) -> Table:
        seats = [seat(decks[i], self.entrants[i].policy) for i in (pair.a, pair.b)]
        database = changed_cards(self.database, steps)
        return set_table(self.format, database, seats, streams=DUEL_STREAMS)

    def _job(
        self, number: int, table: Retuned, pair: Pairing, games: int, label: str
    ) -> Job:
        both = (self.entrants[pair.a], self.entrants[pair.b])
        names = tuple(entrant.name for entrant in both)
        return Job(
            number,
            f"{label}: {names[0]} against {names[1]}",
            table,
            tuple(entrant.policy for entrant in both),
            ceil(games / ROTATION),
            ROTATION * (1 + len(table.patches)),
            names=names,
        )


def _table_of(job: Job) -> Retuned:
    assert isinstance(job.table, Retuned)
    return job.table
