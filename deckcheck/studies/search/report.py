"""The report of `tune` and `build`: the tables of a deck that a search found."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.messages import game_count
from deckcheck.policies.registry import policy_label
from deckcheck.report.outputs import Presentation
from deckcheck.report.tables import (
    COUNT,
    IN_PERCENT,
    PERCENT,
    POINTS,
    Cell,
    Column,
    Report,
    ReportTable,
    count,
    list_shares_fact,
    numbers,
    study_report,
)
from deckcheck.stats import Estimate, Verdict
from deckcheck.studies.duels import OpponentEntry, VersionDifference
from deckcheck.studies.search.result import FoundDeck
from deckcheck.studies.validation_games import ValidationGames


def make_found_report(result: FoundDeck) -> Report:
    """Return the tables of `result`, its answer first."""
    games = f"{count(result.games_played)} in game pairs"
    if result.validation is not None:
        fresh = count(result.validation.field.win_rates[-1].games)
        games += f", {fresh} fresh ones of each deck in the validation games"
    title = "What is the best deck against this field?"
    if result.base is not None:
        title = f"Can {result.base} be better?"
    return study_report(
        result, games, _list_tables(result), _list_facts(result), title=title
    )


def _list_facts(result: FoundDeck) -> Iterator[tuple[str, str]]:
    """Yield how the search and the cross-check were played, and the shares."""
    search, cross_checked = result.search, result.cross_checked
    searched = f"{count(search.decks)} decks in {game_count(search.games)}"
    if search.policy:
        searched += f" by {policy_label(search.policy)}"
    yield "searched", searched
    if cross_checked is not None:
        games = game_count(cross_checked.field.win_rates[-1].games)
        bot = policy_label(cross_checked.policy)
        yield "cross-check", f"by {bot} in {games} of each deck"
    yield from list_shares_fact(result.shares)


def _list_tables(result: FoundDeck) -> Iterator[ReportTable]:
    """Yield the tables: for a built deck its cards first, else the changes."""
    if result.base is None:
        yield tabulate_cards(result)
    if result.path:
        yield tabulate_steps(result)
    elif result.base is not None and result.swaps:
        yield tabulate_swaps(result)
    if result.validation is not None:
        yield tabulate_opponents(result, result.validation)
    if result.base is not None and result.is_new:
        yield tabulate_cards(result)


def tabulate_steps(result: FoundDeck) -> ReportTable:
    """Return the changes in their order, and the gain from each."""
    columns = [Column("change")]
    for validation in result.validations:
        bot = f"by {policy_label(validation.policy)}"
        columns.append(Column(bot, POINTS, "95% interval"))
    if result.harmful_steps:
        columns.append(Column("verdict"))
    rows = []
    for index, step in enumerate(result.path):
        row: list[Cell] = [step.description]
        for validation in result.validations:
            row.append(validation.gains[index].step)
        if result.harmful_steps:
            row.append(result.verdicts[index].value)
        rows.append(tuple(row))
    title = f"{result.base}: changes that were tried, in this order"
    note = None
    if result.validations:
        note = (
            "points that a change gains after those above it, in fresh games; each bot "
            "has simultaneous 95% intervals"
        )
        if result.claims[0].verdict is Verdict.BETTER:
            title = f"{result.base}: what to change, in this order"
            note += ". With only some of the cards at hand, begin at the top"
    return ReportTable(
        title,
        tuple(columns),
        tuple(rows),
        ranked=True,
        note=note,
        whole=True,
        uncut=True,
    )


def tabulate_swaps(result: FoundDeck) -> ReportTable:
    """Return the cards that go and come, while their order is unknown."""
    return ReportTable(
        f"{result.base}: what to change",
        (Column("card"), Column("copies", COUNT)),
        tuple((card.name, card.copies) for card in result.swaps),
        note="copies that go, with a minus, and that come; the validation games will "
        "order them",
    )


def tabulate_opponents(result: FoundDeck, validation: ValidationGames) -> ReportTable:
    """Return the fresh games by opponent: win rates, and gains if there is a base."""
    entries = [validation.field]
    if len(validation.opponents) > 1:
        entries += sorted(
            validation.opponents,
            key=lambda entry: _get_result(entry).value,
            reverse=True,
        )
    cross_checked = {}
    heads = ["win rate" if result.base is None else "points"]
    if result.cross_checked is not None:
        heads.append(policy_label(result.cross_checked.policy))
        for entry in (result.cross_checked.field, *result.cross_checked.opponents):
            cross_checked[entry.name] = entry
    rows = []
    for entry in entries:
        rows.append(_list_figures(entry, cross_checked.get(entry.name)))
    columns = [Column("")]
    if result.base is None:
        columns += [Column(head, PERCENT, "95% interval") for head in heads]
        title = f"{result.deck}: win rate in fresh games"
        return ReportTable(title, tuple(columns), tuple(rows))
    columns += numbers(IN_PERCENT, "old", "new")
    columns += [Column(head, POINTS, "95% interval") for head in heads]
    note = (
        "old and new: win rates in %; points: what the new deck has more; the "
        "first interval is an individual 95% interval, those against one opponent each "
        "are simultaneous"
    )
    title = f"Old: {result.base}; new: {result.deck}, in fresh games"
    return ReportTable(title, tuple(columns), tuple(rows), note=note)


def _list_figures(
    entry: OpponentEntry, cross_checked: OpponentEntry | None
) -> tuple[Cell, ...]:
    """Return the row of one opponent, with the result of the second bot."""
    row: list[Cell] = [entry.name or "all opponents"]
    if entry.differences:
        old, new = entry.win_rates
        row += [old.value, new.value]
    row.append(_get_result(entry))
    if cross_checked is not None:
        row.append(_get_result(cross_checked))
    return tuple(row)


def _get_result(entry: OpponentEntry) -> Estimate | VersionDifference:
    """Return the gain against an opponent, or without a base the win rate."""
    if entry.differences:
        return entry.differences[0]
    return entry.win_rates[-1]


def tabulate_cards(result: FoundDeck) -> ReportTable:
    """Return the cards of the deck with their copies."""
    title = result.deck
    if result.leader:
        title = f"{result.deck}, {result.leader}"
    columns = (Column("card"), Column("copies", COUNT))
    rows = tuple((card.name, card.copies) for card in result.cards)
    return ReportTable(title, columns, rows)


DECK_SEARCH = Presentation[FoundDeck](
    make_found_report, extra_outputs=(("deck", lambda result: result.text),)
)
