"""Sections of every report of a simulation: tables, warnings, facts of the run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from deckcheck.cards.changes import change_lines
from deckcheck.findings.options import option
from deckcheck.policies.host.registry import policy_label
from deckcheck.report.tables import Table
from deckcheck.report.units import count, percent
from deckcheck.sim.defaults import REFERENCE
from deckcheck.sim.results.played import ResultHeader, SimulatedDeck
from deckcheck.sim.tables.entrants import is_crossed

MOST_SHOWN = 10
LEANING = "lean to the lead that was accepted, since a lucky streak ends a test"

Played = TypeVar("Played")


@dataclass(frozen=True, slots=True)
class Report:
    """What is shown of a simulation, before it is laid out.

    `facts` are pairs of a word and what it says, shown last; `answers` are sentences,
    shown first. `title` is that of a page.
    """

    tables: tuple[Table, ...]
    warnings: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    answers: tuple[str, ...] = ()
    title: str = ""


def most_decisive(
    played: Sequence[Played], distance: Callable[[Played], float]
) -> list[Played]:
    """Return the ten that are farthest from even by `distance`, the farthest first.

    Where there are no more than ten they stay in their order.
    """
    if len(played) <= MOST_SHOWN:
        return list(played)
    return sorted(played, key=distance, reverse=True)[:MOST_SHOWN]


def rest_note(shown: int, played: int) -> str:
    """Return where the details of the rest are, for the end of a note."""
    if shown == played:
        return ""
    return f"; below: the {shown} most decisive, all with {option('all-matchups')}"


def run_facts(
    run: ResultHeader, policies: str, games: str
) -> tuple[tuple[str, str], ...]:
    """Return how the games were played, `policies` and `games` in words."""
    return (
        ("format", f"{run.format}, snapshot {run.month}"),
        *(("cards", line) for line in change_lines(run.changes)),
        ("policies", policies),
        *_reference(run),
        ("games", games),
        *_stopping(run),
        ("seed", str(run.seed)),
        ("checksum", run.checksum),
        ("digest", run.digest),
        *_speed(run),
    )


def _reference(run: ResultHeader) -> tuple[tuple[str, str], ...]:
    """Say of which format the reference field was, if that was met."""
    paths = (deck.path.partition(":") for deck in run.decks)
    ids = dict.fromkeys(id for word, _, id in paths if word == REFERENCE and id)
    return (("field", f"reference field of {', '.join(ids)}"),) if ids else ()


def _stopping(run: ResultHeader) -> tuple[tuple[str, str], ...]:
    """What ended the run, and what its intervals are worth, if it was looked at."""
    if run.stopped is None:
        return ()
    is_test = any(decision.ratio is not None for decision in run.stopped.decisions)
    return (
        ("stops", run.stopped.rule),
        ("stopped", run.stopped.summary),
        ("intervals", "hold at every look, and so whenever the run is stopped"),
        *((("win rates", LEANING),) if is_test else ()),
    )


def _speed(run: ResultHeader) -> tuple[tuple[str, str], ...]:
    """How fast the games were played, where that is known."""
    if run.games_per_second is None:
        return ()
    processes = "1 process" if run.jobs == 1 else f"{run.jobs} processes"
    return (("speed", f"{count(round(run.games_per_second))} games/s, {processes}"),)


def shares_fact(shares: Sequence[tuple[str, float]]) -> tuple[tuple[str, str], ...]:
    """Return how often each opponent comes, where they do not come alike."""
    told = [f"{name} {percent(share)}" for name, share in shares if share]
    return (("weights", ", ".join(told)),) if told else ()


def games_each(run: ResultHeader, games: int, *, is_same: bool = True) -> str:
    """Return `200 games each`, or `up to 200 games each` where some have fewer."""
    most = "" if is_same and run.complete and run.stopped is None else "up to "
    return f"{most}{count(games)} games each"


def warnings_of(run: ResultHeader) -> tuple[str, ...]:
    """Return a sentence for all that is not as it was asked for.

    That is a run that is not complete, a deck that played although it is illegal, and
    a player in whose place the heuristic played.
    """
    unfinished = "not all games were played that were asked for"
    return (
        *(() if run.complete else (unfinished,)),
        *_illegal(run),
        *(
            f"`{name}` does not know {run.format}: the heuristic played in its place"
            for name in run.stand_ins
        ),
    )


def _illegal(run: ResultHeader) -> tuple[str, ...]:
    return tuple(
        f"`{deck.name}` is illegal in {run.format} "
        f"({deck.findings} {'error' if deck.findings == 1 else 'errors'}) "
        "and played because of --allow-illegal"
        for deck in run.illegal
    )


def policies_of_decks(decks: Sequence[SimulatedDeck]) -> str:
    """Return who played each deck in order, or that all of them played all decks."""
    names = [deck.policy for deck in decks]
    if not is_crossed([(deck.path, deck.index, deck.policy) for deck in decks]):
        return policies_of(names)
    return f"{', '.join(map(policy_label, dict.fromkeys(names)))}, each with every deck"


def policies_of(names: Sequence[str]) -> str:
    """Return who played, with versions: once if all are the same player."""
    shown = names[:1] if len(set(names)) == 1 else names
    return ", ".join(policy_label(name) for name in shown)
