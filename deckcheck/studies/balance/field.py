"""A field whose decks meet with their cards as they are, and with cards changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.formats import Format
from deckcheck.playing.kernel import Ints
from deckcheck.playing.table import DUEL_STREAMS, Table, seat, set_table
from deckcheck.playing.versions import ROTATION, Versions, retune_table
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.jobs import Job
from deckcheck.sim.seating import Pairing, pair_up
from deckcheck.stats import mean_score
from deckcheck.studies.balance.steps import CardStep, Steps, apply_steps, fit_deck
from deckcheck.studies.balance.targets import Scores


@dataclass(frozen=True)
class BalancedField:
    """Decks that all meet each other; jobs and results are in the order of `pairs`."""

    format: Format
    database: CardDatabase
    entrants: tuple[Entrant, ...]

    @cached_property
    def pairs(self) -> list[Pairing]:
        """Each pair of decks."""
        return pair_up(len(self.entrants))

    @cached_property
    def table(self) -> Table:
        """The table of the first two decks, with the cards as they are."""
        decks = [entrant.deck for entrant in self.entrants]
        return self._make_table(self.pairs[0], (), decks)

    @cached_property
    def holders(self) -> Mapping[str, tuple[int, ...]]:
        """The decks that hold a card, by its id, in the order of the database."""
        counts = [entrant.deck.counts() for entrant in self.entrants]
        holders = {}
        for card in self.database.cards:
            decks = [deck for deck, cards in enumerate(counts) if cards[card]]
            if decks:
                holders[card] = tuple(decks)
        return holders

    def apply(self, steps: Steps) -> list[Deck] | None:
        """Return the decks after some steps, other cards in place of excess copies.

        Returns None if no legal card can complete a deck.
        """
        limited = [step.card for step in steps if step.field == "copies"]
        database = apply_steps(self.database, steps)
        decks = []
        for entrant in self.entrants:
            deck = fit_deck(entrant.deck, self.format, database, limited)
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
        """Return a job for each pair with each version of the cards.

        The first version is the base. Jobs are numbered from `first` on. From one
        `stream` come the same games.
        """
        tables = [self._make_tables(steps) for steps in versions]
        jobs = []
        for index, pair in enumerate(self.pairs):
            base, *others = [tables_of_version[index] for tables_of_version in tables]
            table = retune_table(base, others, stream + index)
            jobs.append(self._make_job(first + index, table, pair, games, label))
        return jobs

    def scores(self, jobs: Sequence[Job], tallies: Mapping[int, Ints]) -> list[Scores]:
        """Return, for each version, the scores of the first deck of each pair."""
        by_pair = [_get_versions(job).scores(tallies[job.number]) for job in jobs]
        return [list(scores) for scores in zip(*by_pair, strict=True)]

    def effect_jobs(
        self, first: int, games: int, steps: Sequence[CardStep]
    ) -> list[Job]:
        """Return a job for each pair with each step that changes one of its decks.

        Jobs are numbered from `first` on. All are of stream 0.
        """
        base_tables = self._make_tables(())
        decks = {step: self.apply((step,)) or [] for step in steps}
        jobs: list[Job] = []
        for index, pair in enumerate(self.pairs):
            tables = []
            for step in self._find_relevant_steps(steps, index):
                tables.append(self._make_table(pair, (step,), decks[step]))
            if tables:
                table = retune_table(base_tables[index], tables, index)
                number = first + len(jobs)
                jobs.append(self._make_job(number, table, pair, games, "cards changed"))
        return jobs

    def effects(
        self,
        steps: Sequence[CardStep],
        jobs: Sequence[Job],
        tallies: Mapping[int, Ints],
    ) -> dict[CardStep, list[float]]:
        """Return by how much each step moves the rate of the first deck of each pair.

        `jobs` are those of `effect_jobs`.
        """
        effects = {step: [0.0] * len(self.pairs) for step in steps}
        for job in jobs:
            table = _get_versions(job)
            pair = table.stream
            assert pair is not None
            base_rate, *rates = map(mean_score, table.scores(tallies[job.number]))
            relevant_steps = self._find_relevant_steps(steps, pair)
            for step, rate in zip(relevant_steps, rates, strict=True):
                effects[step][pair] = rate - base_rate
        return effects

    def _find_relevant_steps(
        self, steps: Sequence[CardStep], pair: int
    ) -> list[CardStep]:
        """Return the steps that change a deck of a pair."""
        decks = {self.pairs[pair].a, self.pairs[pair].b}
        return [step for step in steps if decks & set(self.holders[step.card])]

    def _make_tables(self, steps: Steps) -> list[Table]:
        """Return the table of each pair after some steps, which leave decks legal."""
        decks = self.apply(steps) or []
        return [self._make_table(pair, steps, decks) for pair in self.pairs]

    def _make_table(self, pair: Pairing, steps: Steps, decks: Sequence[Deck]) -> Table:
        """Return the table of a pair of `decks` with the cards after some steps."""
        seats = [seat(decks[i], self.entrants[i].policy) for i in (pair.a, pair.b)]
        database = apply_steps(self.database, steps)
        return set_table(self.format, database, seats, streams=DUEL_STREAMS)

    def _make_job(
        self, number: int, table: Versions, pair: Pairing, games: int, label: str
    ) -> Job:
        """Return the job of a pair with all versions of its table."""
        first, second = self.entrants[pair.a], self.entrants[pair.b]
        return Job(
            number,
            f"{label}: {first.name} against {second.name}",
            table,
            (first.policy, second.policy),
            ceil(games / ROTATION),
            ROTATION * len(table.patches),
            names=(first.name, second.name),
        )


def _get_versions(job: Job) -> Versions:
    """Return the table of a job of a field."""
    assert isinstance(job.table, Versions)
    return job.table
