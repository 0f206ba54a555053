"""Tables of a mix of decks to bring."""

from __future__ import annotations

from deckcheck.policies.host.registry import policy_label
from deckcheck.report.html.page import page_of_tables
from deckcheck.report.outputs import Presentation
from deckcheck.report.sections import (
    Report,
    Table,
    count,
    plain_percent,
    policies_of,
    ranged,
    run_facts,
    warnings_of,
)
from deckcheck.studies.differences import points, spread
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
    )


def _searched(result: SolveResult) -> str:
    of = ", ".join(result.factions) if result.factions else "all factions"
    games_each = f"at most {count(result.search_games)} games each"
    decks = f"{count(result.decks_searched)} decks"
    return f"{decks} of {of}, in {result.searches} searches with {games_each}"


def _mix(result: SolveResult) -> Table:
    rows = tuple(
        (
            deck.name,
            deck.leader or deck.faction or "-",
            plain_percent(deck.share.value),
            ranged(deck.share.interval),
            plain_percent(deck.payoff),
        )
        for deck in result.field
    )
    note = (
        "bring: how often, in %, and how that varies if all games are drawn again; "
        "wins: the win rate in % against the mix, in the games it was found by"
    )
    columns = ("deck", "leader", "bring", "95 %", "wins")
    return Table("What to bring", columns, rows, note=note)


def _answers(result: SolveResult) -> Table:
    """What might gain against the mix, and what it gained in fresh games."""
    confirmed = result.confirm is not None
    rows = tuple(
        (
            answer.entrant.name,
            points(answer.hoped, sign=True),
            points(answer.gain.value, sign=True),
            spread(answer.gain.interval),
            *(
                (
                    points(answer.confirmed.value, sign=True),
                    spread(answer.confirmed.interval),
                )
                if answer.confirmed
                else ("-", "-")
                if confirmed
                else ()
            ),
        )
        for answer in result.answers
    )
    columns: tuple[str, ...] = ("deck", "hoped", "gain", "95 % interval")
    if confirmed:
        columns += (policy_label(str(result.confirm)), "95 % interval")
    note = (
        "points more than half against the mix: hoped for in the games by which the "
        "deck was chosen, and gained in fresh ones, whose intervals hold together with "
        "a chance of 95 %. A search finds no proof: decks that it did not try may gain "
        "more"
    )
    title = "What decks that were found gain against the mix, its own among them"
    return Table(title, columns, rows, note=note)


def _rounds(result: SolveResult) -> Table:
    rows = tuple(
        (
            round_played.answer.entrant.name,
            count(round_played.decks),
            count(round_played.mixed),
            points(round_played.answer.gain.value, sign=True),
            spread(round_played.answer.gain.interval),
            "yes" if round_played.joined else "no",
        )
        for round_played in result.rounds
    )
    columns = ("answer", "decks", "in the mix", "gain", "95 % interval", "joined")
    title = "How it came to this: the answers of all searches, and what they gained"
    note = "gain: in the first games, against the mix of that time; each by itself"
    return Table(title, columns, rows, note=note)


def _opponents(result: SolveResult) -> Table:
    rows = [
        (name, plain_percent(rate.value), ranged(rate.interval))
        for name, rate in result.opponents
    ]
    if result.against is not None:
        all_of_them = plain_percent(result.against.value)
        rows.append(("all alike", all_of_them, ranged(result.against.interval)))
    columns = ("deck", "win rate", "95 % interval")
    return Table("Win rate in % of the mix against others", columns, tuple(rows))


def _cards(result: SolveResult) -> Table:
    """How many copies of each card the decks of the mix hold."""
    held = [dict(deck.cards) for deck in result.field]
    every = dict.fromkeys(card for cards in held for card in cards)
    rows = tuple(
        (card, *(str(cards[card]) if card in cards else "-" for cards in held))
        for card in every
    )
    columns = ("card", *(deck.name for deck in result.field))
    return Table("The decks of the mix", columns, rows, matrix=True)


SOLUTION = Presentation[SolveResult](
    lambda result, _all_matchups: solution_report(result),
    lambda result, tool: page_of_tables(result, solution_report(result), tool),
    (("decks", lambda result: result.text),),
)
