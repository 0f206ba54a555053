"""The changes that a move makes, in sentences: the positions before and after compared.

Positions of all games use the same keys (`GamePosition.facts`), and a game without
hands, rows or rounds shows none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from deckcheck.messages import plural
from deckcheck.scenarios.contract import GamePosition, LegalMove
from deckcheck.scenarios.position import SCORE_NOUNS, Facts, Named

ROUND_COSTS = ("gems", "lives")
"""The losses that the end of a round may bring."""


def has_round_ended(before: Facts, after: Facts) -> bool:
    """Report whether a round, or the game, ended with the move in between."""
    return bool(before.get("round") != after.get("round") or after["over"])


def count_totals(facts: Facts, sides: Sequence[str]) -> dict[str, int]:
    """Return the strength of each side, or its points where strengths do not add up."""
    word = "total" if "total" in facts[sides[0]] else "points"
    return {side: facts[side][word] for side in sides}


@dataclass(frozen=True, slots=True)
class Change:
    """A move in `position`, and the facts before and after it."""

    before: Facts
    after: Facts
    move: LegalMove
    position: GamePosition

    def describe(self) -> Iterator[str]:
        """Yield the consequences as sentences."""
        hands = list(self._describe_hands())
        if has_round_ended(self.before, self.after):
            yield from self._describe_round_end()
            yield from self._describe_round_winner()
            yield from hands
            yield from self._describe_hands_left()
            yield from self._describe_next_board()
            return
        yield from hands
        yield from self._describe_board()
        new = _count_weather(self.after)
        if _count_weather(self.before) != new:
            yield f"weather: {self._join_cards(new) or 'none'}"

    def _describe_hands(self) -> Iterator[str]:
        """Yield sentences about cards into and out of hands, but the played card."""
        before = self.before
        after = self.after
        move = self.move
        card = move.words.get("card")
        for player in self.position.players:
            old, new = _count_hand(before, player), _count_hand(after, player)
            lost = old - new
            if card is not None and move.verb != "choose":
                lost -= Counter([card])
            if lost:
                yield f"{player} no longer holds {self._join_cards(lost)}"
            gained = new - old
            is_redraw = move.verb == "redraw" and player == before["turn"]
            if is_redraw and card and not gained:
                # Another copy of the card came.
                gained = Counter([card])
            yield from self._describe_gained(player, gained)

    def _describe_gained(self, player: str, gained: Counter[str]) -> Iterator[str]:
        """Yield sentences about the origins of the cards that came into a hand."""
        board = self._find_removed(_count_board)
        discard = self._find_removed(_count_discard)
        drawn = Counter[str]()
        if self._count_lost_deck_cards(player) >= gained.total():
            # As a round ends the piles lose cards, too, and copies of what was drawn.
            drawn = gained
        rest = gained - drawn
        for words, cards in (
            ("takes back", rest & board),
            ("takes from a discard pile", (rest - board) & discard),
            ("draws", drawn + (rest - board - discard)),
        ):
            if cards:
                yield f"{player} {words} {self._join_cards(cards)}"

    def _count_lost_deck_cards(self, player: str) -> int:
        """Count the cards that a player's deck lost at the end of a round, else 0."""
        old, new = self.before[player], self.after[player]
        if not has_round_ended(self.before, self.after) or "deck_size" not in old:
            return 0
        return int(old["deck_size"] - new["deck_size"])

    def _find_removed(
        self, count_pile: Callable[[Facts, str], Counter[str]]
    ) -> Counter[str]:
        """Return the cards that left a pile of any side, counted by `count_pile`."""
        removed = Counter[str]()
        for side in self.position.sides:
            removed += count_pile(self.before, side) - count_pile(self.after, side)
        return removed

    def _describe_board(self) -> Iterator[str]:
        """Yield sentences about cards that came to the sides or left them.

        The played card is mentioned only if it is on another side.
        """
        card = self.move.words.get("card")
        player = self.before.get("turn")
        played = Counter([card] if card else [])
        for side in self.position.sides:
            old, new = _count_board(self.before, side), _count_board(self.after, side)
            added = new - old
            removed = old - new
            played_here = added & played
            added -= played_here
            played -= played_here
            is_elsewhere = player is not None and player not in side
            if played_here and self.move.verb == "play" and is_elsewhere:
                yield f"it lies on the side of {side}"
            if added:
                yield f"on the side of {side} now: {self._join_cards(added)}"
            if removed:
                yield f"gone from the side of {side}: {self._join_cards(removed)}"

    def _describe_round_end(self) -> Iterator[str]:
        """Yield sentences about the end of a round: the reason, losses and gains."""
        before = self.before
        has_rounds = "round" in before
        ended = f"round {before['round']}" if has_rounds else "the game"
        yield f"{ended} ends: {self._find_end_reason()}"
        for name, old in before.items():
            if not isinstance(old, Mapping) or name not in self.after:
                continue
            new = self.after[name]
            for key in ROUND_COSTS:
                is_owner = key in old and name in _find_owners(before, key)
                if is_owner and new[key] < old[key]:
                    lost = plural(old[key] - new[key], SCORE_NOUNS[key])
                    yield f"{name} loses {lost}, {new[key]} left"
            if new.get("points", 0) > old.get("points", 0) and has_rounds:
                gained = new["points"] - old["points"]
                yield f"{name} scores {gained}, {new['points']} in all"

    def _find_end_reason(self) -> str:
        """Return the reason why the round, or the game, ended."""
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

    def _describe_hands_left(self) -> Iterator[str]:
        """Yield sentences about the number of cards for the next round."""
        after = self.after
        players = self.position.players
        if after["over"] or any("hand" not in after[player] for player in players):
            return
        hands = []
        for player in players:
            hands.append(f"{player} {plural(len(after[player]['hand']), 'card')}")
        yield f"left in hand: {', '.join(hands)}"

    def _describe_next_board(self) -> Iterator[str]:
        """Yield sentences about cards that stay for the next round, or return."""
        if self.after["over"]:
            return
        for side in self.position.sides:
            cards = _count_board(self.after, side)
            if cards:
                yield f"on the side of {side}: {self._join_cards(cards)}"

    def _join_cards(self, cards: Counter[str]) -> str:
        return join_names(cards.elements(), self.position.get_card_name)


def _find_owners(facts: Facts, key: str) -> list[str]:
    """Return the owners of gems: teams, if there are any, else the players."""
    owners = []
    for name, value in facts.items():
        if isinstance(value, Mapping) and key in value:
            owners.append(name)
    # The name of a player contains that of the team.
    teams = []
    for team in owners:
        if any(team != owner and team in owner for owner in owners):
            teams.append(team)
    return teams or owners


def _count_weather(facts: Facts) -> Counter[str]:
    return Counter(entry["card"] for entry in facts.get("weather", ()))


def _count_board(facts: Facts, side: str) -> Counter[str]:
    specials = (facts[side].get("row_specials") or {}).values()
    cards: Counter[str] = Counter(filter(None, specials))
    for row in facts[side].get("cards", {}).values():
        cards.update(row)
    return cards


def _count_discard(facts: Facts, side: str) -> Counter[str]:
    return Counter(facts[side].get("discard") or ())


def _count_hand(facts: Facts, player: str) -> Counter[str]:
    return Counter(facts[player].get("hand") or ())


def join_names(cards: Iterable[str], named: Named) -> str:
    """Return the names of cards, with numbers: `2 Ghoul, Foglet`."""
    parts = []
    for name, count in Counter(map(named, cards)).items():
        parts.append(f"{count} {name}" if count > 1 else name)
    return ", ".join(parts)
