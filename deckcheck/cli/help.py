"""Help: an example first, then usage, description, arguments and options."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Sequence
from inspect import cleandoc

from deckcheck.cli.declared import Setting

WIDEST, NARROWEST = 88, 50
COLUMN = 30
MOST_TOGETHER = 16
"""A command with more options has them in sections."""

SECTIONS = {
    "Decks and rules": (
        *("against", "start", "gauntlet", "mirror", "opponent", "random-decks"),
        *("players", "select", "matchups", "format", "new-format", "as-of", "rule"),
        "game",
        *("allow-illegal", "files-from", "exclude", "force-exclude", "show-files"),
        *("stdin-filename", "no-suppress", "card-db"),
    ),
    "Games": ("games", "seed", "policy", "every-policy", "plan"),
    "When to stop": (
        *("margin", "until-width", "sprt", "alpha", "beta", "elo", "adaptive"),
        *("bound", "rounds"),
    ),
    "Work": ("run", "shard", "jobs", "executor", "scheduler"),
    "Output": (
        *("output-format", "output", "all-matchups", "games-table", "plots", "html"),
        *("deck", "decks", "statistics", "fail-on", "exit-zero", "progress"),
        *("color", "quiet", "verbose"),
    ),
    "Configuration": ("config", "isolated", "show-settings"),
}
"""The options that many commands have, by what they are about."""

Rows = Sequence[tuple[str, str]]


def command_help(
    program: str, example: str, doc: str, settings: Sequence[Setting], more: str
) -> str:
    """The help of one command; `more` is the page of the docs that explains it."""
    arguments = [setting for setting in settings if not setting.is_option]
    options = [setting for setting in settings if setting.is_option]
    usage = ["[OPTIONS]", *(_usage(argument) for argument in arguments)]
    text = page(
        program,
        example,
        " ".join(usage),
        doc,
        {
            "Arguments": [
                (argument.metavar, _described(argument)) for argument in arguments
            ],
            **dict(_sections(options)),
        },
    )
    return f"{text}\nMore: {more}\n"


def _sections(options: Sequence[Setting]) -> Iterator[tuple[str, Rows]]:
    """The options by section, those of this command alone first."""
    shown: dict[str, list[tuple[str, str]]] = {"Options": []}
    if len(options) > MOST_TOGETHER:
        shown |= {title: [] for title in SECTIONS}
    titles = {name: title for title, names in SECTIONS.items() for name in names}
    for option in options:
        title = titles.get(option.key, "Options")
        shown[title if title in shown else "Options"].append(
            (_typed(option), _described(option))
        )
    list(shown.values())[-1].append(("-h, --help", "Show this message and exit."))
    yield from shown.items()


def page(
    program: str, example: str, usage: str, doc: str, sections: dict[str, Rows]
) -> str:
    """The text of a page of help; a section without rows is left out."""
    width = min(shutil.get_terminal_size().columns, WIDEST) - 2
    width = max(width, NARROWEST)
    lines = [f"Example: deckcheck {example}", ""]
    start = f"Usage: {program} "
    lines += textwrap.wrap(
        start + usage, width, subsequent_indent=" " * len(start), break_on_hyphens=False
    )
    for paragraph in cleandoc(doc).split("\n\n"):
        lines += ["", *_wrapped(paragraph, width, "  ")]
    for title, rows in sections.items():
        if rows:
            lines += ["", f"{title}:", *_table(rows, width)]
    return "\n".join(lines) + "\n"


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    words = " ".join(text.split())
    return textwrap.wrap(
        words,
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=True,
    )


def _table(rows: Rows, width: int) -> Iterator[str]:
    """Two columns; what is too long for the first has a line of its own."""
    first = min(max(len(name) for name, _ in rows), COLUMN) + 2
    for name, text in rows:
        # Two spaces stand before what brackets add.
        parts = _wrapped_help(text, max(width - first - 2, 10))
        if len(name) <= first - 2 and parts:
            yield f"  {name:<{first}}{parts.pop(0)}"
        else:
            yield f"  {name}"
        yield from (f"  {'':<{first}}{part}" for part in parts)


def _wrapped_help(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, width)


def _usage(argument: Setting) -> str:
    shown = f"{{{argument.metavar}}}" if argument.is_needed else f"[{argument.metavar}]"
    is_open = argument.is_many and "..." not in argument.metavar
    return f"{shown}..." if is_open else shown


def _typed(option: Setting) -> str:
    names = ", ".join(sorted(option.opts, key=lambda name: name.startswith("--")))
    return f"{names} {option.metavar}" if option.metavar else names


def _described(setting: Setting) -> str:
    """Its help, and in brackets its default and limits."""
    extra = [*_default(setting), *_limits(setting)]
    if setting.is_needed:
        extra.append("required")
    help = " ".join((setting.info.help or "").split())
    return f"{help}  [{'; '.join(extra)}]" if extra else help


def _default(setting: Setting) -> Iterator[str]:
    shown, default = setting.info.show_default, setting.default
    if isinstance(shown, str) and not setting.is_needed:
        yield f"default: ({shown})"
    elif shown is True and default is not None and not setting.is_flag:
        yield f"default: {default}"


def _limits(setting: Setting) -> Iterator[str]:
    low, high = setting.info.min, setting.info.max
    if low is not None and high is not None:
        yield f"{low}<=x<={high}"
    elif low is not None:
        yield f"x>={low}"
    elif high is not None:
        yield f"x<={high}"
