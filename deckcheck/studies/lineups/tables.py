"""Tables of a lineup to bring."""

from __future__ import annotations

from deckcheck.findings.words import quote
from deckcheck.policies.host.registry import policy_label
from deckcheck.report.html.page import page_of_tables
from deckcheck.report.outputs import Presentation
from deckcheck.report.sections import Report, policies_of, run_facts, warnings_of
from deckcheck.report.tables import Cell, Column, Table, words
from deckcheck.report.units import IN_PERCENT, count
from deckcheck.studies.lineups.result import LineupsResult


def lineups_report(result: LineupsResult) -> Report:
    """Return the tables of `result`, its answer first."""
    policies = policies_of([deck.policy for deck in result.decks])
    games = (
        f"{count(result.games_played)}: {count(result.pair_games)} of every two decks, "
        f"then {count(result.games)} matches of every two lineups"
    )
    facts = [*run_facts(result, policies, games)]
    decks, lineups = count(result.pool), count(result.legal)
    facts.insert(2, ("lineups", f"{lineups} legal ones of {decks} decks"))
    tables = (
        *(_lineups(result), _opponents(result)),
        *(_openings(result), _meetings(result)),
    )
    return Report(
        tuple(table for table in tables if table.rows),
        (*warnings_of(result), *_lonely(result)),
        tuple(facts),
        (f"{result.answer}.",),
        f"Which lineup to bring to {result.format}?",
    )


def _lonely(result: LineupsResult) -> tuple[str, ...]:
    """Which decks cannot be brought with others."""
    return tuple(
        f"{quote(name)} is in no legal lineup of these decks; most often: {reason}"
        for name, reason in result.lonely
    )


def _lineups(result: LineupsResult) -> Table:
    columns = [
        Column("lineup"),
        Column("promised", IN_PERCENT),
        Column("wins", IN_PERCENT, "95 % interval"),
    ]
    rows: list[tuple[Cell, ...]] = [
        (lineup.name, lineup.promised, lineup.fresh) for lineup in result.lineups
    ]
    if not result.field:
        columns.insert(1, Column("bring", IN_PERCENT, "95 %"))
        shares = [lineup.share for lineup in result.lineups]
        rows = [(row[0], s, *row[1:]) for row, s in zip(rows, shares, strict=True)]
    if result.confirm is not None:
        columns.append(
            Column(policy_label(result.confirm), IN_PERCENT, "95 % interval")
        )
        again = [lineup.confirmed for lineup in result.lineups]
        rows = [(*row, rate) for row, rate in zip(rows, again, strict=True)]
    return Table(
        "The lineups that did best in the first games",
        tuple(columns),
        tuple(rows),
        note=_note(result),
        whole=True,
    )


def _note(result: LineupsResult) -> str:
    """What the figures of the lineups are."""
    chosen = "promised: by the games that chose the lineups; wins: in fresh matches"
    if result.field:
        return (
            f"match win rates in % against the field; {chosen}, both sides choosing "
            "decks by the first games. The first interval holds by itself, the others "
            "hold together"
        )
    return (
        "bring: how often, in %, and how that varies if all games are drawn again; "
        f"match win rates in % against the mix; {chosen}, both sides choosing decks by "
        "the first games. The intervals of the wins hold together"
    )


def _opponents(result: LineupsResult) -> Table:
    columns = (Column("opponent"), Column("wins", IN_PERCENT, "95 % interval"))
    title = "The first of these lineups against each opponent"
    note = "in % of the fresh matches; the intervals hold together"
    return Table(title, columns, result.opponents, note=note)


def _openings(result: LineupsResult) -> Table:
    """Which deck to choose for game 1."""
    rows: list[tuple[Cell, ...]] = []
    for opening in result.openings:
        rows.append((opening.opponent, "you choose first", opening.first))
        rows += [
            (opening.opponent, f"after {theirs}", own)
            for theirs, own in opening.replies
        ]
    return Table(
        "Which deck to choose for game 1",
        words("opponent", "if", "choose"),
        tuple(rows),
        note="after: the opponent has chosen this deck first",
        even=None,
    )


def _meetings(result: LineupsResult) -> Table:
    """Which decks the choices lead to: those to tune a deck against."""
    columns = (*words("deck", "met"), Column("in", IN_PERCENT))
    rows = tuple(
        (meeting.deck, meeting.opponent, meeting.share) for meeting in result.meetings
    )
    return Table(
        "How often the decks of the first lineup met those of the field",
        columns,
        rows,
        note="in % of all games of its fresh matches",
        even=None,
    )


LINEUPS = Presentation[LineupsResult](
    lambda result, _all_matchups: lineups_report(result),
    lambda result, tool: page_of_tables(result, lineups_report(result), tool),
    (("decks", lambda result: result.text),),
)
