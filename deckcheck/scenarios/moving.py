"""Making the moves of a scenario: words to legal moves, choices, scripted chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from deckcheck.findings.documents import Location
from deckcheck.findings.words import quote
from deckcheck.scenarios.contract import (
    ChanceFault,
    LegalMove,
    Position,
    Question,
    Words,
)
from deckcheck.scenarios.errors import BadPosition, Refused, Unclear
from deckcheck.scenarios.models import Move
from deckcheck.scenarios.refusing import CHOOSE, refusal_reason

Next: TypeAlias = tuple[str, str]
"""The verb of the move that follows, and its player."""

END: Next = ("", "")
"""No move follows."""


ANSWERED_TOO_EARLY = "An answer stands with the move after which its question comes"
NOT_PICKED = "Remove it, or write it with the move after which chance decides"


def settle(position: Position, answers: Sequence[str]) -> int:
    """Make all that a file without moves leaves out; returns the answers used.

    Raises Unclear or BadPosition as `make_move` does.
    """
    position.script(answers)
    _choose(position, (), (), END, eager=True)
    return _count_answers(position, (), (), answers)


def make_move(
    position: Position,
    move: Move,
    at: Location,
    answers: Sequence[str],
    following: Next | None = None,
) -> int:
    """Make one move of a file, and all that comes before the one that follows.

    That is the choices it leads to, and what the file leaves out; without `following`
    nothing is left out. `at` is the place of the move in the file; `answers` may be
    used for random picks after those of the move itself. Returns how many of `answers`
    were used. Raises Refused, Unclear or BadPosition, and then leaves the position in
    between.
    """
    saved = position.save()
    try:
        return _attempt(position, move, at, answers, following, eager=True)
    except BadPosition as error:
        # An answer may have been spent on a choice that had only one anyway.
        if not move.answers():
            raise
        first = error
    position.restore(saved)
    try:
        return _attempt(position, move, at, answers, following, eager=False)
    except BadPosition as second:
        is_clearer = isinstance(second, Refused) and not isinstance(first, Refused)
        raise (second if is_clearer else first) from None


def refusal_of(position: Position, move: Move, at: Location) -> Refused | None:
    """Why the rules forbid the move, None if it is legal; the position stays as it is.

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


def _attempt(
    position: Position,
    move: Move,
    at: Location,
    answers: Sequence[str],
    following: Next | None,
    *,
    eager: bool,
) -> int:
    verb, words = move.wish()
    position.script([*move.random, *answers])
    position.settle(verb, move.player)
    position.apply(_find(position, move, verb, words, (*at, move.action)))
    _choose(position, move.answers(), at, following, eager=eager)
    return _count_answers(position, move.random, at, answers)


def _find(
    position: Position, move: Move, verb: str, words: Words, at: Location
) -> LegalMove:
    phrase = position.phrase(verb, words)
    is_to_move = position.turn == move.player and position.open_choice is None
    legal = position.legal_moves() if is_to_move else []
    fitting = [option for option in legal if option.fits(verb, words)]
    if not fitting:
        reason = refusal_reason(position, move.player, verb, words)
        help = _listing("Legal moves", legal) if legal else None
        raise Refused(at, f"{move.player} cannot {phrase}", reason, help)
    if len(fitting) > 1:
        message = f"`{phrase}` is not clear: there are {len(fitting)} ways"
        raise Unclear(at, message, _listing("Say which", fitting))
    return fitting[0]


def _choose(
    position: Position,
    answers: Sequence[Words],
    at: Location,
    following: Next | None,
    *,
    eager: bool,
) -> None:
    """Answer the questions that a move asks; one with a single answer needs none.

    Questions may come after what the file leaves out. Stops where chance lacks an
    answer.
    """
    left = list(answers)
    skipped: Refused | None = None
    while _is_asked(position, following):
        legal = position.legal_moves()
        fitting = [move for move in legal if left and move.fits(CHOOSE, left[0])]
        place = (*at, "choose", len(answers) - len(left)) if left else at
        if len(fitting) == 1 and (eager or len(legal) > 1):
            position.apply(fitting[0])
            del left[0]
            skipped = None
        elif len(legal) == 1:
            if left and not fitting and left[0].keys() <= legal[0].words.keys():
                skipped = skipped or _refused(position, left[0], legal, place)
            position.apply(legal[0])
        elif left and not fitting:
            raise skipped or _refused(position, left[0], legal, place)
        else:
            raise _unclear(position, left, fitting or legal, place)
    if left and position.chance_fault is None:
        place = (*at, "choose", len(answers) - len(left))
        raise skipped or _refused(position, left[0], (), place)


def _is_asked(position: Position, following: Next | None) -> bool:
    """Whether a question is open before the move that follows."""
    if position.open_choice is None and following is not None:
        position.settle(*following)
    return position.open_choice is not None and position.chance_fault is None


def _refused(
    position: Position, answer: Words, legal: Sequence[LegalMove], at: Location
) -> Refused:
    name = position.phrase(CHOOSE, answer).removeprefix(f"{CHOOSE} ")
    player = position.turn or ""
    reason = refusal_reason(position, player, CHOOSE, answer)
    help = _listing("Possible", legal) if legal else ANSWERED_TOO_EARLY
    return Refused(at, f"{name} cannot be chosen", reason, help)


def _unclear(
    position: Position,
    left: Sequence[Words],
    ways: Sequence[LegalMove],
    at: Location,
) -> Unclear:
    """A question without an answer, or with one that leaves several ways."""
    if left:
        name = position.phrase(CHOOSE, left[0]).removeprefix(f"{CHOOSE} ")
        message = f"the choice of {name} is not clear: there are {len(ways)} ways"
        return Unclear(at, message, _listing("Say which", ways))
    message = f"{position.turn} has to choose {position.open_choice}"
    what = "Add `choose` to this move, one of" if at else "One of"
    return Unclear(at, message, _listing(what, ways))


def _listing(what: str, moves: Sequence[LegalMove]) -> str:
    return (
        f"{what}: {'; '.join(move.text.removeprefix(f'{CHOOSE} ') for move in moves)}"
    )


def _count_answers(
    position: Position, random: Sequence[str], at: Location, answers: Sequence[str]
) -> int:
    """How many of the scenario's own answers were used; all of the move's must be."""
    used, own = position.answers_used, len(random)
    script = [*random, *answers]
    if position.chance_fault is ChanceFault.MISSING:
        raise _no_answer_of_chance(position.question, at)
    if position.chance_fault is ChanceFault.IMPOSSIBLE:
        place = (*at, "random", used - 1) if used <= own else ("random",)
        message = f"{quote(script[used - 1])} is no possible outcome of the random pick"
        asked = position.question
        help = f"Chance decides {asked.text}: {_either(asked)}" if asked else None
        raise BadPosition(place, message, help)
    if used < own:
        message = f"random answer {quote(random[used])} was not used"
        raise BadPosition((*at, "random", used), message, NOT_PICKED)
    return used - own


def _no_answer_of_chance(asked: Question | None, at: Location) -> Unclear:
    if asked is None:
        message = "chance decides here, and no answer is scripted"
        help = "Add `random: [CARD]` with the card that it picks"
        return Unclear(at, message, help)
    message = f"chance decides {asked.text}: {_either(asked)}"
    return Unclear(at, message, f"Say which: `random: [{asked.cards[0]}]`, for example")


def _either(asked: Question) -> str:
    *others, last = asked.names
    return f"{', '.join(others)} or {last}"
