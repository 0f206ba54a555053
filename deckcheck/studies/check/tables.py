"""Tables of a plan whose expectations were checked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TextIO

from deckcheck.findings.json_text import json_text
from deckcheck.findings.style import Style
from deckcheck.report.markdown import as_markdown
from deckcheck.report.outputs import Writer, as_csv, width_of
from deckcheck.report.sections import (
    Report,
    Table,
    count,
    percent,
    policies_of,
    ranged,
    run_facts,
    warnings_of,
)
from deckcheck.report.text import as_text
from deckcheck.reporters import REPORTERS
from deckcheck.sim.stopping.expectations import Judged
from deckcheck.studies.check.result import CheckedExperiment, PlanCheck, named

FINDINGS = ("junit", "github", "gitlab")
"""The outputs that write findings as `validate` does."""


def check_report(experiment: CheckedExperiment) -> Report:
    """Return the expectations of an experiment, and how it was played."""
    result = experiment.result
    levels = {100 * outcome.expectation.confidence for outcome in experiment.judged}
    table = Table(
        experiment.name,
        ("expectation", "win rate", _interval_head(levels), "games", "outcome"),
        tuple(_row(outcome) for outcome in experiment.judged),
        note=_note(experiment),
        whole=True,
    )
    policies = policies_of([deck.policy for deck in result.decks])
    facts = run_facts(result, policies, f"{count(result.games_played)} in all")
    return Report((table,), warnings_of(result), facts)


def write_check_page(check: PlanCheck, stream: TextIO, *_: object) -> None:
    """Write the page of a CI job."""
    _write_markdown(check, stream)


def _interval_head(levels: set[float]) -> str:
    return f"{max(levels, default=95):g} % interval"


def _note(experiment: CheckedExperiment) -> str | None:
    if all(len(outcome.rates) == 1 for outcome in experiment.judged):
        return None
    return (
        "of an expectation about several rates: one that decides, and of how many; "
        "their intervals hold together"
    )


def _row(judged: Judged) -> tuple[str, ...]:
    deciding = judged.deciding
    first = deciding[0]
    text = judged.expectation.text
    if len(judged.rates) > 1:
        text += f": {named(first)} ({len(deciding)} of {len(judged.rates)})"
    estimate = first.estimate
    if estimate is None:
        return (text, "-", "-", "0", judged.outcome.value)
    figures = (
        percent(estimate.value),
        ranged(estimate.interval),
        count(estimate.games),
    )
    return (text, *figures, judged.outcome.value)


def _write_table(check: PlanCheck, stream: TextIO, *_: object) -> None:
    parts = [f"{check.answer}.\n"]
    parts += [as_text(check_report(e), width_of(stream)) for e in check.experiments]
    stream.write("\n".join(parts))


def _write_markdown(check: PlanCheck, stream: TextIO, *_: object) -> None:
    parts = [f"{check.answer}.\n"]
    parts += [as_markdown(check_report(experiment)) for experiment in check.experiments]
    stream.write("\n".join(parts))


def _write_json(check: PlanCheck, stream: TextIO, *_: object) -> None:
    stream.write(json_text(check.to_dict()))


def _write_csv(check: PlanCheck, stream: TextIO, *_: object) -> None:
    stream.write(as_csv(check))


def _write_findings(
    name: str, check: PlanCheck, stream: TextIO, style: Style, _: bool
) -> None:
    # Their summary counts decks.
    dict(REPORTERS)[name](check.validation, stream, style, False)


def _of_findings(name: str) -> tuple[str, Callable[..., None]]:
    return name, partial(_write_findings, name)


CHECK_WRITERS: tuple[tuple[str, Writer], ...] = (
    ("table", _write_table),
    ("json", _write_json),
    ("csv", _write_csv),
    ("markdown", _write_markdown),
    *map(_of_findings, FINDINGS),
)
"""Every output of `check` by its name; see `deckcheck.reporters.Reporter`."""
