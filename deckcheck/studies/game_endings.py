"""How games end: the section of a page with the rounds and the final leads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from deckcheck.messages import quote
from deckcheck.report.blocks import (
    AxisScale,
    Bar,
    Bars,
    Block,
    Outline,
    Outlines,
    draw_path,
)
from deckcheck.report.page import Section
from deckcheck.report.tables import count, percent
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.table_results import EndingsSum
from deckcheck.stats import Histogram, round_width

MAX_LISTED_ROUNDS = 4
"""Most numbers of rounds that the sentence lists, each with its share of games."""
LEADS_NOTE = (
    "Leads are those on the board when the game ends: of several rounds the last."
)
MAX_BINS = 25
"""Most bars of a histogram."""
MAX_BAR_TICKS = 9
"""Most labels below the bars of a histogram."""


def ending_sections(result: SimulationResult) -> Iterator[Section]:
    """Yield rounds and margins of all games, and of each deck, if they were counted."""
    all_games = EndingsSum()
    by_deck: dict[str, EndingsSum] = defaultdict(EndingsSum)
    has_several_duels = result.play == "duel" and len(result.matchups) > 1
    for table in result.tables:
        all_games.add(table)
        if has_several_duels and len(set(table.entrants)) > 1:
            first, second = table.entrants
            by_deck[first].add(table, 1)
            by_deck[second].add(table, -1)
    endings = all_games.endings
    if endings is None:
        return
    blocks: list[Block] = [
        _draw_rounds(endings.rounds),
        _draw_margins(result, endings.margins),
    ]
    if has_several_duels:
        blocks.append(_outline_decks(result, by_deck))
    yield Section("endings", "How games end", tuple(blocks))


def _draw_rounds(histogram: Histogram) -> Bars:
    """Return the number of rounds, with a sentence that lists the shares of games."""
    parts = []
    for rounds, games in enumerate(histogram.counts, start=histogram.first):
        if games:
            parts.append(f"{percent(games / histogram.total)} after {rounds}")
    if len(parts) > MAX_LISTED_ROUNDS:
        low, high = histogram.ends(0.25)
        parts = [f"half of them after {low} to {high}"]
    sentence = f"{', '.join(parts)}."
    scale = fit_scale(histogram)
    return make_bars("Rounds of a game", sentence, "rounds", scale, histogram)


def _draw_margins(result: SimulationResult, leads: Histogram) -> Bars:
    """Return the lead of the first of two decks, or its size at many tables."""
    is_two = all(len(table.entrants) == 2 for table in result.tables)
    if is_two and len(result.tables) == 1:
        first = result.tables[0].entrants[0]
        scale = fit_signed_scale(leads)
        sentence = f"{_describe_middle_half(leads)} to {quote(first)}. {LEADS_NOTE}"
        return make_bars(f"Lead of {first} at the end", sentence, "lead", scale, leads)
    leads = leads.fold()
    scale = fit_scale(leads)
    middle_half = _describe_middle_half(leads)
    if is_two:
        caption = "Lead at the end, of the leading deck"
        return make_bars(caption, f"{middle_half}. {LEADS_NOTE}", "lead", scale, leads)
    caption = "Points of the first ahead of the second"
    return make_bars(caption, f"{middle_half} in points.", "ahead", scale, leads)


def fit_scale(histogram: Histogram) -> AxisScale:
    """Return a scale for numbers from 0 on, with almost all of the numbers."""
    low, high = histogram.ends()
    width = next(w for w in (1, 2, 5, 10, 20) if (high - low) / w < MAX_BINS)
    low, high = low // width, high // width
    offset = 0.5 if width == 1 else 0.0
    ticks = _label_bins(low, high, width, offset)
    return AxisScale(low * width, high - low + 1, width, ticks, None)


def fit_signed_scale(histogram: Histogram) -> AxisScale:
    """Return a scale for differences, with 0 in the middle of a bin."""
    width = round_width(histogram)
    half = width // 2
    least, most = histogram.ends()
    low, high = (least + half) // width, (most + half) // width
    bins = high - low + 1
    ticks = _label_bins(low, high, width, 0.5, signed=True)
    zero = next((position for position, label in ticks if label == "0"), None)
    return AxisScale(low * width - half, bins, width, ticks, zero)


def make_bars(
    caption: str, answer: str, of: str, scale: AxisScale, histogram: Histogram
) -> Bars:
    """Return the bars of a histogram on a scale."""
    counts = scale.counts(histogram)
    total = histogram.total or 1
    bars = []
    for index, games in enumerate(counts):
        label = _label_bar(scale, index, histogram)
        bars.append(Bar(label, count(games), percent(games / total)))
    path = draw_path(counts, max(counts))
    return Bars(caption, answer, of, scale, tuple(bars), path)


def _label_bins(
    low: int, high: int, width: int, offset: float, *, signed: bool = False
) -> tuple[tuple[float, str], ...]:
    """Return labels for bins `low` to `high`, each with its position in percent.

    `offset` is the position of a label within its bin, 0 to 1.
    """
    bins = high - low + 1
    step = next(s for s in (1, 2, 5, 10, 20, 50) if bins / s < MAX_BAR_TICKS)
    labels = []
    for index in range(low, high + 1):
        if index % step == 0:
            value = index * width
            text = f"{value:+}" if signed and value else f"{value}"
            labels.append((round(100 * (index - low + offset) / bins, 2), text))
    return tuple(labels)


def _label_bar(scale: AxisScale, index: int, histogram: Histogram) -> str:
    """Return the numbers of a bar. The first and the last also count all beyond."""
    low = scale.first + index * scale.width
    high = low + scale.width - 1
    if index == 0 and histogram.first < low:
        return f"{high} or less"
    if index == scale.bins - 1 and histogram.last > high:
        return f"{low} or more"
    return f"{low}" if low == high else f"{low} to {high}"


def _describe_middle_half(histogram: Histogram) -> str:
    """Return the range of the middle half of all numbers."""
    low, high = histogram.ends(0.25)
    return f"Half of the games end with a lead of {low} to {high}"


def _outline_decks(
    result: SimulationResult, by_deck: Mapping[str, EndingsSum]
) -> Outlines:
    """Return the leads of each deck on the same scale, in the order of the standings.

    The scale has 0 in its middle.
    """
    endings = {}
    for standing in result.standings():
        if standing.deck in by_deck:
            summed = by_deck[standing.deck].endings
            assert summed is not None
            endings[standing.deck] = summed
    leads = [ending.margins for ending in endings.values()]
    both_sides = Histogram.sum([*leads, *(lead.reverse() for lead in leads)])
    scale = fit_signed_scale(both_sides)
    shares = {}
    for name, ending in endings.items():
        counts = scale.counts(ending.margins)
        shares[name] = [games / ending.margins.total for games in counts]
    most = max(max(deck_shares) for deck_shares in shares.values())
    rows = []
    for name, ending in endings.items():
        # Adding 0.0 turns -0.0 into 0.0.
        mean_lead = round(ending.margins.mean, 1) + 0.0
        cells = (f"{ending.rounds.mean:.2f}", f"{mean_lead:+.1f}")
        rows.append(Outline(name, cells, draw_path(shares[name], most)))
    return Outlines(
        caption="Lead of each deck at the end, over all its opponents",
        of="deck",
        columns=("rounds", "mean lead"),
        scale=scale,
        rows=tuple(rows),
        note="Right of the dashed line the deck leads. The higher, the more games; "
        "all decks have the same scale",
    )
