"""The JSON Schemas of what people write and deckcheck prints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _card() -> dict[str, Any]:
    from pydantic import TypeAdapter

    from deckcheck.cards import Card

    return TypeAdapter(Card).json_schema()


def _format() -> dict[str, Any]:
    from deckcheck.formats.schema import format_schema

    return format_schema()


def _game() -> dict[str, Any]:
    from pydantic import TypeAdapter

    from deckcheck.cards import Game

    return TypeAdapter(Game).json_schema()


def _leader() -> dict[str, Any]:
    from pydantic import TypeAdapter

    from deckcheck.cards import Leader

    return TypeAdapter(Leader).json_schema()


def _deck() -> dict[str, Any]:
    from deckcheck.decks.schema import deck_schema
    from deckcheck.formats import format_ids

    return deck_schema(format_ids())


def _names() -> dict[str, Any]:
    from pydantic import TypeAdapter

    from deckcheck.cards.translations import Translation

    return TypeAdapter(Translation).json_schema()


def _event() -> dict[str, Any]:
    from pydantic import TypeAdapter

    from deckcheck.events import EventFile

    return TypeAdapter(EventFile).json_schema()


def _plan() -> dict[str, Any]:
    from pydantic import TypeAdapter

    from deckcheck.plans import PlanFile

    return TypeAdapter(PlanFile).json_schema()


def _config() -> dict[str, Any]:
    from deckcheck.cli.application import all_options
    from deckcheck.cli.invocation import file_options
    from deckcheck.config.shape import config_schema
    from deckcheck.formats import format_ids

    return config_schema(list(file_options(all_options()).values()), format_ids())


def _list_of(item: dict[str, Any]) -> dict[str, Any]:
    definitions = item.pop("$defs", {})
    return {"type": "array", "items": item, "$defs": definitions}


def _cards() -> dict[str, Any]:
    return _list_of(_card())


def _set() -> dict[str, Any]:
    from deckcheck.cards.set_schema import set_schema

    return set_schema()


def _leaders() -> dict[str, Any]:
    return _list_of(_leader())


def _cards_output() -> dict[str, Any]:
    from deckcheck.cli.output_schemas import CARDS_OUTPUT_SCHEMA

    return CARDS_OUTPUT_SCHEMA


def _formats_output() -> dict[str, Any]:
    from deckcheck.cli.output_schemas import FORMATS_OUTPUT_SCHEMA

    return FORMATS_OUTPUT_SCHEMA


def _legality() -> dict[str, Any]:
    from deckcheck.cli.output_schemas import LEGALITY_SCHEMA

    return LEGALITY_SCHEMA


def _validate() -> dict[str, Any]:
    from deckcheck.reporters.schema import VALIDATION_SCHEMA

    return VALIDATION_SCHEMA


def _validate_jsonl() -> dict[str, Any]:
    from deckcheck.reporters.schema import FINDING_LINE_SCHEMA

    return FINDING_LINE_SCHEMA


def _event_output() -> dict[str, Any]:
    from deckcheck.events.schema import EVENT_OUTPUT_SCHEMA

    return EVENT_OUTPUT_SCHEMA


def _statistics() -> dict[str, Any]:
    from deckcheck.reporters.schema import STATISTICS_SCHEMA

    return STATISTICS_SCHEMA


def _simulate() -> dict[str, Any]:
    from deckcheck.sim.results.schema import SIMULATION_SCHEMA

    return SIMULATION_SCHEMA


def _compare() -> dict[str, Any]:
    from deckcheck.studies.compare.schema import COMPARISON_SCHEMA

    return COMPARISON_SCHEMA


def _check() -> dict[str, Any]:
    from deckcheck.studies.check.schema import CHECK_SCHEMA

    return CHECK_SCHEMA


def _impact() -> dict[str, Any]:
    from deckcheck.studies.impact.schema import IMPACT_SCHEMA

    return IMPACT_SCHEMA


def _tune() -> dict[str, Any]:
    from deckcheck.studies.search.schema import TUNE_SCHEMA

    return TUNE_SCHEMA


def _build() -> dict[str, Any]:
    from deckcheck.studies.search.schema import BUILD_SCHEMA

    return BUILD_SCHEMA


def _solve() -> dict[str, Any]:
    from deckcheck.studies.solve.schema import SOLVE_SCHEMA

    return SOLVE_SCHEMA


def _balance() -> dict[str, Any]:
    from deckcheck.studies.balance.schema import BALANCE_SCHEMA

    return BALANCE_SCHEMA


def _balance_plan() -> dict[str, Any]:
    from pydantic import TypeAdapter

    from deckcheck.studies.balance.plan import BalanceFile

    return TypeAdapter(BalanceFile).json_schema()


def _stats() -> dict[str, Any]:
    from deckcheck.studies.deck_stats.schema import STATS_SCHEMA

    return STATS_SCHEMA


def _changes() -> dict[str, Any]:
    from deckcheck.studies.changes.schema import CHANGES_SCHEMA

    return CHANGES_SCHEMA


def _meta() -> dict[str, Any]:
    from deckcheck.studies.meta.schema import META_SCHEMA

    return META_SCHEMA


def _replay() -> dict[str, Any]:
    from deckcheck.replays.schema import REPLAY_SCHEMA

    return REPLAY_SCHEMA


SCHEMAS: tuple[tuple[str, str, Callable[[], dict[str, Any]]], ...] = (
    ("deck", "decks in YAML or JSON", _deck),
    ("config", "the configuration, deckcheck.toml", _config),
    ("event", "a tournament, event.toml", _event),
    ("plan", "experiments, plan.toml", _plan),
    ("balance-plan", "a field to balance, plan.toml", _balance_plan),
    ("card", "one card", _card),
    ("cards", "a file of cards, card_db/<game>/cards.yaml", _cards),
    ("set", "a set, for a format's `sets`", _set),
    ("leader", "one leader", _leader),
    (
        "leaders",
        "a file of leaders, card_db/<game>/leaders.yaml",
        _leaders,
    ),
    ("game", "the vocabulary of a game, card_db/<game>/game.yaml", _game),
    ("format", "a format, card_db/<game>/formats/<name>.yaml", _format),
    (
        "names",
        "names in another language, card_db/<game>/names/<language>.yaml",
        _names,
    ),
    ("validate", "what validate prints as json", _validate),
    ("validate-jsonl", "one line of what validate prints as jsonl", _validate_jsonl),
    ("statistics", "what validate --statistics prints as json", _statistics),
    ("event-output", "what event prints as json", _event_output),
    ("simulate", "what simulate prints as json", _simulate),
    ("compare", "what compare prints as json", _compare),
    ("check", "what check prints as json", _check),
    ("impact", "what impact prints as json", _impact),
    ("tune", "what tune prints as json", _tune),
    ("build", "what build prints as json", _build),
    ("solve", "what solve prints as json", _solve),
    ("balance", "what balance prints as json", _balance),
    ("stats", "what stats prints as json", _stats),
    ("changes", "what report --compare prints as json", _changes),
    ("meta", "what meta prints as json", _meta),
    ("replay", "what replay prints as json", _replay),
    ("cards-output", "what cards prints as json", _cards_output),
    ("formats-output", "what formats prints as json", _formats_output),
    ("formats-for", "what formats --for prints as json", _legality),
)
"""What `schema` prints: its word, what it describes, and what makes it."""
