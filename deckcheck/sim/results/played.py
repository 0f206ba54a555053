"""Views of what was played at a table, and the head of every result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from deckcheck.cards.changes import Change
from deckcheck.sim.provenance import Provenance
from deckcheck.sim.results.performance import Performance
from deckcheck.sim.results.tabular import Tabular
from deckcheck.sim.results.totals import TableResult
from deckcheck.stats import Combination, Estimate, Interval


@dataclass(frozen=True, slots=True)
class SimulatedDeck:
    """A deck of the run: its name there, its source, who played it, and its verdict.

    `name` is unique within the run. `findings` counts the errors that make the deck
    illegal; it is 0 for a legal deck.
    """

    name: str
    path: str
    index: int
    faction: str | None
    leader: str | None
    policy: str
    findings: int

    @property
    def legal(self) -> bool:
        """Whether the deck is legal in the format of the run."""
        return self.findings == 0


@dataclass(frozen=True, slots=True)
class Split:
    """The games of a matchup that one of the two decks started.

    `win_rate_a` counts a draw half. It and its interval are None when the deck never
    started: a deck that may choose who begins can see to that.
    """

    games: int
    wins_a: int
    wins_b: int
    draws: int
    win_rate_a: float | None
    interval: Interval | None

    @property
    def estimate(self) -> Estimate | None:
        """`win_rate_a` with its interval."""
        if self.win_rate_a is None or self.interval is None:
            return None
        return Estimate(self.win_rate_a, self.interval, self.games)


@dataclass(frozen=True, slots=True)
class Matchup:
    """Two decks at a table of their own, counted from the side of the first."""

    table: TableResult

    @property
    def a(self) -> str:
        """The deck named first."""
        return self.table.entrants[0]

    @property
    def b(self) -> str:
        """The other deck."""
        return self.table.entrants[1]

    @property
    def games(self) -> int:
        """All games of the two."""
        return self.table.games

    @property
    def wins_a(self) -> int:
        """Games that deck a won."""
        return self.table.performances[0].wins

    @property
    def wins_b(self) -> int:
        """Games that deck b won."""
        return self.table.performances[1].wins

    @property
    def draws(self) -> int:
        """Games that nobody won."""
        return self.table.draws

    @property
    def win_rate_a(self) -> float:
        """The win rate of deck a; a draw counts half."""
        return self.table.performances[0].share.value

    @property
    def interval(self) -> Interval:
        """The interval of `win_rate_a`, that of mirrored pairs."""
        return self.win_rate(self.a).interval

    @property
    def a_starts(self) -> Split:
        """The games that deck a started."""
        return _split(self.table.in_seat(0, 0))

    @property
    def b_starts(self) -> Split:
        """The games that deck b started."""
        return _split(self.table.in_seat(0, 1))

    @property
    def pairs(self) -> tuple[int, ...]:
        """How many pairs brought deck a 0, 1, 2, 3 and 4 half-points."""
        return self.table.performances[0].scores

    @property
    def rounds_mean(self) -> float:
        """Rounds per game."""
        return self.table.rounds_mean

    @property
    def turns_mean(self) -> float:
        """Moves per game, of both players."""
        return self.table.turns_mean

    @property
    def cards_left_a_mean(self) -> float:
        """Cards in the hand of deck a at the end, per game."""
        return self.table.performances[0].cards_left or 0.0

    @property
    def cards_left_b_mean(self) -> float:
        """Cards in the hand of deck b at the end, per game."""
        return self.table.performances[1].cards_left or 0.0

    def mirrored(self) -> Matchup:
        """The same games, counted from the side of the other deck."""
        return Matchup(self.table.mirrored())

    def win_rate(self, deck: str) -> Estimate:
        """Return the win rate of `deck`, which is one of the two."""
        share = self.table.performances[0].win_share
        assert share is not None
        return share if deck == self.a else share.opposite()

    def share(self, deck: str) -> Combination:
        """The win rate of `deck` as it goes into means and differences."""
        share = self.table.performances[0].share
        return share if deck == self.a else share.opposite()

    def points(self, deck: str) -> tuple[int, int, int]:
        """Return wins, losses and draws of `deck`, which is one of the two."""
        if deck == self.a:
            return self.wins_a, self.wins_b, self.draws
        return self.wins_b, self.wins_a, self.draws


def _split(a: Performance) -> Split:
    """The games of deck a in one seat; where two play, who shares a place has drawn."""
    share = a.win_share
    return Split(
        games=a.games,
        wins_a=a.wins,
        wins_b=a.games - a.wins - a.shared,
        draws=a.shared,
        win_rate_a=share.value if share else None,
        interval=share.interval if share else None,
    )


@dataclass(frozen=True, slots=True, repr=False)
class ResultHeader(Tabular):
    """How games were played: what every result and every report of it begins with.

    `month` is the snapshot as it is printed, see `Format.month`.
    `play` is the word of the format's seating: `duel`, `table`, `teams`, `solo`,
    `shared` or `match`. `games` is the number of games at each table, of matches for
    each pair of lineups; `games_played` are those of the whole run. `players` are the
    policies that played, each named once, `stand_ins` those of them who do not know the
    game, so that the heuristic played in their place. `checksum` depends on every game
    played and on nothing else: the same decks, format, policies, seed and games give
    the same one on any machine. `digest` is a short hash of rules and card data,
    `changes` are what sets of a user's own do to these. `seconds` and `jobs` are None
    for what comes from a run directory: it may have been played at several times, by
    several machines. `complete` says whether all games were played that were asked for,
    `stopped` what a rule came to that could end the run before. The games were looked
    at then, and all intervals are such that hold at every look.
    `challengers` are the decks that met others who did not meet each other, `ground` is
    what the games stand on.
    """

    format: str
    snapshot: str
    month: str
    play: str
    decks: tuple[SimulatedDeck, ...]
    players: tuple[str, ...]
    stand_ins: tuple[str, ...]
    games: int
    games_played: int
    seed: int
    checksum: str
    digest: str
    changes: tuple[Change, ...]
    seconds: float | None
    jobs: int | None
    complete: bool = True
    challengers: tuple[str, ...] = ()
    stopped: StoppingOutcome | None = None
    provenance: Provenance | None = field(default=None, repr=False)

    @property
    def games_per_second(self) -> float | None:
        """Games played per second of wall time, the start of workers included."""
        return self.games_played / self.seconds if self.seconds else None

    @property
    def policies(self) -> Mapping[str, str]:
        """The policy that played each deck."""
        return {deck.name: deck.policy for deck in self.decks}

    @property
    def illegal(self) -> tuple[SimulatedDeck, ...]:
        """The decks that played although they are illegal."""
        return tuple(deck for deck in self.decks if not deck.legal)


@dataclass(frozen=True, slots=True)
class TableDecision:
    """What a rule came to at a table: after how many sets, and what it says in words.

    `reached` is False where the games ended before the rule was fulfilled. `ratio` is
    the log-likelihood ratio of a test.
    """

    sets: int
    reached: bool
    text: str
    ratio: float | None = None


@dataclass(frozen=True, slots=True)
class StoppingOutcome:
    """What a rule came to: `rule` in words, and its decision at each table.

    Where the order of `ranked` decks was asked, `open` are those whose place in
    it is not settled.
    """

    rule: str
    decisions: tuple[TableDecision, ...]
    ranked: int = 0
    open: tuple[str, ...] = ()

    @property
    def reached(self) -> bool:
        """Whether the rule was fulfilled everywhere."""
        return all(decision.reached for decision in self.decisions)

    @property
    def summary(self) -> str:
        """What it came to, in a few words."""
        if len(self.decisions) == 1:
            [decision] = self.decisions
            ratio = decision.ratio
            log = "" if ratio is None else f", log-likelihood ratio {ratio:.2f}"
            missed = "" if decision.reached else ", the rule was not met"
            return f"{decision.text}{log}{missed}"
        counted = Counter(decision.text for decision in self.decisions)
        if self.decisions[0].ratio is not None:
            return ", ".join(f"{text} at {n} tables" for text, n in counted.items())
        if self.ranked:
            settled = self.ranked - len(self.open)
            places = f"{settled} of {self.ranked} places settled"
            names = ", ".join(self.open) if settled else ""
            return places + (f", not those of {names}" if names else "")
        reached = sum(decision.reached for decision in self.decisions)
        return f"reached at {reached} of {len(self.decisions)} tables"
