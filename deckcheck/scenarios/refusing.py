"""Why a move is refused: whatever is said follows from the list of the legal moves.

The words of a move are taken one after another until no legal move has them all. The
game is asked about these and no more, so that a card that can be played is never said
to be missing because of its row; where it gives no reason, the reason is inferred from
the moves that would be legal.
"""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.scenarios.contract import LegalMove, Position, Words
from deckcheck.scenarios.rows import NOTHING

CHOOSE = "choose"

WITHOUT = {
    # a word that no legal move with the words before it has
    "row": "it is played in no row",
    "player": "it is played on no side",
}


def refusal_reason(position: Position, player: str, verb: str, words: Words) -> str:
    """Why `player` cannot do this, which is known to be none of the legal moves."""
    if position.turn is None:
        return "the game is over"
    if position.open_choice is not None and (verb != CHOOSE or player != position.turn):
        return f"first {position.turn} has to choose {position.open_choice}"
    if player != position.turn:
        return position.idle_reason(player) or f"it is the turn of {position.turn}"
    if verb == CHOOSE and position.open_choice is None:
        return "there is nothing left to choose"
    claim, fitting = _claim(position.legal_moves(), verb, words)
    return position.why_not(verb, claim) or _only(position, verb, claim, fitting)


def first_of(*reasons: tuple[object, str]) -> str | None:
    """The first reason that holds: each is a condition and its sentence."""
    return next((sentence for holds, sentence in reasons if holds), None)


def _claim(
    legal: Sequence[LegalMove], verb: str, words: Words
) -> tuple[Words, list[LegalMove]]:
    """The first words that no legal move has all of, and what fits all but the last."""
    claim: dict[str, str] = {}
    fitting = [move for move in legal if move.verb == verb]
    for key, word in words.items():
        claim[key] = word
        narrowed = [move for move in fitting if move.words.get(key) == word]
        if not narrowed:
            break
        fitting = narrowed
    return claim, fitting


def _only(
    position: Position, verb: str, claim: Words, fitting: Sequence[LegalMove]
) -> str:
    """What the last word of `claim` would have to be, from the moves that fit."""
    if not fitting or not claim:
        return "it is none of the legal moves"
    key, word = list(claim.items())[-1]
    if word == NOTHING:
        return "something has to be chosen"
    words = dict.fromkeys(move.words[key] for move in fitting if key in move.words)
    if not words:
        asked = next(iter(fitting[0].words))
        return f"a {asked} is to be chosen" if verb == CHOOSE else WITHOUT[key]
    names = [
        position.phrase(CHOOSE, {key: word}).removeprefix(f"{CHOOSE} ")
        for word in words
    ]
    *others, last = names
    return (
        f"it can only be {', '.join(others)} or {last}"
        if others
        else (f"it can only be {last}")
    )
