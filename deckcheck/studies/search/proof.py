"""The proof of a deck: its worth in games that had no part in finding it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deckcheck.decks import Deck
from deckcheck.findings import UsageError
from deckcheck.findings.options import check_range, option
from deckcheck.playing.host.table import seat
from deckcheck.playing.host.versions import ROTATION, seat_versions
from deckcheck.policies.host.registry import read_policy
from deckcheck.sim.defaults import MOST_GAMES
from deckcheck.studies.differences import Against, against, every_pair
from deckcheck.studies.search.measuring import Measure

SLOW_GAMES, USUAL_GAMES = 1_000, 10_000


@dataclass(frozen=True, slots=True)
class Proof:
    """Win rates of the decks in the same fresh games, and by how much they differ.

    First comes the base, if there is one, then the deck that was found; `games` are
    those of each with each opponent. `policy` plays these decks.
    """

    policy: str
    games: int
    field: Against
    opponents: tuple[Against, ...]


def prove(measure: Measure, decks: Sequence[Deck], games: int, margin: float) -> Proof:
    """Let each deck play up to `games` games over the field, all of them the same.

    All opponents count alike. `margin` is the difference of win rates that does not
    matter. Raises as `play_jobs`.
    """
    seats = [seat(deck, measure.policy) for deck in decks]
    tables = [
        seat_versions(
            measure.format,
            measure.database,
            seat(opponent.deck, opponent.policy),
            seats,
            every_pair(len(decks)),
        )
        for opponent in measure.opponents
    ]
    sets = max(1, games // ROTATION // len(tables))
    work = [
        measure.job(i, table, sets, decks[-1].name, len(decks))
        for i, table in enumerate(tables)
    ]
    tallies = measure.play_jobs(work, tables[0].engine)
    pairs = list(zip(tables, tallies, strict=True))
    measure.checksum += sum(table.checksum(tally) for table, tally in pairs)
    return Proof(
        measure.policy,
        ROTATION * sets,
        against(None, tables, tallies, margin=margin, anytime=False),
        tuple(
            against(
                opponent.name,
                [table],
                [tally],
                margin=margin,
                anytime=False,
                rows=len(tables),
            )
            for opponent, (table, tally) in zip(measure.opponents, pairs, strict=True)
        ),
    )


def check_confirm(policy: str | None, games: int | None) -> None:
    """Refuse to confirm without a proof, or by an unknown player."""
    if policy is not None:
        read_policy(policy)
    elif games is not None:
        raise UsageError(
            f"{option('confirm-games')} goes with {option('confirm')} only",
            "Name a player with it",
        )
    if games is not None:
        check_range("confirm-games", games, 1, MOST_GAMES)


def usual_games(policy: str) -> int:
    """How many games of each deck are enough for a proof: fewer of one who thinks."""
    return SLOW_GAMES if read_policy(policy).budget else USUAL_GAMES
