"""The outputs of a plan: those of its simulations, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TextIO, TypeAlias

from deckcheck.findings import columns
from deckcheck.findings.csv_text import csv_table
from deckcheck.findings.json_text import document_head, json_text
from deckcheck.findings.markdown_text import plain
from deckcheck.findings.words import printable
from deckcheck.report.html.model import Page
from deckcheck.report.html.page import page_of_plan, written
from deckcheck.report.outputs import (
    PAGE,
    PARQUET,
    Writer,
    Writers,
    report_names,
    width_of,
    write_parquet,
)
from deckcheck.sim.jobs.program import Program
from deckcheck.sim.results.figures import Row
from deckcheck.sim.results.result import SimulationResult
from deckcheck.sim.results.tidy import whole
from deckcheck.studies.simulate.page import SIMULATION, simulation_page

SCHEMA_VERSION = 1
Named: TypeAlias = Sequence[tuple[str, SimulationResult]]
"""The results of a plan with the names of its experiments, in their order."""


def plan_writers(*, all_matchups: bool = False) -> Writers:
    """Every output of a plan by its name; see `Presentation.writers`."""
    names = (*report_names(), PARQUET)
    return tuple((name, _writer(name, all_matchups)) for name in names)


def plan_page(results: Named) -> Page:
    """Return the page of all experiments, one after the other."""
    here = Program.here()
    pages = [(name, simulation_page(result, here)) for name, result in results]
    return page_of_plan(pages, sum(result.games_played for _, result in results))


def _writer(name: str, all_matchups: bool) -> Writer:
    def write(results: Named, stream: TextIO, *_: object) -> None:
        if name == "json":
            stream.write(_as_json(results))
        elif name == "csv":
            stream.write(csv_table(plan_rows(results)))
        elif name == PARQUET:
            write_parquet(plan_rows(results), stream)
        elif name == PAGE:
            stream.write(written(plan_page(results)))
        else:
            stream.write(_one_by_one(results, name, width_of(stream), all_matchups))

    return write


def _one_by_one(results: Named, output: str, width: int, all_matchups: bool) -> str:
    """The reports as they are of each alone, below its name."""
    parts = []
    for name, result in results:
        head = f"## {plain(name)}" if output == "markdown" else underlined(name)
        report = SIMULATION.text(result, output, width, all_matchups=all_matchups)
        parts.append(f"{head}\n\n{report}")
    return "\n".join(parts)


def underlined(name: str) -> str:
    """The name of an experiment above its report."""
    shown = printable(name)
    return f"{shown}\n{'=' * columns.width(shown)}"


def _as_json(results: Named) -> str:
    document: dict[str, Any] = {
        **document_head(SCHEMA_VERSION),
        "experiments": [
            {"name": name, "result": result.to_dict()} for name, result in results
        ],
    }
    return json_text(document)


def plan_rows(results: Named) -> list[Row]:
    """The tidy rows of all experiments in the same columns, each with its name."""
    return whole(
        [
            {**row, "experiment": name}
            for name, result in results
            for row in result.to_rows()
        ]
    )
