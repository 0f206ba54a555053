"""Rounding and filling figures, tidy rows, tables in notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, fields, is_dataclass
from enum import Enum
from math import isfinite
from typing import (
    TYPE_CHECKING,
    Any,
    Protocol,
    TypeAlias,
    TypeVar,
    cast,
    overload,
    runtime_checkable,
)

from deckcheck.markup import html_table
from deckcheck.policies.registry import is_weaker
from deckcheck.stats import Estimate, Interval, Verdict, verdict_of

if TYPE_CHECKING:
    import pandas as pd

    from deckcheck.sim.documents import (
        ClaimDocument,
        EffectDocument,
        MeanRate,
        WinRate,
    )


# Figures as documents and rows have them: rounded, with their intervals.

DIGITS = 6

INTERVAL = "_interval"
"""The end of the key of a figure's interval."""

Row: TypeAlias = dict[str, str | int | float | None]
D = TypeVar("D")


@runtime_checkable
class Figure(Protocol):
    """A value and its interval: an estimate, a difference."""

    @property
    def value(self) -> float: ...
    @property
    def interval(self) -> Interval: ...


@overload
def rounded(value: float, digits: int = DIGITS) -> float: ...
@overload
def rounded(value: float | None, digits: int = DIGITS) -> float | None: ...
def rounded(value: float | None, digits: int = DIGITS) -> float | None:
    """A figure with six digits after the point, or as many as `digits`."""
    return None if value is None else round(value, digits)


@overload
def ends(interval: Interval) -> list[float]: ...
@overload
def ends(interval: Interval | None) -> list[float] | None: ...
def ends(interval: Interval | None) -> list[float] | None:
    """Return the lower and the upper end, rounded."""
    return None if interval is None else [rounded(end) for end in interval]


def finite(value: float | None) -> float | None:
    """Return a figure rounded, or None if it is infinite or not a number.

    Whole numbers stay whole.
    """
    return None if value is None or not isfinite(value) else rounded(value)


def value_of(figure: Figure | None) -> float | None:
    """Return the value of a figure rounded, or None without a figure."""
    return None if figure is None else rounded(figure.value)


def ends_of(figure: Figure | None) -> list[float] | None:
    """Return the ends of a figure's interval rounded, or None without a figure."""
    return None if figure is None else ends(figure.interval)


def win_rate(rate: Estimate) -> WinRate:
    """Return a win rate for documents."""
    return {
        "games": rate.games,
        "win_rate": rounded(rate.value),
        "interval": ends(rate.interval),
    }


def mean_rate(rate: Estimate) -> MeanRate:
    """Return a mean of win rates for documents."""
    return {
        "win_rate": rounded(rate.value),
        "interval": ends(rate.interval),
        "games": rate.games,
    }


def effect(figure: Figure) -> EffectDocument:
    """Return a difference of win rates for documents."""
    return {"difference": rounded(figure.value), "interval": ends(figure.interval)}


def low_high(interval: Interval) -> Row:
    """Return the ends of an interval as two cells of a row: `low`, `high`."""
    return {"low": rounded(interval.low), "high": rounded(interval.high)}


def plain(value: Any, digits: int = DIGITS) -> Any:
    """Return a record, or part of a record, for its document, with rounded figures.

    The metadata of a field may have other `digits`, or the function `shown`.
    """
    shown = value
    if isinstance(value, Estimate):
        shown = win_rate(value)
    elif isinstance(value, Enum):
        shown = value.value
    elif isinstance(value, float):
        shown = rounded(value, digits)
    elif isinstance(value, (tuple, list)):
        shown = [plain(item) for item in value]
    elif isinstance(value, Mapping):
        shown = {key: plain(item) for key, item in value.items()}
    elif hasattr(value, "as_data"):
        shown = value.as_data()
    elif hasattr(value, "to_dict"):
        shown = value.to_dict()
    elif is_dataclass(value):
        shown = {f.name: _field(getattr(value, f.name), f) for f in fields(value)}
    return shown


def _field(value: Any, field: Field[Any]) -> Any:
    show = field.metadata.get("shown")
    if show is not None:
        return None if value is None else show(value)
    return plain(value, field.metadata.get("digits", DIGITS))


def document_of(shape: type[D], record: object, **made: object) -> D:
    """Return the values of a record by the keys of a document, see `plain`.

    Keys in `made` have these values. A figure comes without its interval if there is
    another key for the interval, such as `share` and `share_interval`.
    """
    required = shape.__required_keys__  # type: ignore[attr-defined]
    keys = [key for key in shape.__annotations__ if key in required]
    return cast(D, record_data(keys, record, made))


def record_data(
    keys: Sequence[str], record: object, made: Mapping[str, object]
) -> dict[str, object]:
    """Return the values in `made` for these keys, and else the values of a record."""
    return {key: made[key] if key in made else _said(keys, record, key) for key in keys}


def _said(keys: Sequence[str], record: object, key: str) -> object:
    name = key.removesuffix(INTERVAL)
    if key + INTERVAL in keys:
        figure: Figure | None = getattr(record, key)
        return figure and finite(figure.value)
    if name != key and not hasattr(record, key):
        figure = getattr(record, name)
        # None for an end that is infinite.
        return figure and [finite(end) for end in figure.interval]
    return plain(getattr(record, key))


# What an answer says of figures.


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of an answer about a figure in the tables below it."""

    about: str
    """The subject."""
    than: str
    """The entrant that it is compared with, "" for an even game or for nothing."""
    figure: Figure
    """A value whose interval holds jointly with those of the same table."""
    verdict: Verdict
    by: str = ""
    """The policy that played, "" if all games count."""

    @classmethod
    def of(
        cls, about: str, than: str, figure: Figure, *, even: float = 0.0, by: str = ""
    ) -> Claim:
        """Return the claim that a figure allows if every difference matters."""
        return cls(about, than, figure, verdict_of(figure.interval, even=even), by)

    def as_data(self) -> ClaimDocument:
        """Return the claim for documents."""
        return {
            "about": self.about,
            "than": self.than,
            "by": self.by,
            "verdict": self.verdict.value,
            "value": rounded(self.figure.value),
            "interval": ends(self.figure.interval),
        }


DEPENDS = "The two bots disagree."
OTHERWISE = "The weaker bot disagrees."


def disputed(claims: Iterable[Claim]) -> str:
    """Return a sentence for opposite verdicts of two players on the same claim, else
    "".

    It is `DEPENDS`, or `OTHERWISE` if the second player is the weaker one.
    """
    first: dict[tuple[str, str], Claim] = {}
    for claim in claims:
        own = first.setdefault((claim.about, claim.than), claim)
        if own.verdict.is_sure and claim.verdict is own.verdict.opposite:
            return OTHERWISE if is_weaker(claim.by, own.by) else DEPENDS
    return ""


def warned(sentences: Iterable[str], warning: str) -> list[str]:
    """Return the sentences of an answer with a warning about players who disagree.

    A player who is not weaker may be right, so that comes first. A weaker player does
    not change the answer.
    """
    own = [warning] if warning else []
    return [*sentences, *own] if warning == OTHERWISE else [*own, *sentences]


def join_answer(claims: Iterable[Claim], sentences: Iterable[str]) -> str:
    """Return an answer of these sentences, after a warning if its claims are disputed.

    A weaker bot changes no answer. Its own sentence reports that it disagrees.
    """
    warning = [DEPENDS] if disputed(claims) == DEPENDS else []
    return " ".join([*warning, *sentences])


def depending(claims: Iterable[Claim], answer: str) -> str:
    """Return the answer that makes these claims, with a warning if they are
    disputed.
    """
    return " ".join(warned([f"{answer}."], disputed(claims))).removesuffix(".")


# The tidy rows of all results: one measured value each, in the same columns.

COLUMNS = ("deck", "opponent", "starts", "metric", "value", "low", "high", "n")
"""The columns of every frame; some results have columns of words after them."""
TYPES = {"value": "float64", "low": "float64", "high": "float64", "n": "int64"}

ALL = "(all)"
"""Instead of one: all opponents, all cards, all decks. Words in brackets are no
names; a cell of words that has nothing to say is empty."""
ANY = "(any)"
DECK = "(deck)"
OPPONENT = "(opponent)"

RATE = "rate"
POINTS = "difference"
MEAN = "mean"
COUNT = "count"
METRICS = {
    "win_rate": (RATE, "games won, a draw counts half"),
    "win_share": (RATE, "games won at a table of several, shared wins split"),
    "match_win_rate": (RATE, "tournament matches won, a draw counts half"),
    "match_win_rate_confirmed": (RATE, "the same, by the second player"),
    "match_win_rate_promised": (RATE, "the same, as the games promised that chose"),
    "wins": (COUNT, "games won"),
    "losses": (COUNT, "games lost"),
    "draws": (COUNT, "games that nobody won"),
    "shared": (COUNT, "first places that were shared"),
    "opened": (COUNT, "games in which the deck began the match"),
    "place": (MEAN, "place at the table, from 1"),
    "points": (MEAN, "points by the rules of the game"),
    "rounds": (MEAN, "rounds of a game"),
    "turns": (MEAN, "moves of a game, of all players"),
    "cards_left": (MEAN, "cards in hand at the end"),
    "win_rate_in_search": (RATE, "win rate in the games that chose the deck: too high"),
    "difference": (POINTS, "win rate minus that of `baseline`"),
    "win_rate_before": (RATE, "win rate before the changes"),
    "win_rate_after": (RATE, "win rate after the changes"),
    "win_rate_confirmed": (RATE, "the win rate by the second player"),
    "share": (RATE, "how often to bring the deck"),
    "payoff": (RATE, "win rate against the mix of these shares"),
    "rating": (MEAN, "strength in Elo"),
    "best_answer": (RATE, "win rate of the best answer, `deck`, to `opponent`"),
    "weight": (RATE, "part of the field that is expected"),
    "expected": (RATE, "win rate against the field that is expected"),
    "misfit": (RATE, "how far win rates are from those of the ratings"),
    "cycles": (RATE, "part of the differences that go round in circles"),
    "win_rate_same_deck": (RATE, "win rate against other players with the same deck"),
    "deck_part": (
        RATE,
        "part of the differences between ratings that lies in the deck",
    ),
    "player_part": (RATE, "part that lies in the player"),
    "both_part": (RATE, "part that lies in how well a deck suits a player"),
    "gain": (POINTS, "win rate gained: by `card` for `baseline`, or over one half"),
    "difference_confirmed": (POINTS, "the difference by the second player"),
    "gain_confirmed": (POINTS, "the same, by the second player"),
    "worth": (POINTS, "win rate gained by a card, compared with an average one"),
    "above_peers": (POINTS, "what a card is worth more than its peers"),
    "redrawn": (RATE, "how often the player redraws `card` of the dealt hand unasked"),
    "win_rate_kept": (RATE, "win rate with the card of the dealt hand kept"),
    "win_rate_redrawn": (RATE, "win rate with it redrawn"),
    "gain_redrawn": (POINTS, "win rate gained by redrawing it"),
    "gain_redrawn_fresh": (POINTS, "the same in fresh games"),
    "gain_redrawn_confirmed": (POINTS, "the same in fresh games, by the second player"),
    "share_of_losses": (RATE, "part of the lost games in which `sign` was, or `card`"),
    "share_of_wins": (RATE, "part of the won games in which it was"),
    "share_difference": (POINTS, "the first of these less the second"),
    "use": (RATE, "part of the field that holds the card"),
    "copies": (COUNT, "copies of the card in the deck"),
    **{
        f"{way}_{figure}": (unit, f"of games in which the card was {seen}: {words}")
        for way, seen in (
            ("opening", "in the opening hand"),
            ("drawn", "drawn later"),
            ("played", "played"),
            ("held", "in hand at the end"),
        )
        for figure, unit, words in (
            ("win_rate", RATE, "games won"),
            ("difference", POINTS, "that win rate minus that of the other games"),
            ("false_discovery_rate", RATE, "the rate at which the difference is sure"),
        )
    },
}
"""Every metric: its unit, and what it measures.

Rates are 0 to 1, differences of rates -1 to 1.
"""


def tidy(
    metric: str,
    figure: Figure | float | None,
    n: int,
    deck: str,
    opponent: str = ALL,
    *,
    starts: str = ANY,
    **words: str | None,
) -> Iterator[Row]:
    """Yield a row for a figure of `n` games, or none for a figure that is None.

    `low` and `high` are empty for a figure without an interval. `words` are the cells
    of further columns.
    """
    if figure is None:
        return
    value, low, high = (
        (figure, None, None)
        if isinstance(figure, (int, float))
        else (figure.value, *figure.interval)
    )
    yield {
        "deck": deck,
        "opponent": opponent,
        "starts": starts,
        "metric": metric,
        "value": finite(value),
        "low": finite(low),
        "high": finite(high),
        "n": n,
        **words,
    }


def shown_value(metric: str, value: str | float | None) -> str:
    """Return a value as it is read: rates in %, differences in points."""
    if not isinstance(value, (int, float)):
        return ""
    unit = METRICS[metric][0]
    if unit in (RATE, POINTS):
        return f"{100 * value:+.1f}" if unit == POINTS else f"{100 * value:.1f} %"
    return f"{value:,.2f}" if unit == MEAN else f"{value:,.0f}"


def whole(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of several results with the same columns, empty where missing."""
    columns = dict.fromkeys((*COLUMNS, *(name for row in rows for name in row)))
    fill = {"card": ALL}
    return [{name: row.get(name, fill.get(name)) for name in columns} for row in rows]


def tidy_frame(rows: Sequence[Row]) -> pd.DataFrame:
    """Return the rows as a frame whose columns have fixed types."""
    import pandas as pd

    columns = list(rows[0]) if rows else list(COLUMNS)
    return pd.DataFrame(rows, columns=columns).astype(TYPES)


# What frames, notebooks and the prompt of Python show of a result.


class Tabular:
    """A result with tidy rows, and an answer in a sentence or two."""

    __slots__ = ()

    @property
    def answer(self) -> str:
        """The result in a sentence or two."""
        raise NotImplementedError

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims of the answer about figures, none unless it names the better
        entrant.
        """
        return ()

    def to_rows(self) -> list[Row]:
        """Return the result as tidy rows, as `--output-format csv` prints them."""
        raise NotImplementedError

    def to_frame(self) -> pd.DataFrame:
        """Return the tidy rows as a frame, for the columns see `deckcheck.frame`."""
        return tidy_frame(self.to_rows())

    def notes(self) -> list[str]:
        """Return the lines below the table of a notebook."""
        return [self.answer]

    def _repr_html_(self) -> str:
        """Return the measured values for a notebook, over all opponents if possible.

        Values for single opponents and starts, and counts, are left to `to_frame`.
        """
        rows = [row for row in self.to_rows() if row["starts"] == ANY]
        measured = [row for row in rows if row["low"] is not None] or rows
        shown = [row for row in measured if row["opponent"] == ALL] or measured
        columns = list(shown[0]) if shown else []
        further = [name for name in columns if name not in COLUMNS]
        met = [] if shown and shown[0]["opponent"] == ALL else ["opponent"]
        names = [*further, "deck", *met]
        heads = [*names, "metric", "value", "interval", "n"]
        return html_table(heads, [_cells(row, names) for row in shown], self.notes())

    def __repr__(self) -> str:
        """Return a line for the prompt, however many games are behind it."""
        return f"<{type(self).__name__}: {self.answer}>"


def _cells(row: Row, names: Sequence[str]) -> list[object]:
    """The cells of a row as they are read."""
    metric, n = str(row["metric"]), row["n"]
    value, low, high = (shown_value(metric, row[c]) for c in ("value", "low", "high"))
    interval = f"{low} to {high}" if low else ""
    return [*(row[name] for name in names), metric, value, interval, f"{n:,}"]
