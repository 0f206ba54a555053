"""The proof of a deck: its worth in games that had no part in finding it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from deckcheck.decks import Deck
from deckcheck.engine.host.registry import load_game
from deckcheck.findings import UsageError
from deckcheck.findings.options import check_range, option
from deckcheck.formats import Format
from deckcheck.playing.host.table import seat
from deckcheck.playing.host.versions import ROTATION, Pair, Versions, seat_versions
from deckcheck.playing.tally import Head, Ints
from deckcheck.policies.codes import Policy
from deckcheck.policies.host.learned import is_learned
from deckcheck.policies.host.registry import read_policy
from deckcheck.sim.defaults import CONFIRM, MOST_GAMES
from deckcheck.studies.differences import (
    NO_OPPONENTS,
    Against,
    Difference,
    difference_of,
    win_rate_of,
)
from deckcheck.studies.search.measuring import Measure

AUTO, NOBODY = CONFIRM, "none"
LEARNED = "learned"

SLOW_GAMES, USUAL_GAMES = 1_000, 10_000
USUAL_PART = 0.01


@dataclass(frozen=True, slots=True)
class Gain:
    """What one change gains after those before it, and all of these together."""

    own: Difference
    so_far: Difference


@dataclass(frozen=True, slots=True)
class Proof:
    """Win rates of the decks in the same fresh games, and by how much they differ.

    First comes the base, if there is one, then the deck that was found; `games` is the
    mean number of games of each with an opponent. `policy` plays these decks. `gains`
    are those of the changes in their order; the intervals of `own` hold together, and
    so do those of `so_far`.
    """

    policy: str
    games: int
    field: Against = NO_OPPONENTS
    opponents: tuple[Against, ...] = ()
    gains: tuple[Gain, ...] = ()


def prove(measure: Measure, decks: Sequence[Deck], games: int, margin: float) -> Proof:
    """Let each deck play up to `games` games over the field, all of them the same.

    These are the base, the decks that lead from it to the one that was found, a change
    apart, and that deck; or that deck alone. Opponents play, and count, by their shares
    of the field. `margin` is the difference of win rates that does not matter. Raises
    as `play_jobs`.
    """
    seats = [seat(deck, measure.policy) for deck in decks]
    tables = [
        seat_versions(
            measure.format,
            measure.database,
            seat(opponent.deck, opponent.policy),
            seats,
            pairs_of(len(decks)),
        )
        for opponent in measure.opponents
    ]
    work = [
        measure.job(i, table, sets, decks[-1].name, len(decks))
        for i, (table, sets) in enumerate(
            zip(tables, measure.sets_of(games), strict=True)
        )
    ]
    tallies = measure.play_jobs(work, tables[0].engine)
    pairs = zip(tables, tallies, strict=True)
    measure.checksum += sum(table.checksum(tally) for table, tally in pairs)
    field = list(zip(measure.opponents, measure.shares, strict=True))
    shares = [(opponent.name, share) for opponent, share in field]
    return proof_of(measure.policy, shares, tables, tallies, margin)


def pairs_of(decks: int) -> tuple[Pair, ...]:
    """Of which two decks of a path scores are counted jointly.

    The base and each other one, and each two that follow each other.
    """
    to_base = [(0, deck) for deck in range(1, decks)]
    steps = [(deck - 1, deck) for deck in range(2, decks)]
    return (*to_base, *steps)


def proof_of(
    policy: str,
    opponents: Sequence[tuple[str, float]],
    tables: Sequence[Versions],
    tallies: Sequence[Ints],
    margin: float,
) -> Proof:
    """What the games of a path of decks with each opponent say.

    These are opponents by name with their shares of the field.
    """
    names = [name for name, _ in opponents]
    shares = [share for _, share in opponents]
    own = [t.tallies(tally) for t, tally in zip(tables, tallies, strict=True)]
    joints = [t.joint(tally) for t, tally in zip(tables, tallies, strict=True)]
    last = len(own[0]) - 1

    def gain(pair: Pair, which: Sequence[int], together: int) -> Difference:
        return difference_of(
            pair,
            [joints[i][pair] for i in which],
            margin=margin,
            anytime=False,
            together=together,
            shares=[shares[i] for i in which],
        )

    def ends(name: str | None, which: Sequence[int], together: int) -> Against:
        parts = [shares[i] for i in which]
        rates = (
            win_rate_of([own[i][deck] for i in which], anytime=False, shares=parts)
            for deck in dict.fromkeys((0, last))
        )
        pairs = [(0, last)] if last else []
        gains = (gain(pair, which, together) for pair in pairs)
        return Against(name, tuple(rates), tuple(gains))

    field = range(len(names))
    sets = sum(int(tally[0, Head.SETS]) for tally in tallies)
    return Proof(
        policy,
        ROTATION * sets // len(names),
        ends(None, field, 1),
        tuple(ends(name, [i], len(names)) for i, name in enumerate(names)),
        tuple(
            Gain(gain((deck - 1, deck), field, last), gain((0, deck), field, last))
            for deck in range(1, last + 1)
        ),
    )


def check_confirm(policy: str | None, games: int | None) -> None:
    """Refuse an unknown player, and an impossible number of games."""
    if policy not in {None, AUTO, NOBODY}:
        read_policy(str(policy))
    if policy is None and games is not None:
        raise _nobody_plays()
    if games is not None:
        check_range("confirm-games", games, 1, MOST_GAMES)


def confirming(
    confirm: str | None, games: int | None, fmt: Format, policies: Iterable[str]
) -> str | None:
    """Who plays the proof again, None for nobody.

    Unless it is said, `learned` does where it knows the game and rules of thumb play.
    Raises UsageError for games that nobody is to play.
    """
    player = None if confirm == NOBODY else confirm
    if confirm == AUTO:
        variant = load_game(fmt.game).variant_of(fmt, ROTATION)
        is_weak = all(read_policy(p).policy == Policy.HEURISTIC for p in policies)
        player = LEARNED if is_weak and is_learned(fmt.game, variant) else None
    if player is None and games is not None:
        raise _nobody_plays()
    return player


def _nobody_plays() -> UsageError:
    return UsageError(
        f"{option('confirm-games')} goes with {option('confirm')} only",
        "Name a player with it",
    )


def usual_games(policy: str, games: int) -> int:
    """How many games of each deck are enough for a proof, after `games` in all.

    They are fewer of one who thinks, and a small part of all.
    """
    if read_policy(policy).budget:
        return SLOW_GAMES
    return max(ROTATION, min(USUAL_GAMES, int(USUAL_PART * games)))
