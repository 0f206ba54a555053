"""`deckcheck completion`: scripts that complete commands in a shell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from deckcheck.completion import Program, Switch, Value, Verb

__all__ = ["completion", "describe_program"]

_FILES = {"DECK", "DECK...", "FILE", "FILE|FOLDER...", "PATH"}


def completion(
    shell: Annotated[
        Literal["bash", "zsh", "fish"], typer.Argument(help="bash, zsh or fish.")
    ],
) -> None:
    """Print a script that completes commands, options and their values in a shell."""
    from deckcheck.completion import SCRIPTS

    typer.echo(dict(SCRIPTS)[shell](describe_program()), nl=False)


def describe_program() -> Program:
    """Everything that there is to complete: commands, options, formats, findings."""
    from deckcheck.cli import app
    from deckcheck.cli.commands import COMMANDS, PROGRAM
    from deckcheck.completion import Program

    group: Any = typer.main.get_command(app)
    with group.make_context(PROGRAM, ["completion"], resilient_parsing=True) as context:
        verbs = []
        for command in COMMANDS:
            params = group.get_command(context, command.name).get_params(context)
            verbs.append(_verb(command.name, command.summary, params))
        return Program(PROGRAM, _switches(group.get_params(context)), tuple(verbs))


def _verb(name: str, summary: str, params: Iterable[Any]) -> Verb:
    from deckcheck.completion import Verb

    params = list(params)
    arguments = [
        _value(name, param) for param in params if param.param_type_name == "argument"
    ]
    return Verb(name, summary, _switches(params, name), tuple(arguments))


def _switches(params: Iterable[Any], verb: str = "") -> tuple[Switch, ...]:
    from deckcheck.completion import Switch

    return tuple(
        Switch(
            tuple(param.opts),
            param.help or "",
            None if param.is_flag or param.count else _value(verb, param),
        )
        for param in params
        if param.param_type_name == "option"
    )


def _value(verb: str, param: Any) -> Value:
    """What a parameter takes, told by its choices and by how its help calls it."""
    from deckcheck.completion import Value

    name = param.metavar or param.name.upper()
    choices = param.type_descriptor.choices
    words = [str(each) for each in choices] if choices else _words(verb, name)
    has_files = name in _FILES or name == "FORMAT"
    return Value(name, tuple(words), has_files, name == "FOLDER")


def _words(verb: str, name: str) -> list[str]:
    from deckcheck.cards.root import game_ids
    from deckcheck.cli.schema import SCHEMAS
    from deckcheck.formats import format_ids
    from deckcheck.reporters import REPORTERS
    from deckcheck.rules import ALL_RULES

    match name:
        case "FORMAT" | "FORMAT...":
            return format_ids()
        case "FORMAT[:FILE]":
            return [output for output, _ in REPORTERS]
        case "GAME":
            return game_ids()
        case "[NAME|CODE]":
            return [rule.name for rule in ALL_RULES]
        case "WHAT" if verb == "schema":
            return [schema for schema, _, _ in SCHEMAS]
    return []
