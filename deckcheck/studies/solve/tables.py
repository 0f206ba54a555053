"""Tables of a mix of decks to bring."""

from __future__ import annotations

from deckcheck.policies.host.registry import policy_label
from deckcheck.report.html.page import page_of_tables
from deckcheck.report.outputs import Presentation
from deckcheck.report.sections import Report, policies_of, run_facts, warnings_of
from deckcheck.report.tables import Cell, Column, Table, numbers, words
from deckcheck.report.units import COUNT, IN_PERCENT, POINTS, count
from deckcheck.studies.solve.result import SolveResult


def solution_report(result: SolveResult) -> Report:
    """Return the tables of `result`, its answer first."""
    policies = policies_of([deck.policy for deck in result.decks])
    games = f"{count(result.games_played)} in mirrored pairs, at least "
    games += f"{count(result.games)} of every two decks"
    facts = [*run_facts(result, policies, games)]
    facts.insert(3, ("searched", _searched(result)))
    tables = (
        *(_mix(result), _answers(result), _rounds(result)),
        *(_opponents(result), _cards(result)),
    )
    return Report(
        tuple(table for table in tables if table.rows),
        warnings_of(result),
        tuple(facts),
        (f"{result.answer}.",),
        f"What would a strong team bring in {result.format}?",
    )


def _searched(result: SolveResult) -> str:
    of = ", ".join(result.factions) if result.factions else "all factions"
    games_each = f"at most {count(result.search_games)} games each"
    decks = f"{count(result.decks_searched)} decks"
    return f"{decks} of {of}, in {result.searches} searches with {games_each}"


def _mix(result: SolveResult) -> Table:
    columns = (
        *words("deck", "leader"),
        Column("bring", IN_PERCENT, "95 %"),
        Column("wins", IN_PERCENT),
    )
    rows = tuple(
        (deck.name, deck.leader or deck.faction or None, deck.share, deck.payoff)
        for deck in result.field
    )
    note = (
        "bring: how often, in %, and how that varies if all games are drawn again; "
        "wins: the win rate in % against the mix, in the games it was found by"
    )
    return Table("What to bring", columns, rows, note=note, even=None)


def _answers(result: SolveResult) -> Table:
    """What might gain against the mix, and what it gained in fresh games."""
    columns = [
        Column("deck"),
        Column("hoped", POINTS),
        Column("gain", POINTS, "95 % interval"),
    ]
    rows: list[tuple[Cell, ...]] = [
        (answer.entrant.name, answer.hoped, answer.gain) for answer in result.answers
    ]
    if result.confirm is not None:
        label = policy_label(str(result.confirm))
        columns.append(Column(label, POINTS, "95 % interval"))
        confirmed = [answer.confirmed for answer in result.answers]
        rows = [(*row, gain) for row, gain in zip(rows, confirmed, strict=True)]
    note = (
        "points more than half against the mix: hoped for in the games by which the "
        "deck was chosen, and gained in fresh ones, whose intervals hold together with "
        "a chance of 95 %. A search finds no proof: decks that it did not try may gain "
        "more"
    )
    title = "What decks that were found gain against the mix, its own among them"
    return Table(title, tuple(columns), tuple(rows), note=note)


def _rounds(result: SolveResult) -> Table:
    columns = (
        Column("answer"),
        *numbers(COUNT, "decks", "in the mix"),
        Column("gain", POINTS, "95 % interval"),
        Column("joined"),
    )
    rows = tuple(
        (
            *(played.answer.entrant.name, played.decks, played.mixed),
            *(played.answer.gain, "yes" if played.joined else "no"),
        )
        for played in result.rounds
    )
    title = "How it came to this: the answers of all searches, and what they gained"
    note = "gain: in the first games, against the mix of that time; each by itself"
    return Table(title, columns, rows, note=note)


def _opponents(result: SolveResult) -> Table:
    columns = (Column("deck"), Column("win rate", IN_PERCENT, "95 % interval"))
    rows = [*result.opponents]
    if result.against is not None:
        rows.append(("all alike", result.against))
    return Table("Win rate in % of the mix against others", columns, tuple(rows))


def _cards(result: SolveResult) -> Table:
    """How many copies of each card the decks of the mix hold."""
    held = [dict(deck.cards) for deck in result.field]
    every = dict.fromkeys(card for cards in held for card in cards)
    rows = tuple((card, *(cards.get(card) for cards in held)) for card in every)
    columns = (Column("card"), *numbers(COUNT, *(deck.name for deck in result.field)))
    return Table("The decks of the mix", columns, rows, matrix=True)


SOLUTION = Presentation[SolveResult](
    lambda result, _all_matchups: solution_report(result),
    lambda result, tool: page_of_tables(result, solution_report(result), tool),
    (("decks", lambda result: result.text),),
)
