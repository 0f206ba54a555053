"""What a command line takes, as far as a shell can complete it."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Program", "Switch", "Value", "Verb"]


class Value(NamedTuple):
    """What may stand at one place: words, files, folders, or what nobody can guess."""

    name: str
    words: tuple[str, ...] = ()
    has_files: bool = False
    has_folders: bool = False


class Switch(NamedTuple):
    """One option: its spellings, help, and what follows it; None for nothing."""

    names: tuple[str, ...]
    help: str
    value: Value | None


class Verb(NamedTuple):
    """One command. The last of `arguments` may be repeated, `summary` is one line."""

    name: str
    summary: str
    switches: tuple[Switch, ...]
    arguments: tuple[Value, ...]

    def argument(self, place: int) -> Value:
        """What stands at the argument of that index."""
        if not self.arguments:
            return Value("")
        return self.arguments[min(place, len(self.arguments) - 1)]


class Program(NamedTuple):
    """A program with its commands, and its options before a command."""

    name: str
    switches: tuple[Switch, ...]
    verbs: tuple[Verb, ...]
