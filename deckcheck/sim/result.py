"""The result of a simulation: document, rows, frame."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations, islice
from typing import TYPE_CHECKING, TypeVar, cast, get_args, get_type_hints

from deckcheck.cards.models import describe_changes
from deckcheck.decks import Deck
from deckcheck.findings import UsageError
from deckcheck.markup import tool
from deckcheck.messages import choice, game_count, nearest, plural, quote, suggestion
from deckcheck.policies.registry import policy_strength, policy_version
from deckcheck.sim.documents import (
    Challengers,
    Choices,
    CrossCheckedGames,
    HistogramDocument,
    Histograms,
    Lineups,
    MatchDeckDocument,
    MatchupDocument,
    Matchups,
    RunClosing,
    RunDeckDocument,
    RunDocument,
    RunOpening,
    SeatDocument,
    SimulationDocument,
    StandingDocument,
    StoppingDocument,
    TableDocument,
)
from deckcheck.sim.figures import (
    DECK,
    OPPONENT,
    Claim,
    Row,
    figure_ends,
    figure_value,
    make_document,
    plain,
    record_data,
    round_figure,
    tidy,
    win_rate,
)
from deckcheck.sim.standings import (
    DeckInMatch,
    MatchResult,
    Matchup,
    Meeting,
    Performance,
    ResultHeader,
    SimulatedDeck,
    SimulatedLineup,
    Standing,
    StoppingOutcome,
    TableResult,
    standings,
)
from deckcheck.stats import Estimate, Histogram, difference, round_width

if TYPE_CHECKING:
    import pandas as pd


TABLES_IN_ANSWER = 3
"""The tables whose best are named in sentences."""

STANDING_COLUMNS = [
    "deck",
    "win_rate",
    "low",
    "high",
    "games",
    "wins",
    "losses",
    "draws",
]
"""The columns of a frame of standings."""

# A simulation as tidy rows, for CSV and frames.


def standing_rows(standing: Standing) -> Iterator[Row]:
    """Yield the rows of a deck over all its opponents."""
    s = standing
    yield from tidy("win_rate", s.estimate, s.games, s.deck)
    for metric, number in (("wins", s.wins), ("losses", s.losses), ("draws", s.draws)):
        yield from tidy(metric, number, s.games, s.deck)


def matchup_rows(matchup: Matchup) -> Iterator[Row]:
    """Yield the rows of a matchup, counted from the side of each of its decks."""
    yield from _list_side_rows(matchup)
    if matchup.a != matchup.b:
        yield from _list_side_rows(matchup.swap_sides())


def _list_side_rows(m: Matchup) -> Iterator[Row]:
    """Yield the rows of a matchup, counted from the side of deck a."""
    names = m.a, m.b
    yield from tidy("win_rate", m.win_rate(m.a), m.games, *names)
    for starts, split in ((DECK, m.a_starts), (OPPONENT, m.b_starts)):
        yield from tidy("win_rate", split.estimate, split.games, *names, starts=starts)
    for metric, value in (
        ("wins", m.wins_a),
        ("losses", m.wins_b),
        ("draws", m.draws),
        ("rounds", m.rounds_mean),
        ("turns", m.turns_mean),
        ("cards_left", m.cards_left_a_mean),
    ):
        yield from tidy(metric, value, m.games, *names)


def matrix(names: Sequence[str], matchups: Sequence[Meeting]) -> list[Row]:
    """Return the win rates of rows against columns, a row for each name.

    None for two that did not meet.
    """
    rates: dict[tuple[str, str], float] = {}
    for m in matchups:
        for deck, other in ((m.b, m.a), (m.a, m.b)):
            rates[deck, other] = round_figure(m.win_rate(deck).value)
    return [{other: rates.get((name, other)) for other in names} for name in names]


def table_rows(table: TableResult) -> Iterator[Row]:
    """Yield the rows of each entrant of a table, against the others at it."""
    for i, name in enumerate(table.entrants):
        opponents = [other for j, other in enumerate(table.entrants) if j != i]
        others = ", ".join(opponents)
        performance = table.performances[i]
        games = performance.games
        yield from tidy("win_share", performance.win_share, games, name, others)
        for turn, cell in enumerate(table.by_seat[i]):
            other = OPPONENT if len(opponents) == 1 else f"{OPPONENT}, turn {turn + 1}"
            starts = other if turn else DECK
            share = cell.win_share
            yield from tidy("win_share", share, cell.games, name, others, starts=starts)
        for metric, figure in (
            ("wins", performance.wins),
            ("shared", performance.shared),
            ("place", performance.place),
            ("points", performance.points),
            ("rounds", table.rounds_mean),
            ("turns", table.turns_mean),
        ):
            yield from tidy(metric, figure, games, name, others)


def match_rows(match: MatchResult) -> Iterator[Row]:
    """Yield the rows of two lineups against each other, and of each of their decks."""
    rates = (match.rate_a, match.rate_a.opposite())
    names = (match.a, match.b)
    for side, decks in enumerate((match.decks_a, match.decks_b)):
        lineup, other = names[side], names[1 - side]
        rate, n = rates[side], match.matches
        yield from tidy("match_win_rate", rate, n, lineup, other, lineup=lineup)
        for deck in decks:
            yield from _list_deck_rows(deck, lineup, other)


def _list_deck_rows(deck: DeckInMatch, lineup: str, other: str) -> Iterator[Row]:
    losses = deck.games - deck.wins - deck.draws
    for metric, figure in (
        ("win_rate", deck.rate),
        ("wins", deck.wins),
        ("losses", losses),
        ("draws", deck.draws),
        ("opened", deck.opened),
    ):
        yield from tidy(metric, figure, deck.games, deck.name, other, lineup=lineup)


# A simulation as plain data: the parts of its JSON document.


D = TypeVar("D")


def result_document(shape: type[D], result: ResultHeader, **made: object) -> D:
    """Return the document of a result: its version, the head, and its own values.

    A value is from `made`, or else the attribute with the name of the key. The version
    is the version that the shape allows.
    """
    (version,) = get_args(get_type_hints(shape)["schema_version"])
    shared = {"schema_version", *RunDocument.__annotations__}
    keys = [key for key in shape.__annotations__ if key not in shared]
    body = record_data(keys, result, made)
    head = {**opening_data(result), **closing_data(result)}
    return cast(D, {"schema_version": version, **head, **body})


def opening_data(run: ResultHeader) -> RunOpening:
    """Return which games were played."""
    versions = {name: policy_version(name) for name in run.players}
    return make_document(RunOpening, run, tool=tool(), policy_versions=versions)


def closing_data(run: ResultHeader) -> RunClosing:
    """Return the data for repeating the games, and their players."""
    return {
        "checksum": run.checksum,
        "fingerprint": run.fingerprint,
        "changes": [change.as_data() for change in run.changes],
        "complete": run.complete,
        **_make_stopping_document(run.stopped),
        "games_per_second": round_figure(run.games_per_second, 1),
        "seconds": round_figure(run.seconds, 3),
        "jobs": run.jobs,
        **_make_challengers(run),
        "decks": [make_document(RunDeckDocument, deck) for deck in run.decks],
        "claims": [claim.as_data() for claim in run.claims],
    }


def _make_stopping_document(stopped: StoppingOutcome | None) -> StoppingDocument:
    """Return the outcome of a rule. `tables` are in the order of the result."""
    if stopped is None:
        return {}
    return {
        "stopping": {
            "rule": stopped.rule,
            "reached": stopped.reached,
            "not_settled": list(stopped.open),
            "tables": plain(stopped.decisions),
        }
    }


def _make_challengers(run: ResultHeader) -> Challengers:
    return {"challengers": list(run.challengers)} if run.challengers else {}


def margin_width(tables: Iterable[TableResult]) -> int:
    """Return how wide the bins of margins are, at all tables of a run alike."""
    return round_width(Histogram.sum(t.margins for t in tables if t.margins))


def table_data(table: TableResult, width: int) -> TableDocument:
    """Return a table. Lists have an element for each entrant, in order.

    Bins of margins have this `width`.
    """
    performances = table.performances
    entry: TableDocument = {
        "seats": list(table.entrants),
        "games": table.games,
        "sets": table.sets,
        "draws": table.draws,
        "wins": [p.wins for p in performances],
        "shared": [p.shared for p in performances],
        "win_share": [figure_value(p.win_share) for p in performances],
        "intervals": [figure_ends(p.win_share) for p in performances],
        "places_mean": [figure_value(p.place) for p in performances],
        "places_intervals": [figure_ends(p.place) for p in performances],
        "points_mean": [figure_value(p.points) for p in performances],
        "points_intervals": [figure_ends(p.points) for p in performances],
        "by_turn": [
            {
                "turn": turn,
                "all": _make_seat_document(performance),
                "seats": [_make_seat_document(row[turn - 1]) for row in table.by_seat],
            }
            for turn, performance in enumerate(table.seats, start=1)
        ],
        "rounds_mean": round_figure(table.rounds_mean),
        "turns_mean": round_figure(table.turns_mean),
    }
    _add_histograms(entry, table, width)
    return entry


def _add_histograms(entry: Histograms, table: TableResult, width: int) -> None:
    """Add histograms of rounds and final margins, where they were counted."""
    if table.rounds is not None and table.margins is not None:
        entry["rounds"] = _make_histogram_document(table.rounds)
        entry["margins"] = _make_histogram_document(table.margins.rebin(width))


def _make_histogram_document(counted: Histogram) -> HistogramDocument:
    games = list(counted.counts)
    return {"from": counted.first, "width": counted.width, "games": games}


def _make_seat_document(performance: Performance) -> SeatDocument:
    return {
        "games": performance.games,
        "wins": performance.wins,
        "shared": performance.shared,
        "win_share": figure_value(performance.win_share),
        "interval": figure_ends(performance.win_share),
        "place_mean": figure_value(performance.place),
        "points_mean": figure_value(performance.points),
    }


def duel_data(table: TableResult) -> TableDocument:
    """Return the figures that games of every kind have. A draw is half a point."""
    shares = [figure_value(p.win_share) for p in table.performances]
    return _make_two_sided_document(table, shares)


def _make_two_sided_document(
    table: TableResult, points: list[float | None]
) -> TableDocument:
    """Return two entrants in short, the second as the opposite of the first."""
    share = table.first.win_share
    assert share is not None
    rates = (share, share.opposite())
    return {
        "seats": list(table.entrants),
        "games": table.games,
        "draws": table.draws,
        "wins": [p.wins for p in table.performances],
        "shared": [p.shared for p in table.performances],
        "win_share": [figure_value(rate) for rate in rates],
        "intervals": [figure_ends(rate) for rate in rates],
        "places_mean": [figure_value(p.place) for p in table.performances],
        "points_mean": points,
    }


def matchup_data(matchup: Matchup, width: int) -> MatchupDocument:
    """Return a matchup, split by the starting deck. Bins of margins have this
    `width`.
    """
    entry = make_document(MatchupDocument, matchup)
    _add_histograms(entry, matchup.table, width)
    return entry


def match_data(match: MatchResult) -> TableDocument:
    """Return the figures of any table, counted in matches, and the figures of the
    decks.
    """
    points = [figure_value(p.points) for p in match.table.performances]
    entry = _make_two_sided_document(match.table, points)
    entry.update(
        {
            "pairs": list(match.table.first.scores),
            "first_choice": win_rate(match.first_choice),
            "seat_1_first": win_rate(match.a_first),
            "seat_2_first": win_rate(match.b_first),
            "chose_first": win_rate(match.chose_first),
            "games_played": match.games,
            "games_drawn": match.games_drawn,
            "value": round_figure(match.value),
            "decks": [
                [_make_match_deck_document(deck) for deck in decks]
                for decks in (match.decks_a, match.decks_b)
            ],
        }
    )
    return entry


def _make_match_deck_document(deck: DeckInMatch) -> MatchDeckDocument:
    scores = [
        {"losses": lost, "draws": drawn, "wins": won}
        for lost, drawn, won in deck.against
    ]
    rate = {"win_rate": figure_value(deck.rate), "interval": figure_ends(deck.rate)}
    return make_document(MatchDeckDocument, deck, **rate, against=scores)


# The result of a simulation: its run, what was played, and outputs for programs.


@dataclass(frozen=True, repr=False)
class SimulationResult(ResultHeader):
    """A finished simulation, of any kind.

    `tables` has the games of each table, in duels a table for each pair of decks. In a
    tournament `matches` has the counts of `tables` and more, `lineups` the
    participants, `measured` the duels played in advance, by which decks are chosen, and
    `chances_from` the file that replaces these duels. `cross_checked` has the first of
    these games as a second bot played them.
    """

    tables: tuple[TableResult, ...] = ()
    matches: tuple[MatchResult, ...] = ()
    lineups: tuple[SimulatedLineup, ...] = ()
    measured: tuple[Matchup, ...] = ()
    chances_from: str | None = None
    cross_checked: SimulationResult | None = None

    @cached_property
    def matchups(self) -> tuple[Matchup, ...]:
        """Two decks against each other: of duels, or as a tournament measured them."""
        if self.play == "duel":
            return tuple(Matchup(table) for table in self.tables)
        return self.measured

    def matchup(
        self, a: str | Deck | SimulatedDeck, b: str | Deck | SimulatedDeck
    ) -> Matchup:
        """Return the games of decks `a` and `b`, by name or as decks.

        They are counted from the side of `a`, in whichever order the run had them.
        Raises UsageError for a deck that did not take part, and if the two did not meet
        alone.
        """
        names = [name_among(self.decks, name) for name in (a, b)]
        for matchup in self.matchups:
            if [matchup.a, matchup.b] == names:
                return matchup
            if [matchup.b, matchup.a] == names:
                return matchup.swap_sides()
        examples = [
            f"{quote(matchup.a)} and {quote(matchup.b)}"
            for matchup in self.matchups[:3]
        ]
        message = f"{quote(names[0])} and {quote(names[1])} did not meet alone"
        if examples:
            raise UsageError(message, f"Such did {'; '.join(examples)}")
        raise UsageError(message, "See `tables` and `matches`")

    def standings(self) -> list[Standing]:
        """Return the decks by mean win rate over all opponents, the best first.

        Only decks with the same opponents can be compared: where some challenged the
        others, they alone are ranked.
        """
        return list(self._standings)

    @cached_property
    def _standings(self) -> list[Standing]:
        names = self.challengers or [deck.name for deck in self.decks]
        return standings(names, self.matchups)

    @cached_property
    def unmet(self) -> tuple[tuple[str, str], ...]:
        """The pairs of decks that have not met in duels yet."""
        if self.complete or self.play != "duel":
            return ()
        played_pairs = {frozenset((m.a, m.b)) for m in self.matchups}
        challengers = set(self.challengers)
        unmet = []
        for a, b in combinations([deck.name for deck in self.decks], 2):
            is_match = not challengers or (a in challengers) != (b in challengers)
            if is_match and frozenset((a, b)) not in played_pairs:
                unmet.append((a, b))
        return tuple(unmet)

    def opponents_met(self, deck: str) -> list[str]:
        """Return the opponents that a deck has met, in the order of play."""
        opponents: list[str] = []
        for matchup in self.matchups:
            if deck in (matchup.a, matchup.b) and matchup.a != matchup.b:
                opponents.append(matchup.b if deck == matchup.a else matchup.a)
        return opponents

    def count_opponents(self, deck: str) -> int:
        """Return how many opponents a deck has met or is to meet."""
        unmet = sum(deck in pair for pair in self.unmet)
        return len(self.opponents_met(deck)) + unmet

    def to_dict(self) -> SimulationDocument:
        """Return the result as plain data, as `--output-format json` prints it."""
        width = margin_width(self.tables)
        return {
            "schema_version": 1,
            **opening_data(self),
            **self._make_choices(),
            **closing_data(self),
            **self._make_lineups(),
            "tables": self._make_tables(width),
            **self._make_matchups(width),
            **self._cross_checked(),
        }

    def _cross_checked(self) -> CrossCheckedGames:
        if self.cross_checked is None:
            return {}
        return {"cross_checked": self.cross_checked.to_dict()}

    def _make_choices(self) -> Choices:
        if self.play != "match":
            return {}
        return {
            "selections": {lineup.name: lineup.selection for lineup in self.lineups},
            "chances_from": self.chances_from,
        }

    def _make_lineups(self) -> Lineups:
        if self.play != "match":
            return {}
        lineups = self.lineups
        return {"lineups": [{"name": x.name, "decks": list(x.decks)} for x in lineups]}

    def _make_tables(self, width: int) -> list[TableDocument]:
        if self.play == "duel":
            return [duel_data(table) for table in self.tables]
        if self.play == "match":
            return [match_data(match) for match in self.matches]
        return [table_data(table, width) for table in self.tables]

    def _make_matchups(self, width: int) -> Matchups:
        entries: Matchups = {}
        if self.matchups or self.play == "duel":
            entries["matchups"] = [matchup_data(m, width) for m in self.matchups]
        if self.play == "duel":
            entries["standings"] = list(
                map(self._make_standing_document, self.standings())
            )
        return entries

    def _make_standing_document(self, standing: Standing) -> StandingDocument:
        """Return a place in the standings, with the opponents that were met."""
        document = make_document(StandingDocument, standing)
        if any(standing.deck in pair for pair in self.unmet):
            document["opponents_met"] = self.opponents_met(standing.deck)
        return document

    def to_rows(self) -> list[Row]:
        """Return tidy rows, see `deckcheck.sim.figures`: the standings of decks,
        then each matchup from both sides, or each table, in the order of play.
        """
        if self.play == "duel":
            rows = chain(
                chain.from_iterable(map(standing_rows, self.standings())),
                chain.from_iterable(map(matchup_rows, self.matchups)),
                self._cross_checked_rows(),
            )
            return list(rows)
        if self.play == "match":
            return [*chain.from_iterable(map(match_rows, self.matches))]
        return [*chain.from_iterable(map(table_rows, self.tables))]

    def _cross_checked_rows(self) -> Iterator[Row]:
        """Yield the win rates that the second bot found."""
        if self.cross_checked is None:
            return
        metric = "win_rate_cross_checked"
        for s in self.cross_checked.standings():
            yield from tidy(metric, s.estimate, s.games, s.deck)
        for m in self.cross_checked.matchups:
            for deck, other in dict.fromkeys([(m.a, m.b), (m.b, m.a)]):
                yield from tidy(metric, m.win_rate(deck), m.games, deck, other)

    @property
    def answer(self) -> str:
        """The number of games and the entrants."""
        decks = plural(len(self.decks), "deck")
        played = f"{game_count(self.games_played)} of {self.format} ({self.month})"
        return f"{decks}, {played}, seed {self.seed}, checksum {self.checksum}"

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The winner of the only matchup, or the best of several decks, by each player.

        With two bots, the best deck of the first bot is compared with the best of the
        other decks by each bot. At tables and in matches the best of each is compared
        with all others. Nobody is best while some have not met.
        """
        if self.unmet:
            return ()
        if self.play != "duel":
            return tuple(self._list_table_claims())
        if len(self.matchups) == 1:
            a, b = self.matchups[0].a, self.matchups[0].b
            return tuple(
                Claim.of(a, b, result.matchups[0].win_rate(a), even=0.5, by=by)
                for by, result in self.by_player
            )
        pairs: dict[tuple[str, str], None] = {}
        for _, result in self.by_player:
            ranked = [standing.deck for standing in result.standings()]
            best = next(iter(pairs), ranked)[0] if ranked else ""
            rivals = (name for name in ranked if name != best)
            pairs |= {(best, rival): None for rival in islice(rivals, 1)}
        return tuple(
            Claim.of(best, rival, result.lead(best, rival), by=by)
            for best, rival in pairs
            for by, result in self.by_player
        )

    def _list_table_claims(self) -> Iterator[Claim]:
        for i, table in enumerate(self.tables[:TABLES_IN_ANSWER]):
            best, *others = table.names_from(table.best)
            for by, result in self.by_player:
                lead = result.tables[i].lead(table.best)
                yield Claim.of(best, ", ".join(others), lead, by=by)

    @property
    def by_player(self) -> list[tuple[str, SimulationResult]]:
        """The results by bot: of the bot that plays, and of the second bot, if there is
        one.

        The name is empty without a second bot. If several bots play, it names the
        weakest: a bot weaker than this is weaker than all.
        """
        if self.cross_checked is None:
            return [("", self)]
        results = (self, self.cross_checked)
        weakest = (min(result.players, key=policy_strength) for result in results)
        return [*zip(weakest, results, strict=True)]

    def lead(self, a: str, b: str) -> Estimate:
        """Return the mean win rate of deck `a` minus the mean win rate of deck `b`."""
        means = {standing.deck: standing.mean for standing in self.standings()}
        return difference(means[a], means[b]).estimate()

    def notes(self) -> list[str]:
        """Return the settings of the games, and how to repeat them."""
        played = f"{game_count(self.games_played)}, seed {self.seed}"
        return [
            f"{self.format} ({self.month}), rules fingerprint {self.fingerprint}",
            *describe_changes(self.changes),
            f"{played}, checksum {self.checksum}",
        ]

    def to_matrix(self) -> pd.DataFrame:
        """Return win rates, the deck of the row against the deck of the column."""
        import pandas as pd

        names = [deck.name for deck in self.decks]
        rows = matrix(names, self.matchups)
        return pd.DataFrame(rows, index=names, columns=names, dtype="float64")

    def to_standings(self) -> pd.DataFrame:
        """Return the standings, a row for each deck, the best first."""
        import pandas as pd

        rows = [standing.row for standing in self.standings()]
        return pd.DataFrame(rows, columns=STANDING_COLUMNS)


def name_among(decks: Sequence[SimulatedDeck], deck: object) -> str:
    """Return the run's name of a deck, which is given by its name or as a deck.

    Case does not matter if that leaves a single deck. Raises UsageError for a deck that
    did not take part, or did so several times.
    """
    names = [deck.name for deck in decks]
    if isinstance(deck, SimulatedDeck):
        deck = deck.name
    if isinstance(deck, Deck):
        source = (deck.source.path, deck.source.index)
        names = [deck.name for deck in decks if (deck.path, deck.index) == source]
        if len(names) == 1:
            return names[0]
        # Decks of texts have no file that tells them apart.
        names = names or [deck.name for deck in decks]
        deck = deck.name
    if not isinstance(deck, str):
        kind = type(deck).__name__
        raise UsageError(f"Got a value of type `{kind}`, expected a deck or its name")
    alike = [name for name in names if name.casefold() == deck.casefold()]
    if deck not in names and len(alike) == 1:
        return alike[0]
    if deck not in names:
        near = nearest(deck, names, limit=3)
        help = suggestion(near, f"Decks are {choice(names)}")
        raise UsageError(f"No deck of this run is called {quote(deck)}", help)
    return deck
