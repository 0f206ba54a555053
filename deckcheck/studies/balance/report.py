"""The report of `balance`: the tables of a balanced field."""

from __future__ import annotations

from deckcheck.messages import plural, quote
from deckcheck.report.outputs import Presentation
from deckcheck.report.tables import (
    COUNT,
    IN_PERCENT,
    PERCENT,
    POINTS,
    UNKNOWN_CELL,
    Column,
    Report,
    ReportTable,
    count,
    numbers,
    study_report,
    words,
)
from deckcheck.studies.balance.result import BalanceResult, TargetDocument
from deckcheck.studies.balance.targets import Kind, TargetVerdict

MAX_SHOWN_CHOICES = 4
"""The most sets of changes that are shown."""


def make_balance_report(result: BalanceResult) -> Report:
    """Return the tables of `result`, its answer first."""
    games = (
        f"{count(result.games_played)} in game pairs, {count(result.games)} of each "
        "pair of decks for the win rates"
    )
    tried = f"{plural(result.tried, 'set')} of changes, of {result.offered} cards"
    tables = (
        _tabulate_changes(result),
        _tabulate_choices(result),
        _tabulate_outcomes(result, "deck"),
        _tabulate_outcomes(result, "faction"),
        _tabulate_cross_check(result),
        _tabulate_cards(result),
    )
    facts = [("bounds", result.bounds), ("tried", tried)]
    title = f"Which cards of {result.format} should change?"
    return study_report(result, games, tables, facts, title=title)


def _tabulate_changes(result: BalanceResult) -> ReportTable:
    """Return the recommended changes."""
    rows = []
    for change in result.balanced:
        share = result.measure_choice(change.was.id)
        for key, new in change.fields.items():
            old = getattr(change.was, key)
            rows.append((change.was.name, key, str(old), str(new), share))
    note = (
        "chosen: in how many of 100 cases the card is changed if the games of the "
        "search are drawn again"
    )
    columns = (
        *words("card", "what"),
        *numbers(COUNT, "now", "new"),
        Column("chosen", PERCENT),
    )
    return ReportTable("What to change", columns, tuple(rows), note=note)


def _tabulate_choices(result: BalanceResult) -> ReportTable:
    """Return the sets of changes that would be chosen most often."""
    choices = result.choices[:MAX_SHOWN_CHOICES]
    if len(choices) == 1:
        # All resamples agree.
        choices = ()
    rows = tuple((choice.in_words, choice.share) for choice in choices)
    title = "What would be changed if the games of the search are drawn again"
    return ReportTable(title, (Column("changes"), Column("chosen", PERCENT)), rows)


def _tabulate_outcomes(result: BalanceResult, kind: Kind) -> ReportTable:
    """Return the targets of decks, or of factions."""
    rows = []
    for outcome in result.outcomes:
        if outcome.kind == kind:
            target = _format_target(outcome)
            verdict = _format_verdict(outcome.verdict)
            rows.append(
                (outcome.name, outcome.before.value, outcome.after, target, verdict)
            )
    title = f"Win rate in % of each {kind}, before the changes and after"
    opponents = "A faction's decks meet those of all others"
    if kind == "deck":
        opponents = "A deck meets all others"
    source = "on games of their own"
    if not result.complete:
        source = "on the games so far, among them those that chose the changes"
    note = f"{source}; simultaneous 95% intervals. {opponents}"
    columns = (
        Column(kind),
        Column("before", IN_PERCENT),
        Column("after", IN_PERCENT, "interval"),
        Column("target", IN_PERCENT),
        Column("verdict"),
    )
    return ReportTable(title, columns, tuple(rows), note=note, before="before")


def _tabulate_cross_check(result: BalanceResult) -> ReportTable:
    """Return the targets after the changes, with the second bot."""
    rows = []
    for outcome in result.outcomes:
        if outcome.cross_checked is not None:
            target = _format_target(outcome)
            verdict = _format_verdict(outcome.cross_checked_verdict)
            rows.append((outcome.name, outcome.cross_checked, target, verdict))
    title = (
        f"Win rate in % after the changes, played by {quote(str(result.cross_check))}"
    )
    columns = (
        Column("deck or faction"),
        Column("after", IN_PERCENT, "interval"),
        Column("target", IN_PERCENT),
        Column("verdict"),
    )
    return ReportTable(title, columns, tuple(rows))


def _format_verdict(verdict: TargetVerdict | None) -> str:
    """Return a verdict, or `-` without a target."""
    return UNKNOWN_CELL if verdict is None else verdict.value


def _format_target(outcome: TargetDocument) -> str:
    """Return a target in %: `45 to 55`, `up to 60`, or `-` without a target."""
    if outcome.target is None:
        return UNKNOWN_CELL
    low, high = outcome.target
    if not low:
        return f"up to {100 * high:g}"
    return f"{100 * low:g} to {100 * high:g}"


def _tabulate_cards(result: BalanceResult) -> ReportTable:
    """Return the cards farthest from their peers."""
    rows = []
    for card in result.cards:
        rows.append((card.name, card.kind, card.use, card.impact.value, card.above))
    columns = (
        *words("card", "kind"),
        Column("use", PERCENT),
        Column("impact", POINTS),
        Column("above peers", POINTS, "95% interval"),
    )
    note = (
        "use: the share of the field that holds it; impact: points by which a deck is "
        "better with one copy than with an average card (causal); above peers: than "
        "the other cards of its kind in the field. The order is that of first trials, "
        "the results are from other games"
    )
    title = "Cards farthest above and below their peers, with the cards as they are"
    return ReportTable(title, columns, tuple(rows), ranked=True, note=note)


BALANCE = Presentation[BalanceResult](
    make_balance_report, extra_outputs=(("set", lambda result: result.set_text()),)
)
