"""Tables of how a deck loses."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.report.html.page import page_of_tables
from deckcheck.report.outputs import Presentation
from deckcheck.report.sections import Report, policies_of, run_facts, warnings_of
from deckcheck.report.tables import Cell, Column, Table, words
from deckcheck.report.units import COUNT, PERCENT, POINTS, count
from deckcheck.studies.losses.result import Contrast, Losses

MOST_CARDS = 15
CONTRAST = (
    Column("in losses", PERCENT),
    Column("in wins", PERCENT),
    Column("points", POINTS, "interval"),
)


def losses_report(result: Losses, whole: bool) -> Report:
    """Return the tables of `result`, its answer first; all cards if it is `whole`."""
    tables = [_kinds(result)] if result.kinds else []
    tables += [_signs(result)] if result.signs else []
    tables += [_cards(result, whole)] if result.cards else []
    tables += [_examples(result)] if result.examples else []
    games = f"{count(result.sample)} of {count(result.games_played)} played again"
    policies = policies_of([deck.policy for deck in result.decks])
    answers = [f"{result.answer}."]
    if result.margins is not None:
        low, middle, high = result.margins
        answers.append(
            f"Half of the losses ended {low} to {high} of strength short on the board, "
            f"the median {middle}."
        )
    return Report(
        tuple(tables),
        warnings_of(result),
        run_facts(result, policies, games),
        tuple(answers),
        f"How does {result.deck} lose?",
    )


def _kinds(result: Losses) -> Table:
    rows = tuple((kind.in_words, kind.share) for kind in result.kinds)
    columns = (Column("lost"), Column("of all losses", PERCENT, "interval"))
    return Table(f"{result.deck}: the rounds that were lost", columns, rows, even=None)


def _signs(result: Losses) -> Table:
    note = (
        "observed in games played again, which proves no cause; points: losses less "
        "wins; the intervals hold together in 95 of 100 runs"
    )
    title = f"{result.deck}: what happened in losses and in wins"
    rows = _rows(result.signs)
    return Table(title, (Column(""), *CONTRAST), rows, note=note, whole=True, even=0.0)


def _cards(result: Losses, whole: bool) -> Table:
    shown = result.cards if whole else result.cards[:MOST_CARDS]
    left = len(result.cards) - len(shown)
    note = (
        "in games against decks that hold the card: how often it was played; observed, "
        "not caused: a deck that wins anyway plays its cards, too"
    )
    if left:
        note += f"; {left} more with --all-matchups"
    title = "Cards of opponents, those of losses first"
    columns = (Column("card"), *CONTRAST)
    return Table(title, columns, _rows(shown), ranked=True, note=note, even=0.0)


def _rows(contrasts: Sequence[Contrast]) -> tuple[tuple[Cell, ...], ...]:
    return tuple(
        (each.name, each.losses.value, _value(each), each.difference)
        for each in contrasts
    )


def _value(contrast: Contrast) -> float | None:
    return None if contrast.wins is None else contrast.wins.value


def _examples(result: Losses) -> Table:
    rows = tuple(
        (f"{each.opponent}: {each.text}", each.number) for each in result.examples
    )
    [first, *_] = result.examples
    note = (
        f"`deckcheck replay FOLDER --pairing '{result.deck},{first.opponent}' "
        f"--game {first.number}` tells the first"
    )
    columns = (*words("against"), Column("game", COUNT))
    return Table("Losses to look at", columns, rows, note=note, whole=True, even=None)


LOSSES = Presentation[Losses](
    losses_report,
    lambda result, tool: page_of_tables(result, losses_report(result, True), tool),
)
"""How losses are shown."""
