"""Players who met each other, two at a time: the decks or the lineups of a run."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.cards import Root
from deckcheck.findings import UsageError
from deckcheck.findings.files import open_file, refuse_deck
from deckcheck.findings.words import quote
from deckcheck.policies.host.registry import policy_label
from deckcheck.sim.results.result import SimulationResult
from deckcheck.sim.results.totals import TableResult
from deckcheck.sim.runs.directory import open_run
from deckcheck.sim.tables.entrants import Source, is_crossed, without_policy
from deckcheck.stats import Combination, Estimate, Sample

MAX_BYTES = 2**28
HALVES = 5
WRITES = (
    "Name the folder of `simulate --run`, or the file of `simulate --output-format "
    "json:FILE`"
)


@dataclass(frozen=True)
class Met:
    """All games, or matches, of two players.

    `scores[i]` counts the mirrored pairs that brought `a` i half-points, 0 to 4;
    `anytime` says that a rule looked at them to stop the run. `games` are those that
    were played, two of each pair where 0.
    """

    a: str
    b: str
    scores: tuple[int, ...]
    anytime: bool = False
    games: int = 0

    @cached_property
    def rate(self) -> Estimate:
        """The win rate of `a`; a draw counts half."""
        return self.share.estimate()

    @cached_property
    def share(self) -> Combination:
        """The same as it goes into means and differences."""
        games = self.games or 2 * sum(self.scores)
        return Combination.of(Sample(self.scores, games, anytime=self.anytime))


@dataclass(frozen=True, slots=True)
class Origin:
    """How games were played: the head of every result, as text."""

    format: str
    snapshot: str
    players: tuple[str, ...]
    seed: int
    checksum: str
    digest: str


class Entered(NamedTuple):
    """One of a field in which every deck is played by every player."""

    deck: str
    player: str


@dataclass(frozen=True)
class Field:
    """Players of whom every two have met.

    `noun` says what they are, `deck` or `lineup`; `unit` what they played, `game` or
    `match`. `crossing` is empty unless each of several decks has each of several
    policies.
    """

    players: tuple[str, ...]
    met: tuple[Met, ...]
    noun: str
    unit: str
    origin: Origin
    crossing: tuple[Entered, ...] = ()

    def rate(self, player: str, other: str) -> Estimate:
        """The win rate of `player` against `other`, who are not the same."""
        rate = self._rates[frozenset((player, other))]
        return rate.rate if rate.a == player else rate.rate.opposite()

    def share(self, player: str, other: str) -> Combination:
        """The same as it goes into means and differences."""
        met = self._rates[frozenset((player, other))]
        return met.share if met.a == player else met.share.opposite()

    @cached_property
    def places(self) -> tuple[list[int], list[int]]:
        """Of the two of each meeting, the places among the players."""
        at = {name: i for i, name in enumerate(self.players)}
        return [at[met.a] for met in self.met], [at[met.b] for met in self.met]

    @cached_property
    def _rates(self) -> dict[frozenset[str], Met]:
        return {frozenset((met.a, met.b)): met for met in self.met}


def read_field(source: Path, card_db: Root = None) -> Field:
    """Return the field of a run directory, or of the JSON of a finished simulation.

    Raises UsageError for what is neither, and for players that have not met.
    """
    if os.path.isdir(source):
        return field_of(open_run(source, card_db, only_read=True).result())
    return _field_of_document(source, _read(source))


def field_of(result: SimulationResult) -> Field:
    """Return the decks of a result, or its lineups; UsageError if they did not meet."""
    sources: list[Source] = []
    if result.play == "match":
        names = [lineup.name for lineup in result.lineups]
        met = [_met(match.table) for match in result.matches]
        noun = "lineup"
    else:
        names = [deck.name for deck in result.decks]
        sources = [(deck.path, deck.index, deck.policy) for deck in result.decks]
        met = [_met(matchup.table) for matchup in result.matchups]
        noun = "deck"
    origin = Origin(
        result.format,
        result.month,
        tuple(policy_label(name) for name in result.players),
        result.seed,
        result.checksum,
        result.digest,
    )
    return _field(names, met, noun, origin, sources)


def _met(table: TableResult) -> Met:
    a, b = table.entrants
    own = table.performances[0]
    return Met(a, b, own.scores, own.anytime, table.games)


def _field(
    names: Sequence[str],
    met: Sequence[Met],
    noun: str,
    origin: Origin,
    sources: Sequence[Source],
) -> Field:
    """The field, without what players did against themselves."""
    others = tuple(matchup for matchup in met if matchup.a != matchup.b)
    players = {name for other in others for name in (other.a, other.b)}
    if not others:
        raise UsageError(
            "This run has no decks that met two at a time",
            "Name a run of duels, or of tournament matches",
        )
    measured = {frozenset((other.a, other.b)) for other in others}
    for a, b in combinations(dict.fromkeys(names), 2):
        if {a, b} <= players and frozenset((a, b)) not in measured:
            raise UsageError(
                f"{quote(a)} and {quote(b)} have not met",
                "Every two have to: name a run of all against all that is complete",
            )
    order = tuple(name for name in dict.fromkeys(names) if name in players)
    unit = "match" if noun == "lineup" else "game"
    sources_by_name = dict(zip(names, sources, strict=False))
    crossing = _crossing([(name, sources_by_name.get(name)) for name in order])
    return Field(order, others, noun, unit, origin, crossing)


def _crossing(entrants: Sequence[tuple[str, Source | None]]) -> tuple[Entered, ...]:
    """The deck and player of each, if there are several and all played all."""
    named = [(name, source) for name, source in entrants if source is not None]
    if len(named) < len(entrants) or not is_crossed([source for _, source in named]):
        return ()
    return tuple(
        Entered(without_policy(name, policy), policy) for name, (_, _, policy) in named
    )


def _read(file: Path) -> Any:
    name = quote(str(file))
    refuse_deck(file, "a run, nor the JSON of one")
    try:
        with open_file(file) as stream:
            return json.loads(stream.read(MAX_BYTES))
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"Cannot read {name}: {reason}", WRITES) from None
    except (ValueError, RecursionError):
        raise UsageError(f"{name} is neither a run nor JSON", WRITES) from None


def _field_of_document(file: Path, document: Any) -> Field:
    try:
        is_match = "lineups" in document
        sources: list[Source] = []
        if is_match:
            names = [str(lineup["name"]) for lineup in document["lineups"]]
            rows = [(*t["seats"], t["pairs"], t["games"]) for t in document["tables"]]
        else:
            names = [str(deck["name"]) for deck in document["decks"]]
            sources = [
                (str(deck["path"]), int(deck["index"]), str(deck["policy"]))
                for deck in document["decks"]
            ]
            rows = [
                (m["a"], m["b"], m["pairs"], m["games"]) for m in document["matchups"]
            ]
        looked = "stopping" in document
        met = [
            Met(str(a), str(b), _counts(pairs), looked, int(games))
            for a, b, pairs, games in rows
        ]
        versions = {str(k): int(v) for k, v in document["policy_versions"].items()}
        origin = Origin(
            str(document["format"]),
            str(document["snapshot"]),
            tuple(f"{k.partition('-')[0]} {v}" for k, v in versions.items()),
            int(document["seed"]),
            str(document["checksum"]),
            str(document["digest"]),
        )
    except (LookupError, TypeError, ValueError, AttributeError):
        raise UsageError(f"{quote(str(file))} holds no matchups", WRITES) from None
    return _field(names, met, "lineup" if is_match else "deck", origin, sources)


def _counts(pairs: Any) -> tuple[int, ...]:
    counts = tuple(int(n) for n in pairs)
    if len(counts) != HALVES or min(counts) < 0 or not sum(counts):
        raise ValueError(counts)
    return counts
