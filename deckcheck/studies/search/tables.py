"""Tables of a deck that a search found."""

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
from deckcheck.report.units import COUNT, IN_PERCENT, PERCENT, POINTS, count
from deckcheck.studies.differences import Against
from deckcheck.studies.search.proof import Proof
from deckcheck.studies.search.result import FoundDeck


def found_report(result: FoundDeck) -> Report:
    """Return the tables of `result`, its answer first."""
    policies = policies_of([deck.policy for deck in result.decks])
    facts = [*run_facts(result, policies, _games(result))]
    searched = result.searched
    what = f"{count(searched.decks)} decks in {count(searched.games)} games"
    facts.insert(3, ("searched", what))
    facts[4:4] = shares_fact(result.shares)
    if result.confirmed is not None:
        facts.insert(4, ("confirmed", _confirmed(result.confirmed)))
    tables = [_steps(result)] if result.steps else []
    tables += [_opponents(result, result.proof)] if result.proof else []
    tables += [_deck(result)] if result.is_new else []
    return Report(
        tuple(tables),
        warnings_of(result),
        tuple(facts),
        (f"{result.answer}.",),
        f"Can {result.base} be better?"
        if result.base is not None
        else "What is the best deck against this field?",
    )


def _games(result: FoundDeck) -> str:
    games = f"{count(result.games_played)} in mirrored pairs"
    if result.proof is None:
        return games
    fresh = count(result.proof.field.win_rates[-1].games)
    return f"{games}, {fresh} fresh ones of each deck in the proof"


def _confirmed(proof: Proof) -> str:
    games = count(proof.field.win_rates[-1].games)
    return f"by {policy_label(proof.policy)} in {games} games of each deck"


def _steps(result: FoundDeck) -> Table:
    """The changes in their order, and what each gains."""
    proofs = [proof for proof in (result.proof, result.confirmed) if proof]
    names = [f"by {policy_label(proof.policy)}" for proof in proofs]
    columns = [
        Column("change"),
        *(Column(name, POINTS, "95 % interval") for name in names),
    ]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (step.in_words, *(gain.own for gain in result.gains(place)))
        for place, step in enumerate(result.steps)
    )
    note = (
        "points that a change gains after those above it, in fresh games; the "
        "intervals of a player hold together. With only some of the cards at hand, "
        "begin at the top"
    )
    title = f"{result.base}: what to change, in this order"
    shown = note if proofs else None
    return Table(title, tuple(columns), rows, ranked=True, note=shown, whole=True)


def _opponents(result: FoundDeck, proof: Proof) -> Table:
    """The fresh games, by opponent; with a base, by what it gained."""
    confirmed = result.confirmed
    again = {
        against.opponent: against
        for against in (confirmed.opponents if confirmed else ())
    }
    if confirmed is not None:
        again[None] = confirmed.field
    opponents = sorted(proof.opponents, key=_gain, reverse=True)
    rows = [
        _row(against, again.get(against.opponent))
        for against in (proof.field, *(opponents if len(opponents) > 1 else ()))
    ]
    unit = PERCENT if result.base is None else POINTS
    again_columns = (
        (Column(policy_label(confirmed.policy), unit, "95 % interval"),)
        if confirmed
        else ()
    )
    if result.base is None:
        rates = (Column(""), Column("win rate", unit, "95 % interval"))
        title = f"{result.deck}: win rate in fresh games"
        return Table(title, (*rates, *again_columns), tuple(rows))
    columns = (
        Column(""),
        *numbers(IN_PERCENT, "old", "new"),
        Column("points", unit, "95 % interval"),
    )
    title = f"Old: {result.base}; new: {result.deck}, in fresh games"
    note = (
        "old and new: win rates in %; points: what the new deck has more; the "
        "interval over all opponents holds by itself, those against one each hold "
        "together"
    )
    return Table(title, (*columns, *again_columns), tuple(rows), note=note)


def _gain(against: Against) -> float:
    if against.differences:
        return against.differences[0].value
    return against.win_rates[-1].value


def _row(against: Against, again: Against | None) -> tuple[Cell, ...]:
    """The figures against one opponent, by the other player as well."""
    name = against.opponent or "all opponents"
    trials = [trial for trial in (against, again) if trial]
    if not against.differences:
        return (name, *(trial.win_rates[-1] for trial in trials))
    old, new = (rate.value for rate in against.win_rates)
    return (name, old, new, *(trial.differences[0] for trial in trials))


def _deck(result: FoundDeck) -> Table:
    """The deck, card by card; `deck` among the outputs is the file."""
    rows = tuple((card.name, card.copies) for card in result.cards)
    leader = f", {result.leader}" if result.leader else ""
    columns = (Column("card"), Column("copies", COUNT))
    return Table(f"{result.deck}{leader}", columns, rows)


DECK_SEARCH = Presentation[FoundDeck](
    lambda result, _all_matchups: found_report(result),
    lambda result, tool: page_of_tables(result, found_report(result), tool),
    (("deck", lambda result: result.text),),
)
