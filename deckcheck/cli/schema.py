"""`schema`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from deckcheck.cli.options import OutputFile
from deckcheck.cli.output import printed_to
from deckcheck.findings import UsageError
from deckcheck.messages import choice, nearest, quote, suggestion
from deckcheck.studies import ENTRIES, named

if TYPE_CHECKING:
    from deckcheck.documents.records import JsonSchema


# The JSON Schemas of what people write and deckcheck prints

FOLDER = Path(__file__).resolve().parent.parent / "schemas"


class JsonSchemaKind(NamedTuple):
    """A kind of file or output: its name, what it describes, and its schema."""

    name: str
    description: str
    schema: Callable[[], JsonSchema]

    @property
    def file(self) -> Path:
        """Where it is kept, so that nobody waits for the modules that make it."""
        return FOLDER / f"{self.name}.json"

    def text(self) -> str:
        """The text of the file, made anew: `python -m tools.pages` writes it."""
        from deckcheck.markup import json_text

        head = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$comment": f"deckcheck: {self.description}",
        }
        return json_text({**head, **self.schema()})


def schema_named(name: str) -> JsonSchema:
    """The JSON Schema of a kind of file or output, by its name in `SCHEMAS`."""
    [kind] = [kind for kind in SCHEMAS if kind.name == name]
    return kind.schema()


def _schema_of(place: str) -> JsonSchema:
    """The schema of the record or document at `module:name`."""
    from deckcheck.documents.records import json_schema

    return json_schema(named(place))


def _made(name: str, description: str, place: str) -> JsonSchemaKind:
    """A file whose schema the function at `module:name` makes."""

    def schema() -> JsonSchema:
        made: JsonSchema = named(place)()
        return made

    return JsonSchemaKind(name, description, schema)


def _file(name: str, description: str, place: str) -> JsonSchemaKind:
    """A file that is one record."""
    return JsonSchemaKind(name, description, partial(_schema_of, place))


def _list(name: str, description: str, place: str) -> JsonSchemaKind:
    """A file that is a list of records."""

    def schema() -> JsonSchema:
        item = _schema_of(place)
        definitions = item.pop("$defs", {})
        return {"type": "array", "items": item, "$defs": definitions}

    return JsonSchemaKind(name, description, schema)


def _output(name: str, document: str, printed_by: str = "") -> JsonSchemaKind:
    """The JSON at `module:name` that a command prints, that of its name or another."""
    command = printed_by or name

    def schema() -> JsonSchema:
        return {**_schema_of(document), "title": f"deckcheck {command}"}

    return JsonSchemaKind(name, f"what {command} prints as json", schema)


def _deck() -> JsonSchema:
    from deckcheck.formats import format_ids
    from deckcheck.formats.schemas import deck_schema

    return deck_schema(format_ids())


def _config() -> JsonSchema:
    from deckcheck.cli.application import all_options
    from deckcheck.cli.settings import file_options
    from deckcheck.config import config_schema
    from deckcheck.formats import format_ids

    return config_schema(list(file_options(all_options()).values()), format_ids())


INPUTS = (
    JsonSchemaKind("deck", "decks in YAML or JSON", _deck),
    JsonSchemaKind("config", "the configuration, deckcheck.toml", _config),
    _file("event", "a tournament, event.toml", "events:EventFile"),
    _file("plan", "experiments, plan.toml", "plans:PlanFile"),
    _file(
        "balance-plan",
        "a field to balance, plan.toml",
        "studies.balance.study:BalanceFile",
    ),
    _file("card", "one card", "cards:Card"),
    _list("cards", "a file of cards, card_db/<game>/cards.yaml", "cards:Card"),
    _made("set", "a set, for a format's `sets`", "formats.schemas:set_schema"),
    _file("leader", "one leader", "cards:LeaderRecord"),
    _list(
        "leaders",
        "a file of leaders, card_db/<game>/leaders.yaml",
        "cards:LeaderRecord",
    ),
    _file(
        "game",
        "the vocabulary of a game, card_db/<game>/game.yaml",
        "cards:GameRecord",
    ),
    _made(
        "format",
        "a format, card_db/<game>/formats/<name>.yaml",
        "formats.schemas:format_schema",
    ),
    _file(
        "names",
        "names in another language, card_db/<game>/names/<language>.yaml",
        "cards.database:Translation",
    ),
)
"""What people write."""

OUTPUTS = (
    _output("validate", "validation.documents:ValidationDocument"),
    _output(
        "validate-jsonl", "validation.documents:FindingLine", "each line of validate"
    ),
    _output(
        "statistics",
        "validation.documents:StatisticsDocument",
        "validate --statistics",
    ),
    _output("event-output", "validation.documents:EventDocument", "event"),
    *(
        _output(entry.schema or entry.name, entry.document, entry.printed_by or "")
        for entry in ENTRIES
    ),
    _output("expect", "studies.expect:CheckDocument"),
    _output("stats", "studies.deck_stats:StatsDocument"),
    _output("changes", "studies.changes:ChangesDocument", "report --compare"),
    _output("history", "studies.history:HistoryDocument", "report --history"),
    _output("losses", "studies.losses:LossesDocument", "report --losses"),
    _output("meta", "studies.meta:MetaDocument"),
    _output("replay", "replays.model:ReplayDocument"),
    _output("cards-output", "cards.documents:CardsDocument", "cards"),
    _output("formats-output", "validation.documents:FormatsDocument", "formats"),
    _output("formats-for", "validation.documents:LegalityDocument", "formats --for"),
)
"""What commands print."""

SCHEMAS = (*INPUTS, *OUTPUTS)
"""What `schema` prints: its word, what it describes, and what makes it."""


# `deckcheck schema`: JSON Schemas of what people write and deckcheck prints


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
    kinds = {kind.name: kind for kind in SCHEMAS}
    if what not in kinds:
        near = nearest(what, kinds, limit=2)
        help = suggestion(near, f"Schemas are {choice([*kinds])}")
        raise UsageError(f"Unknown schema {quote(what)}", help)
    with printed_to(output):
        typer.echo(kinds[what].file.read_text(encoding="utf-8"), nl=False)
