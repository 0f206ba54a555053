"""Make the moves of a scenario: words to legal moves, choices, scripted chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from deckcheck.documents.model import Location
from deckcheck.messages import quote
from deckcheck.scenarios.contract import (
    CHOOSE_VERB,
    BadPosition,
    ChanceFault,
    GamePosition,
    LegalMove,
    Question,
    Refused,
    Unclear,
    Words,
    answer_in_words,
    either,
    refusal_reason,
)
from deckcheck.scenarios.models import Move

FollowingMove: TypeAlias = tuple[str, str]
"""The verb of the move that follows, and its player."""

NO_MOVE: FollowingMove = ("", "")
"""No move follows."""


ANSWERED_TOO_EARLY = "An answer stands with the move after which its question comes"
NOT_PICKED = "Remove it, or write it with the move after which chance decides"


def settle(position: GamePosition, answers: Sequence[str]) -> int:
    """Make all moves that a file without moves leaves out.

    Returns how many of `answers` were used. Raises Unclear or BadPosition as
    `make_move` does.
    """
    position.script(answers)
    _choose(position, (), (), NO_MOVE, answers_single=True)
    return _check_answers(position, (), (), answers)


def make_move(
    position: GamePosition,
    move: Move,
    at: Location,
    answers: Sequence[str],
    following: FollowingMove | None = None,
) -> int:
    """Make a move with its choices, and all moves left out before `following`.

    Without `following` no moves are left out. `at` is the place of the move in the
    file. `answers` may be used for random picks after the answers of the move itself.
    Returns how many of `answers` were used. Raises Refused, Unclear or BadPosition, and
    then leaves the position in between.
    """
    saved = position.save()
    try:
        return _try_move(position, move, at, answers, following, answers_single=True)
    except BadPosition as error:
        # An answer may have been spent on a choice with a single option.
        if not move.answers():
            raise
        first = error
    position.restore(saved)
    try:
        return _try_move(position, move, at, answers, following, answers_single=False)
    except BadPosition as second:
        # A refusal is clearer than a question without a clear answer.
        if isinstance(second, Refused) and not isinstance(first, Refused):
            raise
        raise first from None


def find_refusal(position: GamePosition, move: Move, at: Location) -> Refused | None:
    """Return the refusal of a move, or None if it is legal, and restore the position.

    Raises BadPosition for a move with a wrong answer to a random pick.
    """
    saved = position.save()
    try:
        make_move(position, move, at, ())
    except Refused as refused:
        return refused
    except Unclear:
        return None
    finally:
        position.restore(saved)
    return None


def _try_move(
    position: GamePosition,
    move: Move,
    at: Location,
    answers: Sequence[str],
    following: FollowingMove | None,
    *,
    answers_single: bool,
) -> int:
    verb, words = move.wish()
    position.script([*move.random, *answers])
    position.settle(verb, move.player)
    position.apply(_find_move(position, move, verb, words, (*at, move.action)))
    _choose(position, move.answers(), at, following, answers_single=answers_single)
    return _check_answers(position, move.random, at, answers)


def _find_move(
    position: GamePosition, move: Move, verb: str, words: Words, at: Location
) -> LegalMove:
    phrase = position.phrase(verb, words)
    legal: Sequence[LegalMove] = ()
    if position.turn == move.player and position.open_choice is None:
        legal = position.legal_moves()
    fitting = [option for option in legal if option.fits(verb, words)]
    if not fitting:
        reason = refusal_reason(position, move.player, verb, words)
        help = None
        if legal:
            help = _list_moves("Legal moves", legal)
        raise Refused(at, f"{move.player} cannot {phrase}", reason, help)
    if len(fitting) > 1:
        message = f"`{phrase}` is not clear: there are {len(fitting)} ways"
        raise Unclear(at, message, _list_moves("Say which", fitting))
    return fitting[0]


def _choose(
    position: GamePosition,
    answers: Sequence[Words],
    at: Location,
    following: FollowingMove | None,
    *,
    answers_single: bool,
) -> None:
    """Answer the questions of a move. A question with a single option needs no answer.

    With `answers_single` an answer that fits such a question is spent on it, otherwise
    it is kept for the next. Questions may come after moves that the file leaves out.
    Stops where chance lacks an answer. Raises Refused or Unclear.
    """
    left = list(answers)
    skipped: Refused | None = None
    while _is_asked(position, following):
        legal = position.legal_moves()
        fitting: list[LegalMove] = []
        location = at
        if left:
            location = (*at, "choose", len(answers) - len(left))
            fitting = [move for move in legal if move.fits(CHOOSE_VERB, left[0])]
        if len(fitting) == 1 and (answers_single or len(legal) > 1):
            position.apply(fitting[0])
            del left[0]
            skipped = None
        elif len(legal) == 1:
            if left and not fitting and left[0].keys() <= legal[0].words.keys():
                skipped = skipped or _make_refusal(position, left[0], legal, location)
            position.apply(legal[0])
        elif left and not fitting:
            raise skipped or _make_refusal(position, left[0], legal, location)
        else:
            raise _make_unclear(position, left, fitting or legal, location)
    if left and position.chance_fault is None:
        location = (*at, "choose", len(answers) - len(left))
        raise skipped or _make_refusal(position, left[0], (), location)


def _is_asked(position: GamePosition, following: FollowingMove | None) -> bool:
    """Report whether a question is open before the move that follows."""
    if position.open_choice is None and following is not None:
        position.settle(*following)
    return position.open_choice is not None and position.chance_fault is None


def _make_refusal(
    position: GamePosition, answer: Words, legal: Sequence[LegalMove], at: Location
) -> Refused:
    reason = refusal_reason(position, position.turn or "", CHOOSE_VERB, answer)
    help = _list_moves("Possible", legal) if legal else ANSWERED_TOO_EARLY
    name = answer_in_words(position, answer)
    return Refused(at, f"{name} cannot be chosen", reason, help)


def _make_unclear(
    position: GamePosition,
    left: Sequence[Words],
    ways: Sequence[LegalMove],
    at: Location,
) -> Unclear:
    """Return the error for a question without a clear answer."""
    if left:
        name = answer_in_words(position, left[0])
        message = f"the choice of {name} is not clear: there are {len(ways)} ways"
        return Unclear(at, message, _list_moves("Say which", ways))
    message = f"{position.turn} has to choose {position.open_choice}"
    heading = "Add `choose` to this move, one of" if at else "One of"
    return Unclear(at, message, _list_moves(heading, ways))


def _list_moves(heading: str, moves: Sequence[LegalMove]) -> str:
    texts = (move.text.removeprefix(f"{CHOOSE_VERB} ") for move in moves)
    return f"{heading}: {'; '.join(texts)}"


def _check_answers(
    position: GamePosition, random: Sequence[str], at: Location, answers: Sequence[str]
) -> int:
    """Check the answers of chance: first those of the move, then the scenario's.

    Returns how many of the scenario's were used. Raises Unclear if one is missing, and
    BadPosition for an impossible or superfluous answer of the move.
    """
    used = position.answers_used
    count = len(random)
    script = [*random, *answers]
    if position.chance_fault is ChanceFault.MISSING:
        raise _ask_answer(position.question, at)
    if position.chance_fault is ChanceFault.IMPOSSIBLE:
        location = (*at, "random", used - 1) if used <= count else ("random",)
        message = f"{quote(script[used - 1])} is no possible outcome of the random pick"
        asked = position.question
        help = f"Chance decides {asked.text}: {either(asked.names)}" if asked else None
        raise BadPosition(location, message, help)
    if used < count:
        message = f"random answer {quote(random[used])} was not used"
        raise BadPosition((*at, "random", used), message, NOT_PICKED)
    return used - count


def _ask_answer(asked: Question | None, at: Location) -> Unclear:
    if asked is None:
        message = "chance decides here, and no answer is scripted"
        help = "Add `random: [CARD]` with the card that it picks"
        return Unclear(at, message, help)
    message = f"chance decides {asked.text}: {either(asked.names)}"
    return Unclear(at, message, f"Say which: `random: [{asked.cards[0]}]`, for example")
