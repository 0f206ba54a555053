"""The command `schema`: JSON Schemas of the files that people write, and of outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from deckcheck.cli.options import OutputFile
from deckcheck.cli.output import printed_to
from deckcheck.findings import UsageError
from deckcheck.messages import choice, nearest, quote, suggestion
from deckcheck.studies import ENTRIES

# The kinds of files and outputs that have a JSON Schema.

FOLDER = Path(__file__).resolve().parent.parent / "schemas"
"""The folder of all schemas, which `tools.schemas` writes."""


class JsonSchemaKind(NamedTuple):
    """A kind of file or output."""

    name: str
    """The name by which `schema` prints it."""
    description: str
    record: str = ""
    """The record that it holds, as `module:name` below `deckcheck`.

    The schema is made of the record. For a kind without a record, `tools.schemas` has a
    function of its own.
    """
    is_list: bool = False
    """Whether it is a list of such records."""
    title: str | None = None
    """The title of the schema, by default that of the record."""

    @property
    def file(self) -> Path:
        """The file of its JSON Schema."""
        return FOLDER / f"{self.name}.json"


def _output_kind(name: str, record: str, command: str | None = None) -> JsonSchemaKind:
    """Return the kind of the JSON that a command prints, by default that of its name.

    `record` is a `module:name`, see `JsonSchemaKind`.
    """
    command = command or name
    description = f"the JSON output of {command}"
    return JsonSchemaKind(name, description, record, title=f"deckcheck {command}")


INPUTS = (
    JsonSchemaKind("deck", "decks in YAML or JSON"),
    JsonSchemaKind("config", "the configuration, deckcheck.toml"),
    JsonSchemaKind("event", "a tournament, event.toml", "events:EventFile"),
    JsonSchemaKind("plan", "experiments, plan.toml", "plans:PlanFile"),
    JsonSchemaKind(
        "balance-plan",
        "a field to balance, plan.toml",
        "studies.balance.plan:BalanceFile",
    ),
    JsonSchemaKind("card", "a card", "cards:Card"),
    JsonSchemaKind(
        "cards",
        "a file of cards, card_db/<game>/cards.yaml",
        "cards:Card",
        is_list=True,
    ),
    JsonSchemaKind("set", "a set, for a format's `sets`"),
    JsonSchemaKind("leader", "a leader", "cards:LeaderRecord"),
    JsonSchemaKind(
        "leaders",
        "a file of leaders, card_db/<game>/leaders.yaml",
        "cards:LeaderRecord",
        is_list=True,
    ),
    JsonSchemaKind(
        "game", "the vocabulary of a game, card_db/<game>/game.yaml", "cards:GameRecord"
    ),
    JsonSchemaKind("format", "a format, card_db/<game>/formats/<name>.yaml"),
    JsonSchemaKind(
        "names",
        "names in another language, card_db/<game>/names/<language>.yaml",
        "cards.translations:Translation",
    ),
)
"""The files that people write."""

OUTPUTS = (
    _output_kind("validate", "validation.documents:ValidationDocument"),
    _output_kind(
        "validate-jsonl", "validation.documents:FindingLine", "each line of validate"
    ),
    _output_kind(
        "statistics", "validation.documents:StatisticsDocument", "validate --statistics"
    ),
    _output_kind("event-output", "validation.documents:EventDocument", "event"),
    *(
        _output_kind(entry.schema or entry.name, entry.document, entry.printed_by)
        for entry in ENTRIES
    ),
    _output_kind("expect", "studies.expect:CheckDocument"),
    _output_kind("stats", "studies.deck_stats:StatsDocument"),
    _output_kind("diff", "studies.deck_difference:DifferencesDocument"),
    _output_kind("changes", "studies.changes:Changes", "report --compare"),
    _output_kind("history", "studies.history:History", "report --history"),
    _output_kind("losses", "studies.losses:Losses", "report --losses"),
    _output_kind("meta", "studies.meta_result:MetaDocument"),
    _output_kind(
        "real-games", "studies.real_games:RealGamesDocument", "meta with real games"
    ),
    _output_kind("replay", "replays.model:ReplayDocument"),
    _output_kind("cards-output", "cards.listing:CardsDocument", "cards"),
    _output_kind("formats-output", "validation.documents:FormatsDocument", "formats"),
    _output_kind(
        "formats-for", "validation.documents:LegalityDocument", "formats --for"
    ),
)
"""The outputs of commands."""

SCHEMAS = (*INPUTS, *OUTPUTS)
"""All kinds that `schema` prints."""


def _list_names() -> list[tuple[str, str]]:
    return [(kind.name, kind.description) for kind in SCHEMAS]


def schema(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help=", ".join(each.name for each in SCHEMAS),
            autocompletion=_list_names,
        ),
    ],
    *,
    output: OutputFile = None,
) -> None:
    """Print the JSON Schema of a kind of file, or of the output of a command.

    Example: deckcheck schema cards > cards.schema.json
    """
    kinds = {each.name: each for each in SCHEMAS}
    if kind not in kinds:
        near = nearest(kind, kinds, limit=2)
        help = suggestion(near, f"Schemas are {choice([*kinds])}")
        raise UsageError(f"Unknown schema {quote(kind)}", help)
    with printed_to(output):
        typer.echo(kinds[kind].file.read_text(encoding="utf-8"), nl=False)
