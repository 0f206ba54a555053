"""Records made of documents by pydantic, and the types of typed documents."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeVar,
    cast,
)

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from deckcheck.documents.model import Location
from deckcheck.messages import describe_value, nearest, quote

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema, ErrorDetails


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """Return the end of a message about an unknown word: a suggestion, or nothing."""
    close = nearest(word, words)
    return f", did you mean `{close[0]}`?" if close else ""


# Records from plain data, validated by pydantic.
#
# Only this module knows its errors and its locations.

T = TypeVar("T")
RecordSchema = Mapping[str, Any]

_REFUSED_TYPE = "refused"
_KEY_MARK = "[key]"
_UNKNOWN_TYPES = ("extra_forbidden", "unexpected_keyword_argument")
_LIST_TYPES = ("tuple_type", "list_type")
_EXPECTED_WORDS = {
    "string_type": "text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "dataclass_type": "a mapping",
    "either": "{words}",
    "literal_error": "{expected}",
}
_ERROR_SENTENCES = {
    "missing": "`{key}` is missing",
    "string_too_short": "text is missing",
    "string_pattern_mismatch": "text is missing",
    "string_too_long": "text has {length} characters, at most {max_length} allowed",
    "form": "{found} is not {kind}",
    "greater_than_equal": "{found} is too small, the minimum is {ge}",
    "less_than_equal": "{found} is too large, the maximum is {le}",
    "too_short": "too few entries: found {actual_length}, at least {min_length} needed",
    "too_long": "too many entries: found {actual_length}, at most {max_length} allowed",
    "value_error": "{error}",
    _REFUSED_TYPE: "{message}",
    **{
        kind: f"expected {what}, found {{found}}"
        for kind, what in _EXPECTED_WORDS.items()
    },
}


class Wrong(NamedTuple):
    """A defect at a location of the data."""

    location: tuple[str | int, ...]
    message: str
    is_key: bool = False
    """The key is wrong, and not its value."""
    help: str | None = None
    """The remedy, where the message has none."""


def refusal(message: str, help: str | None) -> PydanticCustomError:
    """Return the error for a validator to raise, with its remedy."""
    return PydanticCustomError(
        _REFUSED_TYPE, "{message}", {"message": message, "help": help}
    )


def read_record(
    shape: type[T], data: object, context: Mapping[str, object] | None = None
) -> tuple[T | None, list[Wrong]]:
    """Read the data of a document as a record of type `shape`, and list its defects.

    No type is converted to another. Unknown keys are defects and passed over, so that
    the record can be checked further. Any other defect leaves no record. `context` is
    for the validators of `shape`.
    """
    # JSON has the types of a document: from it, pydantic's strict mode takes lists for
    # tuples and mappings for records, and converts nothing else.
    text = json.dumps(data)
    adapter: TypeAdapter[T] = _make_adapter(cast("Hashable", shape))
    try:
        return adapter.validate_json(text, strict=True, context=context), []
    except ValidationError as error:
        errors = error.errors(include_url=False)
    record = None
    if all(wrong["type"] in _UNKNOWN_TYPES for wrong in errors):
        try:
            record = adapter.validate_json(
                text, strict=True, context=context, extra="ignore"
            )
        except ValidationError as error:
            errors += error.errors(include_url=False)
    wrongs = []
    for details in errors:
        if _is_cause(details, errors):
            wrong = _make_wrong(shape, details)
            if details["type"] in _LIST_TYPES:
                wrong = _with_brackets(wrong, text, adapter, context)
            wrongs.append(wrong)
    return record, wrongs


def _with_brackets(
    wrong: Wrong,
    text: str,
    adapter: TypeAdapter[Any],
    context: Mapping[str, object] | None,
) -> Wrong:
    """Offer a list of a value as the remedy, if that list is right."""
    data = json.loads(text)
    *path, last = wrong.location
    try:
        holder = data
        for part in path:
            holder = holder[part]
        listed = [holder[last]]
        holder[last] = listed
    except (KeyError, IndexError, TypeError):
        # The location is not in the data, such as a kind of a union.
        return wrong
    try:
        adapter.validate_json(json.dumps(data), strict=True, context=context)
    except ValidationError as error:
        location = wrong.location
        if any(each["loc"][: len(location)] == location for each in error.errors()):
            return wrong
    return wrong._replace(help=f"Write {quote(json.dumps(listed, ensure_ascii=False))}")


@cache
def _make_adapter(shape: Any) -> TypeAdapter[Any]:
    return TypeAdapter(shape)


def _is_cause(error: ErrorDetails, errors: Sequence[ErrorDetails]) -> bool:
    """Report whether an error has no other cause: a wrong entry makes a list short."""
    if error["type"] != "too_short":
        return True
    location = error["loc"]
    depth = len(location)
    inside = (cause["loc"] for cause in errors if len(cause["loc"]) > depth)
    return all(other[:depth] != location for other in inside)


def _make_wrong(shape: Any, error: ErrorDetails) -> Wrong:
    location = tuple(part for part in error["loc"] if part != _KEY_MARK)
    if error["type"] in _UNKNOWN_TYPES:
        hint = did_you_mean(str(location[-1]), _list_known_keys(shape, location))
        return Wrong(location, f"unknown key `{location[-1]}`{hint}", is_key=True)
    help = error.get("ctx", {}).get("help")
    is_key = error["loc"][-1:] == (_KEY_MARK,)
    return Wrong(location, _describe_error(error, location), is_key, help)


def _describe_error(error: ErrorDetails, location: Location) -> str:
    """Write an error as a sentence, without a full stop and without its place."""
    given = error["input"]
    words = {key: str(value) for key, value in error.get("ctx", {}).items()}
    if "expected" in words:
        words["expected"] = words["expected"].replace("'", "`")
    kind = error["type"]
    if kind == "form" and not isinstance(given, str):
        kind = "string_type"
    sentence = _ERROR_SENTENCES.get(kind)
    if sentence is None:
        wish = error["msg"].removeprefix("Input should be ")
        return f"{wish[0].lower()}{wish[1:]}, found {describe_value(given)}"
    length = len(given) if isinstance(given, str) else 0
    key = location[-1] if location else ""
    found = describe_value(given)
    if kind == "int_type" and isinstance(given, str) and given.isdecimal():
        found += " in quotes"
    return sentence.format(key=key, found=found, length=length, **words)


def _list_known_keys(shape: Any, location: Location) -> list[str]:
    """Return the keys that the record around `location` may have, by its schema."""
    schema = _make_adapter(shape).json_schema()
    nodes = list(_resolve_shapes([schema], schema))
    for part in location[:-1]:
        inside = chain.from_iterable(_enter_schema(node, part) for node in nodes)
        nodes = list(_resolve_shapes(inside, schema)) or nodes
    keys: list[str] = []
    for node in nodes:
        keys += node.get("properties", ())
        # A record may be within the only value of a mapping, as in a document.
        inner = node.get("additionalProperties")
        if isinstance(inner, Mapping):
            keys += inner.get("properties", ())
    return keys


def _resolve_shapes(
    nodes: Iterable[RecordSchema], schema: RecordSchema
) -> Iterator[RecordSchema]:
    """Yield the shapes of a schema's nodes, references and unions resolved."""
    for node in nodes:
        if "$ref" in node:
            name = node["$ref"].rpartition("/")[2]
            yield from _resolve_shapes([schema["$defs"][name]], schema)
        else:
            yield node
            inner = [*node.get("anyOf", ()), *node.get("oneOf", ())]
            yield from _resolve_shapes(inner, schema)


def _enter_schema(node: RecordSchema, part: str | int) -> Iterator[RecordSchema]:
    """Yield the schemas of an entry of a list, or of the value of a key."""
    if isinstance(part, int):
        items = [node.get("items"), *node.get("prefixItems", ())]
    elif part in node.get("properties", {}):
        items = [node["properties"][part]]
    else:
        patterns = node.get("patternProperties", {})
        items = [node.get("additionalProperties"), *patterns.values()]
    yield from (item for item in items if isinstance(item, Mapping))


# Values of typed documents, from which `tools.schemas` makes JSON Schemas.
#
# A document is a `TypedDict` whose fields are described by the docstrings below them.
# Modules with documents import pydantic: code that has to start fast imports them for
# type checking only.

Count = Annotated[int, Field(ge=0)]
"""A whole number, 0 or more."""

Ordinal = Annotated[int, Field(ge=1)]
"""A whole number, 1 or more."""

Amount = Annotated[float, Field(ge=0)]
"""A number of 0 or more."""

Share = Annotated[float, Field(ge=0, le=1)]
"""A share, rate or probability, 0 to 1."""

Difference = Annotated[float, Field(ge=-1, le=1)]
"""A difference of two shares."""

ShareInterval = Annotated[list[Share], Field(min_length=2, max_length=2)]
DifferenceInterval = Annotated[list[Difference], Field(min_length=2, max_length=2)]
Interval = Annotated[list[float], Field(min_length=2, max_length=2)]
"""The lower and the upper end."""
OpenInterval = Annotated[list[float | None], Field(min_length=2, max_length=2)]
"""The same, with null for an end without a bound."""

Fingerprint = Annotated[str, Field(pattern="^[0-9a-f]{12}$")]
"""A short hash, 12 hexadecimal digits."""


class ShownAs(NamedTuple):
    """The schema of a record's value in its document."""

    shape: Any

    def __get_pydantic_core_schema__(
        self, _: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return handler.generate_schema(self.shape)


def one_of(words: Iterable[str]) -> Any:
    """Return the field that lists the possible words of a text in its schema."""
    return Field(json_schema_extra={"enum": [str(word) for word in words]})


class Tool(TypedDict):
    """The program that wrote a document."""

    name: Literal["deckcheck"]
    """The name of the program."""
    version: str
    """The version of the program."""


class DocumentHead(TypedDict):
    """The head of a document."""

    schema_version: Literal[1]
    """The version of this document. It rises when a key changes its meaning."""
    tool: Tool
    """The program that wrote this document."""
