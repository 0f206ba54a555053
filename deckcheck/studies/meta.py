"""What to bring, by the games of a run: the equilibrium, ratings, counters, cycles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from deckcheck.findings import UsageError
from deckcheck.sim.figures import round_figure
from deckcheck.stats import Estimate, average
from deckcheck.stats.intervals import joint_level
from deckcheck.stats.optimising import (
    Matrix,
    equilibrium,
    payoffs_against,
    resampled_rates,
)
from deckcheck.stats.ratings import RatedPairing, Ratings, bradley_terry
from deckcheck.studies.field import Field, FieldEntrant, Meeting
from deckcheck.studies.meta_result import (
    Crossing,
    Level,
    MetaPlayer,
    MetaResult,
    PlayerLevel,
)
from deckcheck.studies.payoff import HALF, find_resampled_interval

RESAMPLE_COUNT = 400
"""The number of resamples for the intervals of shares."""
MIN_PAIRS = 10
"""The fewest game pairs of two decks to resample."""


def make_meta(
    field: Field,
    weights: Sequence[float] | None = None,
    *,
    seed: int = 1,
    resamples: int = RESAMPLE_COUNT,
) -> MetaResult:
    """Return what to bring if no decks but the decks of `field` may come.

    `weights` are how common each deck is, in any unit. The intervals of shares are
    drawn with `seed`. Raises UsageError for too few games to resample.
    """
    _check_games(field)
    rates = _make_matrix(
        field, np.array([meeting.share.value for meeting in field.meetings])
    )
    shares = _estimate_shares(field, rates, seed, resamples)
    payoffs = payoffs_against(rates, [share.value for share in shares])
    ratings = rate_players(field, seed)
    level = joint_level(len(field.players) - 1)
    players = []
    for index, name in enumerate(field.players):
        counter = field.players[_find_counter(rates, index)]
        player = MetaPlayer(
            name,
            share=shares[index],
            payoff=float(payoffs[index]),
            rating=ratings.ratings[index],
            answer=counter,
            answer_rate=field.share(counter, name).estimate(level),
        )
        players.append(player)
    if weights is not None:
        players = _expect_field(field, players, weights)
    return MetaResult(
        field,
        tuple(players),
        misfit=ratings.misfit,
        cycles=ratings.cycles,
        cycle=find_cycle(field),
        seed=seed,
        resamples=resamples,
        crossing=rate_crossing(field, ratings),
    )


def _expect_field(
    field: Field, players: Sequence[MetaPlayer], weights: Sequence[float]
) -> list[MetaPlayer]:
    """Return the players with their win rates against the expected field."""
    shares = [weight / sum(weights) for weight in weights]
    expecting = []
    for player, share in zip(players, shares, strict=True):
        rate = field.expect_rate(player.name, shares)
        expecting.append(
            replace(player, weight=share, expected=rate.estimate(), against_field=rate)
        )
    return expecting


def _check_games(field: Field) -> None:
    """Raise UsageError for too few games to resample."""
    fewest = min(sum(meeting.scores) for meeting in field.meetings)
    if fewest < MIN_PAIRS:
        raise UsageError(
            f"{2 * fewest} {field.units} of two {field.noun}s are too few to recommend "
            f"a {field.noun}",
            f"Play at least {2 * MIN_PAIRS} of each pair: `deckcheck resume RUN "
            f"--games {2 * MIN_PAIRS}`",
        )


def _estimate_shares(
    field: Field, rates: Matrix, seed: int, resamples: int
) -> list[Estimate]:
    """Return the shares of the equilibrium, with the range of bootstrap resamples."""
    generator = np.random.default_rng(seed)
    scores = np.array([meeting.scores for meeting in field.meetings])
    best = equilibrium(rates).shares
    drawn = []
    for _ in range(resamples):
        matrix = _make_matrix(field, resampled_rates(scores, generator))
        drawn.append(equilibrium(matrix).shares)
    games = sum(meeting.share.games for meeting in field.meetings)
    shares = []
    for share, interval in zip(best, find_resampled_interval(best, drawn), strict=True):
        shares.append(Estimate(share, interval, games))
    return shares


def _make_matrix(field: Field, rates: Matrix) -> Matrix:
    """Return the win rates of the rows against the columns, by `rates` of meetings."""
    matrix = np.full((len(field.players), len(field.players)), HALF)
    rows, columns = field.places
    matrix[rows, columns] = rates
    matrix[columns, rows] = 1 - rates
    return matrix


def rate_players(field: Field, seed: int) -> Ratings:
    """Return the ratings of all players, and of decks and bots where they cross."""
    firsts, seconds = field.places
    pairings = []
    for a, b, meeting in zip(firsts, seconds, field.meetings, strict=True):
        pairing = RatedPairing(
            a,
            b,
            score=meeting.share.value,
            variance=_compute_variance(meeting),
            games=meeting.share.games,
        )
        pairings.append(pairing)
    groupings = group_entrants(field.crossing) if field.crossing else ()
    return bradley_terry(len(field.players), pairings, seed, groupings)


def _compute_variance(meeting: Meeting) -> float:
    """Return the variance of the mean score, from the variance of the pairs."""
    values = np.linspace(0, 1, len(meeting.scores))
    pairs = sum(meeting.scores)
    mean = meeting.share.value
    spread = float(meeting.scores @ (values - mean) ** 2) / pairs
    return spread / max(1, pairs - 1)


def _find_counter(rates: Matrix, player: int) -> int:
    """Return the index of the best counter to a player, the first of equals."""
    against = rates[:, player].copy()
    against[player] = -1.0
    return int(against.argmax())


def find_cycle(field: Field) -> tuple[str, ...]:
    """Return the clearest cycle of three, each beating the next; empty for none.

    The intervals of all win rates are simultaneous, since the cycle is chosen among
    many.
    """
    level = joint_level(len(field.meetings))
    rates = []
    for meeting in field.meetings:
        rates.append(((meeting.a, meeting.b), meeting.share.estimate(level)))
    return find_clearest_cycle(field.players, rates)


def find_clearest_cycle(
    names: Sequence[str], rates: Iterable[tuple[tuple[str, str], Estimate]]
) -> tuple[str, ...]:
    """Return the cycle of three whose least clear win is the clearest; empty for none.

    `rates` has the win rate of the first of each pair of names, with a simultaneous
    interval.
    """
    index = {name: i for i, name in enumerate(names)}
    # The lower end of the win rate of each winner, and 0 for losers.
    lows = np.zeros((len(names), len(names)))
    for (first, second), rate in rates:
        a, b = index[first], index[second]
        if rate.value > HALF:
            lows[a, b] = rate.interval.low
        else:
            lows[b, a] = rate.opposite().interval.low
    best = HALF
    cycle: tuple[str, ...] = ()
    for a, name in enumerate(names):
        # A cycle begins with its first name, so the others come after it.
        rest = np.array([i for i, other in enumerate(names) if other > name], np.intp)
        if not len(rest):
            continue
        # The least clear win of the cycle of `a`, the row and the column.
        weakest = np.minimum(lows[np.ix_(rest, rest)], lows[a, rest][:, None])
        weakest = np.minimum(weakest, lows[rest, a])
        if weakest.max() > best:
            best = float(weakest.max())
            b, c = np.unravel_index(weakest.argmax(), weakest.shape)
            cycle = (name, names[int(rest[b])], names[int(rest[c])])
    return cycle


# The ratings of decks and of bots apart


def group_entrants(crossing: Sequence[FieldEntrant]) -> list[list[int]]:
    """Return the index of the deck of each entrant, then the index of its bot."""
    decks = list(dict.fromkeys(entrant.deck for entrant in crossing))
    bots = list(dict.fromkeys(entrant.player for entrant in crossing))
    return [
        [decks.index(entrant.deck) for entrant in crossing],
        [bots.index(entrant.player) for entrant in crossing],
    ]


def rate_crossing(field: Field, ratings: Ratings) -> Crossing | None:
    """Return the ratings of decks and of bots; None unless all bots had all decks."""
    if not field.crossing:
        return None
    deck_names = dict.fromkeys(entrant.deck for entrant in field.crossing)
    bot_names = dict.fromkeys(entrant.player for entrant in field.crossing)
    deck_ratings, bot_ratings = ratings.groups
    decks = []
    for name, rating in zip(deck_names, deck_ratings, strict=True):
        decks.append(Level(name, rating))
    bots = []
    for name, rating in zip(bot_names, bot_ratings, strict=True):
        bots.append(PlayerLevel(name, rating, _rate_with_same_decks(field, name)))
    deck_share, bot_share, both_part = ratings.parts
    return Crossing(
        tuple(sorted(decks, key=lambda deck: -round_figure(deck.rating.value))),
        tuple(sorted(bots, key=lambda bot: -round_figure(bot.rating.value))),
        deck_share,
        bot_share,
        both_part,
    )


def _rate_with_same_decks(field: Field, bot: str) -> Estimate:
    """Return the win rate of a bot against the others, each with the same deck."""
    names = dict(zip(field.crossing, field.players, strict=True))
    rates = []
    for entrant, name in names.items():
        if entrant.player != bot:
            same_deck = names[FieldEntrant(entrant.deck, bot)]
            rates.append(field.share(same_deck, name))
    return average(rates).estimate()
