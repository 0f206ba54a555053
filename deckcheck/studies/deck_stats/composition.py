"""The composition of a deck, and its exposure: read off its cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from deckcheck.cards import Card, CardDatabase


@dataclass(frozen=True, slots=True)
class Part:
    """Some cards of a deck: how many, and their printed strength together."""

    cards: int
    strength: int


@dataclass(frozen=True, slots=True)
class Exposure:
    """What a weather card can reach; `movable` cards could lie in another row."""

    weather: str
    rows: tuple[str, ...]
    cards: int
    strength: int
    movable: int


@dataclass(frozen=True)
class Composition:
    """A deck as cards of a database with their numbers; nothing is counted twice."""

    db: CardDatabase
    counts: Mapping[Card, int]

    @property
    def cards(self) -> int:
        """All cards."""
        return sum(self.counts.values())

    @cached_property
    def units(self) -> dict[Card, int]:
        """The cards that have a strength, heroes among them."""
        return {card: n for card, n in self.counts.items() if card.strength is not None}

    @property
    def all_units(self) -> Part:
        """The units together."""
        return _part(self.units)

    @property
    def kinds(self) -> dict[str, int]:
        """How many cards of each kind, in the order of the game."""
        return self._counted(self.db.game.kinds, lambda card: {card.kind})

    @property
    def factions(self) -> dict[str, int]:
        """How many cards of each faction, by its name."""
        ids = tuple(faction.id for faction in self.db.game.factions)
        factions = self._counted(ids, lambda card: {card.faction or ""})
        return {self.db.factions[id].name: n for id, n in factions.items()}

    @property
    def abilities(self) -> dict[str, int]:
        """How many cards have each ability, the most common first."""
        codes = self.db.game.abilities
        abilities = self._counted(codes, lambda card: {a.code for a in card.abilities})
        return dict(sorted(abilities.items(), key=lambda item: -item[1]))

    @property
    def rows(self) -> dict[str, Part]:
        """The units of each row; those that choose have a line of their own."""
        order = self.db.game.rows
        by_rows: dict[tuple[str, ...], dict[Card, int]] = {(row,): {} for row in order}
        for card, number in self.units.items():
            by_rows.setdefault(card.rows, {})[card] = number
        parts = {
            " or ".join(rows): _part(some) for rows, some in by_rows.items() if rows
        }
        return {name: part for name, part in parts.items() if part.cards}

    @property
    def copies(self) -> dict[int, int]:
        """How many different cards are there once, twice and so on."""
        return dict(sorted(Counter(self.counts.values()).items()))

    @property
    def exposed(self) -> dict[Card, int]:
        """The units that weather and scorch can touch."""
        return {c: n for c, n in self.units.items() if not self._untouchable(c)}

    @property
    def weather(self) -> tuple[Exposure, ...]:
        """What each kind of weather of the game can reach."""
        proof = self.db.game.odds.weatherproof
        targets = {
            card: n
            for card, n in self.exposed.items()
            if not any(card.has(code) for code in proof)
        }
        exposures: dict[tuple[str, ...], Exposure] = {}
        for name, rows in self._weather_cards():
            if rows not in exposures:
                exposures[rows] = _exposure(name, rows, targets)
        return tuple(exposures.values())

    @property
    def strongest(self) -> Part:
        """The strongest units that a scorch can destroy, by printed strength."""
        most = max((card.strength or 0 for card in self.exposed), default=0)
        top = {c: n for c, n in self.exposed.items() if most and c.strength == most}
        return _part(top)

    def _counted(
        self, order: Sequence[str], words: Callable[[Card], set[str]]
    ) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for card, number in self.counts.items():
            for word in words(card):
                counts[word] += number
        return {word: counts[word] for word in order if counts[word]}

    def _untouchable(self, card: Card) -> bool:
        return card.shield or card.kind in self.db.game.odds.untouchable

    def _weather_cards(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Every card of the game that brings weather, and the rows it is for."""
        reach = {weather.ability: weather.rows for weather in self.db.game.odds.weather}
        for card in self.db.cards.values():
            for ability in card.abilities:
                if ability.code in reach and card.known:
                    own = ability.rows or ((ability.row,) if ability.row else ())
                    yield card.name, own or reach[ability.code]


def _part(cards: Mapping[Card, int]) -> Part:
    strength = sum((card.strength or 0) * n for card, n in cards.items())
    return Part(sum(cards.values()), strength)


def _exposure(
    name: str, rows: tuple[str, ...], targets: Mapping[Card, int]
) -> Exposure:
    hit = {card: n for card, n in targets.items() if set(card.rows) & set(rows)}
    movable = sum(n for card, n in hit.items() if not set(card.rows) <= set(rows))
    part = _part(hit)
    return Exposure(name, rows, part.cards, part.strength, movable)
