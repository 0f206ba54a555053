"""Tables of the cards of a deck and their worth."""

from __future__ import annotations

from deckcheck.report.sections import (
    Report,
    policies_of,
    run_facts,
    shares_fact,
    warnings_of,
)
from deckcheck.report.tables import Cell, Column, Table, numbers, words
from deckcheck.report.units import COUNT, IN_PERCENT, POINTS, UNKNOWN, count, points
from deckcheck.studies.impact.observed import WAYS, Observed
from deckcheck.studies.impact.result import ImpactResult

WORTH = Column("points", POINTS, "95 % interval")


def impact_report(result: ImpactResult) -> Report:
    """Return the tables of `result`, its answer first."""
    policies = policies_of([deck.policy for deck in result.decks])
    shown_games = f"{count(result.games)} of each version in the second trial"
    games = f"{count(result.games_played)} in mirrored pairs, {shown_games}"
    facts = [*run_facts(result, policies, games)]
    facts.insert(3, ("average", ", ".join(result.average)))
    facts[4:4] = shares_fact(result.shares)
    observed = (_opening(result), _beside(result)) if result.observed else ()
    tables = (
        *(_worths(result), opponents_table(result), _alternatives(result)),
        *observed,
    )
    return Report(
        tuple(table for table in tables if table.rows),
        warnings_of(result),
        tuple(facts),
        (f"{result.answer}.",),
    )


def _worths(result: ImpactResult) -> Table:
    rows = tuple((card.name, card.worth) for card in result.ranked)
    title = f"{result.deck}: what one copy of each card is worth (caused)"
    note = (
        "points: how much better the deck is with the card than with an average one, "
        "in the same games. The order is that of the first trial, the figures are from "
        "other games"
    )
    return Table(title, (Column("card"), WORTH), rows, ranked=True, note=note)


def opponents_table(result: ImpactResult) -> Table:
    """For which opponent each card is there; one opponent needs no table."""
    rows = tuple(
        (card.name, result.opponents[card.most], card.against[card.most])
        for card in result.ranked
        if len(result.opponents) > 1
    )
    title = "For whom each card is there, by the first trial, and its worth there"
    return Table(title, (*words("card", "opponent"), WORTH), rows)


def _opening(result: ImpactResult) -> Table:
    """How games went that began with a card in hand."""
    rows = []
    for card in result.ranked:
        seen = result.seen(card.id)[0]
        sure = "yes" if seen.is_sure else "no"
        rows.append((card.name, seen.games, seen.win_rate, seen.difference, sure))
    columns = (
        Column("card"),
        Column("games", COUNT),
        Column("win rate", IN_PERCENT),
        WORTH,
        Column("sure"),
    )
    title = "Observed: games with the card in the opening hand, after redraws"
    note = (
        "points: the difference to games without it; sure: of all cards and ways that "
        "are, at most 5 % are expected to be chance (Benjamini-Hochberg). Observed "
        "figures are no causes: a player keeps some hands and redraws others"
    )
    return Table(title, columns, tuple(rows), note=note)


def _beside(result: ImpactResult) -> Table:
    """The caused worth next to what was observed."""
    rows: list[tuple[Cell, ...]] = []
    for card in result.ranked:
        observed = (marked(figure, " ") for figure in result.seen(card.id))
        rows.append((card.name, card.worth.value, *observed))
    note = (
        "points, observed ones as differences to all other games; *: sure; drawn: "
        "later than the opening hand. A player who plays a card late, or still holds "
        "it, had other reasons to win or lose: only `caused` tells what to cut"
    )
    title = "Caused and observed side by side"
    columns = (Column("card"), *numbers(POINTS, "caused", *WAYS))
    return Table(title, columns, tuple(rows), note=note)


def marked(seen: Observed, unsure: str = "") -> str:
    """An observed difference in points, with a star where it is sure."""
    if seen.difference is None:
        return UNKNOWN
    return points(seen.difference.value) + ("*" if seen.is_sure else unsure)


def _alternatives(result: ImpactResult) -> Table:
    rows = tuple(
        (card.name, card.better[0].name, card.better[0].gain)
        for card in reversed(result.ranked)
        if card.better
    )
    title = (
        "The best card for each, by the first trial, and what it gains in the second"
    )
    return Table(title, (*words("out", "in"), WORTH), rows)
