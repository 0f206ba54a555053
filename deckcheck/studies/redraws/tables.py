"""Tables of the cards of the dealt hand to send back."""

from __future__ import annotations

from deckcheck.policies.host.registry import policy_label
from deckcheck.report.html.page import page_of_tables
from deckcheck.report.outputs import Presentation
from deckcheck.report.sections import (
    Report,
    policies_of,
    run_facts,
    shares_fact,
    warnings_of,
)
from deckcheck.report.tables import Cell, Column, Table, numbers
from deckcheck.report.units import COUNT, IN_PERCENT, POINTS, count
from deckcheck.studies.redraws.result import RedrawsResult
from deckcheck.studies.redraws.trial import Redraw

GAIN = Column("points", POINTS, "95 % interval")


def redraws_report(result: RedrawsResult) -> Report:
    """Return the tables of `result`, its answer first."""
    policies = policies_of([deck.policy for deck in result.decks])
    games = (
        f"{count(result.games_played)}, with {count(result.games)} hands dealt in "
        "mirrored pairs in the first trial"
    )
    facts = [*run_facts(result, policies, games)]
    facts[3:3] = [("hand", ", ".join(result.hand))] if result.hand else []
    facts[3:3] = shares_fact(result.shares)
    tables = (_gains(result), _fresh(result))
    return Report(
        tuple(table for table in tables if table.rows),
        warnings_of(result),
        tuple(facts),
        (f"{result.answer}.",),
        f"{result.deck}: which cards to send back",
    )


def _gains(result: RedrawsResult) -> Table:
    """What sending back each card gains, in the games of the first trial."""
    columns = (
        Column("card"),
        GAIN,
        *numbers(IN_PERCENT, "kept", "sent back", "by player"),
        Column("games", COUNT),
    )
    rows = [_row(card.name, card.figures) for card in result.ranked]
    if result.hand:
        rows.append(_row("as the player likes", result.own))
        title = f"{result.deck}: this hand, with a card sent back first"
        against = "the whole hand is kept"
    else:
        title = f"{result.deck}: each card of the dealt hand, kept or sent back first"
        against = "the card is kept and others may be redrawn"
    note = (
        f"points: how much more often the deck wins than if {against}, in the same "
        "games; the intervals hold together. Further redraws are the player's own "
        "choice. kept, sent back: win rates in %; by player: how often in % the player "
        "sends it back unasked; games: those that dealt it"
    )
    return Table(title, columns, tuple(rows), note=note, even=0.0)


def _row(name: str, figures: Redraw) -> tuple[Cell, ...]:
    rates = figures.kept.value, figures.sent.value, figures.share
    return (name, figures.gain, *rates, figures.games)


def _fresh(result: RedrawsResult) -> Table:
    """The best cards to send back in games that did not choose them."""
    players = [f"by {policy_label(part.policy)}" for part in result.fresh]
    names = {card.figures.card: card.name for card in result.cards}
    ids = [r.card for part in result.fresh[:1] for r in part.redraws if r.card in names]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (names[id], *(part.gain(id) for part in result.fresh)) for id in ids
    )
    columns = (
        Column("card"),
        *(Column(player, POINTS, "95 % interval") for player in players),
    )
    title = "Points gained by sending them back, in fresh games"
    note = (
        "the cards were chosen in the first trial, so that these figures are not those "
        "of the luckiest; the intervals of a player hold together"
    )
    return Table(title, columns, rows, note=note, even=0.0)


REDRAWS = Presentation[RedrawsResult](
    lambda result, _all_matchups: redraws_report(result),
    lambda result, tool: page_of_tables(result, redraws_report(result), tool),
)
