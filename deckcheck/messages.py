"""Words of messages: plurals, quotes, near misses; options as readers name them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeAlias, overload

from deckcheck.findings import UsageError

# Words and quotes for messages.

LONGEST_WORD = 40
LIKENESS = 0.7
SHORTEST_START = 3

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
"""What nobody sees of a text as it is.

It ends lines, moves the cursor, colours, turns the direction of writing, or takes no
room. Letters of many languages, and small pictures, are joined or chosen by characters
that take no room either: within these they stay.
"""


_OBEYED = r"#\x23["


def printable(text: str) -> str:
    """`text` on one line, with what is hidden as a visible escape: `\\x1b`, `\\u200b`.

    What is printable already stays as it is, but `##[`, which GitHub's log obeys
    wherever it stands in a line.
    """
    if not (text.isascii() and text.isprintable()):
        text = re.sub(HIDDEN, lambda match: escaped(match[0]), text)
    return text.replace("##[", _OBEYED)


def line_start(path: str) -> str:
    """A path to begin a line with, `./` before what a log of CI would obey."""
    shown = printable(path)
    return f"./{shown}" if shown.startswith((":", "#", "-", " ")) else shown


def printable_lines(text: str) -> str:
    """`text` of several lines, each of them printable; tabs stay."""
    if not (text.isascii() and text.isprintable()):
        text = re.sub(
            HIDDEN, lambda one: one[0] if one[0] in "\n\t" else escaped(one[0]), text
        )
    return text.replace("##[", _OBEYED)


def escaped(character: str) -> str:
    """One character as Python would write it: `\\n`, `\\x1b`, `\\u202e`."""
    return ascii(character)[1:-1]


def quote(text: str, limit: int = 60) -> str:
    """User text in back-ticks, safe to print, at most `limit` characters of it.

    Its own back-ticks are escaped, so that the quote ends where it ends.
    """
    shown = printable(text[: limit + 1]).replace("`", r"\x60")
    if len(shown) > limit:
        shown = shown[: limit - 3].rstrip() + "..."
    return f"`{shown}`"


def plural(number: int, noun: str) -> str:
    """`1 card`, `2 cards`, `2 copies`, `2 lives`: English nouns of players only."""
    if number == 1:
        return f"1 {noun}"
    for end, several in (("y", "ies"), ("fe", "ves")):
        if noun.endswith(end):
            return f"{number} {noun.removesuffix(end)}{several}"
    return f"{number} {noun}s"


def game_count(number: int) -> str:
    """`1 game`, `12,000 games`."""
    return "1 game" if number == 1 else f"{number:,} games"


def choice(options: Sequence[str], word: str = "or") -> str:
    """Back-ticked options as a sentence lists them: `a`, `b` or `c`."""
    quoted = [quote(option) for option in options]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {word} {quoted[-1]}"


def joined(helps: Iterable[str | None]) -> str | None:
    """Several remedies as one, each once: `Did you mean `a`? Write `b``; or None."""
    sentences = [sentence(help) for help in dict.fromkeys(helps) if help]
    ended = (help if help[-1] in "?." else f"{help}." for help in sentences)
    return " ".join(ended) if len(sentences) > 1 else "".join(sentences) or None


def nearest(word: str, candidates: Iterable[str], limit: int = 1) -> list[str]:
    """The known words that `word` may be a misspelling of, in any case.

    The most likely one comes first, of equally likely ones that which stands first in
    `candidates`; none comes where nothing is near. Half a word may stand for the whole.
    """
    from difflib import SequenceMatcher, get_close_matches

    by_lower = {candidate.lower(): candidate for candidate in candidates}
    wanted = word[:LONGEST_WORD].lower()
    close = get_close_matches(wanted, by_lower, max(1, len(by_lower)), LIKENESS)
    near = sorted(close, key=[*by_lower].index)
    near.sort(key=lambda key: -SequenceMatcher(None, key, wanted).ratio())
    if not near and len(wanted) >= SHORTEST_START:
        near = [key for key in by_lower if key.startswith(wanted)]
    return [by_lower[key] for key in near[:limit]]


@overload
def suggestion(names: Iterable[str], otherwise: str) -> str: ...
@overload
def suggestion(names: Iterable[str], otherwise: None = None) -> str | None: ...
def suggestion(names: Iterable[str], otherwise: str | None = None) -> str | None:
    """The help for an unknown name: those that may be meant, or else `otherwise`."""
    near = list(names)
    return f"Did you mean {choice(near)}?" if near else otherwise


def sentence(text: str) -> str:
    """`text` in sentence case: its first letter is a capital."""
    return text[:1].upper() + text[1:]


# Options in messages, named as the one who reads them would write them.
#
# `option("games", 400)` is `--games 400` for a command, and `games=400` for a function
# in Python. Each entrance says once how it names options; whoever raises an error does
# not know where it is read.

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
    """An option as an argument in Python is called, and a key of a plan."""
    return _LISTS.get(name, name.replace("-", "_"))


def of_the_command_line(name: str, value: object) -> str:
    """An option as it is typed."""
    return f"--{name}" if value is None else f"--{name} {value}"


_NAMING: ContextVar[Naming] = ContextVar("naming", default=of_the_command_line)


def option(name: str, value: object = None) -> str:
    """An option of the command line by its long name, as the caller writes it."""
    return f"`{_NAMING.get()(name, value)}`"


@contextmanager
def options_named(naming: Naming) -> Iterator[None]:
    """Let messages that are made meanwhile name options by `naming`."""
    token = _NAMING.set(naming)
    try:
        yield
    finally:
        _NAMING.reset(token)


def check_range(name: str, value: int, lowest: int, highest: int) -> None:
    """Raise UsageError for an option whose number is too small or too large."""
    if not lowest <= value <= highest:
        raise UsageError(f"{option(name)} is {value}, must be {lowest} to {highest}")
