"""The games of all pairs of decks or lineups of a run, read from it or from JSON."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from deckcheck.cards import Root
from deckcheck.files import read_input, refuse_deck
from deckcheck.findings import UsageError
from deckcheck.messages import quote
from deckcheck.policies.registry import policy_label, versioned_name
from deckcheck.sim.naming import PlayedSource, is_crossed, remove_policy
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.run_directory import open_run
from deckcheck.stats import Combination, Sample, average

MAX_BYTES = 2**28
MAX_HALF_POINTS = 4
SOURCE_HELP = (
    "Name the folder of `simulate --run`, or the file of `simulate --output-format "
    "json:FILE`"
)


@dataclass(frozen=True)
class Meeting:
    """All games, or matches, of two decks or lineups."""

    a: str
    b: str
    scores: tuple[int, ...]
    """The number of game pairs that brought `a` 0, 1, 2, 3 and 4 half-points."""
    anytime: bool = False
    """Whether the run had checkpoints at which it could stop."""
    games: int = 0
    """The number of games that were played, or 0 for two of each pair."""

    @cached_property
    def share(self) -> Combination:
        """The win rate of `a`, as it goes into means and differences."""
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
    fingerprint: str


class FieldEntrant(NamedTuple):
    """A deck and its bot, in a field in which every bot plays every deck."""

    deck: str
    player: str


@dataclass(frozen=True)
class Field:
    """Decks or lineups that have all met each other."""

    players: tuple[str, ...]
    meetings: tuple[Meeting, ...]
    noun: str
    """The kind of the players, `deck` or `lineup`."""
    unit: str
    """The unit of play, `game` or `match`."""
    origin: Origin
    crossing: tuple[FieldEntrant, ...] = ()
    """The deck and bot of each player, if several decks have each of several bots."""
    cross_checked: Field | None = None
    """The same field with a second bot."""

    @property
    def units(self) -> str:
        """The unit of play in the plural: `games` or `matches`."""
        return "matches" if self.unit == "match" else "games"

    def share(self, player: str, other: str) -> Combination:
        """Return the win rate of `player` against a different player."""
        meeting = self._meetings[frozenset((player, other))]
        return meeting.share if meeting.a == player else meeting.share.opposite()

    def expect_rate(self, player: str, shares: Sequence[float]) -> Combination:
        """Return the win rate of a player against a field with these shares.

        `shares` has the share of each player of the field. Against the same deck a
        deck wins half.
        """
        rates = []
        for other in self.players:
            if other == player:
                rates.append(Combination(constant=0.5))
            else:
                rates.append(self.share(player, other))
        return average(rates, shares)

    def expect_rates(self, shares: Sequence[float]) -> dict[str, Combination]:
        """Return the win rate of every player against a field with these shares."""
        return {player: self.expect_rate(player, shares) for player in self.players}

    @cached_property
    def places(self) -> tuple[list[int], list[int]]:
        """The indexes of the first and of the second player of each meeting."""
        index = {name: i for i, name in enumerate(self.players)}
        firsts = [index[meeting.a] for meeting in self.meetings]
        seconds = [index[meeting.b] for meeting in self.meetings]
        return firsts, seconds

    @cached_property
    def _meetings(self) -> dict[frozenset[str], Meeting]:
        return {frozenset((meeting.a, meeting.b)): meeting for meeting in self.meetings}


def read_field(source: Path, card_db: Root = None) -> Field:
    """Return the field of a run directory, or of the JSON of a finished simulation.

    Raises UsageError for any other file, and for players that have not met.
    """
    if os.path.isdir(source):
        return make_result_field(open_run(source, card_db, only_read=True).result())
    return _parse_field(source, _read_json(source))


def make_result_field(result: SimulationResult) -> Field:
    """Return the field of a result: its decks, or its lineups.

    Raises UsageError if they have not met.
    """
    sources: list[PlayedSource] = []
    if result.play == "match":
        names = [lineup.name for lineup in result.lineups]
        tables = [match.table for match in result.matches]
        noun = "lineup"
    else:
        names = [deck.name for deck in result.decks]
        sources = [(deck.path, deck.index, deck.policy) for deck in result.decks]
        tables = [matchup.table for matchup in result.matchups]
        noun = "deck"
    meetings = []
    for table in tables:
        (a, b), first = table.entrants, table.first
        meetings.append(Meeting(a, b, first.scores, first.anytime, table.games))
    origin = Origin(
        format=result.format,
        snapshot=result.month,
        players=tuple(map(policy_label, result.players)),
        seed=result.seed,
        checksum=result.checksum,
        fingerprint=result.fingerprint,
    )
    field = _make_field(names, meetings, noun, origin, sources)
    if result.cross_checked is None:
        return field
    return replace(field, cross_checked=make_result_field(result.cross_checked))


def _make_field(
    names: Sequence[str],
    meetings: Sequence[Meeting],
    noun: str,
    origin: Origin,
    sources: Sequence[PlayedSource],
) -> Field:
    """Return the field, without the games of players against themselves."""
    pairs = tuple(meeting for meeting in meetings if meeting.a != meeting.b)
    if not pairs:
        raise UsageError(
            "This run has no decks that met two at a time",
            "Name a run of duels, or of tournament matches",
        )
    measured = {frozenset((meeting.a, meeting.b)) for meeting in pairs}
    players = frozenset[str]().union(*measured)
    for a, b in combinations(dict.fromkeys(names), 2):
        if {a, b} <= players and frozenset((a, b)) not in measured:
            raise UsageError(
                f"{quote(a)} and {quote(b)} have not met",
                "Each pair has to: name a complete run of all against all",
            )
    order = tuple(name for name in dict.fromkeys(names) if name in players)
    unit = "match" if noun == "lineup" else "game"
    crossing: tuple[FieldEntrant, ...] = ()
    if sources:
        sources_by_name = dict(zip(names, sources, strict=True))
        crossing = _find_crossing({name: sources_by_name[name] for name in order})
    return Field(order, pairs, noun, unit, origin, crossing)


def _find_crossing(sources: Mapping[str, PlayedSource]) -> tuple[FieldEntrant, ...]:
    """Return the deck and bot of each, if several bots played all of several decks."""
    if not is_crossed(list(sources.values())):
        return ()
    crossing = []
    for name, (_, _, policy) in sources.items():
        crossing.append(FieldEntrant(remove_policy(name, policy), policy))
    return tuple(crossing)


def _read_json(file: Path) -> Any:
    refuse_deck(file, "a run, nor the JSON of one")
    try:
        return json.loads(read_input(file, MAX_BYTES, SOURCE_HELP))
    except (ValueError, RecursionError):
        name = quote(str(file))
        raise UsageError(f"{name} is neither a run nor JSON", SOURCE_HELP) from None


def _parse_field(file: Path, document: Any) -> Field:
    """Return the field of the document of a simulation."""
    names: list[str] = []
    sources: list[PlayedSource] = []
    meetings: list[Meeting] = []
    players: list[str] = []
    try:
        is_match = "lineups" in document
        anytime = "stopping" in document
        if is_match:
            names += [str(lineup["name"]) for lineup in document["lineups"]]
            for table in document["tables"]:
                a, b = table["seats"]
                meetings.append(_parse_meeting(a, b, table, anytime=anytime))
        else:
            for deck in document["decks"]:
                names.append(str(deck["name"]))
                source = str(deck["path"]), int(deck["index"]), str(deck["policy"])
                sources.append(source)
            for matchup in document["matchups"]:
                a, b = matchup["a"], matchup["b"]
                meetings.append(_parse_meeting(a, b, matchup, anytime=anytime))
        for name, version in document["policy_versions"].items():
            players.append(versioned_name(str(name), int(version)))
        origin = Origin(
            format=str(document["format"]),
            snapshot=str(document["snapshot"]),
            players=tuple(players),
            seed=int(document["seed"]),
            checksum=str(document["checksum"]),
            fingerprint=str(document["fingerprint"]),
        )
    except (LookupError, TypeError, ValueError, AttributeError):
        raise UsageError(f"{quote(str(file))} holds no matchups", SOURCE_HELP) from None
    noun = "lineup" if is_match else "deck"
    field = _make_field(names, meetings, noun, origin, sources)
    second = document.get("cross_checked")
    if second is None:
        return field
    return replace(field, cross_checked=_parse_field(file, second))


def _parse_meeting(a: Any, b: Any, table: Any, *, anytime: bool) -> Meeting:
    """Return the games of a table. Raises ValueError if pairs cannot be counted so."""
    scores = tuple(map(int, table["pairs"]))
    if len(scores) != MAX_HALF_POINTS + 1 or min(scores) < 0 or not sum(scores):
        raise ValueError(scores)
    return Meeting(str(a), str(b), scores, anytime, int(table["games"]))
