"""Endings of games: the number of rounds, and the margins."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings.words import quote
from deckcheck.report.html.bars import (
    Bars,
    Outline,
    Outlines,
    bars_of,
    path_of,
    scale_of,
    signed_scale_of,
)
from deckcheck.report.html.model import Block, Section
from deckcheck.report.units import percent
from deckcheck.sim.results.result import SimulationResult
from deckcheck.stats import Histogram

TWO = 2
MOST_TOLD = 4
OVER = "Leads are those on the board when the game ends: of several rounds the last."


def ending_sections(result: SimulationResult) -> Iterator[Section]:
    """Rounds and margins of all games, and of each deck; nothing where not counted."""
    rounds = [counted for t in result.tables if (counted := t.rounds)]
    margins = [counted for t in result.tables if (counted := t.margins)]
    if not rounds or len(margins) < len(result.tables):
        return
    blocks: list[Block] = [_rounds(Histogram.sum(rounds))]
    blocks.append(_margins(result, margins))
    if result.play == "duel" and len(result.matchups) > 1:
        blocks.append(_by_deck(result))
    yield Section("endings", "How games end", tuple(blocks))


def _rounds(histogram: Histogram) -> Bars:
    parts = [
        f"{percent(games / histogram.total)} after {histogram.first + i}"
        for i, games in enumerate(histogram.counts)
        if games
    ]
    if len(parts) > MOST_TOLD:
        parts = [f"half of them after {' to '.join(map(str, histogram.ends(0.25)))}"]
    sentence = f"{', '.join(parts)}."
    return bars_of(
        "Rounds of a game", sentence, "rounds", scale_of(histogram), histogram
    )


def _margins(result: SimulationResult, margins: list[Histogram]) -> Bars:
    """The lead of the first of two; of many tables the size of it."""
    leads = Histogram.sum(margins)
    first = result.tables[0].entrants
    is_two = all(len(table.entrants) == TWO for table in result.tables)
    if is_two and len(margins) == 1:
        scale = signed_scale_of(leads)
        sentence = f"{_half(leads)} to {quote(first[0])}. {OVER}"
        caption = f"Lead of {first[0]} at the end"
        return bars_of(caption, sentence, "lead", scale, leads)
    leads = leads.folded()
    scale = scale_of(leads)
    if is_two:
        caption, sentence = (
            "Lead at the end, of the leading deck",
            f"{_half(leads)}. {OVER}",
        )
        return bars_of(caption, sentence, "lead", scale, leads)
    sentence = f"{_half(leads)} in points."
    return bars_of(
        "Points of the first ahead of the second", sentence, "ahead", scale, leads
    )


def _half(histogram: Histogram) -> str:
    """Between what the middle half of all numbers lies."""
    low, high = histogram.ends(0.25)
    return f"Half of the games end with a lead of {low} to {high}"


def _by_deck(result: SimulationResult) -> Outlines:
    parts: dict[str, list[Histogram]] = {deck.name: [] for deck in result.decks}
    rounds: dict[str, list[Histogram]] = {deck.name: [] for deck in result.decks}
    for table in result.tables:
        (a, b), margins, length = table.entrants, table.margins, table.rounds
        if margins and length and a != b:
            parts[a].append(margins)
            parts[b].append(margins.mirrored())
            rounds[a].append(length)
            rounds[b].append(length)
    order = [
        standing.deck for standing in result.standings() if parts.get(standing.deck)
    ]
    margins_by_deck = {name: Histogram.sum(parts[name]) for name in order}
    both = Histogram.sum(
        [*margins_by_deck.values(), *(f.mirrored() for f in margins_by_deck.values())]
    )
    scale = signed_scale_of(both)
    shares = {
        name: [n / histogram.total for n in scale.counts(histogram)]
        for name, histogram in margins_by_deck.items()
    }
    most = max(max(share) for share in shares.values())
    rows = tuple(
        Outline(
            name,
            (
                f"{Histogram.sum(rounds[name]).mean:.2f}",
                f"{round(margins_by_deck[name].mean, 1) + 0.0:+.1f}",
            ),
            path_of(shares[name], most),
        )
        for name in order
    )
    return Outlines(
        caption="Lead of each deck at the end, over all its opponents",
        of="deck",
        columns=("rounds", "mean lead"),
        scale=scale,
        rows=rows,
        note="Right of the dashed line the deck leads. The higher, the more games; "
        "all decks have the same scale",
    )
