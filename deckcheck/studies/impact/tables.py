"""Tables of the cards of a deck and their worth."""

from __future__ import annotations

from deckcheck.report.sections import (
    Report,
    Table,
    count,
    plain_percent,
    policies_of,
    run_facts,
    warnings_of,
)
from deckcheck.studies.differences import points, spread
from deckcheck.studies.impact.observed import WAYS, Observed
from deckcheck.studies.impact.result import ImpactResult
from deckcheck.studies.impact.trial import Effect

COLUMNS = ("points", "95 % interval")


def impact_report(result: ImpactResult) -> Report:
    """Return the tables of `result`, its answer first."""
    policies = policies_of([deck.policy for deck in result.decks])
    shown_games = f"{count(result.games)} of each version in the second trial"
    games = f"{count(result.games_played)} in mirrored pairs, {shown_games}"
    facts = [*run_facts(result, policies, games)]
    facts.insert(3, ("average", ", ".join(result.average)))
    observed = (_opening(result), _beside(result)) if result.observed else ()
    tables = (
        *(_worths(result), _opponents(result), _alternatives(result)),
        *observed,
    )
    return Report(
        tuple(table for table in tables if table.rows),
        warnings_of(result),
        tuple(facts),
        (f"{result.answer}.",),
    )


def _worths(result: ImpactResult) -> Table:
    rows = tuple((card.name, *_told(card.worth)) for card in result.ranked)
    title = f"{result.deck}: what one copy of each card is worth (caused)"
    note = (
        "points: how much better the deck is with the card than with an average one, "
        "in the same games. The order is that of the first trial, the figures are from "
        "other games"
    )
    return Table(title, ("card", *COLUMNS), rows, ranked=True, note=note)


def _opponents(result: ImpactResult) -> Table:
    """For which opponent each card is there; one opponent needs no table."""
    rows = tuple(
        (card.name, result.opponents[card.most], *_told(card.against[card.most]))
        for card in result.ranked
        if len(result.opponents) > 1
    )
    title = "For whom each card is there, by the first trial, and its worth there"
    return Table(title, ("card", "opponent", *COLUMNS), rows)


def _told(effect: Effect) -> tuple[str, str]:
    return points(effect.value, sign=True), spread(effect.interval)


def _opening(result: ImpactResult) -> Table:
    """How games went that began with a card in hand."""
    rows = []
    for card in result.ranked:
        seen = result.seen(card.id)[0]
        ends = _told(seen.difference) if seen.difference else ("-", "-")
        sure = "yes" if seen.is_sure else "no"
        rate = plain_percent(seen.win_rate)
        rows.append((card.name, count(seen.games), rate, *ends, sure))
    columns = ("card", "games", "win rate", *COLUMNS, "sure")
    title = "Observed: games with the card in the opening hand, after redraws"
    note = (
        "points: the difference to games without it; sure: of all cards and ways that "
        "are, at most 5 % are expected to be chance (Benjamini-Hochberg). Observed "
        "figures are no causes: a player keeps some hands and redraws others"
    )
    return Table(title, columns, tuple(rows), note=note)


def _beside(result: ImpactResult) -> Table:
    """The caused worth next to what was observed."""
    rows = tuple(
        (
            card.name,
            points(card.worth.value, sign=True),
            *(_marked(figure) for figure in result.seen(card.id)),
        )
        for card in result.ranked
    )
    note = (
        "points, observed ones as differences to all other games; *: sure; drawn: "
        "later than the opening hand. A player who plays a card late, or still holds "
        "it, had other reasons to win or lose: only `caused` tells what to cut"
    )
    title = "Caused and observed side by side"
    return Table(title, ("card", "caused", *WAYS), rows, note=note)


def _marked(seen: Observed) -> str:
    if seen.difference is None:
        return "-"
    return points(seen.difference.value, sign=True) + ("*" if seen.is_sure else " ")


def _alternatives(result: ImpactResult) -> Table:
    rows = tuple(
        (
            card.name,
            card.better[0].name,
            *_told(card.better[0].gain),
        )
        for card in reversed(result.ranked)
        if card.better
    )
    title = (
        "The best card for each, by the first trial, and what it gains in the second"
    )
    return Table(title, ("out", "in", *COLUMNS), rows)
