"""Cards and leaders that a player asks for, by their name or by filters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from deckcheck.cards.database import CardDatabase, leader_names
from deckcheck.cards.models import Card, Condition, LeaderRecord
from deckcheck.cards.names import closest, normalise
from deckcheck.findings import UsageError
from deckcheck.messages import choice, quote, suggestion

T = TypeVar("T")

LEADER_KIND = "leader"
"""The word for leaders among the kinds of cards that can be searched for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFilter(Condition):
    """A condition on cards that includes their strength.

    The kind `leader` means leaders.
    """

    strength: tuple[int | None, int | None] = (None, None)
    """Both inclusive bounds, None for an open bound. Cards without strength fit no
    bound.
    """

    def matches(self, card: Card) -> bool:
        """Report whether a card fits."""
        return Condition.matches(self, card) and self._is_strong(card.strength)

    def matches_leader(self, leader: LeaderRecord) -> bool:
        """Report whether a leader fits."""
        return (
            LEADER_KIND in self.kinds
            and (not self.factions or leader.faction in self.factions)
            and not (self.rows or self.abilities)
            and self.strength == (None, None)
        )

    def _is_strong(self, strength: int | None) -> bool:
        low, high = self.strength
        if low is None and high is None:
            return True
        if strength is None:
            return False
        return (low is None or low <= strength) and (high is None or strength <= high)


def make_card_filter(
    database: CardDatabase,
    *,
    factions: Sequence[str] = (),
    kinds: Sequence[str] = (),
    rows: Sequence[str] = (),
    abilities: Sequence[str] = (),
    strength: str | None = None,
    words: Sequence[str] = (),
) -> CardFilter:
    """Return the filter that the words of a player describe.

    Factions go by any of their names, the other words as `database.game` lists them,
    with spaces and dashes for `_`. `strength` is `5`, `5..10`, `5..` or `..4`. Each of
    `words` is a faction, kind, row or ability. Raises UsageError for an unknown word.
    """
    game = database.game
    known_kinds = list(game.kinds)
    if database.leaders:
        known_kinds.append(LEADER_KIND)
    named = {
        "kind": [_find_word("kind", word, known_kinds) for word in kinds],
        "row": [_find_word("row", word, game.rows) for word in rows],
        "ability": [_find_word("ability", word, game.abilities) for word in abilities],
        "faction": [_find_faction(database, word) for word in factions],
    }
    allowed = {"kind": known_kinds, "row": game.rows, "ability": game.abilities}
    for category, word in _resolve_words(database, words, allowed):
        named[category].append(word)
    return CardFilter(
        factions=tuple(named["faction"]),
        kinds=tuple(named["kind"]),
        rows=tuple(named["row"]),
        abilities=tuple(named["ability"]),
        strength=(None, None) if strength is None else _parse_range(strength),
    )


def _resolve_words(
    database: CardDatabase, words: Sequence[str], allowed: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """Yield each word of a player as a category and the game's own spelling.

    A name can be several words, and a plural.
    """
    by_name: dict[str, tuple[str, str]] = {}
    for category, known in allowed.items():
        for word in known:
            by_name[normalise(word)] = (category, word)
    start = 0
    while start < len(words):
        for stop in range(len(words), start, -1):
            text = " ".join(words[start:stop])
            name = normalise(text)
            singulars = [
                name,
                name.removesuffix("s"),
                name.removesuffix("es"),
                re.sub("ies$", "y", name),
            ]
            faction = database.find_faction(text).id
            meant = next((by_name[n] for n in singulars if n in by_name), None)
            if meant or faction:
                yield meant or ("faction", faction or "")
                start = stop
                break
        else:
            text = " ".join(words[start:])
            raise UsageError(
                f"No faction, kind, row or ability is called {quote(text)}",
                f"Look for a card with `deckcheck cards find {text}`",
            )


def _find_faction(database: CardDatabase, text: str) -> str:
    """Return the id of a faction. Raises UsageError for an unknown name."""
    lookup = database.find_faction(text)
    if lookup.id is not None:
        return lookup.id
    names = lookup.suggestions or tuple(f.name for f in database.game.factions)
    if not names:
        help = f"{database.game.name} has no factions"
        raise UsageError(f"Unknown faction {quote(text)}", help)
    raise _unknown_word_error("faction", text, lookup.suggestions, names)


def _find_word(category: str, text: str, allowed: Sequence[str]) -> str:
    """Return the allowed word that a text spells. Raises UsageError for another."""
    by_name = {normalise(word): word for word in allowed}
    # Two games may differ in a `_` only.
    word = text if text in allowed else by_name.get(normalise(text))
    if word is not None:
        return word
    near = [by_name[name] for name in closest(normalise(text), by_name)]
    raise _unknown_word_error(category, text, near, allowed)


def _unknown_word_error(
    category: str, text: str, near: Sequence[str], allowed: Sequence[str]
) -> UsageError:
    help = suggestion(near, f"Known: {choice(allowed, 'and')}")
    return UsageError(f"Unknown {category} {quote(text)}", help)


_RANGE_PATTERN = re.compile(r"\s*(\d{1,4})?\s*(\.\.)?\s*(\d{1,4})?\s*")


def _parse_range(text: str) -> tuple[int | None, int | None]:
    """Return both inclusive bounds of a range of strengths, None for an open bound.

    >>> _parse_range("5.."), _parse_range("5")
    ((5, None), (5, 5))
    """
    match = _RANGE_PATTERN.fullmatch(text)
    low, dots, high = None, None, None
    if match is not None:
        low, dots, high = match.groups()
    if (low or high) is None or (dots is None and high is not None):
        message = f"{quote(text)} is not a range of strengths"
        raise UsageError(message, "Write `5`, `5..10`, `5..` or `..4`")
    least = int(low) if low else None
    most = int(high) if high else None
    if dots is None:
        most = least
    if least is not None and most is not None and least > most:
        help = f"Write the smaller figure first: `{most}..{least}`"
        raise UsageError(f"No strength fits the range {quote(text)}", help)
    return least, most


# Cards and leaders by their names


def find_cards(database: CardDatabase, text: str) -> list[Card]:
    """Return the cards named `text`, else the cards with `text` in a name."""
    if ids := database.find_card(text).ids:
        return [database.cards[id] for id in ids]
    cards = list(database.cards.values())
    return _find_containing(text, cards, lambda c: (c.name, c.id, *c.aliases))


def find_leaders(database: CardDatabase, text: str) -> list[LeaderRecord]:
    """Return the leaders named `text`, else the leaders with `text` in a name."""
    if ids := database.find_leader(text).ids:
        return [database.leaders[id] for id in ids]
    return _find_containing(text, list(database.leaders.values()), leader_names)


def _find_containing(
    text: str, records: list[T], names: Callable[[T], tuple[str, ...]]
) -> list[T]:
    """Return the records with a name that contains a text. An empty text has none."""
    part = normalise(text)
    if not part:
        return []
    found: list[T] = []
    for record in records:
        if any(part in normalise(name) for name in names(record)):
            found.append(record)
    return found


def find_records(
    database: CardDatabase, text: str
) -> tuple[list[Card], list[LeaderRecord]]:
    """Return the card or leader named `text`, or all that share an ambiguous name.

    A card comes before a leader of the same name. Raises UsageError with suggestions
    for an unknown name.
    """
    card, leader = database.find_card(text), database.find_leader(text)
    if card.id is not None:
        return [database.cards[card.id]], []
    if leader.id is not None:
        return [], [database.leaders[leader.id]]
    if not (card.ids or leader.ids):
        raise unknown_name(database, text)
    cards = [database.cards[id] for id in card.ids]
    return cards, [database.leaders[id] for id in leader.ids]


def unknown_name(database: CardDatabase, text: str) -> UsageError:
    """Return the error for a name that no card and no leader has."""
    card, leader = database.find_card(text), database.find_leader(text)
    near = card.suggestions or leader.suggestions
    command = f"`deckcheck cards --game {database.game.id}` lists all"
    message = f"Unknown card or leader {quote(text)}"
    return UsageError(message, suggestion(near, command))


def find_game(game: str, games: Sequence[str]) -> str:
    """Return the id of a game as a player writes it. Raises UsageError if unknown."""
    return _find_word("game", game, games)
