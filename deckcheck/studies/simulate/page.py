"""Presentation of a simulation: its tables, and its page."""

from __future__ import annotations

from deckcheck.findings.csv_text import csv_table
from deckcheck.findings.words import plural
from deckcheck.report.html.model import Page
from deckcheck.report.html.page import page_with
from deckcheck.report.outputs import Presentation
from deckcheck.report.sections import Report
from deckcheck.sim.jobs.program import Program
from deckcheck.sim.results.result import SimulationResult
from deckcheck.sim.results.rows import matrix
from deckcheck.studies.meta.page import meta_if_any, meta_sections
from deckcheck.studies.meta.tables import meta_answers
from deckcheck.studies.simulate.duel_page import duel_answers, duel_sections
from deckcheck.studies.simulate.duel_tables import duel_report
from deckcheck.studies.simulate.endings import ending_sections
from deckcheck.studies.simulate.match_tables import match_report
from deckcheck.studies.simulate.table_page import table_answers, table_sections
from deckcheck.studies.simulate.table_tables import table_report

TABLES = {"duel": duel_report, "match": match_report}


def simulation_report(result: SimulationResult, all_matchups: bool = False) -> Report:
    """Return the tables of a simulation, of whatever way to play."""
    return TABLES.get(result.play, table_report)(result, all_matchups)


def simulation_page(result: SimulationResult, tool: Program) -> Page:
    """Return the page of a simulation that `tool` played."""
    is_duel = result.play == "duel"
    # The page of duels has tables of its own.
    report = simulation_report(result, not is_duel)
    answers = list(duel_answers(result) if is_duel else table_answers(result))
    sections = list(
        duel_sections(result) if is_duel else table_sections(result, report)
    )
    meta = meta_if_any(result)
    if meta is not None:
        answers += meta_answers(meta)
        sections[2:2] = meta_sections(meta)
    sections += ending_sections(result)
    return page_with(_title(result), result, report, tool, sections, answers=answers)


def _title(result: SimulationResult) -> str:
    if len(result.tables) == 1:
        return " against ".join(result.tables[0].entrants)
    if result.play == "match":
        return f"{plural(len(result.lineups), 'lineup')}, every two in matches"
    if result.play == "duel":
        way = "against a field" if result.challengers else "all against all"
        return f"{plural(len(result.decks), 'deck')}, {way}"
    return f"{plural(len(result.tables), 'table')} of {result.format}"


def _standings(result: SimulationResult) -> str:
    return csv_table([standing.row for standing in result.standings()])


def _matrix(result: SimulationResult) -> str:
    names = [deck.name for deck in result.decks]
    rates = matrix(names, result.matchups)
    # As pandas writes a frame: its index below an empty name.
    rows = [{"": name, **row} for name, row in zip(names, rates, strict=True)]
    return csv_table(rows)


SIMULATION = Presentation(
    simulation_report,
    simulation_page,
    own=(("standings", _standings), ("matrix", _matrix)),
)
