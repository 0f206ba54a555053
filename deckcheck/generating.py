"""Draw random legal decks of a format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from types import MappingProxyType

from deckcheck.cards import Card, CardDatabase, GameOption, Root, load_database
from deckcheck.cards.models import Attribute, LeaderRecord
from deckcheck.cards.names import closest
from deckcheck.decks import DeckText
from deckcheck.decks.model import Sheet
from deckcheck.decks.rewriting import write_decks
from deckcheck.decks.words import HEADERS
from deckcheck.findings import UsageError
from deckcheck.formats import Condition, Constraint, Format, database_of
from deckcheck.formats.model import is_file_name, whole_faction
from deckcheck.formats.rules import VOCABULARY
from deckcheck.messages import choice, quote, suggestion
from deckcheck.validation import Validator

# Random cards that are described by attributes

BY_VALUE = "by_value"


def random_card(fmt: Format, database: CardDatabase, chance: Random) -> str:
    """Draw the id of a card, every number and every value equally likely.

    For an attribute with several values, first their number is drawn, then the values.
    If the attribute's option of play is `by_value`, each value is chosen by a coin.
    """
    words: list[str] = []
    for attribute in database.game.attributes:
        words += _draw_values(attribute, fmt, chance)
    id = database.find_card(" ".join(words)).id
    assert id is not None
    return id


def _draw_values(attribute: Attribute, fmt: Format, chance: Random) -> list[str]:
    if attribute.minimum is not None and attribute.maximum is not None:
        return [str(chance.randint(attribute.minimum, attribute.maximum))]
    values = attribute.values
    most = attribute.most or 0
    if most == 1:
        index = chance.randrange(len(values) + 1)
        return list(values[index : index + 1])
    if attribute.random is None or fmt.options[attribute.random] != BY_VALUE:
        return chance.sample(values, chance.randint(0, most))
    while True:
        chosen = [value for value in values if chance.random() < 0.5]
        if len(chosen) <= most:
            return chosen


# The limits of a format on numbers and sums of a deck

USUAL_SIZE = 40
"""Cards of a deck where no limit of the format is about all of them."""

NO_LIMIT = 10**9
"""More than any sum over a deck."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A sum over the cards of a deck, from `low` to `high`, both included."""

    low: int
    high: int
    weigh: Callable[[Card], int]

    def distance(self, total: int) -> int:
        """Return by how much a sum misses the bound."""
        return max(self.low - total, total - self.high, 0)


def bounds_for_a_deck(
    fmt: Format, database: CardDatabase, chance: Random
) -> list[Bound]:
    """Return the limits of the format, with numbers of cards drawn between ends.

    Where there is no upper end, the lower end is the number. The largest number drawn
    is only a limit: there may be fewer cards of that kind. Limits on the same cards are
    merged.
    """
    bounds = []
    drawn: dict[tuple[str, Condition], list[Constraint]] = {}
    fixed = []
    for constraint in fmt.constraints:
        legality = VOCABULARY[constraint.rule]
        if legality.is_drawn:
            same = drawn.setdefault((constraint.rule, constraint.condition), [])
            same.append(constraint)
        elif legality.weigh is not None and legality.copies is None:
            fixed.append(constraint)
    for same in drawn.values():
        low = 0
        highs = []
        for constraint in same:
            low = max(low, constraint.number("min") or 0)
            high = constraint.number("max")
            if high is not None:
                highs.append(high)
        most = low
        if highs:
            most = chance.randint(low, max(low, min(highs)))
        bounds.append(_make_bound(same[0], low, most))
    for constraint in fixed:
        high = constraint.number("max")
        low = constraint.number("min") or 0
        if high is None:
            high = NO_LIMIT
        bounds.append(_make_bound(constraint, low, high))
    cards = database.cards.values()
    if not any(bound.weigh(card) for bound in bounds for card in cards):
        bounds.append(Bound(1, USUAL_SIZE, lambda card: 1))
    return bounds


def copies_allowed(fmt: Format, cards: Iterable[Card]) -> dict[str, int]:
    """Return how many copies of each card a deck may hold, if any."""
    limits = []
    for constraint in fmt.constraints:
        copies = VOCABULARY[constraint.rule].copies
        # Constraints without a condition are about leaders alone.
        if copies is not None and not constraint.condition.is_empty:
            limits.append((constraint.condition, copies(constraint)))
    allowed = {}
    for card in cards:
        # A deck is made to be played, which takes the values of its cards.
        most = card.copies if card.deckable and card.known else 0
        fitting = [number for condition, number in limits if condition.matches(card)]
        most = min([most, *fitting])
        if most > 0:
            allowed[card.id] = most
    return allowed


def leaders_allowed(fmt: Format, database: CardDatabase) -> list[LeaderRecord]:
    """Return the leaders that a deck may name, in the order of the database."""
    banned = {id for constraint in fmt.constraints for id in constraint.leaders}
    leaders = []
    for leader in database.leaders.values():
        if leader.known and leader.id not in banned:
            leaders.append(leader)
    return leaders


def has_leaders(fmt: Format) -> bool:
    """Report whether a deck of the format names a leader."""
    for constraint in fmt.constraints:
        if constraint.rule == "leader" and constraint.settings.get("count"):
            return True
    return False


def _make_bound(constraint: Constraint, low: int, high: int) -> Bound:
    """Return a bound for the sum that a constraint limits."""
    adds = VOCABULARY[constraint.rule].adds
    return Bound(low, high, partial(adds, constraint))


# The cards of one random deck

MAX_EXCHANGES = 3_000
"""Exchanges tried before a deck is given up."""

BY_KIND = "uniform_kind"

MAX_DESCRIBED_CARDS = 300
"""Described cards that are tried before exchanges begin."""


def draw_cards(
    fmt: Format, database: CardDatabase, allowed: Mapping[str, int], chance: Random
) -> Counter[str] | None:
    """Draw allowed cards, and count them by id. Return None without a legal deck.

    All copies are shuffled, and cards taken from the top as long as they fit. Random
    exchanges that lead no further away then correct the rest.
    """
    deck = _Deck(bounds_for_a_deck(fmt, database, chance), database)
    for id in _iterate_pile(fmt, database, allowed, chance):
        if deck.counts[id] < allowed.get(id, 0) and deck.has_room_for(id):
            deck.put_in(id)
        if database.description is not None and not deck.missing():
            break
    return _mend_deck(deck, allowed, chance)


class _Deck:
    """The cards drawn so far, and the sums that the bounds are about."""

    def __init__(self, bounds: list[Bound], database: CardDatabase) -> None:
        self.bounds = bounds
        self.database = database
        self.cards: list[str] = []
        self.counts: Counter[str] = Counter()
        self.totals = [0] * len(bounds)
        self._weights: dict[str, list[int]] = {}

    def weights(self, id: str) -> list[int]:
        """Return the amounts that a card adds to each sum."""
        if id not in self._weights:
            card = self.database.cards[id]
            self._weights[id] = [bound.weigh(card) for bound in self.bounds]
        return self._weights[id]

    def has_room_for(self, id: str) -> bool:
        """Report whether a card stays within every bound that it counts for."""
        sums = zip(self.bounds, self.totals, self.weights(id), strict=True)
        for bound, total, weight in sums:
            if weight and total + weight > bound.high:
                return False
        return True

    def put_in(self, id: str) -> None:
        """Add a card."""
        self.cards.append(id)
        self.counts[id] += 1
        for index, weight in enumerate(self.weights(id)):
            self.totals[index] += weight

    def take_out(self, place: int) -> str:
        """Remove the card at a place of `cards`, whose last card takes the place."""
        id = self.cards[place]
        self.cards[place] = self.cards[-1]
        self.cards.pop()
        self.counts[id] -= 1
        for index, weight in enumerate(self.weights(id)):
            self.totals[index] -= weight
        return id

    def missing(self) -> int:
        """Return by how much the sums miss their bounds, all together."""
        sums = zip(self.bounds, self.totals, strict=True)
        return sum(bound.distance(total) for bound, total in sums)


def _iterate_pile(
    fmt: Format, database: CardDatabase, allowed: Mapping[str, int], chance: Random
) -> Iterator[str]:
    """Yield cards in a random order: all copies, or some hundred described cards.

    If the option of play that the game names is `uniform_kind`, each card is drawn from
    the remaining kinds, all equally likely.
    """
    if database.description is not None:
        for _ in range(MAX_DESCRIBED_CARDS):
            yield random_card(fmt, database, chance)
        return
    option = database.game.random
    if option is not None and fmt.options[option] == BY_KIND:
        yield from _draw_by_kind(allowed, chance)
        return
    pile = [id for id, count in allowed.items() for _ in range(count)]
    chance.shuffle(pile)
    yield from pile


def _draw_by_kind(allowed: Mapping[str, int], chance: Random) -> Iterator[str]:
    left = dict(allowed)
    while left:
        id = chance.choice(list(left))
        yield id
        left[id] -= 1
        if not left[id]:
            del left[id]


def _mend_deck(
    deck: _Deck, allowed: Mapping[str, int], chance: Random
) -> Counter[str] | None:
    """Bring a deck within its bounds by adding, removing or exchanging cards."""
    ids = list(allowed)
    missing = deck.missing()
    tries = MAX_EXCHANGES if ids else 0
    for _ in range(tries):
        if not missing:
            break
        # 0 removes a card, 1 exchanges two, 2 adds a card.
        kind = chance.randrange(3)
        is_adding = kind > 0
        is_removing = kind < 2
        added = chance.choice(ids) if is_adding else None
        removed = None
        if is_removing and deck.cards:
            removed = deck.take_out(chance.randrange(len(deck.cards)))
        if added is not None and deck.counts[added] < allowed[added]:
            deck.put_in(added)
        else:
            added = None
        now = deck.missing()
        if now <= missing:
            missing = now
            continue
        if added is not None:
            deck.take_out(len(deck.cards) - 1)
        if removed is not None:
            deck.put_in(removed)
    if missing:
        return None
    # Plus leaves out the cards that were removed again.
    return +deck.counts


# Files of random decks: one deck, or the lineup, team or table of a file

MAX_TRIES = 100
"""How many random files are drawn to find a legal file."""


class NoDeckError(UsageError):
    """A format of which no legal deck was found."""


class Generator:
    """Makes random legal decks of one format."""

    def __init__(self, fmt: Format, validator: Validator) -> None:
        """`validator` judges by `fmt`, additions of a single run included."""
        self.fmt = fmt
        self.validator = validator
        self.database = database_of(fmt, validator.root)

    def draw_file(self, seed: int, number: int) -> str:
        """Write a text of random decks, as many as a file of the format holds.

        It depends on format, seed and number alone. Raises NoDeckError if no legal
        deck was found.
        """
        chance = Random(f"{self.fmt.id} {seed} {number}")
        for _ in range(MAX_TRIES):
            sheets = self._draw_sheets(chance, f"Random {seed}-{number}")
            if sheets is None:
                continue
            text = write_decks("text", sheets, self.database).text
            reports = self.validator.check_file(DeckText("random.deck", text))
            if all(report.legal for report in reports):
                return text
        raise NoDeckError(
            f"No legal deck of {quote(self.fmt.id)} was found in {MAX_TRIES} tries",
            "Its limits may exclude each other, or leave few decks",
        )

    def _draw_sheets(self, chance: Random, name: str) -> list[Sheet] | None:
        """Draw the decks of a file. Return None if a deck could not be drawn."""
        seating = self.fmt.seating
        number = 1
        if seating.holds != "deck":
            number = chance.randint(seating.min_decks, seating.max_decks)
        sheets: list[Sheet] = []
        for index in range(number):
            deck_name = name if number == 1 else f"{name}, deck {index + 1}"
            sheet = self._draw_sheet(chance, deck_name, sheets)
            if sheet is None:
                return None
            sheets.append(sheet)
        return sheets

    def _draw_sheet(
        self, chance: Random, name: str, others: list[Sheet]
    ) -> Sheet | None:
        """Draw a deck of a file that has `others`. Return None if no deck was found."""
        leader, faction = self._draw_leader(chance, others)
        cards: Iterable[Card] = self.database.cards.values()
        if faction is not None:
            factions = (faction, self.database.game.neutral, None)
            cards = [card for card in cards if card.faction in factions]
        allowed = copies_allowed(self.fmt, self._cards_not_taken(cards, others))
        whole = self._find_constraint("whole_faction")
        if whole is not None and faction is not None:
            deck = whole_faction(self.database, faction, whole.condition)
        else:
            drawn = draw_cards(self.fmt, self.database, allowed, chance)
            if drawn is None:
                return None
            deck = drawn
        headers = {"name": name}
        if not is_file_name(self.fmt.id):
            # A format of the user's own is passed by `--format`.
            headers["format"] = self.fmt.id
        if faction is not None:
            headers["faction"] = self.database.factions[faction].name
        if leader is not None:
            headers["leader"] = self.database.leaders[leader].full_name
        ordered = {key: (headers[key],) for key in HEADERS if key in headers}
        return Sheet(ordered, dict(deck), faction, leader)

    def _draw_leader(
        self, chance: Random, others: list[Sheet]
    ) -> tuple[str | None, str | None]:
        """Draw a leader and its faction, all factions equally likely, if there are any.

        Where the decks of a file must have different factions, no other deck has its
        faction.
        """
        taken: set[str | None] = set()
        if self._find_constraint("distinct_factions") is not None:
            taken = {sheet.faction for sheet in others}
        leaders = []
        for leader in leaders_allowed(self.fmt, self.database):
            if leader.faction not in taken:
                leaders.append(leader)
        factions = sorted({leader.faction for leader in leaders})
        if not factions:
            return None, None
        faction = chance.choice(factions)
        if not has_leaders(self.fmt):
            return None, faction
        candidates = [leader.id for leader in leaders if leader.faction == faction]
        return chance.choice(candidates), faction

    def _cards_not_taken(
        self, cards: Iterable[Card], others: list[Sheet]
    ) -> list[Card]:
        """Return the cards that the other decks of the file leave for this deck."""
        unshared = self._find_constraint("no_shared_cards")
        if unshared is None:
            return list(cards)
        condition = unshared.condition
        taken = {id for sheet in others for id in sheet.cards}
        free_cards = []
        for card in cards:
            if card.id not in taken or not condition.matches(card):
                free_cards.append(card)
        return free_cards

    def _find_constraint(self, rule: str) -> Constraint | None:
        return next((c for c in self.fmt.constraints if c.rule == rule), None)


# Options of play that random decks depend on


def with_options(fmt: Format, words: list[str], root: Root) -> Format:
    """Return the format with its options of play set by `words`, each `NAME=VALUE`.

    Raises UsageError for an option that is not known, or that changes no random deck.
    """
    game = load_database(fmt.game, root).game
    game_options = {option.name: option for option in game.options}
    used = {game.random, *(attribute.random for attribute in game.attributes)}
    options = dict(fmt.options)
    for word in words:
        name, sign, value = word.partition("=")
        if name not in game_options or not sign:
            raise _unknown_option_error(word, name, list(game_options))
        options[name] = _read_option_value(game_options[name], value)
        if name not in used:
            message = f"Random decks do not depend on {quote(name)}"
            raise UsageError(message, "Leave it out")
    return replace(fmt, options=MappingProxyType(options))


def _unknown_option_error(word: str, name: str, options: list[str]) -> UsageError:
    if name in options:
        return UsageError(f"Option {quote(name)} has no value", f"Write `{name}=VALUE`")
    near = closest(name, options, limit=1)
    help = suggestion(near, f"Known: {choice(options, 'and')}")
    return UsageError(f"Unknown option of play {quote(word)}", help)


def _read_option_value(option: GameOption, text: str) -> str | int | bool:
    words: dict[str, str | int | bool] = {"true": True, "false": False}
    value = words.get(text, text)
    if not option.values and text.isdecimal() and len(text) < 10:
        value = int(text)
    if not option.allows(value):
        message = f"{quote(option.name)} cannot be {quote(text)}"
        raise UsageError(message, f"It is {option.describe()}")
    return value
