"""Random cards where cards are described by attributes."""

from __future__ import annotations

from random import Random

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Attribute
from deckcheck.formats import Format

BY_VALUE = "by_value"


def random_card(fmt: Format, db: CardDatabase, chance: Random) -> str:
    """The id of a random card: every number and every value equally likely.

    Of several values the number is drawn first, each equally likely, then which; with
    `by_value` for the option of play that the attribute names, a coin for each.
    """
    words = [
        word
        for attribute in db.game.attributes
        for word in _values(attribute, fmt, chance)
    ]
    id = db.find_card(" ".join(words)).id
    assert id is not None
    return id


def _values(attribute: Attribute, fmt: Format, chance: Random) -> list[str]:
    if attribute.minimum is not None and attribute.maximum is not None:
        return [str(chance.randint(attribute.minimum, attribute.maximum))]
    values, most = attribute.values, attribute.most or 0
    if most == 1:
        place = chance.randrange(len(values) + 1)
        return list(values[place : place + 1])
    if attribute.random is None or fmt.options[attribute.random] != BY_VALUE:
        return chance.sample(values, chance.randint(0, most))
    while True:
        chosen = [value for value in values if chance.random() < 0.5]
        if len(chosen) <= most:
            return chosen
