"""Checks across the attributes that describe the cards of a game."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from deckcheck.cards.attributes import ways
from deckcheck.cards.models import Game
from deckcheck.cards.names import normalise
from deckcheck.findings.documents import Defect, Source, did_you_mean

MOST_DESCRIBED = 5000
"""How many different cards the attributes of a game may make."""


def check_attributes(source: Source, game: Game) -> Iterator[Defect]:
    """Attributes whose words could not be told apart, or that make too many cards."""
    first: dict[str, str] = {}
    for at, word in _words_of_attributes(game):
        key = normalise(word)
        if key in first:
            yield source.defect(at, f"`{word}` is given twice")
        first[key] = word
    numbers = [i for i, attribute in enumerate(game.attributes) if not attribute.values]
    for index in numbers[1:]:
        message = (
            "only one attribute can be a number, else nobody could tell which is meant"
        )
        yield source.defect(("attributes", index), message)
    options = [option.name for option in game.options]
    for index, attribute in enumerate(game.attributes):
        if attribute.random is not None:
            at = ("attributes", index, "random")
            if attribute.random not in options:
                hint = did_you_mean(attribute.random, options)
                message = f"unknown option `{attribute.random}`{hint}"
                yield source.defect(at, message)
    for at, word in _words_of_attributes(game):
        if "values" in at and word not in game.abilities:
            yield source.defect(at, f"`{word}` is not an ability of the game")
    if game.attributes and not (game.kinds and game.provenances):
        yield source.defect((), "cards need a kind and a provenance")
    if prod(ways(attribute) for attribute in game.attributes) > MOST_DESCRIBED:
        message = f"the attributes make more than {MOST_DESCRIBED:,} different cards"
        yield source.defect(("attributes",), message)


def _words_of_attributes(game: Game) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for index, attribute in enumerate(game.attributes):
        yield ("attributes", index, "name"), attribute.name
        for place, value in enumerate(attribute.values):
            yield ("attributes", index, "values", place), value
        if attribute.nothing is not None:
            yield ("attributes", index, "nothing"), attribute.nothing
