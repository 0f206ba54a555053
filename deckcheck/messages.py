"""Words of messages: plurals, quotes, near misses; options as readers name them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias, overload

from deckcheck.findings import UsageError

# Words and quotes for messages

MAX_COMPARED_LENGTH = 40
MIN_LIKENESS = 0.7
MIN_START_LENGTH = 3
"""How long and how similar a word is that `nearest` compares."""

_STEERING = (
    r"\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
)
_INVISIBLE = (
    r"\xad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2065\u206a-\u206f\u3164"
    r"\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    r"\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
_JOINERS = r"\u200c\u200d"
_VARIANTS = r"\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
_WITHOUT_THEM = r"\x00-\u058f\u1d00-\u20ff"

HIDDEN = (
    f"[{_STEERING}{_INVISIBLE}]"
    rf"|(?:\A|(?<=[{_WITHOUT_THEM}]))[{_JOINERS}{_VARIANTS}]"
    rf"|[{_JOINERS}](?=[{_WITHOUT_THEM}]|\Z)"
)
"""The characters that nobody sees in a text.

They end lines, move the cursor, paint, turn the direction of writing, or take no room.
Characters that take no room stay where they join letters or choose small pictures.
"""


_OBEYED = r"#\x23["

MAX_SHOWN_LENGTH = 43
"""The most characters of a wrong value in a message."""


def printable(text: str) -> str:
    """Return `text` on one line, with hidden characters escaped: `\\x1b`, `\\u200b`.

    Printable text stays as it is, except `##[`, which GitHub's log obeys anywhere in a
    line.
    """
    if not (text.isascii() and text.isprintable()):
        text = re.sub(HIDDEN, lambda match: escape_character(match[0]), text)
    return text.replace("##[", _OBEYED)


def line_start(path: str) -> str:
    """Return a path to begin a line with, after `./` if a CI log would obey it."""
    shown = printable(path)
    return f"./{shown}" if shown.startswith((":", "#", "-", " ")) else shown


def printable_lines(text: str) -> str:
    """Make each line of a text printable; tabs stay."""

    def escape_others(match: re.Match[str]) -> str:
        return match[0] if match[0] in "\n\t" else escape_character(match[0])

    if not (text.isascii() and text.isprintable()):
        text = re.sub(HIDDEN, escape_others, text)
    return text.replace("##[", _OBEYED)


def escape_character(character: str) -> str:
    """Write one character as Python does: `\\n`, `\\x1b`, `\\u202e`."""
    return ascii(character)[1:-1]


def quote(text: str, limit: int = 60) -> str:
    """Return at most `limit` characters of user text in back-ticks, safe to print.

    Back-ticks in the text are escaped, so that none of them ends the quote.
    """
    shown = printable(text[: limit + 1]).replace("`", r"\x60")
    if len(shown) > limit:
        shown = shown[: limit - 3].rstrip() + "..."
    return f"`{shown}`"


def describe_value(value: object) -> str:
    """Name a value in a message: text in back-ticks, collections by their kind."""
    match value:
        case None:
            return "nothing"
        case dict():
            return "a mapping"
        case list() | tuple():
            return "a list" if value else "an empty list"
        case bool():
            return f"`{str(value).lower()}`"
    return quote(str(value), MAX_SHOWN_LENGTH)


def plural(number: int, noun: str) -> str:
    """Count with an English noun of players: `1 card`, `2 copies`, `2 lives`."""
    if number == 1:
        return f"1 {noun}"
    for end, several in (("y", "ies"), ("fe", "ves")):
        if noun.endswith(end):
            return f"{number} {noun.removesuffix(end)}{several}"
    return f"{number} {noun}s"


def game_count(number: int) -> str:
    """Count games, as in `1 game` and `12,000 games`."""
    return "1 game" if number == 1 else f"{number:,} games"


def choice(options: Sequence[str], word: str = "or") -> str:
    """List options in back-ticks as a sentence does: `a`, `b` or `c`."""
    quoted = [quote(option) for option in options]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {word} {quoted[-1]}"


def list_first(names: Sequence[str], limit: int) -> str:
    """List the first names in back-ticks, and count the rest: `a`, `b` and 3 more."""
    more = len(names) - limit
    if more <= 0:
        return choice(names, "and")
    return f"{', '.join(quote(name) for name in names[:limit])} and {more} more"


def join_helps(helps: Iterable[str | None]) -> str | None:
    """Join remedies, each once, as in `Did you mean `a`? Write `b``; None without any.

    A single remedy has no full stop.
    """
    sentences = [sentence(help) for help in dict.fromkeys(helps) if help]
    if len(sentences) < 2:
        return sentences[0] if sentences else None
    ended = (help if help[-1] in "?." else f"{help}." for help in sentences)
    return " ".join(ended)


def nearest(word: str, candidates: Iterable[str], limit: int = 1) -> list[str]:
    """Return the candidates that `word` may be a misspelling of, in any case.

    The most likely candidate comes first, and equally likely candidates keep their
    order. The beginning of a word may stand for the word.
    """
    from difflib import SequenceMatcher, get_close_matches

    by_lower = {candidate.lower(): candidate for candidate in candidates}
    wanted = word[:MAX_COMPARED_LENGTH].lower()
    close = get_close_matches(wanted, by_lower, max(1, len(by_lower)), MIN_LIKENESS)
    near = sorted(close, key=[*by_lower].index)
    near.sort(key=lambda key: -SequenceMatcher(None, key, wanted).ratio())
    if not near and len(wanted) >= MIN_START_LENGTH:
        near = [key for key in by_lower if key.startswith(wanted)]
    return [by_lower[key] for key in near[:limit]]


@overload
def suggestion(names: Iterable[str], otherwise: str) -> str: ...
@overload
def suggestion(names: Iterable[str], otherwise: None = None) -> str | None: ...
def suggestion(names: Iterable[str], otherwise: str | None = None) -> str | None:
    """Return the help for an unknown name: `Did you mean`, or else `otherwise`."""
    near = list(names)
    return f"Did you mean {choice(near)}?" if near else otherwise


def sentence(text: str) -> str:
    """Return `text` with a capital as its first letter."""
    return text[:1].upper() + text[1:]


# Options in messages, named as the reader would write them.
#
# `option("games", 400)` is `--games 400` for a command, and `games=400` for a function
# in Python. Each entrance sets this once: an error does not know where it is read.

Naming: TypeAlias = Callable[[str, object], str]
"""From the long name of an option without dashes, and a value or None, to its text."""

_LISTS = {
    "faction": "factions",
    "opponent": "opponents",
    "policy": "policies",
    "select": "selections",
}
"""Arguments that take a list, by the options that are given several times."""


def identifier(name: str) -> str:
    """Return the name of an option in Python and in plans."""
    return _LISTS.get(name, name.replace("-", "_"))


def name_typed_option(name: str, value: object) -> str:
    """Return an option as it is typed."""
    return f"--{name}" if value is None else f"--{name} {value}"


_NAMING: ContextVar[Naming] = ContextVar("naming", default=name_typed_option)


def option(name: str, value: object = None) -> str:
    """Return an option, given by its long name, as the reader would write it."""
    return f"`{_NAMING.get()(name, value)}`"


@contextmanager
def name_options(naming: Naming) -> Iterator[None]:
    """Name options by `naming` in all messages meanwhile."""
    token = _NAMING.set(naming)
    try:
        yield
    finally:
        _NAMING.reset(token)


def check_range(name: str, value: int, lowest: int, highest: int) -> None:
    """Raise UsageError for an option whose number is too small or too large."""
    if not lowest <= value <= highest:
        raise UsageError(f"{option(name)} is {value}, must be {lowest} to {highest}")
