"""Options that several commands have, and dataclasses of them as parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import partial, wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deckcheck.cli import completing
from deckcheck.cli.settings import EXPLAINED_IF_MISSING, OUTPUT_METAVAR, PATHS_METAVAR
from deckcheck.findings import UsageError
from deckcheck.messages import identifier
from deckcheck.options import Declared, Spec, iterate_fields, iterate_options

if TYPE_CHECKING:
    from deckcheck.cards import CardDatabase, Root
    from deckcheck.decks.rewriting import Converter


# Dataclasses of options as parameters of a command.


def group_options(command: Callable[..., int]) -> Callable[..., int]:
    """Return a command that takes the options of each dataclass among its parameters.

    The options replace that parameter, with the options of base classes after its own,
    and the command gets them as a single value. Fields of a `Spec` without an option
    are left to the command. typer reads the options of a command from its signature, so
    the result has a signature with all of them:

        @group_options
        def simulate(decks: Decks = None, *, play: PlayOptions) -> int: ...

    has the parameters `decks`, `jobs` and the others of `PlayOptions`.
    """
    declared = signature(command, eval_str=True)
    groups: dict[str, Any] = {}
    parameters: list[Parameter] = []
    for parameter in declared.parameters.values():
        group = parameter.annotation
        if not (isinstance(group, type) and is_dataclass(group)):
            parameters.append(parameter)
            continue
        groups[parameter.name] = group
        if issubclass(group, Spec):
            parameters += map(_declare_option, iterate_options(group))
            continue
        for field, annotation in iterate_fields(group):
            kind = Parameter.KEYWORD_ONLY
            option = Parameter(
                field.name, kind, default=field.default, annotation=annotation
            )
            parameters.append(option)

    @wraps(command)
    def run(**values: Any) -> int:
        for name, group in groups.items():
            given = {}
            if issubclass(group, Spec):
                for option in iterate_options(group):
                    given[option.name] = _take_value(option, values)
            else:
                for field in fields(group):
                    given[field.name] = values.pop(field.name)
            values[name] = group(**given)
        return command(**values)

    vars(run)["__signature__"] = declared.replace(parameters=parameters)
    return run


TEXTS_TYPE = tuple[str, ...]
"""The type of an option that can be given several times."""


def _declare_option(option: Declared) -> Parameter:
    """Return the option of a command for a field of a spec."""
    details = option.declaration
    kind: Any = details.cli_type or option.kind
    default = option.default
    if default is None:
        kind = kind | None
    if option.kind == TEXTS_TYPE or details.single_help is not None:
        kind, default = list[str] | None, None
    completion = None
    if details.completes:
        completion = getattr(completing, details.completes)
    info = typer.Option(
        *option.flags,
        metavar=details.metavar,
        help=details.help,
        show_default=details.shown or True,
        min=details.cli_least,
        autocompletion=completion,
    )
    return Parameter(
        option.parameter,
        Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind, info],
    )


def _take_value(option: Declared, values: dict[str, Any]) -> Any:
    """Remove the value of an option from the values of the command, and return it."""
    single_help = option.declaration.single_help
    value = values.pop(option.parameter)
    if option.kind == TEXTS_TYPE:
        return tuple(value or option.default)
    if single_help is None:
        return value
    if not value:
        return option.default
    if len(value) > 1:
        raise UsageError(f"Several {identifier(option.long_name)} given", single_help)
    return value[0]


# Options, each named after the parameters that it declares.


def outputs_option(completes: Callable[..., Any], written: str) -> Any:
    """Return the option `--output-format` for `written`, such as findings."""
    return typer.Option(
        "--output-format",
        metavar=OUTPUT_METAVAR,
        autocompletion=completes,
        help=f"How to write {written}. FORMAT:FILE writes a file. Can be given "
        "several times.",
    )


def quiet_option(help: str) -> Any:
    """Return `--quiet` with its help."""
    return typer.Option("--quiet", "-q", count=True, help=help)


def field_option(help: str) -> Any:
    """Return the option that names a field of decks, with this `help`."""
    return typer.Option("--against", metavar=PATHS_METAVAR, help=help)


AllowIllegal = Annotated[
    bool, typer.Option(help="Let illegal decks play, which otherwise stop the command.")
]

FormatName = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="FORMAT",
        autocompletion=completing.formats,
        help="Format to use, such as gwent/standard or ./league.yaml. "
        "Default: each deck's own.",
    ),
]

OwnCards = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="FORMAT",
        autocompletion=completing.formats,
        help="Format whose cards the decks use, such as ./league.yaml, if it "
        "adds or changes cards.",
    ),
]

AsOf = Annotated[
    str | None,
    typer.Option(
        metavar="DATE",
        help="Use the formats as they are on this date, such as 2025-10 or "
        "2025-10-31, or their latest snapshots. Default: today.",
    ),
]

EventAsOf = Annotated[
    str | None,
    typer.Option(
        metavar="DATE",
        help="Use the formats as they were on this date, such as 2025-10 or "
        "2025-10-31. Default: the day of the event.",
    ),
]

Rules = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RULE",
        help="Add a rule to the format for this run: 'max specials 4', 'min "
        "units 24', 'ban Scorch', 'limit Decoy 1'. Can be given several "
        "times.",
    ),
]

SilentGame = Annotated[
    str | None,
    typer.Option(
        metavar="GAME",
        autocompletion=completing.games,
        help="Game of decks that name none, such as gwent.",
    ),
]


OutputFile = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="File to write to. Default: standard output.",
    ),
]

CardDb = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FOLDER",
        help="Folder of card databases instead of the built-in folder. Can "
        "be given several times. The name `built-in` adds the built-in folder "
        "again.",
    ),
]

ResultFormat = Annotated[
    list[str] | None,
    outputs_option(
        completing.result_outputs,
        "the result: table (default), line, json, csv, parquet, markdown or html",
    ),
]

FormatArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="FORMAT",
        autocompletion=completing.formats,
        help="Format whose legal decks are searched, such as gwent/standard, "
        "unless --format names it.",
        show_default=EXPLAINED_IF_MISSING,
    ),
]

Decks = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="DECK...",
        help="Files, folders, globs, share codes, or - for standard input.",
    ),
]

Weights = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="How common each deck is in the field: a CSV with a line such as "
        "`The swarm,3` for each. Other decks are left out.",
        show_default="all alike",
    ),
]

DeckFile = Annotated[
    Path | None,
    typer.Option(
        "--deck", metavar="FILE", help="Write the deck found to this file, as text."
    ),
]

Full = Annotated[
    bool,
    typer.Option(
        help="Show every table and every row, not only the answer on a screen."
    ),
]

GamesTableFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write a table with a row for each game to this file, such as "
        "games.csv or games.parquet.",
    ),
]

RunFolder = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Keep the run in this folder, such as runs/field1, so that `resume` "
        "can continue it.",
    ),
]

ShardName = Annotated[
    str | None,
    typer.Option(
        metavar="I/N",
        help="With --run: play only a part of all games, such as 3/8, the "
        "third of eight. `merge` joins the parts.",
    ),
]

Checkout = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Read lists from here, such as a pull request, and write outputs here, "
        "with the configuration, formats and cards of the working folder.",
    ),
]


# The converter of decks that options ask for.


def _load_cards(root: Root, format: str) -> CardDatabase | None:
    """Return the cards of a known format with its sets, or None for other names."""
    from deckcheck.formats import database_of, load_format
    from deckcheck.formats.model import format_ids, split_id

    if split_id(format)[0] not in format_ids(root):
        return None
    return database_of(load_format(format, root), root)


def make_converter(game: str | None, format: str | None, root: Root) -> Converter:
    """Return the converter of decks for `--game`, `--format` and `--card-db`."""
    from deckcheck.decks.rewriting import Converter
    from deckcheck.formats import database_of, load_format
    from deckcheck.formats.model import find_by_name

    if format is None:
        return Converter(game, root, of_format=partial(_load_cards, root))
    if game is not None:
        raise UsageError("`--game` and `--format` cannot be used together")
    name = format.strip().lower()
    if find_by_name(name, root):
        return Converter(root=root, of_format=partial(_load_cards, root), named=name)
    league_cards = database_of(load_format(format, root), root)
    return Converter(root=root, league_cards=league_cards)
