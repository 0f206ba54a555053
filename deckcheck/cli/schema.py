"""`schema`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from deckcheck.cli.options import OutputFile
from deckcheck.cli.output import printed_to
from deckcheck.findings import UsageError
from deckcheck.messages import choice, nearest, quote, suggestion
from deckcheck.studies import ENTRIES

# The JSON Schemas of inputs and outputs

FOLDER = Path(__file__).resolve().parent.parent / "schemas"


class JsonSchemaKind(NamedTuple):
    """A kind of file or output.

    It is a record, or a list of records, at `module:name`. Other kinds are made by
    `tools.schemas`, which makes the files.
    """

    name: str
    description: str
    place: str = ""
    is_list: bool = False
    title: str | None = None

    @property
    def file(self) -> Path:
        """Where its JSON Schema is kept."""
        return FOLDER / f"{self.name}.json"


def _output_kind(name: str, document: str, printed_by: str = "") -> JsonSchemaKind:
    """Return the kind of the JSON at `module:name` that a command prints."""
    command = printed_by or name
    about = f"the JSON output of {command}"
    return JsonSchemaKind(name, about, document, title=f"deckcheck {command}")


INPUTS = (
    JsonSchemaKind("deck", "decks in YAML or JSON"),
    JsonSchemaKind("config", "the configuration, deckcheck.toml"),
    JsonSchemaKind("event", "a tournament, event.toml", "events:EventFile"),
    JsonSchemaKind("plan", "experiments, plan.toml", "plans:PlanFile"),
    JsonSchemaKind(
        "balance-plan",
        "a field to balance, plan.toml",
        "studies.balance.study:BalanceFile",
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
        _output_kind(entry.schema or entry.name, entry.document, entry.printed_by or "")
        for entry in ENTRIES
    ),
    _output_kind("expect", "studies.expect:CheckDocument"),
    _output_kind("stats", "studies.deck_stats:StatsDocument"),
    _output_kind("diff", "studies.deck_difference:DifferencesDocument"),
    _output_kind("changes", "studies.changes:Changes", "report --compare"),
    _output_kind("history", "studies.history:History", "report --history"),
    _output_kind("losses", "studies.losses:Losses", "report --losses"),
    _output_kind("meta", "studies.meta:MetaDocument"),
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


# `deckcheck schema`: JSON Schemas of the files that people write and deckcheck prints


def _list_names() -> list[tuple[str, str]]:
    return [(kind.name, kind.description) for kind in SCHEMAS]


def schema(
    what: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help=", ".join(kind.name for kind in SCHEMAS),
            autocompletion=_list_names,
        ),
    ],
    *,
    output: OutputFile = None,
) -> None:
    """Print the JSON Schema of a kind of file, or of the output of a command.

    Example: deckcheck schema cards > cards.schema.json
    """
    kinds = {kind.name: kind for kind in SCHEMAS}
    if what not in kinds:
        near = nearest(what, kinds, limit=2)
        help = suggestion(near, f"Schemas are {choice([*kinds])}")
        raise UsageError(f"Unknown schema {quote(what)}", help)
    with printed_to(output):
        typer.echo(kinds[what].file.read_text(encoding="utf-8"), nl=False)
