"""Tables of a balanced field."""

from __future__ import annotations

from deckcheck.findings.words import plural, quote
from deckcheck.report.html.page import page_of_tables
from deckcheck.report.outputs import Presentation
from deckcheck.report.sections import Report, policies_of, run_facts, warnings_of
from deckcheck.report.tables import Column, Table, numbers, words
from deckcheck.report.units import COUNT, IN_PERCENT, PERCENT, POINTS, UNKNOWN, count
from deckcheck.studies.balance.result import BalanceResult, Outcome
from deckcheck.studies.balance.targets import Verdict

SHOWN = 4
"""How many sets of changes are shown."""


def balance_report(result: BalanceResult) -> Report:
    """Return the tables of `result`, its answer first."""
    policies = policies_of([deck.policy for deck in result.decks])
    shown_games = f"{count(result.games)} of every two decks for the win rates"
    games = f"{count(result.games_played)} in mirrored pairs, {shown_games}"
    facts = [*run_facts(result, policies, games)]
    facts.insert(3, ("bounds", result.bounds))
    tried = f"{plural(result.tried, 'set')} of changes, of {result.offered} cards"
    facts.insert(4, ("tried", tried))
    tables = [_changes(result)] if result.balanced else []
    tables += [_choices(result)]
    tables += [_outcomes(result, "deck"), _outcomes(result, "faction")]
    tables += [_confirmed(result), _cards(result)]
    return Report(
        tuple(table for table in tables if table.rows),
        warnings_of(result),
        tuple(facts),
        (f"{result.answer}.",),
        f"Which cards of {result.format} should change?",
    )


def _changes(result: BalanceResult) -> Table:
    rows = tuple(
        (
            *(change.was.name, key, str(getattr(change.was, key)), str(new)),
            result.chosen(change.was.id),
        )
        for change in result.balanced
        for key, new in change.fields.items()
    )
    note = (
        "chosen: in how many of 100 cases the card is changed if the games of the "
        "search are drawn again"
    )
    columns = (
        *words("card", "what"),
        *numbers(COUNT, "now", "new"),
        Column("chosen", PERCENT),
    )
    return Table("What to change", columns, rows, note=note)


def _choices(result: BalanceResult) -> Table:
    """The sets of changes that would be chosen most often."""
    rows = tuple((choice.in_words, choice.share) for choice in result.choices[:SHOWN])
    title = "What would be changed if the games of the search are drawn again"
    shown = rows if len(result.choices) > 1 else ()
    return Table(title, (Column("changes"), Column("chosen", PERCENT)), shown)


def _outcomes(result: BalanceResult, kind: str) -> Table:
    outcomes = [outcome for outcome in result.outcomes if outcome.kind == kind]
    rows = tuple(
        (
            outcome.name,
            *(outcome.before.value, outcome.after),
            _target(outcome),
            _word(outcome.verdict),
        )
        for outcome in outcomes
    )
    title = f"Win rate in % of each {kind}, before the changes and after"
    note = (
        "on games of their own; the intervals hold together with a chance of 95 %. A "
        + (
            "deck meets all others"
            if kind == "deck"
            else "faction's decks meet those of all others"
        )
    )
    columns = (
        Column(kind),
        Column("before", IN_PERCENT),
        Column("after", IN_PERCENT, "interval"),
        Column("target", IN_PERCENT),
        Column("verdict"),
    )
    return Table(title, columns, rows, note=note, before="before")


def _confirmed(result: BalanceResult) -> Table:
    """What another player came to after the changes."""
    rows = tuple(
        (
            outcome.name,
            outcome.confirmed.after,
            _target(outcome),
            _word(outcome.confirmed.verdict),
        )
        for outcome in result.outcomes
        if outcome.confirmed is not None
    )
    title = f"Win rate in % after the changes, played by {quote(str(result.confirm))}"
    columns = (
        Column("deck or faction"),
        Column("after", IN_PERCENT, "interval"),
        Column("target", IN_PERCENT),
        Column("verdict"),
    )
    return Table(title, columns, rows)


def _word(verdict: Verdict | None) -> str:
    return UNKNOWN if verdict is None else verdict.value


def _target(outcome: Outcome) -> str:
    if outcome.target is None:
        return UNKNOWN
    low, high = (f"{100 * end:g}" for end in outcome.target)
    return f"{low} to {high}" if outcome.target[0] else f"up to {high}"


def _cards(result: BalanceResult) -> Table:
    rows = tuple(
        (
            *(card.name, card.kind, card.use),
            *(card.worth.value, card.above),
        )
        for card in result.cards
    )
    columns = (
        *words("card", "kind"),
        Column("use", PERCENT),
        Column("worth", POINTS),
        Column("above peers", POINTS, "95 % interval"),
    )
    note = (
        "use: the part of the field that holds it; worth: points by which a deck is "
        "better with one copy than with an average card (caused); above peers: than "
        "the other cards of its kind in the field. The order is that of first trials, "
        "the figures are from other games"
    )
    title = "Cards farthest above and below their peers, with the cards as they are"
    return Table(title, columns, rows, ranked=True, note=note)


BALANCE = Presentation[BalanceResult](
    lambda result, _all_matchups: balance_report(result),
    lambda result, tool: page_of_tables(result, balance_report(result), tool),
    (("set", lambda result: result.set_text()),),
)
