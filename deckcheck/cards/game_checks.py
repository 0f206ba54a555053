"""Check the file of a game: its words, names, parameters and attributes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import prod

from deckcheck.cards.attributes import count_values
from deckcheck.cards.checks import Checker, Defects, GivenWords
from deckcheck.cards.models import GameRecord
from deckcheck.cards.names import normalise
from deckcheck.documents.model import Location

MAX_DESCRIBED_CARDS = 5000
"""The most different cards that the attributes of a game may make."""


class GameChecker(Checker):
    """Checks the record of a game."""

    def check_game(self) -> Defects:
        """Yield defects of words given twice, and of words missing in the lists."""
        game = self.game
        for field in ("kinds", "unit_kinds", "rows", "abilities", "provenances"):
            yield from self.check_repeated((field,), getattr(game, field))
        for location, what, given, allowed in _list_game_words(game):
            yield from self.check_words(location, what, given, allowed)
        keys = (("factions", "id"), ("options", "name"), ("texts", "ability"))
        for key, field in keys:
            values = []
            for index, record in enumerate(getattr(game, key)):
                values.append(((key, index, field), getattr(record, field)))
            yield from self.check_unique(values)
        yield from self.check_names(list(enumerate(game.factions)), ("factions",))
        yield from self.check_parameters()
        if game.attributes:
            yield from self.check_attributes()

    def check_parameters(self) -> Defects:
        """Yield defects of parameters that are repeated, or required and allowed."""
        seen: set[str] = set()
        for index, parameter in enumerate(self.game.parameters):
            location = ("parameters", index)
            code = parameter.ability
            if code in seen:
                yield self.defect((*location, "ability"), f"`{code}` is given twice")
            seen.add(code)
            for name_index, name in enumerate(parameter.must):
                if name in parameter.may:
                    message = f"`{name}` cannot be both in `may` and in `must`"
                    yield self.defect((*location, "must", name_index), message)

    def check_attributes(self) -> Defects:
        """Yield defects of attributes: ambiguous words, or too many cards."""
        game = self.game
        first: set[str] = set()
        for location, word in _list_attribute_words(game):
            key = normalise(word)
            if key in first:
                yield self.defect(location, f"`{word}` is given twice")
            first.add(key)
            if "values" in location and word not in game.abilities:
                yield self.defect(location, f"`{word}` is not an ability of the game")
        has_number = False
        for index, attribute in enumerate(game.attributes):
            if not attribute.values and has_number:
                message = "only one attribute can be a number, "
                message += "else nobody could tell which is meant"
                yield self.defect(("attributes", index), message)
            has_number |= not attribute.values
        if not (game.kinds and game.provenances):
            yield self.defect((), "cards need a kind and a provenance")
        if prod(map(count_values, game.attributes)) > MAX_DESCRIBED_CARDS:
            most = f"more than {MAX_DESCRIBED_CARDS:,} different cards"
            yield self.defect(("attributes",), f"the attributes make {most}")


def _list_game_words(
    game: GameRecord,
) -> Iterator[tuple[Location, str, GivenWords, Collection[str]]]:
    """Yield each of the game's own words: location, kind, value, and allowed words."""
    of_cards = game.abilities
    of_leaders = game.leader_abilities
    options = [option.name for option in game.options]
    yield ("unit_kinds",), "kind", game.unit_kinds, game.kinds
    factions = [faction.id for faction in game.factions]
    yield ("neutral",), "faction", game.neutral, factions
    yield ("random",), "option", game.random, options
    yield ("single",), "ability", game.single, of_cards
    yield ("several_rows",), "ability", game.several_rows, of_cards
    yield ("beside_decks",), "kind", game.beside_decks, game.kinds
    for index, parameter in enumerate(game.parameters):
        location: Location = ("parameters", index)
        words = (*of_cards, *of_leaders)
        yield (*location, "ability"), "ability", parameter.ability, words
        yield (*location, "needs"), "ability", parameter.needs, of_cards
    for index, bounds in enumerate(game.bounds):
        location = ("bounds", index)
        words = (*of_cards, *of_leaders)
        yield (*location, "abilities"), "ability", bounds.abilities, words
        yield (*location, "kinds"), "kind", bounds.kinds, game.kinds
        yield (*location, "rows"), "row", bounds.rows, game.rows
    for index, attribute in enumerate(game.attributes):
        yield ("attributes", index, "random"), "option", attribute.random, options
    odds = game.odds
    yield ("odds", "untouchable"), "kind", odds.untouchable, game.kinds
    yield ("odds", "weatherproof"), "ability", odds.weatherproof, of_cards
    for key, words in (
        ("weather", of_cards),
        ("draws", of_cards),
        ("opening", of_leaders),
    ):
        for index, hint in enumerate(getattr(odds, key)):
            yield ("odds", key, index, "ability"), "ability", hint.ability, words


def _list_attribute_words(game: GameRecord) -> Iterator[tuple[Location, str]]:
    for index, attribute in enumerate(game.attributes):
        yield ("attributes", index, "name"), attribute.name
        for value_index, value in enumerate(attribute.values):
            yield ("attributes", index, "values", value_index), value
        if attribute.nothing is not None:
            yield ("attributes", index, "nothing"), attribute.nothing
