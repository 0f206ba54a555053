"""Making the moves of a scenario: words to legal moves, choices, scripted chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deckcheck.findings.documents import Location
from deckcheck.findings.words import quote
from deckcheck.scenarios.contract import ChanceFault, LegalMove, Position, Question
from deckcheck.scenarios.errors import BadPosition, Refused, Unclear
from deckcheck.scenarios.models import Move

__all__ = ["finish", "make_move", "refusal_of"]

Words = Mapping[str, str]

CHOOSE = "choose "


def make_move(
    position: Position, move: Move, at: Location, answers: Sequence[str]
) -> int:
    """Make one move of a file and the choices it leads to.

    `at` is the place of the move in the file; `answers` may be used for random picks
    after those of the move itself. Returns how many of `answers` were used. Raises
    Refused, Unclear or BadPosition, and then leaves the position in between.
    """
    saved = position.save()
    try:
        return _attempt(position, move, at, answers, eager=True)
    except BadPosition as first:
        # An answer may have been spent on a choice that had only one anyway.
        if not move.answers():
            raise
        position.restore(saved)
        try:
            return _attempt(position, move, at, answers, eager=False)
        except BadPosition:
            raise first from None


def finish(position: Position, answers: Sequence[str]) -> int:
    """Make what a file leaves out after its last move; returns the answers used.

    Raises Unclear or BadPosition where chance lacks an answer.
    """
    position.script(answers)
    position.settle("", "")
    return _count_answers(position, (), (), answers)


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
    position: Position, move: Move, at: Location, answers: Sequence[str], *, eager: bool
) -> int:
    verb, words = move.wish()
    position.script([*move.random, *answers])
    position.settle(verb, move.player)
    position.apply(_find(position, move, verb, words, (*at, move.action)))
    _choose(position, move.answers(), (*at, "choose"), eager=eager)
    return _count_answers(position, move.random, at, answers)


def _find(
    position: Position, move: Move, verb: str, words: Words, at: Location
) -> LegalMove:
    phrase = position.phrase(verb, words)
    turn = position.turn
    what = f"{move.player} cannot {phrase}"
    if turn is None:
        raise Refused(at, what, "the game is over")
    if turn != move.player:
        raise Refused(at, what, position.idle_reason(move.player))
    legal = position.legal_moves()
    found = [option for option in legal if option.fits(verb, words)]
    if not found:
        reason = position.reason(verb, words)
        raise Refused(at, what, reason, _listing("Legal moves", legal))
    if len(found) > 1:
        message = f"`{phrase}` is not clear: there are {len(found)} ways"
        raise Unclear(at, message, _listing("Say which", found))
    return found[0]


def _choose(
    position: Position, answers: Sequence[Words], at: Location, *, eager: bool
) -> None:
    """Answer the questions that a move asks; one with a single answer needs none.

    Stops where chance lacks an answer.
    """
    left = list(answers)
    while position.awaits_choice and position.chance_fault is None:
        legal = position.legal_moves()
        found: list[LegalMove] = []
        if left and (eager or len(legal) > 1):
            found = [option for option in legal if option.fits(option.verb, left[0])]
        if len(found) == 1:
            position.apply(found[0])
            del left[0]
        elif len(legal) == 1:
            position.apply(legal[0])
        else:
            place = (*at, len(answers) - len(left)) if left else at[:-1]
            raise _no_answer(position, left, legal, found, place)
    if left and position.chance_fault is None:
        place = (*at, len(answers) - len(left))
        what = f"{_named(position, left[0])} cannot be chosen"
        raise Refused(place, what, "there is nothing left to choose")


def _no_answer(
    position: Position,
    left: Sequence[Words],
    legal: Sequence[LegalMove],
    found: Sequence[LegalMove],
    at: Location,
) -> BadPosition:
    if not left:
        message = "this move needs a choice"
        return Unclear(at, message, _listing("Add `choose`, one of", legal))
    name = _named(position, left[0])
    if found:
        message = f"the choice of {name} is not clear: there are {len(found)} ways"
        return Unclear(at, message, _listing("Say which", found))
    reason = position.reason("choose", left[0])
    return Refused(at, f"{name} cannot be chosen", reason, _listing("Possible", legal))


def _named(position: Position, words: Words) -> str:
    return position.phrase("choose", words).removeprefix(CHOOSE)


def _listing(what: str, moves: Sequence[LegalMove]) -> str:
    return f"{what}: {'; '.join(move.text.removeprefix(CHOOSE) for move in moves)}"


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
        raise BadPosition((*at, "random", used), message, "Remove it")
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
