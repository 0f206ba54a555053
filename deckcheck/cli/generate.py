"""`deckcheck generate`: random legal decks of a format."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.options.shared import AsOf, CardDb, Rules
from deckcheck.cli.printing import print_file, tell
from deckcheck.cli.writing import check_places, unwritable, write_file
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import choice, plural, printable, quote

if TYPE_CHECKING:
    from deckcheck.cards import Option, Root
    from deckcheck.formats import Format


MOST = 100_000


def generate(
    format: Annotated[
        str,
        typer.Argument(
            metavar="FORMAT",
            autocompletion=completing.formats,
            help="Format of the decks, such as gwent/standard or ./league.yaml.",
        ),
    ],
    *,
    seed: Annotated[
        int,
        typer.Option(
            "--seed",
            metavar="NUMBER",
            min=0,
            help="Number that decides what is drawn, such as 7: the same seed gives "
            "the same decks.",
        ),
    ] = 1,
    count: Annotated[
        int,
        typer.Option(
            "--count",
            "-n",
            metavar="NUMBER",
            min=1,
            max=MOST,
            help="Number of files to write.",
        ),
    ] = 1,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="Folder to write to, or a file such as new.deck for a single one; "
            "by default a single one is printed.",
            show_default=False,
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            metavar="NAME=VALUE",
            help="Set an option of play that random decks depend on, such as "
            "arrow_model=by_value. Can be given several times.",
        ),
    ] = None,
    rule: Rules = None,
    as_of: AsOf = None,
    card_db: CardDb = None,
) -> None:
    """Write random legal decks of a format.

    Each file holds a deck, a lineup, a team or a table, as the format says. What is in
    it depends only on format, seed and the number of the file. Nothing is overwritten.
    """
    from deckcheck.generating import Generator
    from deckcheck.validation import Validator

    if count > 1 and (output is None or _is_file_name(output)):
        help = "Pass `--output FOLDER`"
        raise UsageError(f"No folder given for {count:,} files", help)
    validator = Validator(format, card_db, rules=rule or (), as_of=as_of)
    assert validator.format is not None
    fmt = _with_options(validator.format, option or [], card_db)
    generator = Generator(fmt, validator)
    if output is None:
        print_file(generator.file(seed, 1))
        return
    files = _files(output, seed, count)
    for number, file in enumerate(files, start=1):
        write_file(file, generator.file(seed, number))
    held = plural(count, fmt.seating.holds)
    tell(f"{held} of {fmt.id} written to {printable(str(output))}")


def _with_options(fmt: Format, words: list[str], root: Root) -> Format:
    """The format with options of play set as `NAME=VALUE` says."""
    from dataclasses import replace
    from types import MappingProxyType

    from deckcheck.cards import load_database

    game = load_database(fmt.game, root).game
    game_options = {option.name: option for option in game.options}
    used = {game.random, *(attribute.random for attribute in game.attributes)}
    options = dict(fmt.options)
    for word in words:
        name, sign, value = word.partition("=")
        if name not in game_options or not sign:
            raise _unknown_option(word, name, list(game_options))
        options[name] = _value(game_options[name], value)
        if name not in used:
            message = f"Random decks do not depend on {quote(name)}"
            raise UsageError(message, "Leave it out")
    return replace(fmt, options=MappingProxyType(options))


def _unknown_option(word: str, name: str, options: list[str]) -> UsageError:
    from deckcheck.cards.names import closest

    if name in options:
        return UsageError(f"Option {quote(name)} has no value", f"Write `{name}=VALUE`")
    near = closest(name, options, limit=1)
    help = (
        f"Did you mean {choice(near)}?" if near else f"Known: {choice(options, 'and')}"
    )
    return UsageError(f"Unknown option of play {quote(word)}", help)


def _value(option: Option, text: str) -> str | int | bool:
    words: dict[str, str | int | bool] = {"true": True, "false": False}
    value = words.get(text, text)
    if not option.values and text.isdecimal() and len(text) < 10:
        value = int(text)
    if not option.allows(value):
        message = f"{quote(option.name)} cannot be {quote(text)}"
        raise UsageError(message, f"It is {option.describe()}")
    return value


def _is_file_name(output: Path) -> bool:
    """Whether `--output` names the file of a text deck rather than a folder."""
    from deckcheck.decks.reader import WAYS

    return WAYS.get(output.suffix.lower()) == "text" and not os.path.isdir(output)


def _files(output: Path, seed: int, count: int) -> list[Path]:
    """The files to write, none of which is there; a folder that is named is made.

    The name of a file depends on seed and number alone, whatever the count.
    """
    files = [output / f"random_{seed}_{n:04}.deck" for n in range(1, count + 1)]
    if _is_file_name(output):
        files = [output]
    there = [file for file in files if os.path.lexists(file)]
    if there:
        message = f"{quote(str(there[0]))} already exists"
        if len(there) > 1:
            message = f"{quote(str(there[0]))} and {len(there) - 1} more already exist"
        raise UsageError(message, "Choose another place or another seed")
    if files == [output]:
        check_places(files)
        return files
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(str(output), error) from error
    return files
