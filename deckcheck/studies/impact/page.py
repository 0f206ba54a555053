"""The page of the cards of a deck and what they are worth."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.report.html.model import Figures, Forest, Page, Section, forest_of
from deckcheck.report.html.page import page_with
from deckcheck.report.outputs import Presentation
from deckcheck.report.tables import Cell, Column, Table, numbers
from deckcheck.report.units import COUNT, POINTS
from deckcheck.sim.jobs.program import Program
from deckcheck.studies.impact.observed import WAYS
from deckcheck.studies.impact.result import ImpactResult
from deckcheck.studies.impact.tables import impact_report, marked, opponents_table

LIMITS = (
    "What is observed of a card is no cause: who plays it late, or still holds it, had "
    "other reasons to win or lose. Only what is caused tells what to cut.",
    "Cards were tried one at a time: two changes may be worth more or less together.",
)


def impact_sections(result: ImpactResult) -> Iterator[Section]:
    """What each card is worth, what could take its place, and what was observed."""
    yield Section("cards", "The cards", (_worths(result),))
    if any(card.better for card in result.cards):
        yield Section("instead", "What to play instead", (_instead(result),))
    if len(result.opponents) > 1:
        opponents = Figures(opponents_table(result))
        yield Section("opponents", "For whom", (opponents,))


def _worths(result: ImpactResult) -> Forest:
    """The caused worth, drawn, next to what was observed."""
    columns = (
        Column("card"),
        Column("caused", POINTS, "95 %"),
        Column("copies", COUNT),
        *numbers(POINTS, *WAYS),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (card.name, card.worth, card.copies, *map(marked, result.seen(card.id)))
        for card in result.ranked
    )
    title = (
        f"{result.deck}: points that one copy is worth (caused), and the same as it "
        "was observed"
    )
    note = (
        "caused: how much better the deck is with the card than with an average one, "
        "in the same games. Observed: how much more often the deck won when the card "
        "was in the opening hand, drawn later, played, or held at the end; with * "
        "beyond doubt (Benjamini-Hochberg, at most 5 % of them are expected to be "
        "chance). The order is that of the first trial, the figures are from others"
    )
    return forest_of(Table(title, columns, rows, note=note))


def _instead(result: ImpactResult) -> Forest:
    columns = (Column("change"), Column("gain", POINTS, "95 %"))
    rows = tuple(
        (f"{card.better[0].name} for {card.name}", card.better[0].gain)
        for card in reversed(result.ranked)
        if card.better
    )
    title = "Points gained by the best other card, the first to cut on top"
    note = "the best card was chosen in other games than those that tell what it gains"
    return forest_of(Table(title, columns, rows, note=note))


def impact_page(result: ImpactResult, tool: Program) -> Page:
    """Return the page of the cards of a deck; `tool` is the program that played."""
    report = impact_report(result)
    title, sections = f"The cards of {result.deck}", impact_sections(result)
    return page_with(title, result, report, tool, sections, limits=LIMITS)


IMPACT = Presentation[ImpactResult](
    lambda result, _all_matchups: impact_report(result), impact_page
)
