"""`deckcheck schema`: JSON Schemas of what people write and deckcheck prints."""

from __future__ import annotations

from typing import Annotated

import typer

from deckcheck.cli.options.shared import OutputFile
from deckcheck.cli.printing import print_json
from deckcheck.cli.schemas import SCHEMAS
from deckcheck.cli.writing import printed_to
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import choice, nearest, quote


def _names() -> list[tuple[str, str]]:
    return [(name, description) for name, description, _ in SCHEMAS]


def schema(
    what: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help=", ".join(name for name, _, _ in SCHEMAS),
            autocompletion=_names,
        ),
    ],
    *,
    output: OutputFile = None,
) -> None:
    """Print the JSON Schema of a kind of file, or of what a command prints.

    Example: deckcheck schema cards > cards.schema.json
    """
    for name, description, make in SCHEMAS:
        if name == what:
            head = {
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "$comment": f"deckcheck: {description}",
            }
            with printed_to(output):
                print_json({**head, **make()})
            return
    names = [name for name, _, _ in SCHEMAS]
    near = nearest(what, names, limit=2)
    help = f"Did you mean {choice(near)}?" if near else f"Schemas are {choice(names)}"
    raise UsageError(f"Unknown schema {quote(what)}", help)
