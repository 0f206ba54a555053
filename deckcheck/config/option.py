"""The words of a configuration: options, levels, findings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from deckcheck.rules import DECK_RULES

OFF = "off"
Level = Literal["error", "warning", "note", "off"]
"""How much a finding weighs, or that it is not shown."""

_NAMES = {rule.code: rule.name for rule in DECK_RULES}


@dataclass(frozen=True, slots=True)
class Option:
    """An option of the command line that a file may set.

    `kind` is bool, int, str or Path. `is_pattern` marks patterns of paths, which start
    from the folder of the file. `words` give the only ones allowed, if any, each with
    a file behind a colon where it `has_files`; those of outputs take time to import.
    `names` stand for no path below the folder of the file. A number is from `least` to
    `most`, where there are such limits. `check` raises UsageError for a text that can
    be wrong in another way.
    """

    key: str
    kind: type
    is_many: bool
    is_pattern: bool = False
    words: tuple[Callable[[], Sequence[str]], ...] = ()
    has_files: bool = False
    names: tuple[str, ...] = ()
    help: str = ""
    least: int | None = None
    most: int | None = None
    check: Callable[[str], None] | None = None

    def joined(self, other: Option) -> Option:
        """The option of several commands: each takes what it can use."""
        return replace(
            self,
            is_many=self.is_many or other.is_many,
            words=(*self.words, *other.words),
            has_files=self.has_files or other.has_files,
            least=_wider(min, self.least, other.least),
            most=_wider(max, self.most, other.most),
        )

    def allows(self, word: str) -> bool:
        """Whether the option of any command takes a word."""
        return any(word in words() for words in self.words)

    def all_words(self) -> tuple[str, ...]:
        """Every word that the option of any command takes."""
        return tuple(dict.fromkeys(word for words in self.words for word in words()))


def _wider(
    choose: Callable[[int, int], int], one: int | None, other: int | None
) -> int | None:
    """The limit that lets more through; None is no limit."""
    return None if one is None or other is None else choose(one, other)


def finding_name(key: str) -> str:
    """The name of a finding that a file calls by its code; else what is given."""
    return _NAMES.get(key.upper(), key)
