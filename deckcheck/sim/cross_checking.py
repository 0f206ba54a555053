"""The default bot of a format, the bot of its cross-check, and the games of both."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import ceil

from deckcheck.engine.registry import load_game
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.formats.model import Seating
from deckcheck.messages import option
from deckcheck.policies import AUTO
from deckcheck.policies.registry import RATING_COST, Policy, policy_cost, read_policy
from deckcheck.policies.workspace import is_learned, is_rated
from deckcheck.sim import CROSS_CHECK, NOBODY, RUN_COST

# Who usually plays

LEARNED = "learned"
RULES_OF_THUMB = "heuristic"


def find_bot_name(name: str, fmt: Format) -> str:
    """Return the player of that name, or the usual player of a format for `AUTO`.

    That is `learned` where it rates moves, which takes little time, and else rules of
    thumb. Raises EngineError for a format that the engine does not play.
    """
    if name != AUTO:
        return name
    game = make_duel_format(fmt) if fmt.seating.play == "match" else fmt
    variant = load_game(fmt.game).find_variant(game, max(2, game.seating.min_players))
    return LEARNED if is_rated(fmt.game, variant) else RULES_OF_THUMB


SECOND_COST = 2
"""What the second player of a game costs at most, and all that is not play."""


def usual_total(policies: Iterable[str], fmt: Format) -> int:
    """Return how many games a run has in all by default.

    Another player plays a part of the games again, see `compute_second_share`. A player
    who thinks counts like a player who rates moves, as fewer games would show nothing.
    A game of more than two takes twice as long as a duel, a match four times.
    """
    rates_moves = find_bot_name(AUTO, fmt) == LEARNED
    costs = [policy_cost(policy, rates_moves=rates_moves) for policy in policies]
    times = {"duel": 1, "match": 4}.get(fmt.seating.play, 2)
    return RUN_COST // (min(RATING_COST, max(costs)) + SECOND_COST) // times


def make_duel_format(fmt: Format) -> Format:
    """Return the format of the single games of a match."""
    return replace(fmt, seating=Seating())


def choosing_player(policies: Iterable[str], *, thorough: bool) -> str | None:
    """Return who plays games that only choose, None where `policies` do so themselves.

    Which of two decks is better, `heuristic` mostly finds in a quarter of the time that
    `learned` takes: see "Versions of a deck" in `docs/explanation/players.md`.
    """
    players = {read_policy(policy).policy for policy in policies}
    return RULES_OF_THUMB if players == {Policy.LEARNED} and not thorough else None


SECOND_PLAYERS = {Policy.HEURISTIC: LEARNED, Policy.LEARNED: RULES_OF_THUMB}
"""Who plays again what these played: a better player, or else one who takes no time."""

CROSS_CHECK_STEP = "cross-check"
"""The part of a run that the second bot plays."""

# Validation games, the final games of a search, are played again


SLOW_GAMES, USUAL_GAMES = 1_000, 10_000
USUAL_PART = 0.01


def find_cross_check(
    cross_check: str | None,
    games: int | None,
    fmt: Format,
    policies: Iterable[str],
    players: int = 2,
) -> str | None:
    """Return who plays again the games of `policies`, or None for nobody.

    By default rules of thumb do if `learned` played, and the other way round, where it
    knows the game with that number of players. Raises UsageError for games that nobody
    is to play.
    """
    player = None if cross_check == NOBODY else cross_check
    if cross_check == CROSS_CHECK:
        variant = load_game(fmt.game).find_variant(fmt, players)
        usual = {SECOND_PLAYERS.get(read_policy(policy).policy) for policy in policies}
        is_known = len(usual) == 1 and is_learned(fmt.game, variant)
        player = usual.pop() if is_known else None
    if player is None and games is not None:
        raise cross_check_games_error()
    return player


def only_rules_know(policies: Iterable[str], fmt: Format, variant: str) -> bool:
    """Report whether rules of thumb play a game that `learned` does not know."""
    played = {read_policy(policy).policy for policy in policies}
    return played == {Policy.HEURISTIC} and not is_learned(fmt.game, variant)


def cross_check_games_error() -> UsageError:
    """Return the error for games that nobody is to play."""
    return UsageError(
        f"{option('cross-check-games')} goes with {option('cross-check')} only",
        "Name a bot with it",
    )


def usual_games(policy: str, games: int) -> int:
    """Return how many games of each deck the second bot plays after `games` games.

    They are `SLOW_GAMES` for a bot that searches. For others they are `USUAL_PART` of
    `games`, times how many of their games take as long as a game of `learned`, from 2
    to `USUAL_GAMES`.
    """
    if read_policy(policy).budget:
        return SLOW_GAMES
    as_many = RATING_COST / min(RATING_COST, policy_cost(policy, rates_moves=True))
    return max(2, min(USUAL_GAMES, int(USUAL_PART * as_many * games)))


# A part of the games of a table, or of a comparison, is played again


MIN_CROSS_CHECKED_GAMES = 4_000
"""The fewest games in all after which a second bot plays without being asked for."""

MIN_SECOND_GAMES = 800
"""The games that a second bot plays at least, a second of `learned`."""


def compute_second_share(
    fmt: Format, policies: Iterable[str], cross_check: str, games: int
) -> float:
    """Return the part of `games` that a second bot plays again, at most 1.

    It takes as long as these did, or plays `MIN_SECOND_GAMES` games where that is more.
    """
    rates_moves = find_bot_name(AUTO, fmt) == LEARNED
    costs = [policy_cost(policy, rates_moves=rates_moves) for policy in policies]
    second_cost = policy_cost(cross_check, rates_moves=rates_moves)
    return min(1.0, max(max(costs) / second_cost, MIN_SECOND_GAMES / games))


def count_second_sets(sets: int, part: float) -> int:
    """Return how many of the first sets of a table make up that part."""
    return ceil(part * sets - 1e-9)
