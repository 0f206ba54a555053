"""The page of what to bring, and its section on the page of a run."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings import UsageError
from deckcheck.report.html.model import (
    Block,
    Facts,
    Forest,
    Notes,
    Page,
    Section,
    axis_of,
    figures,
    row_of,
)
from deckcheck.report.outputs import Presentation
from deckcheck.report.sections import percent
from deckcheck.sim.results.result import SimulationResult
from deckcheck.studies.meta.field import field_of
from deckcheck.studies.meta.play import meta_of
from deckcheck.studies.meta.result import MetaResult
from deckcheck.studies.meta.tables import expected_order, meta_report


def meta_if_any(result: SimulationResult) -> MetaResult | None:
    """What to bring, where three or more have met."""
    try:
        field = field_of(result)
        return meta_of(field) if len(field.players) > 2 else None
    except UsageError:
        return None


def meta_page(meta: MetaResult) -> Page:
    """The page of what to bring."""
    report, origin = meta_report(meta), meta.field.origin
    sections = [*_expected(meta), *meta_sections(meta)]
    sections.append(Section("settings", "How it was played", (Facts(report.facts),)))
    limits = (
        f"Programs played: {', '.join(origin.players)}. What is hard to play is worth "
        "more in hands that play it better.",
        f"What did not take part is not known: a {meta.field.noun} that is not here "
        "may beat all of these.",
        "The mix is for those who expect everybody else to choose as well as can be. "
        "Against a field that chooses otherwise another one is better.",
        "Each interval holds in 95 of 100 runs. That is said of each alone.",
    )
    sections.append(Section("limits", "What this does not say", (Notes(limits),)))
    return Page(
        title=f"What to bring, of {len(meta.players)} {meta.field.noun}s",
        about=f"{origin.format} ({origin.snapshot})",
        answers=report.answers,
        warnings=report.warnings,
        sections=tuple(sections),
        digest=origin.digest,
    )


def _expected(meta: MetaResult) -> Iterator[Section]:
    """How each does against the field that is expected, if one is."""
    ranked = expected_order(meta)
    if not ranked:
        return
    axis = axis_of([rate for _, rate in ranked])
    forest = Forest(
        caption="Win rate against the field that you expect",
        of=meta.field.noun,
        axis=axis,
        columns=("expected",),
        rows=tuple(
            row_of(player.name, rate, axis, (percent(player.weight),))
            for player, rate in ranked
        ),
        note="Expected: how often you say that it comes.",
    )
    yield Section("expected", "Against your field", (forest,))


def meta_sections(meta: MetaResult) -> Iterator[Section]:
    """The mix, ratings and best answers."""
    shares = [player.share for player in meta.players]
    axis = axis_of(shares, None)
    order = sorted(meta.players, key=lambda p: (-p.share.value, -p.payoff, p.name))
    mix = Forest(
        caption="How often to bring each, if all choose as well as can be",
        of=meta.field.noun,
        axis=axis,
        rate="share",
        columns=("wins against it", "rating", "95 %"),
        rows=tuple(
            row_of(
                player.name,
                player.share,
                axis,
                (
                    percent(player.payoff),
                    f"{player.rating.value:+.0f}",
                    " to ".join(f"{end:+.0f}" for end in player.rating.interval),
                ),
            )
            for player in order
        ),
        note="Wins against it: the win rate against the mix of these shares. "
        "Ratings are in Elo, 0 for the mean.",
    )
    answers = meta_report(meta).tables[-1]
    blocks: tuple[Block, ...] = (mix, figures(answers))
    yield Section("bring", "What to bring", blocks)


META = Presentation[MetaResult](
    lambda meta, _all_matchups: meta_report(meta), lambda meta, _tool: meta_page(meta)
)
