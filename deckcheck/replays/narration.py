"""A game in words: opening, changes, chances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from deckcheck.engine.contract import set_up
from deckcheck.engine.records import Records
from deckcheck.messages import plural
from deckcheck.playing.kernel import GameOutcome, note_outcome, start_game
from deckcheck.playing.table import Table, open_table
from deckcheck.policies.players import SURE_CHANCE, win_chance
from deckcheck.policies.workspace import is_learned, new_workspace
from deckcheck.replays.model import Script, Step, ToldGame, TurningPoint
from deckcheck.scenarios.contract import GamePosition, LegalMove, load_adapter
from deckcheck.scenarios.position import SCORE_NOUNS, Facts, Named

# The position at the beginning of a replayed game, uncompiled


class DealtGame(NamedTuple):
    """A dealt game: the engine's records, and the position in words."""

    states: Any
    contexts: Any
    position: GamePosition


def open_script(script: Script) -> DealtGame:
    """Deal the game of a script."""
    states, contexts = open_table(script.table)
    _, stream, counter, beginner = script.game
    s, x = Records(states)[0], Records(contexts)[0]
    start_game(s, x, script.seed, stream, counter, beginner)
    set_up(s, x)
    position = load_adapter(script.format.game).make_position(
        states,
        contexts,
        script.database,
        script.format,
        [seat.leader for seat in script.seats],
    )
    return DealtGame(states, contexts, position)


# Changes that a move makes, in sentences: the position before and after compared.
#
# Positions of all games use the same keys (`GamePosition.facts`), and a game
# without hands, rows or rounds shows none.

ROUND_COSTS = ("gems", "lives")
"""The losses that the end of a round may bring."""


def has_round_ended(before: Facts, after: Facts) -> bool:
    """Report whether a round, or the game, ended with the move in between."""
    return bool(before.get("round") != after.get("round") or after["over"])


def totals(facts: Facts, sides: Sequence[str]) -> dict[str, int]:
    """Return the strength of each side, or its points where strengths do not add up."""
    word = "total" if "total" in facts[sides[0]] else "points"
    return {side: facts[side][word] for side in sides}


@dataclass(frozen=True, slots=True)
class _Change:
    """A move in `position`, and the facts before and after it."""

    before: Facts
    after: Facts
    move: LegalMove
    position: GamePosition

    def describe(self) -> Iterator[str]:
        """Yield the consequences as sentences."""
        hands = list(self._tell_hands())
        if has_round_ended(self.before, self.after):
            yield from self._describe_round_end()
            yield from self._describe_round_winner()
            yield from hands
            yield from self._tell_hands_left()
            yield from self._tell_after_round()
            return
        yield from hands
        yield from self._tell_board()
        new = _count_weather(self.after)
        if _count_weather(self.before) != new:
            yield f"weather: {self._join_cards(new) if new else 'none'}"

    def _tell_hands(self) -> Iterator[str]:
        """Yield sentences about cards into and out of hands, but the played card."""
        before = self.before
        after = self.after
        move = self.move
        hand = move.words.get("card")
        board, discard = self._find_removed(_count_board), self._find_removed(_discard)
        for player in self.position.players:
            old, new = _count_hand(before, player), _count_hand(after, player)
            lost = old - new
            if hand is not None and move.verb != "choose":
                lost -= Counter([hand])
            if lost:
                yield f"{player} no longer holds {self._join_cards(lost)}"
            gained = new - old
            if (
                hand
                and not gained
                and move.verb == "redraw"
                and player == before["turn"]
            ):
                gained = Counter([hand])  # another copy came
            drawn = Counter[str]()
            if self._count_lost_deck_cards(player) >= gained.total():
                # As a round ends the piles lose cards, too, and copies of what was
                # drawn.
                drawn = gained
            rest = gained - drawn
            for words, added in (
                ("takes back", rest & board),
                ("takes from a discard pile", (rest - board) & discard),
                ("draws", drawn + (rest - board - discard)),
            ):
                if added:
                    yield f"{player} {words} {self._join_cards(added)}"

    def _count_lost_deck_cards(self, player: str) -> int:
        """Count the cards that a player's deck lost at the end of a round, else 0."""
        old, new = self.before[player], self.after[player]
        if not has_round_ended(self.before, self.after) or "deck_size" not in old:
            return 0
        return int(old["deck_size"] - new["deck_size"])

    def _find_removed(self, pile: Callable[[Facts, str], Counter[str]]) -> Counter[str]:
        """Return the cards that left a pile of any side."""
        sides = self.position.sides
        removed = (pile(self.before, side) - pile(self.after, side) for side in sides)
        return sum(removed, Counter[str]())

    def _tell_board(self) -> Iterator[str]:
        """Yield sentences about cards that came to the sides or left them.

        The played card is mentioned only if it is on another side.
        """
        card = self.move.words.get("card")
        player = self.before.get("turn")
        played = Counter([card] if card else [])
        for side in self.position.sides:
            old, new = _count_board(self.before, side), _count_board(self.after, side)
            added = new - old
            here = added & played
            added, played = added - here, played - here
            if here and self.move.verb == "play" and player and player not in side:
                yield f"it lies on the side of {side}"
            if added:
                yield f"on the side of {side} now: {self._join_cards(added)}"
            if old - new:
                yield f"gone from the side of {side}: {self._join_cards(old - new)}"

    def _describe_round_end(self) -> Iterator[str]:
        """Yield sentences about the end of a round: the reason, losses and gains."""
        before = self.before
        is_round = "round" in self.before
        ended = f"round {before['round']}" if is_round else "the game"
        yield f"{ended} ends: {self._tell_reason()}"
        for name, old in before.items():
            if not isinstance(old, Mapping) or name not in self.after:
                continue
            new = self.after[name]
            for key in ROUND_COSTS:
                if (
                    key in old
                    and name in _find_owners(before, key)
                    and new[key] < old[key]
                ):
                    lost = plural(old[key] - new[key], SCORE_NOUNS[key])
                    yield f"{name} loses {lost}, {new[key]} left"
            if new.get("points", 0) > old.get("points", 0) and is_round:
                gained = new["points"] - old["points"]
                yield f"{name} scores {gained}, {new['points']} in all"

    def _tell_reason(self) -> str:
        before = self.before
        players = self.position.players
        if not any("hand" in before[player] for player in players):
            return "the board is full"
        people = [player for player in players if "leaders" not in before[player]]
        waiting = [player for player in people if not before[player]["passed"]]
        if self.move.verb == "pass" and len(waiting) == 1:
            if len(people) < len(players):
                return f"{waiting[0]} has passed, and the automa has had its last turn"
            return "all have passed"
        return "nobody has a card left to play"

    def _describe_round_winner(self) -> Iterator[str]:
        """Yield a sentence about the winner of a round, by the gems that it cost."""
        before = self.before
        after = self.after
        sides = self.position.sides
        if len(sides) > 2 or any("gems" not in before[side] for side in sides):
            return
        losers = [s for s in sides if after[s]["gems"] < before[s]["gems"]]
        if len(losers) > 1:
            yield "the round is a draw"
        for winner in sides:
            if [side for side in sides if side != winner] == losers:
                # A pass changes no totals, a card that is played may.
                scores = [str(before[side]["total"]) for side in (winner, *losers)]
                by = f", {' to '.join(scores)}" if self.move.verb == "pass" else ""
                yield f"{winner} wins the round{by}"

    def _tell_hands_left(self) -> Iterator[str]:
        """Yield sentences about the number of cards for the next round."""
        after = self.after
        players = self.position.players
        if after["over"] or any("hand" not in after[player] for player in players):
            return
        hands = (f"{p} {plural(len(after[p]['hand']), 'card')}" for p in players)
        yield f"left in hand: {', '.join(hands)}"

    def _tell_after_round(self) -> Iterator[str]:
        """Yield sentences about cards that stay for the next round, or return."""
        for side in () if self.after["over"] else self.position.sides:
            stays = _count_board(self.after, side)
            if stays:
                yield f"on the side of {side}: {self._join_cards(stays)}"

    def _join_cards(self, cards: Counter[str]) -> str:
        return _join_names(cards.elements(), self.position.get_card_name)


def _find_owners(facts: Facts, key: str) -> list[str]:
    """Return the owners of gems: teams, if there are any, else the players."""
    owners = [n for n, v in facts.items() if isinstance(v, Mapping) and key in v]
    teams = [name for name in owners if any(name != o and name in o for o in owners)]
    return teams or owners


def _count_weather(facts: Facts) -> Counter[str]:
    return Counter(entry["card"] for entry in facts.get("weather", ()))


def _count_board(facts: Facts, side: str) -> Counter[str]:
    specials = (facts[side].get("row_specials") or {}).values()
    cards: Counter[str] = Counter(filter(None, specials))
    for row in facts[side].get("cards", {}).values():
        cards.update(row)
    return cards


def _discard(facts: Facts, side: str) -> Counter[str]:
    return Counter(facts[side].get("discard") or ())


def _count_hand(facts: Facts, player: str) -> Counter[str]:
    return Counter(facts[player].get("hand") or ())


def _join_names(cards: Iterable[str], named: Named) -> str:
    counted = Counter(map(named, cards))
    return ", ".join(f"{n} {name}" if n > 1 else name for name, n in counted.items())


# The chances of both players during a game, by the value of `learned-1`.
#
# Each is what the player in that seat can see: its hidden cards are counted as the rest
# of the lists, as `learned-1` does when it plays. The two need not
# add up to 1, since each knows its own hand alone.

VALUE_POLICY = "learned_1"
MIN_CHANGE = 0.1
MAX_TURNING_POINTS = 3

Chances = Callable[[], Mapping[str, float]]


def make_chances(
    states: Any, contexts: Any, table: Table, players: Sequence[str]
) -> Chances:
    """Return a function for the win probabilities in the position of `states`.

    It returns none if `learned-1` does not know the game, and before hands are dealt,
    since it learned from dealt hands.
    """
    game = table.game
    variant = table.variant
    if len(players) != 2 or not is_learned(game, variant):
        return dict
    q = getattr(Records(new_workspace(game, variant, [VALUE_POLICY]))[0], VALUE_POLICY)
    s, x = Records(states)[0], Records(contexts)[0]

    def chances() -> dict[str, float]:
        if s.turns == 0 and not s.n_hand.any():
            return {}
        return {
            player: round(float(win_chance(s, x, q, seat)) / SURE_CHANCE, 4)
            for seat, player in enumerate(players)
        }

    return chances


def first_player_chance(step: Step) -> float:
    """Return the chance of the first player: the mean of both players' estimates."""
    chances, other = step.chances.values()
    return (chances + 1 - other) / 2


def turning_points(steps: Sequence[Step]) -> tuple[TurningPoint, ...]:
    """Return the moves that cost their players most, then the largest draws of luck.

    At most three of each, the largest first, none below ten points. The cost of a move
    without a draw, in its player's own view, was in the player's hands.
    """
    points: list[TurningPoint] = []
    for before, step in pairwise(steps):
        player = step.player
        if player is not None and before.chances and step.chances:
            points.append(
                TurningPoint(step, before.chances[player], step.chances[player])
            )
    draws = [p for p in points if p.step.is_draw and abs(p.change) >= MIN_CHANGE]
    moves = [p for p in points if not p.step.is_draw and -p.change >= MIN_CHANGE]
    return (
        *sorted(moves, key=lambda point: point.change)[:MAX_TURNING_POINTS],
        *sorted(draws, key=lambda point: -abs(point.change))[:MAX_TURNING_POINTS],
    )


# Telling a game: its moves are made once more, in the uncompiled engine


def tell(script: Script) -> ToldGame:
    """Tell a game move by move. Raises ValueError if it ends unlike the play."""
    states, contexts, position = open_script(script)
    s, x = states[0], contexts[0]
    chances = make_chances(states, contexts, script.table, position.players)
    steps = tuple(_Teller(script, position, chances).steps())
    outcome = np.zeros((1, len(script.outcome or GameOutcome)), np.int64)
    if script.outcome is not None:
        note_outcome(s, x, outcome, 0)
        if tuple(outcome[0].tolist()) != script.outcome:
            raise ValueError("the game as told is not the one that was played")
    return ToldGame(
        players=dict(zip(position.players, script.seats, strict=True)),
        steps=steps,
        winner=position.facts()["winner"],
        outcome=tuple(outcome[0].tolist()) if script.outcome else (),
        crash=script.crash,
        turning_points=turning_points(steps),
    )


class _Teller:
    """Makes the moves of a script, and describes them and their consequences."""

    def __init__(
        self, script: Script, position: GamePosition, chances: Chances
    ) -> None:
        self.script = script
        self.position = position
        self.chances = chances
        self._automa = any(seat.policy is None for seat in script.seats)

    def steps(self) -> Iterator[Step]:
        """Yield the deal, then every move."""
        position = self.position
        facts = position.facts()
        notes = []
        for name in position.players:
            if hand := facts[name].get("hand"):
                cards = _join_names(hand, position.get_card_name)
                notes.append(f"{name} holds {cards}")
        for part in self._split_own_actions():
            notes += part
        yield self._step(0, facts, facts, None, text="deal", notes=notes)
        for number, code in enumerate(self.script.moves, start=1):
            before = facts
            player = position.turn
            text = "a move that has no words"
            try:
                move = position.in_words(code)
                text = move.text + self._name_leader(move, player)
                position.apply(move)
            except Exception:
                if self.script.crash is None:
                    raise
                notes = [f"the game crashes here: {self.script.crash}"]
                yield self._step(number, before, before, player, text=text, notes=notes)
                return
            facts = position.facts()
            during, later = self._split_own_actions()
            notes = [
                *during,
                *_Change(before, facts, move, position).describe(),
                *later,
            ]
            yield self._step(number, before, facts, player, text=text, notes=notes)

    def _step(
        self,
        number: int,
        before: Mapping[str, Any],
        facts: Mapping[str, Any],
        player: str | None,
        *,
        text: str,
        notes: Sequence[str],
    ) -> Step:
        """Return the step of a move, by the facts before it and after it."""
        ends = number > 0 and has_round_ended(before, facts)
        left = before if ends and not facts["over"] else facts
        # What an automa does in a last turn is in no position: its actions show it.
        is_known = not (ends and left is before and self._automa)
        return Step(
            number=number,
            round=before.get("round", 1),
            player=player,
            text=text,
            notes=tuple(notes),
            totals=totals(left, self.position.sides) if is_known else {},
            ends_round=ends,
            lines=tuple(self.position.lines()),
            position=self.position.describe(),
            chances=self.chances(),
        )

    def _name_leader(self, move: LegalMove, player: str | None) -> str:
        """Return the name of the leader whom a move uses."""
        if move.verb != "leader" or player is None:
            return ""
        seat = self.script.seats[self.position.players.index(player)]
        return f", {self.position.get_card_name(seat.leader)}" if seat.leader else ""

    def _split_own_actions(self) -> tuple[list[str], list[str]]:
        """Return the game's own actions until a round ended, and after that."""
        actions = self.position.actions()
        ends = [i for i, action in enumerate(actions, 1) if action.ends_round]
        texts = [action.text for action in actions]
        last = ends[-1] if ends else len(actions)
        return texts[:last], texts[last:]
