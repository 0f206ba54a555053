"""Configuration files: the nearest file, its options, changed files of a checkout."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from deckcheck.cli.output import Output, say, tell
from deckcheck.cli.settings import OUTPUT_METAVAR, CliOption
from deckcheck.files import file_fault, list_read_files, relative_path
from deckcheck.findings import UsageError
from deckcheck.messages import list_first, quote

if TYPE_CHECKING:
    from deckcheck.config import Configuration, Option

ListAllOptions: TypeAlias = Callable[[], list[CliOption]]
"""Imports all commands for their options, which takes a while."""

PYPROJECT = "pyproject.toml"
_CONFIG_FILES = ("deckcheck.toml", ".deckcheck.toml")


def find_config(folder: str) -> Path | None:
    """Return the nearest configuration, in `folder` or above, or None.

    In a folder `deckcheck.toml` has priority over `.deckcheck.toml`, and both over a
    `pyproject.toml` with a table `[tool.deckcheck]`. Raises UsageError if it cannot be
    read, for example a broken link, because its content might decide the verdict.
    """
    while True:
        for name in _CONFIG_FILES:
            file = os.path.join(folder, name)
            if _exists(file):
                return Path(file)
        file = os.path.join(folder, PYPROJECT)
        if _exists(file) and _has_table(file):
            return Path(file)
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _exists(file: str) -> bool:
    """Report whether a configuration exists. A folder of the name does not count.

    Raises UsageError if it exists and cannot be read.
    """
    is_link = os.path.islink(file)
    if not os.path.lexists(file) or (os.path.isdir(file) and not is_link):
        return False
    fault = file_fault(file)
    if fault is None and not os.access(file, os.R_OK):
        fault = "cannot be read: permission denied"
    if fault is not None:
        if is_link:
            fault = f"is a link that leads nowhere, or {fault}"
        message = f"Configuration {quote(relative_path(file))} {fault}"
        raise UsageError(message, "Correct or remove it, or pass `--isolated`")
    return True


def _has_table(file: str) -> bool:
    """Report whether a `pyproject.toml` is about deckcheck. Most are not."""
    with open(file, "rb") as stream:
        content = stream.read()
    if b"deckcheck" not in content:
        return False
    import tomllib

    try:
        data = tomllib.loads(content.decode())
    except (ValueError, RecursionError):
        # A broken file may belong to another program, which will report it.
        return b"[tool.deckcheck" in content
    tool = data.get("tool")
    return isinstance(tool, dict) and "deckcheck" in tool


def load_config(
    given: Path | None, list_all_options: ListAllOptions
) -> Configuration | None:
    """Return the configuration of the file `given`, or else of the nearest, if any.

    Raises UsageError if it cannot be read.
    """
    if given is None:
        file = find_config(os.getcwd())
    else:
        file = given
        _check_given(given)
    if file is None:
        return None
    from deckcheck.config import load_settings

    return load_settings(file, list(file_options(list_all_options()).values()))


def _check_given(file: Path) -> None:
    """Raise UsageError if the file of `--config` cannot be read."""
    if not os.path.exists(file):
        from deckcheck.decks.files import missing

        raise missing(file, "configuration")
    fault = file_fault(file)
    if fault is not None:
        raise UsageError(f"Configuration {quote(str(file))} {fault}")


# The options that a file may set.

NOT_IN_FILES = frozenset(
    """
    config isolated show-settings help watch check checkout write-baseline diff
    files-from show-files stdin-filename force for format from history
    new-format to letters matchups output pairings sheets table against
    every-policy gauntlet plan scheduler game-number games-table margin moves
    pairing side losses sample adaptive alpha beta elo sprt until-width reseal
    reveal run salts seal shard verdicts verify verify-list ability at-least
    faction group kind row strength changes change-leader cross-check
    cross-check-games deck keep bound card decks hand mine redraws rounds start
    hands with
    """.split()
)
"""Options of a single run, which a project cannot prescribe."""


def file_options(options: Iterable[CliOption]) -> dict[str, Option]:
    """Return the options that a file may set by key, of the `options` of all commands.

    A file may set everything that any command takes, and each command uses its part.
    """
    by_key: dict[str, list[CliOption]] = {}
    for setting in options:
        if setting.key not in NOT_IN_FILES:
            by_key.setdefault(setting.key, []).append(setting)
    return {key: _join_options(key, same) for key, same in by_key.items()}


def _join_options(key: str, same: Sequence[CliOption]) -> Option:
    """Return the option of a file for the options of one key, of several commands."""
    from deckcheck.cards.storage import BUILT_IN
    from deckcheck.config import Option
    from deckcheck.formats.adhoc import check_rule

    words: list[Callable[[], Sequence[str]]] = []
    has_files = False
    for setting in same:
        is_output = setting.metavar == OUTPUT_METAVAR
        if is_output:
            has_files = True
        if is_output or setting.choices:
            words.append(partial(_list_words, setting))
    lows = [0 if setting.is_counted else setting.info.min for setting in same]
    highs = [setting.info.max for setting in same]
    return Option(
        key=key,
        kind=same[0].kind,
        is_many=any(setting.is_many for setting in same),
        is_pattern=key == "exclude",
        words=tuple(words),
        has_files=has_files,
        names=(BUILT_IN,) if key == "card-db" else (),
        help=same[0].info.help or "",
        least=None if None in lows else min(lows),
        most=None if None in highs else max(highs),
        check=check_rule if key == "rule" else None,
    )


def _list_words(setting: CliOption) -> Sequence[str]:
    return setting.words or ()


# The files of a checkout, by which lists are not judged.

MAX_LISTED_FILES = 5


def warn_of_ignored(
    checkout: Path | None, outputs: Sequence[Output[Any]], card_dbs: Iterable[Path]
) -> None:
    """Warn of files in `checkout` that differ although judging lists ignores them.

    The warning is an annotation of GitHub if its findings are printed. Raises
    UsageError for a configuration of the checkout that cannot be read.
    """
    if checkout is None:
        return
    names = list_read_files()
    config = find_config(str(checkout))
    if config is not None and config.parent == checkout:
        names.add(relative_path(config, checkout))
    for folder in card_dbs:
        for file in (checkout / relative_path(folder)).rglob("*.yaml"):
            names.add(relative_path(file, checkout))
    differing = []
    for name in sorted(names):
        if Path(name).absolute().is_relative_to(checkout.absolute()):
            continue
        if _read_content(Path(name)) != _read_content(checkout / name):
            differing.append(name)
    if not differing:
        return
    shown = list_first(differing, MAX_LISTED_FILES)
    verb = "differs" if len(differing) == 1 else "differ"
    message = (
        f"{shown} {verb} in the checkout, which does not count: lists are judged by "
        "the files that are already there"
    )
    if any(output.name == "github" and output.file is None for output in outputs):
        say(f"::warning title=Changes of the judge::{message.replace('%', '%25')}")
    else:
        tell(f"warning: {message}")


def _read_content(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except OSError:
        return None
