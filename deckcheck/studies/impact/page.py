"""The page of the cards of a deck and what they are worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckcheck.report.html.model import (
    Axis,
    Forest,
    Page,
    Row,
    Section,
    axis_of,
    figures,
    mark_on,
)
from deckcheck.report.html.page import page_with
from deckcheck.report.outputs import Presentation
from deckcheck.report.sections import Report
from deckcheck.sim.jobs.program import Program
from deckcheck.stats import Estimate
from deckcheck.studies.differences import points, spread
from deckcheck.studies.impact.observed import WAYS, Observed
from deckcheck.studies.impact.result import ImpactResult
from deckcheck.studies.impact.tables import impact_report
from deckcheck.studies.impact.trial import Effect

LIMITS = (
    "What is observed of a card is no cause: who plays it late, or still holds it, had "
    "other reasons to win or lose. Only what is caused tells what to cut.",
    "Cards were tried one at a time: two changes may be worth more or less together.",
)


def impact_sections(result: ImpactResult, report: Report) -> Iterator[Section]:
    """What each card is worth, what could take its place, and what was observed."""
    yield Section("cards", "The cards", (_worths(result),))
    if any(card.better for card in result.cards):
        yield Section("instead", "What to play instead", (_instead(result),))
    named = [table for table in report.tables if table.title.startswith(("For whom",))]
    if named:
        yield Section("opponents", "For whom", tuple(map(figures, named)))


def _worths(result: ImpactResult) -> Forest:
    """The caused worth, drawn, next to what was observed."""
    axis = _axis([card.worth for card in result.ranked])
    return Forest(
        caption=f"{result.deck}: points that one copy is worth (caused), and the same "
        "as it was observed",
        of="card",
        axis=axis,
        rate="caused",
        columns=("copies", *WAYS),
        rows=tuple(
            _row(
                card.name,
                card.worth,
                axis,
                (str(card.copies), *map(_marked, result.seen(card.id))),
            )
            for card in result.ranked
        ),
        note="Caused: how much better the deck is with the card than with an average "
        "one, in the same games. Observed: how much more often the deck won when the "
        "card was in the opening hand, drawn later, played, or held at the end; with * "
        "beyond doubt (Benjamini-Hochberg, at most 5 % of them are expected to be "
        "chance). The order is that of the first trial, the figures are from others.",
    )


def _instead(result: ImpactResult) -> Forest:
    cards = [card for card in reversed(result.ranked) if card.better]
    axis = _axis([card.better[0].gain for card in cards])
    return Forest(
        caption="Points gained by the best other card, the first to cut on top",
        of="change",
        axis=axis,
        rate="gain",
        rows=tuple(
            _row(f"{c.better[0].name} for {c.name}", c.better[0].gain, axis)
            for c in cards
        ),
        note="Which card is best was chosen in other games than those that tell "
        "what it gains.",
    )


def _axis(effects: Sequence[Effect]) -> Axis:
    return axis_of([_estimate(effect) for effect in effects], 0.0, signed=True)


def _row(name: str, effect: Effect, axis: Axis, cells: tuple[str, ...] = ()) -> Row:
    value = points(effect.value, sign=True)
    mark = mark_on(axis, _estimate(effect))
    return Row(name, value, spread(effect.interval), mark, cells)


def _estimate(effect: Effect) -> Estimate:
    return Estimate(effect.value, effect.interval, 0)


def _marked(seen: Observed) -> str:
    if seen.difference is None:
        return "-"
    return points(seen.difference.value, sign=True) + ("*" if seen.is_sure else "")


def impact_page(result: ImpactResult, tool: Program) -> Page:
    """Return the page of the cards of a deck; `tool` is the program that played."""
    report = impact_report(result)
    title, sections = f"The cards of {result.deck}", impact_sections(result, report)
    return page_with(title, result, report, tool, sections, limits=LIMITS)


IMPACT = Presentation[ImpactResult](
    lambda result, _all_matchups: impact_report(result), impact_page
)
