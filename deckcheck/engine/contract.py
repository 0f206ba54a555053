"""The contract of every game, so that players, matches and searches are written once.

The module of a game, `engine/<game>/game.py`, defines for its own record types every
function below, compiled, and the members of `Game` for Python. It calls `register` for
them. A call such as `legal_moves(s, x)` goes to the game whose state record `s` is:
decided at compile time when compiled, by the record's dtype when not. `s` is the state,
`x` the context.

An entrant can win: it is a player, a team, or the automa of a solo game. `place`,
`points` and `find_seat` give the finish and the turn of an entrant, `returns` the
result of a player in half-points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import numpy as np

from deckcheck.engine.jit import (
    Card,
    Cells,
    Context,
    Move,
    Player,
    State,
    States,
    Workspace,
    dispatch,
    entry,
    record_type,
)
from deckcheck.engine.registry import CarriedOut, check_carried_out

if TYPE_CHECKING:
    from deckcheck.cards import CardDatabase
    from deckcheck.engine.registry import Seat
    from deckcheck.formats import Format

__all__ = [
    "Game",
    "apply_move",
    "cards_left",
    "copy_to",
    "count_hand",
    "count_unplayed",
    "deal_hand",
    "determinize",
    "discard_moves",
    "features",
    "find_seat",
    "first_player",
    "heuristic_move",
    "is_endgame",
    "is_over",
    "judge_pass",
    "legal_moves",
    "pass_move",
    "place",
    "points",
    "possible_worlds",
    "redrawn_card",
    "register",
    "returns",
    "rounds_played",
    "score_margin",
    "see_move",
    "see_turn",
    "set_up",
    "suppose_plans",
    "to_move",
    "wins_by_passing",
    "within_turn",
]


class Game(Protocol):
    """The interface of a game's module to Python, besides its compiled functions.

    Its functions are in `context.py` of the game and are never compiled. Gwent has all
    further members that a game may have: `player_seat` and `automa_seat` for
    solo play, `match_rules` for matches of several games, `LEARNED_VARIANTS` for
    learned values of positions, `RATED_VARIANTS` for learned ratings of moves,
    `ADVISED_VARIANTS` where `search` asks for values, `STYLED_VARIANTS` where the
    heuristic has styles.
    """

    RECORD_TYPES: Mapping[str, tuple[np.dtype[np.void], np.dtype[np.void]]]
    """The dtypes of the state and of the context, by variant of the game.

    Variants are compiled separately. No record may begin with all the fields of another
    record, as numba would mistake it for that. Every state has `rng`, `turns` (moves
    made) and `history` (their hash), every context `moves`, `rng` (the players' own
    chance), `coin` (who is to begin), `policy` (the number of each player) and `budget`
    (how much each may think).
    """

    CARRIED_OUT: Mapping[str, CarriedOut]
    """What carries out each code that cards may have, for each way to play.

    A code without a place, or whose place has no branch for it, is an ImportError.
    """

    def find_variant(self, fmt: Format, players: int, /) -> str:
        """Return the variant in which a game of `fmt` with `players` is played.

        Raises EngineError where the engine does not play the format.
        """

    def card_numbers(self, database: CardDatabase, /) -> dict[str, int]:
        """Return the number of each card in the engine, from 1, by card id."""

    def fill_context(
        self, database: CardDatabase, fmt: Format, seats: Sequence[Seat], /
    ) -> np.recarray:
        """Return the context of a game, in an array of length 1.

        It has the card table, the options of `fmt`, and a deck and a player for each
        of `seats`, in the order of play. Raises EngineError for cards, options or decks
        that the engine does not play: nothing is ever played as a blank card.
        """


Function = TypeVar("Function", bound=Callable[..., Any])

BY_DTYPE: dict[Any, ModuleType] = {}
BY_TYPE: dict[Any, ModuleType] = {}


def register(game: ModuleType, *states: np.dtype[np.void]) -> None:
    """Let `game` answer for the state records of these dtypes.

    Raises ImportError if it leaves out a code of the cards, see `CARRIED_OUT`.
    """
    for way, carried_out in game.CARRIED_OUT.items():
        check_carried_out(f"{game.__name__}, {way}", carried_out)
    for state in states:
        BY_DTYPE[np.dtype((np.record, state))] = game
        BY_TYPE[record_type(state)] = game


def by_game(function: Function, otherwise: Any = None) -> Function:
    """Make a contract function, whose calls go to the game's function of that name.

    Games without such a function use the compiled function `otherwise`.
    """
    name = function.__name__

    def call(s: State, *rest: Any) -> Any:
        return getattr(BY_DTYPE[s.dtype], name, otherwise)(s, *rest)

    def implementation(s: Any, *rest: Any) -> Callable[..., Any]:
        chosen = getattr(BY_TYPE[s], name, otherwise)
        return cast(Callable[..., Any], chosen.py_func)

    call.__name__ = name
    call.__doc__ = function.__doc__
    dispatch(call, implementation)
    return cast(Function, call)


def by_game_or_default(function: Function) -> Function:
    """Dispatch by game, to this function where the game does not define its own."""
    return by_game(function, entry(function))


@by_game
def set_up(s: State, x: Context) -> None:
    """Start a game: `s.rng` is seeded, `x` holds decks, options and who begins."""


@by_game_or_default
def to_move(s: State) -> Player:
    """Return the player who has to decide."""
    return s.turn


@by_game
def legal_moves(s: State, x: Context) -> int:
    """Write the legal moves to `x.moves`, each once, and return their number."""


@by_game
def apply_move(s: State, x: Context, move: Move) -> None:
    """Carry out a legal move."""


@by_game
def is_over(s: State) -> bool:
    """Report whether the game has ended."""


@by_game
def returns(s: State, x: Context, player: Player) -> int:
    """Return the half-points of a player in an ended game: 2 won, 1 drawn, 0 lost.

    Partners have the result of their team. Players who share the first place drew.
    """


@by_game_or_default
def place(s: State, x: Context, entrant: int) -> int:
    """Return the final place of an entrant, 1 for the best. Ties share the better."""
    return 2 if s.winner == 1 - entrant else 1


@by_game
def points(s: State, x: Context, entrant: int) -> int:
    """Return the points of an entrant in an ended game, by the game's rules."""


@by_game
def find_seat(s: State, x: Context, entrant: int) -> int:
    """Return an entrant's turn at the start: 0 for the beginner, then in order."""


@by_game
def score_margin(s: State, x: Context, player: Player) -> int:
    """Return the current lead of the player on the board."""


@by_game_or_default
def first_player(s: State) -> Player:
    """Return the player who began the game."""
    return s.first


@by_game_or_default
def rounds_played(s: State) -> int:
    """Return the number of the current round, from 1."""
    return s.round_no


@by_game_or_default
def cards_left(s: State, x: Context, entrant: int) -> int:
    """Return the number of cards in the hands of an entrant."""
    return s.n_hand[entrant]


@by_game
def pass_move(s: State, x: Context) -> Move:
    """Return the move that passes, -1 if the player to move cannot pass."""


@by_game_or_default
def discard_moves(s: State, x: Context, count: int) -> int:
    """Count the moves in `x.moves` that discard a card instead of playing it.

    They come last in the list.
    """
    return 0


@by_game
def wins_by_passing(s: State, x: Context) -> bool:
    """Report whether passing now wins the round for the player to move."""


@by_game
def heuristic_move(s: State, x: Context, count: int) -> Move:
    """Return the game's heuristic move among `count` moves in `x.moves`."""


@by_game
def determinize(s: State, x: Context, player: Player) -> None:
    """Replace all that `player` cannot see by a random possibility (from `x.rng`)."""


@by_game_or_default
def suppose_plans(s: State, x: Context, player: Player, world: int) -> None:
    """Give the other players the plans that `player` supposes, since these are hidden.

    The supposition may differ by the number of the possible `world`. Only a game whose
    players have plans of their own needs this.
    """


@by_game_or_default
def redrawn_card(s: State, move: Move) -> Card:
    """Return the dealt card that a move redraws, 0 for a kept hand, else -1.

    It is -1 if `move` is not a decision on the first hand. Only a game with redraws
    needs this.
    """
    return -1


@by_game_or_default
def count_hand(s: State, player: Player, slots: Cells, held: Cells) -> None:
    """Count in `held` the copies in hand of each card with a slot."""
    for slot in range(held.shape[0]):
        held[slot] = 0
    for i in range(s.n_hand[player]):
        slot = slots[s.hand[player, i]]
        if slot >= 0:
            held[slot] += 1


@by_game_or_default
def count_unplayed(s: State, player: Player) -> tuple[int, int]:
    """Return the numbers of cards in the hand and in the deck of a player."""
    return s.n_hand[player], s.n_deck[player]


@by_game_or_default
def deal_hand(s: State, x: Context, player: Player, hand: Cells) -> None:
    """Give the player the cards of `hand`, as if the shuffle had done so.

    Only a game with redraws needs this.
    """


@by_game_or_default
def copy_to(s: State, x: Context, copies: States, index: int) -> None:
    """Make the state at `index` of `copies` the same game as `s`.

    Only a game whose states are large and mostly empty needs this.
    """
    copies[index] = s


# -----------------------------------------------------------------------------
# Functions for players who have learned
#
# The heuristic plays in their place in games without such functions and in variants
# outside `LEARNED_VARIANTS` or `RATED_VARIANTS`.


@by_game
def features(s: State, x: Context, q: Workspace, player: Player) -> int:
    """Write the view of `player` to `q.features` and return the stage of the game.

    Features are whole numbers within `FEATURE_LIMIT`. The value of a view has weights
    for each stage.
    """


@by_game
def see_turn(s: State, x: Context, q: Workspace, player: Player, count: int) -> int:
    """Write features, and list the traits common to `count` moves in `x.moves`.

    Traits are whole numbers other than 0: `q.listed` of them, with their numbers in
    `q.place` and their values in `q.amount`. Returns the stage of the game. Answers to
    choices between turns have further stages.
    """


@by_game
def see_move(s: State, x: Context, q: Workspace, player: Player, i: int) -> None:
    """List the traits of move `i` that not all moves share, after `see_turn`."""


@by_game
def judge_pass(s: State, x: Context) -> int:
    """Return 1 if a pass wins the game, -1 if it would lose it, else 0.

    A pass would lose it if no opponent plays on. So each other move is better.
    """


@by_game
def within_turn(s: State) -> bool:
    """Report whether the choice to be made belongs to the previous move."""


@by_game
def possible_worlds(s: State, x: Context, move: Move) -> int:
    """Return the number of worlds to try a move in: several if it draws cards.

    It is 0 for a move to avoid as long as another move is legal.
    """


@by_game
def is_endgame(s: State, x: Context, player: Player) -> bool:
    """Report whether little is left and `player` knows enough of it to solve it.

    The rest that is hidden, such as the order of a deck, hardly matters.
    """
