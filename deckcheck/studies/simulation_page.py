"""The page of a simulation, and the outputs of a plan of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from deckcheck import terminal
from deckcheck.findings import UsageError
from deckcheck.markup import csv_table, document_head, json_text, plain
from deckcheck.messages import plural, printable, quote
from deckcheck.report.blocks import Block, Figures, Heatmap, draw_heatmap
from deckcheck.report.forests import Axis, Forest, draw_forest, fit_axis
from deckcheck.report.outputs import (
    PAGE_OUTPUT,
    Presentation,
    Writers,
    report_names,
    text_writers,
)
from deckcheck.report.page import (
    MAX_ROWS,
    Page,
    Section,
    make_plan_page,
    note_hidden_rows,
    page_with,
    render_page,
)
from deckcheck.report.tables import (
    COUNT,
    IN_PERCENT,
    PERCENT,
    Column,
    Report,
    ReportTable,
    numbers,
)
from deckcheck.sim.figures import Row, whole
from deckcheck.sim.provenance import Program
from deckcheck.sim.result import SimulationResult, make_rate_matrix
from deckcheck.sim.standings import Matchup, Meeting, Standing, rank_entrants
from deckcheck.sim.table_results import TableResult
from deckcheck.stats import Estimate
from deckcheck.stats.combinations import exceeded_later
from deckcheck.stats.intervals import joint_level, mean_score
from deckcheck.studies.duel_tables import (
    list_duel_facts,
    make_by_bot_table,
    make_duel_report,
    make_matchups_table,
    make_matrix_table,
    make_replayed_tables,
    make_standings_table,
    make_starts_table,
)
from deckcheck.studies.game_endings import ending_sections
from deckcheck.studies.match_tables import make_matches_report
from deckcheck.studies.meta_report import find_meta, list_meta_answers, make_mix_section
from deckcheck.studies.payoff import HALF
from deckcheck.studies.seat_tables import make_seats_report
from deckcheck.studies.simulation_answers import name_winner_first, simulation_answers

# The sections of tables of play and of tournament matches

MATRIX_NOTE = "blue: the row wins more; orange: the column does"


def table_sections(result: SimulationResult, report: Report) -> Iterator[Section]:
    """Yield the win shares of all tables, and the tables that a terminal shows."""
    rates = []
    for table in result.tables:
        rates += [rate for _, rate in _list_shares(table)]
    axis = fit_axis(rates, result.tables[0].even_share)
    if all(len(table.entrants) == 2 for table in result.tables):
        blocks: list[Block] = [_draw_tables(result, axis), *_draw_lineups(result)]
    elif len(result.tables) == 1:
        blocks = [_draw_shares(result.tables[0], "Win share", axis)]
    else:
        blocks = []
        for number, table in enumerate(result.tables, start=1):
            title = f"Win share at table {number}"
            blocks.append(_draw_shares(table, title, axis))
    yield Section("shares", "Who wins", tuple(blocks))
    yield Section("details", "In detail", tuple(map(Figures, report.tables)))


def _draw_shares(table: TableResult, title: str, axis: Axis) -> Forest:
    """Return the win shares at a table, on the axis that all tables share."""
    columns = (Column("entrant"), Column("win share", PERCENT, "95%"))
    even = replace(axis, even=axis.at(table.even_share))
    return draw_forest(
        ReportTable(title, columns, tuple(_list_shares(table))), axis=even
    )


def _draw_lineups(result: SimulationResult) -> Iterator[Heatmap]:
    """Yield the matrix of lineups against each other, if there are more than two."""
    names = [lineup.name for lineup in result.lineups]
    if len(names) <= 2:
        return
    title = "Match rate in % of the lineup in the row against that in the column"
    shares: dict[tuple[str, str], Estimate] = {}
    for table in result.tables:
        (a, rate), (b, _) = _list_shares(table)
        shares[a, b] = rate
        shares[b, a] = rate.opposite()
    rows = []
    for name in names:
        rows.append((name, *(shares.get((name, other)) for other in names)))
    columns = (Column(""), *numbers(IN_PERCENT, *names))
    table_of_rates = ReportTable(title, columns, tuple(rows), matrix=True)
    yield draw_heatmap(table_of_rates, MATRIX_NOTE)


def _draw_tables(result: SimulationResult, axis: Axis) -> Forest:
    """Return a forest with a row for each table of two."""
    name, games = "table", "games"
    if result.play == "match":
        name, games = "match", "matches"
    columns = (
        Column(name),
        Column("win rate", PERCENT, "95%"),
        Column(games, COUNT),
    )
    rows = []
    for table in result.tables:
        _, win_rate = _list_shares(table)[0]
        rows.append((" against ".join(table.entrants), win_rate, table.games))
    title = "Win rate of the one named first"
    return draw_forest(ReportTable(title, columns, tuple(rows)), axis=axis)


def _list_shares(table: TableResult) -> list[tuple[str, Estimate]]:
    """Return the win share of each entrant that has one, with its name."""
    pairs = zip(table.entrants, table.performances, strict=True)
    return [(name, share.win_share) for name, share in pairs if share.win_share]


# The sections of decks that met two at a time


def duel_sections(result: SimulationResult) -> Iterator[Section]:
    """Yield rank_entrants, the matrix, and every matchup."""
    if len(result.matchups) == 1:
        yield Section("match", "The match", (_draw_starts(result),))
        return
    if len(result.standings()) > 1:
        replayed = [draw_forest(table) for table in make_replayed_tables(result)]
        standings_forest = _draw_standings(result)
        yield Section("standings", "Standings", (standings_forest, *replayed))
        by_bot = make_by_bot_table(result)
        if by_bot.rows:
            yield Section("players", "Deck or bot", (Figures(by_bot),))
        if not result.challengers:
            heatmap = draw_heatmap(
                make_matrix_table(result, measured=True), MATRIX_NOTE
            )
            yield Section("matrix", "Who beats whom", (heatmap,))
    yield Section("matchups", "Every matchup", (_draw_matchups(result),))


def _draw_standings(result: SimulationResult) -> Forest:
    """Return the standings with the range of each place."""
    note = (
        "the place is a range where the games do not settle it: each range holds the "
        "true place in 95 of 100 runs"
    )
    table = replace(make_standings_table(result), note=note)
    return draw_forest(table, places=list_place_ranges(result.standings()))


def list_place_ranges(ranking: Sequence[Standing]) -> list[str]:
    """Return the possible places of each deck. Places outside of them are excluded.

    All sentences about a deck are simultaneous (Bonferroni). A deck with a lower rate
    is not better, so that only pairs in the order of the standings are compared.
    """
    decks = len(ranking)
    level = joint_level(decks - 1)
    worse_decks = [0] * decks
    better_decks = [0] * decks
    means = [standing.mean for standing in ranking]
    for winner, loser in exceeded_later(means, level):
        worse_decks[winner] += 1
        better_decks[loser] += 1
    places = []
    for worse, better in zip(worse_decks, better_decks, strict=True):
        first = 1 + better
        last = decks - worse
        places.append(str(first) if first == last else f"{first} to {last}")
    return places


def _draw_matchups(result: SimulationResult) -> Forest:
    """Return each matchup from the side of its winner, the other side hidden.

    The reader can filter the page by deck, which shows the side of that deck.
    """
    decisive = sorted(result.matchups, key=_get_winner_rate, reverse=True)
    won = [name_winner_first(matchup) for matchup in decisive[:MAX_ROWS]]
    title = "Win rate of the deck named first, the most decisive matchup on top"
    if 2 * len(decisive) <= MAX_ROWS:
        lost = [matchup.swap_sides() for matchup in won if matchup.a != matchup.b]
        table = make_matchups_table(result, title, [*won, *lost])
        if len(won) == 1:
            return draw_forest(table)
        decks = [(matchup.a, False) for matchup in won]
        decks += [(matchup.a, True) for matchup in lost]
        return draw_forest(table, decks=decks)
    table = make_matchups_table(result, title, won)
    if len(decisive) > MAX_ROWS:
        table = replace(table, note=note_hidden_rows(table.note or "", len(decisive)))
    return draw_forest(table)


def _get_winner_rate(matchup: Matchup) -> float:
    """Return the win rate of the deck that wins at least half."""
    rate = matchup.win_rate_a
    return rate if rate >= HALF else mean_score(matchup.pairs[::-1])


def _draw_starts(result: SimulationResult) -> Forest:
    """Return the win rates of the only matchup."""
    [matchup] = result.matchups
    title = f"Win rate of {matchup.a} against {matchup.b}"
    return draw_forest(make_starts_table(title, matchup, result.cross_checked))


# The report and the page

REPORT_BY_PLAY = {"duel": make_duel_report, "match": make_matches_report}
"""The report of each way to play. Other ways have a report of tables."""


def simulation_report(result: SimulationResult, full: bool = False) -> Report:
    """Return the answer and the tables of a simulation."""
    make_report = REPORT_BY_PLAY.get(result.play, make_seats_report)
    return _add_answers(result, make_report(result, full))


def _add_answers(result: SimulationResult, report: Report) -> Report:
    """Return the report with the sentences of the answer."""
    return replace(report, answers=tuple(simulation_answers(result)))


def simulation_page(result: SimulationResult, tool: Program) -> Page:
    """Return the page of a simulation that `tool` played."""
    if result.play == "duel":
        report = _add_answers(result, list_duel_facts(result))
        sections = list(duel_sections(result))
    else:
        report = simulation_report(result, full=True)
        sections = list(table_sections(result, report))
    answers = list(report.answers)
    meta = find_meta(result)
    if meta is not None:
        answers += list_meta_answers(meta)
        # The meta follows the standings and the players.
        sections.insert(2, make_mix_section(meta))
    sections += ending_sections(result)
    return page_with(
        _make_title(result), result, report, tool, sections, answers=answers
    )


def _make_title(result: SimulationResult) -> str:
    """Return the title of the page."""
    if len(result.tables) == 1:
        return " against ".join(result.tables[0].entrants)
    if result.play == "match":
        return f"{plural(len(result.lineups), 'lineup')}, each pair in matches"
    if result.play == "duel":
        seating = "against a field" if result.challengers else "all against all"
        return f"{plural(len(result.decks), 'deck')}, {seating}"
    return f"{plural(len(result.tables), 'table')} of {result.format}"


PAIR_OUTPUTS = ("standings", "matrix")
"""Outputs of decks, or lineups, that met two at a time."""


def refuse_tables(outputs: Iterable[str]) -> None:
    """Raise UsageError for the first of `outputs` that needs meetings of two."""
    for name in outputs:
        if name in PAIR_OUTPUTS:
            raise UsageError(
                f"No two meet alone here, so there is no {quote(name)}",
                "`csv` has the numbers of all tables",
            )


def _list_meetings(result: SimulationResult, output: str) -> Sequence[Meeting]:
    """Return the meetings of decks, or else the matches of lineups.

    Lineups have meetings of decks as well if their chances were measured.
    """
    meetings = result.matchups or result.matches
    if not meetings:
        refuse_tables([output])
    return meetings


def _write_standings(result: SimulationResult) -> str:
    """Return the standings of decks, or else of lineups, as CSV."""
    ranking = result.standings()
    if not ranking:
        names = [lineup.name for lineup in result.lineups]
        ranking = rank_entrants(names, _list_meetings(result, "standings"))
    return csv_table([standing.row for standing in ranking])


def _write_matrix(result: SimulationResult) -> str:
    """Return the win rates of decks, or lineups, against each other as CSV."""
    meetings = _list_meetings(result, "matrix")
    names = [deck.name for deck in result.decks]
    if not result.matchups:
        names = [lineup.name for lineup in result.lineups]
    rates = make_rate_matrix(names, meetings)
    # As pandas writes a frame: its index below an empty name.
    rows = [{"": name, **row} for name, row in zip(names, rates, strict=True)]
    return csv_table(rows)


SIMULATION = Presentation(
    simulation_report,
    simulation_page,
    extra_outputs=(
        ("standings", _write_standings),
        ("matrix", _write_matrix),
    ),
    full=partial(simulation_report, full=True),
)


# The outputs of a plan: the outputs of its simulations, one below the other

SCHEMA_VERSION = 1
"""The version of the document of a plan."""
NamedResults: TypeAlias = Sequence[tuple[str, SimulationResult]]
"""The results of a plan with the names of its experiments, in their order."""


def plan_writers(*, full: bool = False) -> Writers:
    """Return every output of a plan by its name, see `Presentation.writers`."""
    return text_writers(report_names(), partial(_plan_text, full=full), plan_rows)


def plan_page(results: NamedResults) -> Page:
    """Return the page of all experiments, one after the other."""
    here = Program.here()
    pages = [(name, simulation_page(result, here)) for name, result in results]
    return make_plan_page(pages, sum(result.games_played for _, result in results))


def _plan_text(results: NamedResults, output: str, width: int, *, full: bool) -> str:
    """Return an output of a plan by its name, for example `markdown`."""
    if output == "json":
        played = [{"name": name, "result": r.to_dict()} for name, r in results]
        return json_text({**document_head(SCHEMA_VERSION), "experiments": played})
    if output == "csv":
        return csv_table(plan_rows(results))
    if output == PAGE_OUTPUT:
        return render_page(plan_page(results))
    parts = []
    for name, result in results:
        title = printable(name)
        head = f"{title}\n{'=' * terminal.width(title)}"
        if output == "markdown":
            head = f"## {plain(name)}"
        report = SIMULATION.text(result, output, width, full=full)
        parts.append(f"{head}\n\n{report}")
    return "\n".join(parts)


def plan_rows(results: NamedResults) -> list[Row]:
    """Return the tidy rows of all experiments in the same columns, with their names."""
    rows = []
    for name, result in results:
        for row in result.to_rows():
            rows.append({**row, "experiment": name})
    return whole(rows)
