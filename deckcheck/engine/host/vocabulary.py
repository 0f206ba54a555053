"""Refusing words of the data that an engine does not play: nothing is played blank."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import IntEnum

from deckcheck.cards.models import Option
from deckcheck.engine.errors import EngineError


def check_words(
    game: str, what: str, codes: type[IntEnum], words: Iterable[str]
) -> None:
    """Refuse words that are no member of `codes`, whose names are in upper case.

    Raises:
        EngineError: the engine of the game called `game` does not know a word.
    """
    for word in words:
        if word.upper() not in codes.__members__:
            raise EngineError(f"the {game} engine does not know the {what} `{word}`")


def check_options(
    game: str,
    options: Iterable[Option],
    numbers: Collection[str],
    choices: Mapping[str, Collection[object]],
) -> None:
    """Refuse options, and values of options, that would be played as the default.

    `numbers` are the options that are a number. `choices` has the values of the others
    that change something; the default, their first value, may be left out.

    Raises:
        EngineError: the engine of the game called `game` does not know one.
    """
    for option in options:
        values = choices.get(option.name)
        if values is None and option.name not in numbers:
            message = f"the {game} engine does not know the option `{option.name}`"
            raise EngineError(message)
        for value in option.values[1:]:
            if values is None or value not in values:
                word = str(value).lower() if isinstance(value, bool) else value
                message = f"the {game} engine does not know `{word}` as a value of"
                raise EngineError(f"{message} `{option.name}`")
