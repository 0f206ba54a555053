"""The outputs of a plan whose expectations were checked, by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TextIO

from deckcheck.findings.json_text import json_text
from deckcheck.findings.style import Style
from deckcheck.report.html.page import written
from deckcheck.report.markdown import as_markdown
from deckcheck.report.outputs import (
    PAGE,
    PARQUET,
    Writer,
    as_csv,
    width_of,
    write_parquet,
)
from deckcheck.report.text import as_text
from deckcheck.reporters import REPORTERS
from deckcheck.studies.expect.page import check_page
from deckcheck.studies.expect.result import PlanCheck
from deckcheck.studies.expect.tables import expectation_report

FINDINGS = ("junit", "github", "gitlab")
"""The outputs that write findings as `validate` does."""


def write_expectation_page(check: PlanCheck, stream: TextIO, *_: object) -> None:
    """Write the page of a CI job."""
    _write_markdown(check, stream)


def _write_table(check: PlanCheck, stream: TextIO, *_: object) -> None:
    parts = [f"{check.answer}.\n"]
    parts += [
        as_text(expectation_report(e), width_of(stream)) for e in check.experiments
    ]
    stream.write("\n".join(parts))


def _write_markdown(check: PlanCheck, stream: TextIO, *_: object) -> None:
    parts = [f"{check.answer}.\n"]
    parts += [
        as_markdown(expectation_report(experiment)) for experiment in check.experiments
    ]
    stream.write("\n".join(parts))


def _write_json(check: PlanCheck, stream: TextIO, *_: object) -> None:
    stream.write(json_text(check.to_dict()))


def _write_csv(check: PlanCheck, stream: TextIO, *_: object) -> None:
    stream.write(as_csv(check))


def _write_parquet(check: PlanCheck, stream: TextIO, *_: object) -> None:
    write_parquet(check.to_rows(), stream)


def _write_page(check: PlanCheck, stream: TextIO, *_: object) -> None:
    stream.write(written(check_page(check)))


def _write_findings(
    name: str, check: PlanCheck, stream: TextIO, style: Style, _: bool
) -> None:
    # Their summary counts decks.
    dict(REPORTERS)[name](check.validation, stream, style, False)


def _of_findings(name: str) -> tuple[str, Callable[..., None]]:
    return name, partial(_write_findings, name)


EXPECTATION_WRITERS: tuple[tuple[str, Writer], ...] = (
    ("table", _write_table),
    ("json", _write_json),
    ("csv", _write_csv),
    ("markdown", _write_markdown),
    (PARQUET, _write_parquet),
    (PAGE, _write_page),
    *map(_of_findings, FINDINGS),
)
"""Every output of `check` by its name; see `deckcheck.reporters.Reporter`."""
