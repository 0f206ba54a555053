"""Choosing cards of a database by what is printed on them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from deckcheck.cards.database import CardDatabase, leader_names
from deckcheck.cards.models import Card, Leader
from deckcheck.cards.names import closest, normalise
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import choice, quote

T = TypeVar("T")

_RANGE = re.compile(r"\s*(\d{1,4})?\s*(\.\.)?\s*(\d{1,4})?\s*")


@dataclass(frozen=True, slots=True)
class CardFilter:
    """Which cards are meant: those that fit every list given, any word of a list.

    `strength` holds both inclusive bounds, None for one that is open; cards without
    a strength fit no bound.
    """

    factions: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    rows: frozenset[str] = frozenset()
    abilities: frozenset[str] = frozenset()
    strength: tuple[int | None, int | None] = (None, None)

    def matches(self, card: Card) -> bool:
        """Whether the card is meant."""
        return (
            (not self.factions or card.faction in self.factions)
            and (not self.kinds or card.kind in self.kinds)
            and (not self.rows or any(row in self.rows for row in card.rows))
            and (not self.abilities or any(map(card.has, self.abilities)))
            and self._is_strong(card.strength)
        )

    def _is_strong(self, strength: int | None) -> bool:
        low, high = self.strength
        if low is None and high is None:
            return True
        if strength is None:
            return False
        return (low is None or low <= strength) and (high is None or strength <= high)


def card_filter(
    db: CardDatabase,
    *,
    factions: Sequence[str] = (),
    kinds: Sequence[str] = (),
    rows: Sequence[str] = (),
    abilities: Sequence[str] = (),
    strength: str | None = None,
) -> CardFilter:
    """The filter that words of a player describe; UsageError for an unknown word.

    Factions go by any of their names, the other words as `db.game` lists them, spaces
    and dashes for `_`. `strength` is `5`, `5..10`, `5..` or `..4`.
    """
    game = db.game
    return CardFilter(
        frozenset(_faction(db, word) for word in factions),
        frozenset(_word("kind", word, game.kinds) for word in kinds),
        frozenset(_word("row", word, game.rows) for word in rows),
        frozenset(_word("ability", word, game.abilities) for word in abilities),
        (None, None) if strength is None else _range(strength),
    )


def _faction(db: CardDatabase, text: str) -> str:
    lookup = db.find_faction(text)
    if lookup.id is not None:
        return lookup.id
    names = lookup.suggestions or tuple(f.name for f in db.game.factions)
    if not names:
        help = f"{db.game.name} has no factions"
        raise UsageError(f"Unknown faction {quote(text)}", help)
    raise _unknown("faction", text, lookup.suggestions, names)


def _word(what: str, text: str, allowed: Sequence[str]) -> str:
    by_name = {normalise(word): word for word in allowed}
    # Two games may differ in a `_` only.
    word = text if text in allowed else by_name.get(normalise(text))
    if word is not None:
        return word
    near = [by_name[name] for name in closest(normalise(text), by_name)]
    raise _unknown(what, text, near, allowed)


def _unknown(
    what: str, text: str, near: Sequence[str], allowed: Sequence[str]
) -> UsageError:
    help = (
        f"Did you mean {choice(near)}?" if near else f"Known: {choice(allowed, 'and')}"
    )
    return UsageError(f"Unknown {what} {quote(text)}", help)


def _range(text: str) -> tuple[int | None, int | None]:
    match = _RANGE.fullmatch(text)
    low, dots, high = match.groups() if match else (None, None, None)
    if (low or high) is None or (dots is None and high is not None):
        message = f"{quote(text)} is not a range of strengths"
        raise UsageError(message, "Write `5`, `5..10`, `5..` or `..4`")
    least = int(low) if low else None
    most = least if dots is None else int(high) if high else None
    if least is not None and most is not None and least > most:
        help = f"Write the smaller figure first: `{most}..{least}`"
        raise UsageError(f"No strength fits the range {quote(text)}", help)
    return least, most


def find_cards(db: CardDatabase, text: str) -> list[Card]:
    """The cards whose id, name or alias is `text`; else those that have it in one."""
    lookup = db.find_card(text)
    ids = [lookup.id] if lookup.id else lookup.candidates
    if ids:
        return [db.cards[id] for id in ids]
    return _holding(text, list(db.cards.values()), lambda c: (c.name, c.id, *c.aliases))


def find_leaders(db: CardDatabase, text: str) -> list[Leader]:
    """The leaders that `text` names; else those that have it in one of their names."""
    lookup = db.find_leader(text)
    ids = [lookup.id] if lookup.id else lookup.candidates
    if ids:
        return [db.leaders[id] for id in ids]
    return _holding(text, list(db.leaders.values()), leader_names)


def _holding(
    text: str, records: list[T], names: Callable[[T], tuple[str, ...]]
) -> list[T]:
    part = normalise(text)
    return [r for r in records if part and any(part in normalise(n) for n in names(r))]


def show_one(db: CardDatabase, text: str) -> Card | Leader:
    """The one card or leader that `text` names; UsageError with suggestions."""
    card = db.find_card(text)
    if card.id is not None:
        return db.cards[card.id]
    leader = db.find_leader(text)
    if leader.id is not None:
        return db.leaders[leader.id]
    shared = [db.cards[id].name for id in card.candidates]
    shared += [db.leaders[id].full_name for id in leader.candidates]
    if shared:
        raise UsageError(f"{quote(text)} may be {choice(shared)}", "Write one of them")
    raise unknown_name(db, text)


def unknown_name(db: CardDatabase, text: str) -> UsageError:
    """The error for a name that no card and no leader has."""
    near = db.find_card(text).suggestions or db.find_leader(text).suggestions
    command = f"`deckcheck cards --game {db.game.id}` lists all"
    help = f"Did you mean {choice(near)}?" if near else command
    return UsageError(f"Unknown card or leader {quote(text)}", help)


def known_game(game: str, games: Sequence[str]) -> str:
    """The id of a game as a player writes it; UsageError for an unknown one."""
    return _word("game", game, games)
