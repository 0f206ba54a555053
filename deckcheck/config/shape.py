"""The keys of a configuration file: for checking it, and as its JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    WithJsonSchema,
    create_model,
)

from deckcheck.config.option import Level, Option, finding_name
from deckcheck.decks.patterns import PathPatterns
from deckcheck.findings import UsageError
from deckcheck.findings.documents.validating import refusal
from deckcheck.findings.fields import Filled
from deckcheck.findings.json_schema import Schema
from deckcheck.findings.words import choice, nearest, quote
from deckcheck.rules import DECK_RULES

Text = Annotated[str, Filled(1000)]


def _checked_pattern(pattern: str) -> str:
    try:
        PathPatterns([pattern])
    except UsageError as error:
        raise refusal(error.message, error.help) from None
    return pattern


def _checked_finding(key: str) -> str:
    names = [rule.name for rule in DECK_RULES]
    if finding_name(key) not in names:
        near = nearest(key, names)
        help = (
            f"Did you mean {choice(near)}?" if near else "`deckcheck rule` lists them"
        )
        raise refusal(f"no finding is called {quote(key)}", help)
    return key


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


class _Own(BaseModel):
    """What a file says besides options of the command line."""

    model_config = ConfigDict(extra="forbid")

    extend: Text = Field("", description="Another file to build on.")
    default_format: Text = Field(
        "",
        alias="default-format",
        description="The format of decks that name none.",
    )
    formats: dict[Annotated[str, AfterValidator(_checked_pattern)], Text] = Field(
        {}, description="Formats by pattern of paths; the first that matches."
    )
    severity: dict[Annotated[str, AfterValidator(_checked_finding)], Level] = Field(
        {}, description="How much findings weigh, by name or code."
    )


def shape_of(options: Sequence[Option]) -> type[BaseModel]:
    """The model of a file that may set `options`."""
    fields: dict[str, Any] = {
        option.key.replace("-", "_"): (
            _type_of(option),
            Field(None, alias=option.key, description=option.help),
        )
        for option in options
    }
    return create_model(
        "deckcheck.toml",
        __base__=_Own,
        __doc__="How the decks of a repository are checked.",
        **fields,
    )


def _type_of(option: Option) -> Any:
    if option.kind is bool:
        return bool
    if option.kind is int:
        return Annotated[int, Field(ge=option.least, le=option.most)]
    word: Any = (
        Literal[option.all_words()] if option.words and not option.has_files else str
    )
    if option.has_files:
        word = _output(option)
    if option.check is not None:
        word = Annotated[word, AfterValidator(partial(_passed, option.check))]
    return _many(word) if option.is_many else word


def _passed(check: Callable[[str], None], text: str) -> str:
    try:
        check(text)
    except UsageError as error:
        raise refusal(error.message, error.help) from None
    return text


def _many(word: Any) -> Any:
    """One word or a list of them."""
    schema = TypeAdapter(word).json_schema()
    either = {"anyOf": [schema, {"type": "array", "items": schema}]}
    return Annotated[list[word], BeforeValidator(_as_list), WithJsonSchema(either)]


def _output(option: Option) -> Any:
    """An output, and perhaps a file behind a colon."""

    def checked(text: str) -> str:
        if not option.allows(text.partition(":")[0]):
            expected = choice(option.all_words())
            raise refusal(f"expected {expected}, found {quote(text)}", None)
        return text

    return Annotated[str, AfterValidator(checked)]


def config_schema(options: Sequence[Option], formats: Sequence[str]) -> Schema:
    """The schema of a file that may set `options`; `formats` are those to offer."""
    schema = shape_of(options).model_json_schema()
    properties = schema["properties"]
    for property_schema in properties.values():
        # What is not said is up to the command line.
        property_schema.pop("default", None)
        property_schema.pop("title", None)
    for option in options:
        if option.has_files:
            properties[option.key] = _with_pattern(properties[option.key], option)
    format = {"anyOf": [{"enum": list(formats)}, {"type": "string", "pattern": r"\S"}]}
    properties["default-format"] = {
        "description": properties["default-format"]["description"],
        **format,
    }
    properties["formats"]["additionalProperties"] = format
    level = properties["severity"].pop("additionalProperties")
    properties["severity"] |= {
        "properties": {
            rule.name: {"description": f"How much `{rule.name}` weighs.", **level}
            for rule in DECK_RULES
        },
        "patternProperties": {"^[Dd][A-Za-z][0-9]{3}$": level},
        "additionalProperties": False,
    }
    return schema


def _with_pattern(schema: Schema, option: Option) -> Schema:
    """The schema of an option for outputs, with their names."""
    pattern = f"^({'|'.join(option.all_words())})(:.+)?$"
    word = {"type": "string", "pattern": pattern}
    return {**schema, "anyOf": [word, {"type": "array", "items": word}]}
