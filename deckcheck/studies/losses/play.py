"""From a run to its losses: a sample of games is played again and observed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from math import ceil
from statistics import quantiles

from deckcheck.cards import CardDatabase
from deckcheck.findings import UsageError
from deckcheck.findings.options import check_range, option
from deckcheck.findings.words import quote
from deckcheck.replays.finding import Pairing
from deckcheck.replays.replay import pairings_of, scripts_of, uncompiled
from deckcheck.replays.script import Script
from deckcheck.sim.defaults import LOSSES_SAMPLE
from deckcheck.sim.results.played import ResultHeader
from deckcheck.sim.results.result import SimulationResult, name_among
from deckcheck.sim.simulation import Simulation
from deckcheck.stats.multiple import level_of
from deckcheck.studies.losses.observing import observe_all
from deckcheck.studies.losses.result import (
    FEWEST,
    Contrast,
    Losses,
    Numbered,
    contrast,
    examples_of,
    kinds_of,
    signs_of,
)

MOST = 100_000
TWO = 2

Watch = Callable[[int], None]


def losses_of(
    simulation: Simulation,
    result: SimulationResult,
    deck: str,
    sample: int = LOSSES_SAMPLE,
    watch: Watch | None = None,
) -> Losses:
    """Play about `sample` games of a deck again, as many with each opponent.

    They are the first ones of the run, one of each pair: so all are independent, and
    each deck begins half of them. `watch` is told how many they are. Raises UsageError
    for a deck that is not in the run, and for games that are no duels of several
    rounds.
    """
    check_range("sample", sample, 1, MOST)
    if simulation.tournament is not None or result.play != "duel":
        raise _refused(result.format)
    name = name_among(result.decks, deck)
    pairings = [
        pairing
        for pairing in pairings_of(simulation)
        if name in pairing.entrants and len(set(pairing.entrants)) == TWO
    ]
    numbered = [(p, n) for p in pairings for n in _numbers(p, sample, len(pairings))]
    if watch is not None:
        watch(len(numbered))
    scripts = [
        script
        for pairing in pairings
        for script in scripts_of(
            simulation.setting, pairing, [n for p, n in numbered if p is pairing]
        )
    ]
    observed = uncompiled(observe_all, [(s, _seat(s, name)) for s in scripts])
    if observed is None:
        raise _refused(result.format)
    games = [
        Numbered(_other(pairing, name), number, game)
        for (pairing, number), game in zip(numbered, observed, strict=True)
    ]
    return _losses(result, name, games, simulation.setting.database)


def _losses(
    result: SimulationResult,
    deck: str,
    games: Sequence[Numbered],
    database: CardDatabase,
) -> Losses:
    lost = [each for each in games if each.game.won is False]
    signs = signs_of([each.game for each in games]) if lost else ()
    missing = [-each.game.lead for each in lost]
    low, middle, high = quantiles(missing, method="inclusive") if lost[1:] else (0,) * 3
    return Losses(
        **{head.name: getattr(result, head.name) for head in fields(ResultHeader)},
        deck=deck,
        wins=sum(each.game.won is True for each in games),
        lost=len(lost),
        drawn=sum(each.game.won is None for each in games),
        margins=(round(low), round(middle), round(high)) if lost[1:] else None,
        kinds=kinds_of([each.game for each in lost]),
        signs=signs,
        cards=_cards(result, games, database) if lost else (),
        examples=examples_of(lost, signs),
    )


def _cards(
    result: SimulationResult, games: Sequence[Numbered], database: CardDatabase
) -> tuple[Contrast, ...]:
    """What opponents played in losses and in wins, in games against decks with it.

    A card that any of them played was in the deck of those who played it.
    """
    owners: dict[str, set[str]] = {}
    for each in games:
        for card in each.game.cards:
            owners.setdefault(card, set()).add(each.opponent)
    seen = {
        card: [
            (each.game.won, card in each.game.cards)
            for each in games
            if each.opponent in own
        ]
        for card, own in sorted(owners.items())
    }
    enough = {
        card: pairs
        for card, pairs in seen.items()
        if min(sum(won is outcome for won, _ in pairs) for outcome in (True, False))
        >= FEWEST
    }
    level = level_of(len(enough))
    cards = [
        contrast(card, database.cards[card].name, pairs, level)
        for card, pairs in enough.items()
    ]
    return tuple(sorted(cards, key=_difference, reverse=True))


def _difference(card: Contrast) -> float:
    return card.difference.value if card.difference else 0.0


def _numbers(pairing: Pairing, sample: int, opponents: int) -> list[int]:
    """The games of a pairing that are in the sample: one of each of the first sets."""
    rotation = pairing.table.games_of_set
    sets = min(ceil(sample / opponents), pairing.games // rotation)
    return [i * rotation + i % rotation + 1 for i in range(sets)]


def _seat(script: Script, deck: str) -> int:
    return [seat.name for seat in script.seats].index(deck)


def _other(pairing: Pairing, deck: str) -> str:
    [other] = (name for name in pairing.entrants if name != deck)
    return other


def _refused(format: str) -> UsageError:
    return UsageError(
        f"Losses of {quote(format)} cannot be told: {option('losses')} knows duels of "
        "several rounds for gems",
        "Look at single games with `deckcheck replay`",
    )
