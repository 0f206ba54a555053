"""A deck in figures without play: composition, opening hand, exposure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from math import sqrt
from typing import Any, Literal

from typing_extensions import TypedDict

from deckcheck.cards import Card, CardDatabase, LeaderRecord, Root
from deckcheck.decks import Deck
from deckcheck.documents.records import Amount, Count, Ordinal, Share, Tool
from deckcheck.findings import UsageError
from deckcheck.formats import Format, database_of
from deckcheck.messages import choice, option, plural, quote, suggestion
from deckcheck.stats.distributions import (
    Kinds,
    at_least,
    mean_wanted,
    opening,
    play_drawing_cards,
    redrawn,
)
from deckcheck.validation import DeckReport

# The composition of a deck, and its exposure: read off its cards


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Some cards of a deck."""

    cards: Count
    """The number of cards."""
    strength: Count
    """Their printed strength together."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """The units that a weather card can reach."""

    weather: str
    """The kind of weather."""
    rows: tuple[str, ...]
    """The rows that it affects."""
    cards: Count
    """The number of units that it can reach."""
    strength: Count
    """Their printed strength together."""
    movable: Count
    """The number of these units that could lie in another row."""


@dataclass(frozen=True)
class Composition:
    """A deck as cards of a database with their numbers, each counted once."""

    database: CardDatabase
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
    def all_units(self) -> CardGroup:
        """The units together."""
        return _sum_group(self.units)

    @property
    def kinds(self) -> dict[str, int]:
        """How many cards of each kind, in the order of the game."""
        return self._count_words(self.database.game.kinds, lambda card: {card.kind})

    @property
    def factions(self) -> dict[str, int]:
        """How many cards of each faction, by its name."""
        ids = tuple(faction.id for faction in self.database.game.factions)
        factions = self._count_words(ids, lambda card: {card.faction or ""})
        return {self.database.factions[id].name: n for id, n in factions.items()}

    @property
    def abilities(self) -> dict[str, int]:
        """How many cards have each ability, the most common first."""
        codes = self.database.game.abilities
        abilities = self._count_words(
            codes, lambda card: {a.code for a in card.abilities}
        )
        return dict(sorted(abilities.items(), key=lambda item: -item[1]))

    @property
    def rows(self) -> dict[str, CardGroup]:
        """The units of each row; those that choose have a line of their own."""
        order = self.database.game.rows
        by_rows: dict[tuple[str, ...], dict[Card, int]] = {(row,): {} for row in order}
        for card, number in self.units.items():
            by_rows.setdefault(card.rows, {})[card] = number
        groups = {}
        for rows, cards in by_rows.items():
            group = _sum_group(cards)
            if rows and group.cards:
                groups[" or ".join(rows)] = group
        return groups

    @property
    def copies(self) -> dict[int, int]:
        """How many different cards are there once, twice and so on."""
        return dict(sorted(Counter(self.counts.values()).items()))

    @property
    def exposed(self) -> dict[Card, int]:
        """The units that weather and scorch can touch."""
        safe = self.database.game.odds.untouchable
        units = self.units.items()
        return {c: n for c, n in units if not c.shield and c.kind not in safe}

    @property
    def weather(self) -> tuple[Exposure, ...]:
        """What each kind of weather of the game can reach."""
        proof = self.database.game.odds.weatherproof
        targets = dict(self.exposed)
        for card in self.exposed:
            if any(card.has(code) for code in proof):
                del targets[card]
        exposures: dict[tuple[str, ...], Exposure] = {}
        for name, rows in self._list_weather_cards():
            if rows not in exposures:
                exposures[rows] = _measure_exposure(name, rows, targets)
        return tuple(exposures.values())

    @property
    def strongest(self) -> CardGroup:
        """The strongest units that a scorch can destroy, by printed strength."""
        most = max((card.strength or 0 for card in self.exposed), default=0)
        top = {c: n for c, n in self.exposed.items() if most and c.strength == most}
        return _sum_group(top)

    def _count_words(
        self, order: Sequence[str], words: Callable[[Card], set[str]]
    ) -> dict[str, int]:
        counts: Counter[str] = Counter()
        for card, number in self.counts.items():
            for word in words(card):
                counts[word] += number
        return {word: counts[word] for word in order if counts[word]}

    def _list_weather_cards(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield every card of the game that brings weather, with its rows."""
        reach = {w.ability: w.rows for w in self.database.game.odds.weather}
        for card in self.database.cards.values():
            for ability in card.abilities:
                if ability.code not in reach or not card.known:
                    continue
                rows = ability.rows or reach[ability.code]
                if ability.row and not ability.rows:
                    rows = (ability.row,)
                yield card.name, rows


def _sum_group(cards: Mapping[Card, int]) -> CardGroup:
    strength = sum((card.strength or 0) * n for card, n in cards.items())
    return CardGroup(sum(cards.values()), strength)


def _measure_exposure(
    name: str, rows: tuple[str, ...], targets: Mapping[Card, int]
) -> Exposure:
    reached = {}
    movable = 0
    for card, number in targets.items():
        if set(card.rows) & set(rows):
            reached[card] = number
            if set(card.rows) - set(rows):
                movable += number
    group = _sum_group(reached)
    return Exposure(name, rows, group.cards, group.strength, movable)


# Odds of the cards in an opening hand: exact, without simulation


@dataclass(frozen=True, slots=True)
class CardGroupOdds:
    """A named group of cards that one would like to hold."""

    name: str
    cards: frozenset[Card]


@dataclass(frozen=True, slots=True)
class FirstHand:
    """The opening hand."""

    size: Ordinal
    """The number of cards in hand."""
    redraws: Count
    """The number of cards that may be redrawn."""
    strength: Amount
    """The mean printed strength of the hand before redraws."""
    spread: Amount
    """The standard deviation of that strength."""


@dataclass(frozen=True, slots=True)
class OddsDocument:
    """The probability of holding cards of a group."""

    group: str
    """The name of the group."""
    ids: list[str]
    """The ids of the cards of the group."""
    copies: Count
    """The number of copies in the deck."""
    mean: Amount
    """The mean number of them in the hand as dealt."""
    opening: Share
    """The probability of at least `at_least` in the hand as dealt, 0 to 1."""
    redrawn: Share
    """The same after redraws that look for them, 0 to 1."""
    drawn: Share | None
    """The same once all cards that draw were played, 0 to 1; null without such."""


@dataclass(frozen=True, slots=True)
class SampleHand:
    """A hand as it is dealt, and what is redrawn of it."""

    dealt: list[str]
    """The ids of the dealt cards, in the order in which they are dealt."""
    redrawn: list[str]
    """The ids of the cards that go back."""
    drawn: list[str]
    """The ids of the cards that come for them."""
    strength: Count
    """The printed strength of the hand as it is dealt."""
    strength_after: Count
    """The printed strength of the hand after the redraws."""


def describe_opening(
    deck: Composition, fmt: Format, leader: LeaderRecord | None
) -> FirstHand | None:
    """Return the opening hand in a format, or None in games without hands."""
    size = fmt.options.get("hand_size")
    if not isinstance(size, int) or isinstance(size, bool) or deck.cards == 0:
        return None
    for opening_odds in deck.database.game.odds.opening:
        if leader is not None and leader.ability == opening_odds.ability:
            size += leader.amount or opening_odds.cards or 0
    size = min(size, deck.cards)
    total = squares = 0
    for card, number in deck.counts.items():
        strength = card.strength or 0
        total += strength * number
        squares += strength**2 * number
    mean = total / deck.cards
    variance = squares / deck.cards - mean**2
    correction = (deck.cards - size) / max(deck.cards - 1, 1)  # no card comes back
    redraws = fmt.options.get("redraws", 0)
    spread = sqrt(max(0.0, size * variance * correction))
    return FirstHand(size, int(redraws), size * mean, spread)


def hand_size(fmt: Format, database: CardDatabase, deck: Deck) -> int:
    """Return the size of the dealt hand. Raises UsageError if no card can be
    redrawn.
    """
    counts = {database.cards[card]: n for card, n in deck.counts().items()}
    leader = database.leaders[deck.leader] if deck.leader is not None else None
    opening = describe_opening(Composition(database, counts), fmt, leader)
    if opening is None or opening.redraws == 0:
        raise UsageError(
            f"There are no redraws in {quote(fmt.id)}: every hand is played as it is "
            "dealt",
            f"Name a format of Gwent or SG Gwint with {option('format')}",
        )
    if opening.size == sum(counts.values()):
        raise UsageError(
            f"{quote(deck.name)} is dealt all of its {plural(opening.size, 'card')}: "
            "there is none to draw for another",
            "Name a deck with more cards",
        )
    return opening.size


def list_usual_groups(deck: Composition) -> Iterator[CardGroupOdds]:
    """Yield each kind, each ability and each card of a deck, except for the whole
    deck.
    """
    groups = []
    for kind in deck.database.game.kinds:
        groups.append((kind, {card for card in deck.counts if card.kind == kind}))
    for code in deck.abilities:
        cards = {card for card in deck.counts if card.has(code)}
        groups.append((code.replace("_", " "), cards))
    for name, cards in groups:
        if 0 < len(cards) < len(deck.counts):
            yield CardGroupOdds(name, frozenset(cards))
    for card, _ in sorted(deck.counts.items(), key=lambda item: -item[1]):
        yield CardGroupOdds(card.name, frozenset({card}))


def compute_odds(
    deck: Composition, hand: FirstHand, group: CardGroupOdds, number: int
) -> OddsDocument:
    """Return the chances of `number` cards of `group` or more.

    Redraws give back cards that are neither in the group nor draw cards.
    """
    draws = {draw.ability: draw.cards or 0 for draw in deck.database.game.odds.draws}
    most_drawn = 0
    for card in deck.counts:
        for ability in card.abilities:
            if ability.code in draws:
                most_drawn = max(most_drawn, ability.amount or draws[ability.code])
    kinds = _count_kinds(deck, group, draws)
    under = deck.database.game.odds.redrawn == "under"
    dealt = opening(kinds, hand.size)
    mended = redrawn(kinds, dealt, hand.size, hand.redraws, under=under)
    drawn = None
    if most_drawn:
        after_draws = play_drawing_cards(kinds, mended, hand.size, most_drawn)
        drawn = at_least(after_draws, number)
    return OddsDocument(
        group.name,
        sorted(card.id for card in group.cards),
        sum(n for card, n in deck.counts.items() if card in group.cards),
        mean_wanted(dealt),
        at_least(dealt, number),
        at_least(mended, number),
        drawn,
    )


def _count_kinds(
    deck: Composition, group: CardGroupOdds, draws: Container[str]
) -> Kinds:
    numbers: Counter[tuple[bool, bool]] = Counter()
    for card, number in deck.counts.items():
        is_drawing = any(ability.code in draws for ability in card.abilities)
        numbers[card in group.cards, is_drawing] += number
    return Kinds(
        numbers[True, False],
        numbers[False, True],
        numbers[True, True],
        numbers[False, False],
    )


class DeckStatsDocument(TypedDict):
    """A deck in figures."""

    path: str
    """The file of the deck."""
    index: Count
    """The place of the deck within its file, from 0."""
    name: str
    """The name of the deck."""
    format: str
    """The id of the format."""
    snapshot: str
    """The date from which on the format was like this."""
    fingerprint: str
    """A hash of the format's rules and its cards."""
    legal: bool
    """Whether the deck is legal in the format."""
    faction: str | None
    """The id of the deck's faction; null if it has none."""
    leader: str | None
    """The id of the deck's leader; null if it has none."""
    cards: Count
    """The number of cards."""
    units: CardGroup
    """The cards that have a strength."""
    kinds: dict[str, Count]
    """The number of cards of each kind."""
    factions: dict[str, Count]
    """The number of cards of each faction, by its name."""
    rows: dict[str, CardGroup]
    """The units that can lie in each row."""
    abilities: dict[str, Count]
    """The number of cards with each ability, the most common first."""
    copies: dict[str, Count]
    """The number of different cards with one copy, two copies, and so on."""
    weather: list[Exposure]
    """The units that each weather card can reach."""
    scorch: CardGroup
    """The strongest units, which scorch destroys."""
    opening: FirstHand | None
    """The opening hand; null in games without hands."""
    odds: list[OddsDocument]
    """The probabilities of holding cards of each group."""
    hands: list[SampleHand]
    """The hands of `--hands`; empty without it."""


class StatsDocument(TypedDict):
    """The output of `deckcheck stats --output-format json`."""

    schema_version: Literal[1]
    """The version of this document; it rises when a key changes its meaning."""
    tool: Tool
    """The program that wrote this document."""
    at_least: Ordinal
    """The number of cards that the probabilities are for."""
    seed: Count | None
    """The seed of the hands; null without any."""
    decks: list[DeckStatsDocument]
    """The decks, in the order in which they were named."""


# A deck in figures, without playing: composition, opening hand, odds, exposure


@dataclass(frozen=True, slots=True)
class DeckStats:
    """The figures of one deck; `opening` is None in games without hands."""

    report: DeckReport
    composition: Composition
    opening: FirstHand | None
    odds: tuple[OddsDocument, ...]
    hands: tuple[SampleHand, ...] = ()

    def to_dict(self) -> DeckStatsDocument:
        """Return the figures as `deckcheck schema stats` describes them."""
        report, parts = self.report, self.composition
        assert report.deck is not None
        assert report.format is not None
        return {
            "path": report.source.path,
            "index": report.source.index,
            "name": report.deck.name,
            "format": report.format.id,
            "snapshot": report.format.snapshot,
            "fingerprint": report.format.fingerprint,
            "legal": report.legal,
            "faction": report.deck.faction,
            "leader": report.deck.leader,
            "cards": parts.cards,
            "units": _make_data(parts.all_units),
            "kinds": parts.kinds,
            "factions": parts.factions,
            "rows": {name: _make_data(part) for name, part in parts.rows.items()},
            "abilities": parts.abilities,
            "copies": {str(n): cards for n, cards in parts.copies.items()},
            "weather": [_make_data(weather) for weather in parts.weather],
            "scorch": _make_data(parts.strongest),
            "opening": None if self.opening is None else _make_data(self.opening),
            "odds": [_make_data(odds) for odds in self.odds],
            "hands": [_make_data(hand) for hand in self.hands],
        }


def compute_deck_stats(
    report: DeckReport, groups: Sequence[str] = (), number: int = 1, root: Root = None
) -> DeckStats:
    """Return the figures of a readable deck.

    The odds are of at least `number` cards of each of `groups`, see `find_card_group`,
    by default of each kind, ability and card of the deck. `root` is the folder of card
    databases. Raises UsageError for a group without any card of the game.
    """
    deck, fmt = report.deck, report.format
    assert deck is not None
    assert fmt is not None
    database = database_of(fmt, root)
    counts = {database.cards[id]: n for id, n in deck.counts().items()}
    parts = Composition(database, counts)
    hand = describe_opening(parts, fmt, database.leaders.get(deck.leader or ""))
    if hand is None:
        return DeckStats(report, parts, None, ())
    wanted = [find_card_group(text, database) for text in groups]
    if not wanted:
        wanted = list(list_usual_groups(parts))
    odds = tuple(compute_odds(parts, hand, group, number) for group in wanted)
    return DeckStats(report, parts, hand, odds)


def find_card_group(text: str, database: CardDatabase) -> CardGroupOdds:
    """Return the cards that a user names: `Scorch`, `medic`, or several, `Scorch,
    hero`.

    Each part is the name of a card, or a kind, ability or row of the game.
    """
    cards: set[Card] = set()
    for part in text.split(","):
        if part.strip():
            cards |= _find_cards(part.strip(), database)
    if not cards:
        raise UsageError("A group names no card", "Name cards, a kind or an ability")
    return CardGroupOdds(text.strip(), frozenset(cards))


def _find_cards(text: str, database: CardDatabase) -> set[Card]:
    lookup = database.find_card(text)
    if lookup.id is not None:
        return {database.cards[lookup.id]}
    word = text.lower().replace(" ", "_").replace("-", "_")
    game = database.game
    if word in (*game.kinds, *game.abilities, *game.rows):
        cards = set()
        for card in database.cards.values():
            if card.kind == word or card.has(word) or word in card.rows:
                cards.add(card)
        return cards
    near = [database.cards[id].name for id in lookup.candidates] or lookup.suggestions
    words = f"Name cards, or a kind or ability: {choice(game.kinds, 'and')}"
    help = suggestion(near, words)
    raise UsageError(f"No card, kind, ability or row is called {quote(text)}", help)


def _make_data(
    part: CardGroup | Exposure | FirstHand | OddsDocument | SampleHand,
) -> Any:
    """Return a part of the figures for the document."""
    return asdict(part)


# The figures of a deck in words


TIMES_WORDS = {1: "once", 2: "twice"}


def list_deck_facts(stats: DeckStats) -> Iterator[tuple[str, str]]:
    """Yield the facts of a deck as pairs of a label and a text."""
    parts = stats.composition
    cards = str(parts.cards)
    if len(parts.kinds) > 1:
        cards += f": {_count_words(parts.kinds)}"
    yield "cards", cards
    if parts.factions:
        yield "factions", _count_words(parts.factions)
    units = parts.all_units
    if units.cards:
        mean = units.strength / units.cards
        yield "strength", f"{units.strength} in {units.cards} cards, {mean:.1f} each"
    if parts.rows:
        rows = []
        for name, row in parts.rows.items():
            rows.append(f"{name} {row.strength} in {plural(row.cards, 'card')}")
        yield "rows", ", ".join(rows)
    if parts.abilities:
        yield "abilities", _count_words(parts.abilities)
    copies = []
    for times, number in parts.copies.items():
        word = TIMES_WORDS.get(times, f"{times} times")
        copies.append(f"{plural(number, 'card')} {word}")
    yield "copies", ", ".join(copies)
    top = parts.strongest
    if top.cards and parts.weather:
        yield "scorch", f"{plural(top.cards, 'unit')} of {top.strength // top.cards}"
    if stats.opening is not None:
        hand = stats.opening
        strength = f"mean strength {hand.strength:.1f} (sd {hand.spread:.1f})"
        yield "opening hand", f"{hand.size} cards, {strength}"


def _count_words(numbers: dict[str, int]) -> str:
    return ", ".join(f"{word.replace('_', ' ')} {n}" for word, n in numbers.items())


def make_odds_rows(stats: DeckStats, at_least: int) -> list[tuple[str, ...]]:
    """Return the chances of `odds` in rows of text, their headings first."""
    hand = stats.opening
    assert hand is not None
    with_draws = any(odds.drawn is not None for odds in stats.odds)
    heads = [f"at least {at_least} of", "in deck", "dealt"]
    if hand.redraws:
        heads.append(plural(hand.redraws, "redraw"))
    if with_draws:
        heads.append("and draws")
    rows = dict.fromkeys(_format_odds(odds, hand, with_draws) for odds in stats.odds)
    return [tuple(heads), *rows]


def _format_odds(
    odds: OddsDocument, hand: FirstHand, with_draws: bool
) -> tuple[str, ...]:
    """Return the chances of a group. All cards with a single copy share a line."""
    is_single = odds.copies == 1 and len(odds.ids) == 1
    group = "a card that is there once" if is_single else odds.group
    row = [group, f"{odds.copies:7}", _format_percent(odds.opening)]
    if hand.redraws:
        row.append(_format_percent(odds.redrawn))
    if with_draws:
        row.append(_format_percent(odds.drawn or 0.0))
    return tuple(row)


def _format_percent(chance: float) -> str:
    return f"{100 * chance:5.1f}%"
