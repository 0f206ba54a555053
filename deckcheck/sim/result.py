"""The result of a simulation: its rows, frames and claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from deckcheck.cards.models import describe_changes
from deckcheck.decks import Deck
from deckcheck.findings import UsageError
from deckcheck.messages import choice, game_count, nearest, plural, quote, suggestion
from deckcheck.policies.registry import policy_strength
from deckcheck.sim.documents import (
    Choices,
    CrossCheckedGames,
    Lineups,
    Matchups,
    SimulationDocument,
    StandingDocument,
    TableDocument,
)
from deckcheck.sim.figures import (
    DECK,
    OPPONENT,
    Claim,
    Row,
    make_document,
    round_figure,
    tidy,
)
from deckcheck.sim.matches import DeckInMatch, MatchResult, SimulatedLineup
from deckcheck.sim.result_document import (
    find_margin_width,
    make_closing,
    make_duel_document,
    make_match_document,
    make_matchup_document,
    make_opening,
    make_table_document,
)
from deckcheck.sim.result_header import ResultHeader, SimulatedDeck
from deckcheck.sim.standings import Matchup, Meeting, Standing, rank_entrants
from deckcheck.sim.table_results import TableResult
from deckcheck.stats import Estimate, difference

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


def make_standing_rows(standing: Standing) -> Iterator[Row]:
    """Yield the rows of a deck over all its opponents."""
    deck, games = standing.deck, standing.games
    yield from tidy("win_rate", standing.estimate, games, deck)
    for metric, number in (
        ("wins", standing.wins),
        ("losses", standing.losses),
        ("draws", standing.draws),
    ):
        yield from tidy(metric, number, games, deck)


def make_matchup_rows(matchup: Matchup) -> Iterator[Row]:
    """Yield the rows of a matchup, counted from the side of each of its decks."""
    yield from _list_side_rows(matchup)
    if matchup.a != matchup.b:
        yield from _list_side_rows(matchup.swap_sides())


def _list_side_rows(matchup: Matchup) -> Iterator[Row]:
    """Yield the rows of a matchup, counted from the side of deck a."""
    names = matchup.a, matchup.b
    games = matchup.games
    yield from tidy("win_rate", matchup.win_rate(matchup.a), games, *names)
    for starts, split in ((DECK, matchup.a_starts), (OPPONENT, matchup.b_starts)):
        yield from tidy("win_rate", split.estimate, split.games, *names, starts=starts)
    for metric, value in (
        ("wins", matchup.wins_a),
        ("losses", matchup.wins_b),
        ("draws", matchup.draws),
        ("rounds", matchup.rounds_mean),
        ("turns", matchup.turns_mean),
        ("cards_left", matchup.cards_left_a_mean),
    ):
        yield from tidy(metric, value, games, *names)


def make_rate_matrix(names: Sequence[str], matchups: Sequence[Meeting]) -> list[Row]:
    """Return the win rates of rows against columns, a row for each name.

    The rate of two that did not meet is None.
    """
    rates: dict[tuple[str, str], float] = {}
    for m in matchups:
        for deck, opponent in ((m.b, m.a), (m.a, m.b)):
            rates[deck, opponent] = round_figure(m.win_rate(deck).value)
    rows = []
    for name in names:
        row: Row = {opponent: rates.get((name, opponent)) for opponent in names}
        rows.append(row)
    return rows


def make_table_rows(table: TableResult) -> Iterator[Row]:
    """Yield the rows of each entrant of a table, against the others at it."""
    for i in range(len(table.entrants)):
        name, *opponents = table.names_from(i)
        others = ", ".join(opponents)
        performance = table.performances[i]
        games = performance.games
        yield from tidy("win_share", performance.win_share, games, name, others)
        for seat, cell in enumerate(table.by_seat[i]):
            if seat == 0:
                starts = DECK
            elif len(opponents) == 1:
                starts = OPPONENT
            else:
                starts = f"{OPPONENT}, turn {seat + 1}"
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


def make_match_rows(match: MatchResult) -> Iterator[Row]:
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


# The result of a simulation: its run, what was played, and outputs for programs.


@dataclass(frozen=True, repr=False)
class SimulationResult(ResultHeader):
    """A finished simulation, of any kind."""

    tables: tuple[TableResult, ...] = ()
    """The games of each table, in duels a table for each pair of decks."""
    matches: tuple[MatchResult, ...] = ()
    """In a tournament: the counts of each table, and more."""
    lineups: tuple[SimulatedLineup, ...] = ()
    """The participants of a tournament."""
    measured: tuple[Matchup, ...] = ()
    """The duels played before a tournament, by which decks are chosen."""
    chances_from: str | None = None
    """The file that replaces these duels."""
    cross_checked: SimulationResult | None = None
    """The first of these games, as a second bot played them."""

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
        names = [find_deck_name(self.decks, name) for name in (a, b)]
        for matchup in self.matchups:
            if [matchup.a, matchup.b] == names:
                return matchup
            if [matchup.b, matchup.a] == names:
                return matchup.swap_sides()
        examples = []
        for matchup in self.matchups[:3]:
            examples.append(f"{quote(matchup.a)} and {quote(matchup.b)}")
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
        return rank_entrants(names, self.matchups)

    @cached_property
    def unmet(self) -> tuple[tuple[str, str], ...]:
        """The pairs of decks that have not met in duels yet."""
        if self.complete or self.play != "duel":
            return ()
        played_pairs = {frozenset((m.a, m.b)) for m in self.matchups}
        challengers = set(self.challengers)
        unmet = []
        for a, b in combinations([deck.name for deck in self.decks], 2):
            are_to_meet = not challengers or (a in challengers) != (b in challengers)
            if are_to_meet and frozenset((a, b)) not in played_pairs:
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
        width = find_margin_width(self.tables)
        return {
            "schema_version": 1,
            **make_opening(self),
            **self._make_choices(),
            **make_closing(self),
            **self._make_lineups(),
            "tables": self._make_tables(width),
            **self._make_matchups(width),
            **self._make_cross_checked(),
        }

    def _make_cross_checked(self) -> CrossCheckedGames:
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
        return {
            "lineups": [
                {"name": lineup.name, "decks": list(lineup.decks)} for lineup in lineups
            ]
        }

    def _make_tables(self, width: int) -> list[TableDocument]:
        if self.play == "duel":
            return [make_duel_document(table) for table in self.tables]
        if self.play == "match":
            return [make_match_document(match) for match in self.matches]
        return [make_table_document(table, width) for table in self.tables]

    def _make_matchups(self, width: int) -> Matchups:
        document: Matchups = {}
        if self.matchups or self.play == "duel":
            document["matchups"] = [
                make_matchup_document(matchup, width) for matchup in self.matchups
            ]
        if self.play == "duel":
            document["standings"] = [
                self._make_standing_document(standing) for standing in self.standings()
            ]
        return document

    def _make_standing_document(self, standing: Standing) -> StandingDocument:
        """Return a place in the standings, with the opponents that were met."""
        document = make_document(StandingDocument, standing)
        if any(standing.deck in pair for pair in self.unmet):
            document["opponents_met"] = self.opponents_met(standing.deck)
        return document

    def to_rows(self) -> list[Row]:
        """Return tidy rows, see `deckcheck.sim.figures`.

        They are the standings of decks, then each matchup from both sides, or each
        table, in the order of play.
        """
        rows: list[Row] = []
        if self.play == "duel":
            for standing in self.standings():
                rows += make_standing_rows(standing)
            for matchup in self.matchups:
                rows += make_matchup_rows(matchup)
            rows += self._make_cross_checked_rows()
        elif self.play == "match":
            for match in self.matches:
                rows += make_match_rows(match)
        else:
            for table in self.tables:
                rows += make_table_rows(table)
        return rows

    def _make_cross_checked_rows(self) -> Iterator[Row]:
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
        return tuple(self._list_duel_claims())

    def _list_duel_claims(self) -> Iterator[Claim]:
        if len(self.matchups) == 1:
            a, b = self.matchups[0].a, self.matchups[0].b
            for by, result in self.by_bot:
                rate = result.matchups[0].win_rate(a)
                yield Claim.of(a, b, rate, even=0.5, by=by)
            return
        if not self._standings:
            return
        best = self._standings[0].deck
        # The best of the others, by each bot.
        rivals: list[str] = []
        for _, result in self.by_bot:
            others = [s.deck for s in result.standings() if s.deck != best]
            if others and others[0] not in rivals:
                rivals.append(others[0])
        # Each is compared with the best deck, by each bot.
        for rival in rivals:
            for by, result in self.by_bot:
                yield Claim.of(best, rival, result.lead(best, rival), by=by)

    def _list_table_claims(self) -> Iterator[Claim]:
        for i, table in enumerate(self.tables[:TABLES_IN_ANSWER]):
            best, *others = table.names_from(table.best)
            for by, result in self.by_bot:
                lead = result.tables[i].lead(table.best)
                yield Claim.of(best, ", ".join(others), lead, by=by)

    @property
    def by_bot(self) -> list[tuple[str, SimulationResult]]:
        """This result and, if a second bot played, its result, each with its bot.

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
        rows = make_rate_matrix(names, self.matchups)
        return pd.DataFrame(rows, index=names, columns=names, dtype="float64")

    def to_standings(self) -> pd.DataFrame:
        """Return the standings, a row for each deck, the best first."""
        import pandas as pd

        rows = [standing.row for standing in self.standings()]
        return pd.DataFrame(rows, columns=STANDING_COLUMNS)


def find_deck_name(decks: Sequence[SimulatedDeck], deck: object) -> str:
    """Return the run's name of a deck, which is given by its name or as a deck.

    Case does not matter if that leaves a single deck. Raises UsageError for a deck that
    did not take part, or did so several times.
    """
    names = [each.name for each in decks]
    if isinstance(deck, Deck):
        source = (deck.source.path, deck.source.index)
        names_in_file = [e.name for e in decks if (e.path, e.index) == source]
        if len(names_in_file) == 1:
            return names_in_file[0]
        # Decks of texts have no file that tells them apart.
        names = names_in_file or names
    name = deck.name if isinstance(deck, SimulatedDeck | Deck) else deck
    if not isinstance(name, str):
        kind = type(name).__name__
        raise UsageError(f"Got a value of type `{kind}`, expected a deck or its name")
    if name in names:
        return name
    alike = [known for known in names if known.casefold() == name.casefold()]
    if len(alike) == 1:
        return alike[0]
    help = suggestion(nearest(name, names, limit=3), f"Decks are {choice(names)}")
    raise UsageError(f"No deck of this run is called {quote(name)}", help)
