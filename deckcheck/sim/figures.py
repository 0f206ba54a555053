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
from deckcheck.stats import Estimate, Interval, Verdict, find_verdict

if TYPE_CHECKING:
    import pandas as pd

    from deckcheck.sim.documents import (
        ClaimDocument,
        EffectDocument,
        MeanRate,
        WinRate,
    )


# Figures as documents and rows have them: rounded, with their intervals.

FIGURE_DIGITS = 6

INTERVAL_SUFFIX = "_interval"
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
def round_figure(value: float, digits: int = FIGURE_DIGITS) -> float: ...
@overload
def round_figure(value: float | None, digits: int = FIGURE_DIGITS) -> float | None: ...
def round_figure(value: float | None, digits: int = FIGURE_DIGITS) -> float | None:
    """Round a figure to six digits after the point, or to as many as `digits`.

    Tables are ordered by rounded figures, as further digits depend on the processor.
    """
    return None if value is None else round(value, digits)


@overload
def ends(interval: Interval) -> list[float]: ...
@overload
def ends(interval: Interval | None) -> list[float] | None: ...
def ends(interval: Interval | None) -> list[float] | None:
    """Return the lower and the upper end, rounded."""
    return None if interval is None else [round_figure(end) for end in interval]


def finite(value: float | None) -> float | None:
    """Return a figure rounded, or None if it is infinite or not a number.

    Whole numbers stay whole.
    """
    if value is None or not isfinite(value):
        return None
    return round_figure(value)


def figure_value(figure: Figure | None) -> float | None:
    """Return the value of a figure rounded, or None without a figure."""
    return None if figure is None else round_figure(figure.value)


def figure_ends(figure: Figure | None) -> list[float] | None:
    """Return the ends of a figure's interval rounded, or None without a figure."""
    return None if figure is None else ends(figure.interval)


def win_rate(rate: Estimate) -> WinRate:
    """Return a win rate for documents."""
    return {
        "games": rate.games,
        "win_rate": round_figure(rate.value),
        "interval": ends(rate.interval),
    }


def mean_rate(rate: Estimate) -> MeanRate:
    """Return a mean of win rates for documents."""
    return {
        "win_rate": round_figure(rate.value),
        "interval": ends(rate.interval),
        "games": rate.games,
    }


def effect(figure: Figure) -> EffectDocument:
    """Return a difference of win rates for documents."""
    return {"difference": round_figure(figure.value), "interval": ends(figure.interval)}


def low_high(interval: Interval) -> Row:
    """Return the ends of an interval as two cells of a row: `low`, `high`."""
    return {"low": round_figure(interval.low), "high": round_figure(interval.high)}


def plain(value: Any, digits: int = FIGURE_DIGITS) -> Any:
    """Return a record, or part of a record, for its document, with rounded figures.

    The metadata of a field may have other `digits`, or the function `shown`.
    """
    shown = value
    if isinstance(value, Estimate):
        shown = win_rate(value)
    elif isinstance(value, Enum):
        shown = value.value
    elif isinstance(value, float):
        shown = round_figure(value, digits)
    elif isinstance(value, (tuple, list)):
        shown = [plain(item) for item in value]
    elif isinstance(value, Mapping):
        shown = {key: plain(item) for key, item in value.items()}
    elif hasattr(value, "as_data"):
        shown = value.as_data()
    elif hasattr(value, "to_dict"):
        shown = value.to_dict()
    elif is_dataclass(value):
        shown = {f.name: _show_field(getattr(value, f.name), f) for f in fields(value)}
    return shown


def _show_field(value: Any, field: Field[Any]) -> Any:
    show = field.metadata.get("shown")
    if show is not None and value is None:
        return None
    if show is not None:
        return show(value)
    return plain(value, field.metadata.get("digits", FIGURE_DIGITS))


def make_document(shape: type[D], record: object, **made: object) -> D:
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
    data = {}
    for key in keys:
        if key in made:
            data[key] = made[key]
        else:
            data[key] = _find_value(keys, record, key)
    return data


def _find_value(keys: Sequence[str], record: object, key: str) -> object:
    name = key.removesuffix(INTERVAL_SUFFIX)
    if key + INTERVAL_SUFFIX in keys:
        figure: Figure | None = getattr(record, key)
        return None if figure is None else finite(figure.value)
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
    """A value whose interval is simultaneous with those of the same table."""
    verdict: Verdict
    by: str = ""
    """The policy that played, "" if all games count."""

    @classmethod
    def of(
        cls, about: str, than: str, figure: Figure, *, even: float = 0.0, by: str = ""
    ) -> Claim:
        """Return the claim that a figure allows if every difference matters."""
        return cls(about, than, figure, find_verdict(figure.interval, even=even), by)

    def as_data(self) -> ClaimDocument:
        """Return the claim for documents."""
        return {
            "about": self.about,
            "than": self.than,
            "by": self.by,
            "verdict": self.verdict.value,
            "value": round_figure(self.figure.value),
            "interval": ends(self.figure.interval),
        }


DEPENDS_ON_PLAYER = "The two bots disagree."
WEAKER_DISAGREES = "The weaker bot disagrees."


def describe_dispute(claims: Iterable[Claim]) -> str:
    """Return a sentence for opposite verdicts of two players on a claim, else `""`.

    The sentence is `WEAKER_DISAGREES` if the second bot is weaker, and
    else `DEPENDS_ON_PLAYER`.
    """
    first: dict[tuple[str, str], Claim] = {}
    for claim in claims:
        earlier = first.setdefault((claim.about, claim.than), claim)
        if earlier.verdict.is_sure and claim.verdict is earlier.verdict.opposite:
            if is_weaker(claim.by, earlier.by):
                return WEAKER_DISAGREES
            return DEPENDS_ON_PLAYER
    return ""


def add_warning(sentences: Iterable[str], warning: str) -> list[str]:
    """Return the sentences of an answer with a warning about players who disagree.

    A player who is not weaker may be right, so that comes first. A weaker bot does
    not change the answer.
    """
    if not warning:
        return list(sentences)
    if warning == WEAKER_DISAGREES:
        return [*sentences, warning]
    return [warning, *sentences]


def join_answer(claims: Iterable[Claim], sentences: Iterable[str]) -> str:
    """Return an answer of these sentences, after a warning if its claims are disputed.

    A weaker bot changes no answer. Its own sentence reports that it disagrees.
    """
    if describe_dispute(claims) == DEPENDS_ON_PLAYER:
        sentences = [DEPENDS_ON_PLAYER, *sentences]
    return " ".join(sentences)


# The tidy rows of all results: one measured value each, in the same columns.

FRAME_COLUMNS = ("deck", "opponent", "starts", "metric", "value", "low", "high", "n")
"""The columns of every frame; some results have columns of words after them."""
COLUMN_TYPES = {"value": "float64", "low": "float64", "high": "float64", "n": "int64"}

ALL = "(all)"
"""Instead of one: all opponents, all cards, all decks. Words in brackets are no
names; a cell of words that has nothing to say is empty."""
ANY = "(any)"
DECK = "(deck)"
OPPONENT = "(opponent)"

RATE_UNIT = "rate"
DIFFERENCE_UNIT = "difference"
MEAN_UNIT = "mean"
COUNT_UNIT = "count"
METRICS = {
    "win_rate": (RATE_UNIT, "games won, a draw counts half"),
    "win_share": (RATE_UNIT, "games won at a table of several, shared wins split"),
    "match_win_rate": (RATE_UNIT, "tournament matches won, a draw counts half"),
    "match_win_rate_cross_checked": (RATE_UNIT, "the same, by the second bot"),
    "match_win_rate_in_selection": (
        RATE_UNIT,
        "the same, in the games that chose the lineup",
    ),
    "wins": (COUNT_UNIT, "games won"),
    "losses": (COUNT_UNIT, "games lost"),
    "draws": (COUNT_UNIT, "games that nobody won"),
    "shared": (COUNT_UNIT, "first places that were shared"),
    "opened": (COUNT_UNIT, "games in which the deck began the match"),
    "place": (MEAN_UNIT, "place at the table, from 1"),
    "points": (MEAN_UNIT, "points by the rules of the game"),
    "rounds": (MEAN_UNIT, "rounds of a game"),
    "turns": (MEAN_UNIT, "moves of a game, of all players"),
    "cards_left": (MEAN_UNIT, "cards in hand at the end"),
    "win_rate_in_search": (
        RATE_UNIT,
        "win rate in the games that chose the deck: too high",
    ),
    "difference": (DIFFERENCE_UNIT, "win rate minus that of `baseline`"),
    "win_rate_before": (RATE_UNIT, "win rate before the changes"),
    "win_rate_after": (RATE_UNIT, "win rate after the changes"),
    "win_rate_cross_checked": (RATE_UNIT, "the win rate by the second bot"),
    "share": (RATE_UNIT, "how often to bring the deck"),
    "payoff": (RATE_UNIT, "win rate against the mix of these shares"),
    "rating": (MEAN_UNIT, "strength in Elo"),
    "best_counter": (RATE_UNIT, "win rate of the best counter, `deck`, to `opponent`"),
    "weight": (RATE_UNIT, "share of the field that is expected"),
    "expected": (RATE_UNIT, "win rate against the field that is expected"),
    "misfit": (RATE_UNIT, "how far win rates are from those of the ratings"),
    "cycles": (
        RATE_UNIT,
        "share of the differences that are rock-paper-scissors cycles",
    ),
    "win_rate_same_deck": (
        RATE_UNIT,
        "win rate against other bots with the same deck",
    ),
    "deck_share": (
        RATE_UNIT,
        "share of the differences between ratings that lies in the deck",
    ),
    "bot_share": (RATE_UNIT, "share that lies in the bot"),
    "both_part": (RATE_UNIT, "share that lies in how well a deck suits a bot"),
    "gain": (
        DIFFERENCE_UNIT,
        "win rate gained: by `card` for `baseline`, or over one half",
    ),
    "difference_cross_checked": (DIFFERENCE_UNIT, "the difference by the second bot"),
    "gain_cross_checked": (DIFFERENCE_UNIT, "the same, by the second bot"),
    "impact": (
        DIFFERENCE_UNIT,
        "win rate gained by a card, compared with an average one",
    ),
    "above_peers": (DIFFERENCE_UNIT, "impact of a card above that of its peers"),
    "redrawn": (
        RATE_UNIT,
        "how often the bot redraws `card` of the dealt hand unasked",
    ),
    "win_rate_kept": (RATE_UNIT, "win rate with the card of the dealt hand kept"),
    "win_rate_redrawn": (RATE_UNIT, "win rate with it redrawn"),
    "gain_redrawn": (DIFFERENCE_UNIT, "win rate gained by redrawing it"),
    "gain_redrawn_fresh": (DIFFERENCE_UNIT, "the same in fresh games"),
    "gain_redrawn_cross_checked": (
        DIFFERENCE_UNIT,
        "the same in fresh games, by the second bot",
    ),
    "share_of_losses": (
        RATE_UNIT,
        "share of the lost games in which `sign` was, or `card`",
    ),
    "share_of_wins": (RATE_UNIT, "share of the won games in which it was"),
    "share_difference": (DIFFERENCE_UNIT, "the first of these less the second"),
    "use": (RATE_UNIT, "share of the field that holds the card"),
    "copies": (COUNT_UNIT, "copies of the card in the deck"),
    **{
        f"{way}_{figure}": (unit, f"of games in which the card was {seen}: {words}")
        for way, seen in (
            ("opening", "in the opening hand"),
            ("drawn", "drawn later"),
            ("played", "played"),
            ("held", "in hand at the end"),
        )
        for figure, unit, words in (
            ("win_rate", RATE_UNIT, "games won"),
            (
                "difference",
                DIFFERENCE_UNIT,
                "that win rate minus that of the other games",
            ),
            (
                "false_discovery_rate",
                RATE_UNIT,
                "the rate at which the difference is sure",
            ),
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
    value: float
    low: float | None = None
    high: float | None = None
    if isinstance(figure, (int, float)):
        value = figure
    else:
        value = figure.value
        low, high = figure.interval
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
    unit, _ = METRICS[metric]
    if unit == DIFFERENCE_UNIT:
        return f"{100 * value:+.1f}"
    if unit == RATE_UNIT:
        return f"{100 * value:.1f}%"
    if unit == MEAN_UNIT:
        return f"{value:,.2f}"
    return f"{value:,.0f}"


def whole(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of several results with the same columns, empty where missing."""
    columns = dict.fromkeys((*FRAME_COLUMNS, *(name for row in rows for name in row)))
    fill = {"card": ALL}
    return [{name: row.get(name, fill.get(name)) for name in columns} for row in rows]


def tidy_frame(rows: Sequence[Row]) -> pd.DataFrame:
    """Return the rows as a frame whose columns have fixed types."""
    import pandas as pd

    columns = list(rows[0]) if rows else list(FRAME_COLUMNS)
    return pd.DataFrame(rows, columns=columns).astype(COLUMN_TYPES)


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
        names: list[str] = []
        if shown:
            names += [name for name in shown[0] if name not in FRAME_COLUMNS]
        names.append("deck")
        if not shown or shown[0]["opponent"] != ALL:
            names.append("opponent")
        heads = [*names, "metric", "value", "interval", "n"]
        cells = [_format_cells(row, names) for row in shown]
        return html_table(heads, cells, self.notes())

    def __repr__(self) -> str:
        """Return a line for the prompt, however many games are behind it."""
        return f"<{type(self).__name__}: {self.answer}>"


def _format_cells(row: Row, names: Sequence[str]) -> list[object]:
    """Return the cells of a row in the order of `names`."""
    metric = str(row["metric"])
    cells: list[object] = [row[name] for name in names]
    cells += [metric, shown_value(metric, row["value"])]
    low, high = shown_value(metric, row["low"]), shown_value(metric, row["high"])
    cells += [f"{low} to {high}" if low else "", f"{row['n']:,}"]
    return cells
