"""The outputs of a plan: those of its simulations, one after the other."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any, TextIO, TypeAlias

from deckcheck.findings.json_text import json_text
from deckcheck.report.formats import (
    PAGE,
    Writer,
    report_names,
    report_of,
    width_of,
    write_report,
)
from deckcheck.report.html.page import page_of_plan, written
from deckcheck.sim.result import SimulationResult
from deckcheck.version import __version__

__all__ = ["Named", "plan_writers"]

SCHEMA_VERSION = 1
Named: TypeAlias = Sequence[tuple[str, SimulationResult]]
"""The results of a plan with the names of its experiments, in their order."""


def plan_writers(*, all_matchups: bool = False) -> tuple[tuple[str, Writer], ...]:
    """Every output of a plan by its name; see `writers`."""
    return tuple((name, _writer(name, all_matchups)) for name in report_names())


def _writer(name: str, all_matchups: bool) -> Writer:
    def write(results: Named, stream: TextIO, *_: object) -> None:
        if name == "json":
            stream.write(_as_json(results))
        elif name == "csv":
            stream.write(_as_csv(results))
        elif name == PAGE:
            parts = [(each, found, report_of(found, True)) for each, found in results]
            stream.write(written(page_of_plan(parts)))
        else:
            stream.write(_one_by_one(results, name, width_of(stream), all_matchups))

    return write


def _one_by_one(results: Named, output: str, width: int, all_matchups: bool) -> str:
    """The reports as they are of each alone, below its name."""
    parts = []
    for name, result in results:
        head = f"## {name}" if output == "markdown" else f"{name}\n{'=' * len(name)}"
        report = write_report(result, output, width, all_matchups=all_matchups)
        parts.append(f"{head}\n\n{report}")
    return "\n".join(parts)


def _as_json(results: Named) -> str:
    document: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "deckcheck", "version": __version__},
        "experiments": [
            {"name": name, "result": result.to_dict()} for name, result in results
        ],
    }
    return json_text(document)


def _as_csv(results: Named) -> str:
    """One table; experiments of different kinds leave each other's columns empty."""
    rows = [
        {"experiment": name, **row}
        for name, result in results
        for row in result.to_rows()
    ]
    text = io.StringIO()
    columns = dict.fromkeys(column for row in rows for column in row)
    writer = csv.DictWriter(text, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
