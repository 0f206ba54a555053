"""Options that take every path up to the next option, as a shell's `*` lists them.

`--against meta/*.deck` reaches us as one path behind the option and the others behind
that; typer would take those others for decks. An option is of this kind if its
declaration says so: `metavar="PATH..."`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckcheck.cli.declared import Setting
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import choice, quote

SHOWN = 3


def spelled_out(words: Sequence[str], settings: Sequence[Setting]) -> Iterator[str]:
    """The words of a command with such an option in front of each of its paths.

    `--against=PATH` names that path alone, and behind `--` nothing is an option.
    """
    options = {name for s in settings if s.takes_paths for name in s.opts}
    option, is_bare = None, False
    for place, word in enumerate(words):
        if word in options:
            if option is not None and is_bare:
                yield option
            option, is_bare = word, True
        elif word.startswith("-") and word != "-":
            if option is not None and is_bare:
                yield option
            if word == "--":
                yield from words[place:]
                return
            option = None
            yield word
        elif option is not None:
            yield from (option, word)
            is_bare = False
        else:
            yield word
    if option is not None and is_bare:
        yield option


def nothing_named(what: str, help: str, field: Sequence[str] | None) -> UsageError:
    """The error for a command without `what`; the paths of `--against` may be it."""
    message = f"No {what} given"
    if not field:
        return UsageError(message, help)
    shown = choice(field, "and")
    if len(field) > SHOWN + 1:
        first = ", ".join(quote(path) for path in field[:SHOWN])
        shown = f"{first} and {len(field) - SHOWN} more"
    return UsageError(
        f"{message}: `--against` takes every path up to the next option, here {shown}",
        f"{help} before `--against`",
    )
