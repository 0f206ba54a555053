"""Check the cards and leaders of a game, each by itself and against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, TypeAlias, get_args

from deckcheck.cards.models import (
    Card,
    CardAbility,
    Faction,
    GameRecord,
    LeaderRecord,
    OptionBounds,
    Parameter,
    Parameters,
    full_name,
)
from deckcheck.cards.names import normalise
from deckcheck.documents.model import Location
from deckcheck.documents.readers import Source, SourceDefect
from deckcheck.documents.records import did_you_mean
from deckcheck.messages import choice

PARAMETER_NAMES = get_args(Parameter)
"""The parameters of abilities, which are keys of a leader itself."""

GivenWords: TypeAlias = str | Sequence[str] | None
Defects: TypeAlias = Iterator[SourceDefect]
PlacedCards: TypeAlias = Sequence[tuple[int | str, Card]]
PlacedLeaders: TypeAlias = Sequence[tuple[int | str, LeaderRecord]]
"""Records with their index in the file, or with their key."""


class Checker:
    """Checks the records of a file by the words of their game and against each other.

    Only certain errors are refused. A location is the path to a value in the file.
    """

    def __init__(self, source: Source, game: GameRecord) -> None:
        self.source = source
        self.game = game
        self.defect = source.defect
        self.parameters = {entry.ability: entry for entry in game.parameters}

    # Words that a game, a card or a leader uses.

    def check_words(
        self, location: Location, what: str, given: GivenWords, allowed: Collection[str]
    ) -> Defects:
        """Yield the defect of an unknown word, or of each unknown word of a list."""
        placed = [(location, given)]
        if not isinstance(given, str):
            words = enumerate(given or ())
            placed = [((*location, index), word) for index, word in words]
        for word_location, word in placed:
            if word not in allowed:
                hint = did_you_mean(str(word), allowed)
                yield self.defect(word_location, f"unknown {what} `{word}`{hint}")

    def check_repeated(self, location: Location, words: Sequence[str]) -> Defects:
        """Yield a defect for each word that a list has a second time."""
        for index, word in enumerate(words):
            if word in words[:index]:
                yield self.defect((*location, index), f"`{word}` is given twice")

    def check_unique(self, values: Iterable[tuple[Location, str | int]]) -> Defects:
        """Yield a defect for each value that an earlier place has, too."""
        first_locations: dict[str, Location] = {}
        for location, value in values:
            first = first_locations.setdefault(normalise(str(value)), location)
            if first != location:
                line = self.source.document.span(first).start.line
                message = f"{location[-1]} `{value}` is already taken on line {line}"
                yield self.defect(location, message)

    def check_names(
        self,
        placed: PlacedCards | Sequence[tuple[int, Faction]],
        parent: Location = (),
        others: Iterable[Card] = (),
    ) -> Defects:
        """Yield defects of names that two records share, and of superfluous aliases.

        `parent` is the location of the records, `others` are cards of other files.
        """
        owners: dict[str, str] = {}
        for other in others:
            names = (other.id, other.name, *other.aliases)
            owners |= dict.fromkeys(map(normalise, names), other.id)
        owners |= {normalise(record.id): record.id for _, record in placed}
        for index, record in placed:
            keys = {normalise(record.id)}
            for location, name in _list_names((*parent, index), record):
                key = normalise(name)
                owner = owners.setdefault(key, record.id)
                if not key:
                    yield self.defect(location, f"`{name}` has no letters or digits")
                elif owner != record.id:
                    yield self.defect(location, f"`{name}` is also a name of `{owner}`")
                elif "aliases" in location and key in keys:
                    yield self.defect(location, f"alias `{name}` repeats another name")
                keys.add(key)

    def check_taken(
        self,
        placed: PlacedCards | PlacedLeaders,
        others: Collection[Card] | Collection[LeaderRecord],
    ) -> Defects:
        """Yield defects of ids, numbers and titles that belong to `others` already."""
        owners: dict[str | int, str] = {}
        for other in others:
            owners[other.id] = owners[other.number] = full_name(other)
            if isinstance(other, LeaderRecord):
                owners[normalise(other.full_name)] = other.full_name
        for index, record in placed:
            fields: list[tuple[str, str | int, str | int]] = [
                ("id", record.id, record.id),
                ("number", record.number, record.number),
            ]
            if isinstance(record, LeaderRecord) and record.id not in owners:
                name = record.full_name
                fields.append(("title", name, normalise(name)))
            for field, value, key in fields:
                if key in owners:
                    message = f"{field} `{value}` already belongs to `{owners[key]}`"
                    yield self.defect((index, field), message)

    # Cards and leaders, each by itself.

    def check_cards(
        self, cards: PlacedCards, ids: frozenset[str], others: Collection[Card] = ()
    ) -> Defects:
        """Yield the defects of cards.

        `ids` are all ids of the file, with the ids of invalid cards, so that references
        to them are not reported. `others` are the cards of the game that a set leaves
        unchanged.
        """
        ids |= {card.id for card in others}
        yield from self.check_unique(((i, "id"), card.id) for i, card in cards)
        yield from self.check_unique(_list_numbers(cards))
        yield from self.check_taken(cards, others)
        yield from self.check_names(cards, others=others)
        families: Counter[tuple[str, str | None]] = Counter()
        for card in (*others, *[card for _, card in cards]):
            for ability in card.abilities:
                families[ability.code, ability.group] += 1
        factions = [faction.id for faction in self.game.factions]
        for index, card in cards:
            if factions and card.faction is None:
                yield self.defect((index,), f"`{card.id}` has no faction")
            yield from self.check_card_words(index, card, factions)
            yield from self.check_card_shape(index, card)
            yield from self.check_card_playable((index,), card)
            yield from self.check_card_abilities(index, card, ids, families)

    def check_leaders(
        self,
        leaders: PlacedLeaders,
        cards: Collection[str],
        others: Collection[LeaderRecord] = (),
    ) -> Defects:
        """Yield the defects of leaders.

        `cards` are the ids of all cards, `others` the leaders that a set leaves
        unchanged.
        """
        game = self.game
        yield from self.check_unique(((i, "id"), lead.id) for i, lead in leaders)
        yield from self.check_unique(_list_numbers(leaders))
        titles = [((i, "title"), leader.full_name) for i, leader in leaders]
        yield from self.check_unique(titles)
        yield from self.check_taken(leaders, others)
        factions = [f.id for f in game.factions if f.id != game.neutral]
        faction_by_name: dict[str, str] = {}
        for other in others:
            names = (other.name, *other.aliases)
            faction_by_name |= dict.fromkeys(map(normalise, names), other.faction)
        words = game.leader_abilities
        for index, lead in leaders:
            location = (index,)
            if words and lead.ability not in words:
                code = (index, "ability")
                yield from self.check_words(code, "ability", lead.ability, words)
            else:
                yield from self.check_ability(location, lead, cards)
            yield from self.check_leader_playable(location, lead)
            for what, given, allowed in (
                ("faction", lead.faction, factions),
                ("provenance", lead.provenance, game.provenances),
            ):
                yield from self.check_words((*location, what), what, given, allowed)
            for name_location, name in _list_names(location, lead):
                faction = faction_by_name.setdefault(normalise(name), lead.faction)
                if faction != lead.faction:
                    message = f"`{name}` also names a leader of another faction"
                    yield self.defect(name_location, message)

    def check_sizes(
        self, cards: Collection[Card], leaders: Collection[LeaderRecord]
    ) -> Defects:
        """Yield a defect if there are more cards or leaders than can be played.

        `cards` and `leaders` are all records of the game.
        """
        beside = sum(not card.deckable for card in cards)
        sizes = self.game.sizes
        for what, number, most in (
            ("cards and leaders", len(cards) + len(leaders), sizes.cards),
            ("cards that no deck holds", beside, sizes.reserves),
        ):
            if most is not None and number > most:
                message = f"the game would have {number} {what}"
                yield self.defect((), f"{message}, at most {most} are played")

    def check_card_words(
        self, index: int | str, card: Card, factions: list[str]
    ) -> Defects:
        """Yield defects of unknown and of repeated words."""
        game = self.game
        codes = [ability.code for ability in card.abilities]
        for field, what, given, allowed in (
            ("faction", "faction", card.faction, factions),
            ("kind", "kind", card.kind, game.kinds),
            ("provenance", "provenance", card.provenance, game.provenances),
            ("rows", "row", card.rows, game.rows),
            ("abilities", "ability", codes, game.abilities),
        ):
            if not isinstance(given, str):
                yield from self.check_repeated((index, field), given or ())
            yield from self.check_words((index, field), what, given, allowed)

    def check_card_shape(self, index: int | str, card: Card) -> Defects:
        """Yield defects of rows and strength, which units have, and only units."""
        is_unit = card.kind in self.game.unit_kinds
        given = {"rows": bool(card.rows), "strength": card.strength is not None}
        for field, is_given in given.items():
            subject = f"`{card.id}` is a {card.kind}"
            if is_unit and not is_given and card.known:
                yield self.defect((index,), f"{subject} without {field}")
            elif is_given and not is_unit and card.kind in self.game.kinds:
                message = f"{subject} and cannot have {field}"
                yield self.source.key_defect((index, field), message)

    # Abilities: everything that a card has is played.

    def check_card_abilities(
        self,
        index: int | str,
        card: Card,
        ids: Collection[str],
        families: Counter[tuple[str, str | None]],
    ) -> Defects:
        """Yield defects of a card's abilities, and of families of a single card."""
        for ability_index, ability in enumerate(card.abilities):
            if ability.code not in self.game.abilities:
                continue
            location = (index, "abilities", ability_index)
            yield from self.check_ability(location, ability, ids)
            wanted = self.parameters.get(ability.code, Parameters(ability.code))
            is_family = ability.group and "group" in (*wanted.may, *wanted.must)
            if is_family and families[ability.code, ability.group] == 1:
                message = (
                    f"`{card.id}` is alone in the group `{ability.group}`: "
                    f"write `{ability.code}`, which is about copies of the card"
                )
                yield self.defect(location, message)

    def check_ability(
        self,
        location: Location,
        ability: CardAbility | LeaderRecord,
        ids: Collection[str],
    ) -> Defects:
        """Yield defects of parameters of an ability, and of its dead references."""
        code = _read_ability_code(ability)
        wanted = self.parameters.get(code, Parameters(code))
        allowed = (*wanted.must, *wanted.may)
        for name in PARAMETER_NAMES:
            if _get_parameter(ability, name) and name not in allowed:
                only = f", only {choice(allowed, 'and')}" if allowed else ""
                message = f"`{code}` takes no `{name}`{only}"
                yield self.source.key_defect((*location, name), message)
        for name in wanted.must:
            if not _get_parameter(ability, name):
                is_leader = isinstance(ability, LeaderRecord)
                example = f"{name}: ..." if is_leader else f"{code}: {{{name}: ...}}"
                yield self.defect(
                    location, f"`{code}` needs `{name}`, write `{example}`"
                )
        if _get_parameter(ability, "group") and _get_parameter(ability, "target"):
            message = f"`{code}` takes a `group` or a `target`, not both"
            yield self.source.key_defect((*location, "target"), message)
        for what, name, known in (
            ("card", "target", ids),
            ("card", "cards", ids),
            ("row", "row", self.game.rows),
            ("row", "rows", self.game.rows),
            ("kind", "kind", self.game.kinds),
        ):
            given = _get_parameter(ability, name) or ()
            if isinstance(given, str):
                given = (given,)
            for word in given:
                yield from self.check_words(location, what, word, known)

    # Cards and leaders that prevent a game, by `bounds`, `sizes`, `single`,
    # `several_rows` and `beside_decks` of the game. Only the name of a record that is
    # not `known` is public, so it is not checked.

    def check_card_playable(self, location: Location, card: Card) -> Defects:
        """Yield the reasons why games with a card could not be played."""
        if not card.known:
            return
        game = self.game
        most = self.game.sizes.strength
        if most is not None and (card.strength or 0) > most:
            message = f"a strength is at most {most}, found {card.strength}"
            yield self.defect((*location, "strength"), message)
        if card.deckable and card.kind in game.beside_decks:
            message = f"`{card.id}` is a {card.kind}, which no deck holds"
            yield self.defect((*location, "kind"), f"{message}: add `deckable: false`")
        for index, ability in enumerate(card.abilities):
            ability_location = (*location, "abilities", index)
            yield from self.check_ability_playable(ability_location, card, ability)
        codes = [ability.code for ability in card.abilities]
        single = [index for index, code in enumerate(codes) if code in game.single]
        if card.kind not in game.unit_kinds and len(single) > 1:
            first = codes[single[0]]
            second = codes[single[1]]
            message = f"a {card.kind} cannot have both `{first}` and `{second}`"
            yield self.defect((*location, "abilities", single[1]), message)
        several = game.several_rows
        if several is not None and len(card.rows) > 1 and several not in codes:
            message = f"a card of several rows needs the ability `{several}`"
            yield self.defect((*location, "rows"), message)

    def check_ability_playable(
        self, location: Location, card: Card, ability: CardAbility
    ) -> Defects:
        """Yield defects of a card that does not fit the bounds of its ability."""
        code = ability.code
        game = self.game
        all_bounds = [bounds for bounds in game.bounds if code in bounds.abilities]
        limits = [game.sizes.amount, *[bounds.most for bounds in all_bounds]]
        most = min(filter(None, limits), default=None)
        yield from self.check_amount(location, ability, most)
        for bounds in all_bounds:
            kinds = bounds.kinds if card.kind in game.kinds else ()
            if kinds and card.kind not in kinds:
                message = f"`{code}` is for cards of the kind {choice(kinds)}"
                yield self.defect(location, f"{message}, `{card.id}` is a {card.kind}")
            elif bounds.rows and card.rows and {*card.rows} != {*bounds.rows}:
                rows = choice(bounds.rows, "and")
                yield self.defect(location, f"a card with `{code}` has the rows {rows}")
            elif bounds.deckable is False and card.deckable:
                message = f"no deck holds a card with `{code}`"
                yield self.defect(
                    location, f"{message}, add `deckable: false` to `{card.id}`"
                )

    def check_amount(
        self, location: Location, ability: CardAbility | LeaderRecord, most: int | None
    ) -> Defects:
        """Yield a defect if an amount is larger than can be played."""
        if most is not None and (ability.amount or 0) > most:
            message = f"the amount of `{_read_ability_code(ability)}` is at most {most}"
            yield self.defect(
                (*location, "amount"), f"{message}, found {ability.amount}"
            )

    def check_leader_playable(
        self, location: Location, leader: LeaderRecord
    ) -> Defects:
        """Yield the reasons why games with a leader could not be played."""
        if not leader.known:
            return
        if leader.free and leader.passive:
            message = "a passive leader is never played, so `free` means nothing"
            yield self.defect((*location, "free"), message)
        for bounds in self.game.bounds:
            if leader.ability in bounds.abilities:
                yield from self.check_leader_bounds(location, leader, bounds)

    def check_leader_bounds(
        self, location: Location, leader: LeaderRecord, bounds: OptionBounds
    ) -> Defects:
        """Yield defects of a leader that does not fit the bounds of its ability."""
        code = leader.ability
        most = bounds.most
        yield from self.check_amount(location, leader, most)
        if most is not None and len(leader.cards) > most:
            message = f"`{code}` names at most {most} cards, found {len(leader.cards)}"
            yield self.defect((*location, "cards"), message)
        if bounds.kinds and leader.kind is not None and leader.kind not in bounds.kinds:
            message = f"`{code}` finds no {leader.kind}, only {choice(bounds.kinds)}"
            yield self.defect((*location, "kind"), message)
        if bounds.passive is not None and leader.passive != bounds.passive:
            word = str(bounds.passive).lower()
            message = f"a leader with `{code}` has `passive: {word}`"
            yield self.defect((*location, "passive"), message)
        if bounds.known is False:
            message = f"`{code}` is for leaders with `known: false`"
            yield self.defect((*location, "ability"), message)


def _read_ability_code(ability: CardAbility | LeaderRecord) -> str:
    return ability.code if isinstance(ability, CardAbility) else ability.ability


def _get_parameter(ability: CardAbility | LeaderRecord, name: str) -> Any:
    """Return a parameter of an ability, None or empty if it is not given."""
    return getattr(ability, name, None)


def _list_numbers(
    placed: PlacedCards | PlacedLeaders,
) -> Iterable[tuple[Location, int]]:
    """Yield a number for each id, since several records of an id share it in a set."""
    by_id: dict[str, tuple[Location, int]] = {}
    for index, record in placed:
        by_id[record.id] = ((index, "number"), record.number)
    return by_id.values()


def _list_names(
    location: Location, record: Card | Faction | LeaderRecord
) -> Iterator[tuple[Location, str]]:
    yield (*location, "name"), record.name
    for index, alias in enumerate(record.aliases):
        yield (*location, "aliases", index), alias
