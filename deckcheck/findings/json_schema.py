"""JSON Schemas of typed documents and records, with a description of every field.

A document is a `TypedDict` whose fields are described by the docstrings below them.
Modules with documents import pydantic: what has to start fast imports them for type
checking only.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from types import ModuleType
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from typing_extensions import TypedDict, is_typeddict

Schema: TypeAlias = dict[str, Any]

Count = Annotated[int, Field(ge=0)]
"""A whole number, 0 or more."""

Ordinal = Annotated[int, Field(ge=1)]
"""A whole number, 1 or more."""

Amount = Annotated[float, Field(ge=0)]
"""A number that is not negative."""

Share = Annotated[float, Field(ge=0, le=1)]
"""A share, rate or probability, 0 to 1."""

Difference = Annotated[float, Field(ge=-1, le=1)]
"""A difference of two shares."""

ShareInterval = Annotated[list[Share], Field(min_length=2, max_length=2)]
DifferenceInterval = Annotated[list[Difference], Field(min_length=2, max_length=2)]
Interval = Annotated[list[float], Field(min_length=2, max_length=2)]
"""The lower and the upper end."""

Digest = Annotated[str, Field(pattern="^[0-9a-f]{12}$")]
"""A short hash, 12 hexadecimal digits."""


def one_of(words: Iterable[str]) -> Any:
    """Names in the schema of a text all `words` that it can be."""
    return Field(json_schema_extra={"enum": [str(word) for word in words]})


class Tool(TypedDict):
    """The program that wrote a document."""

    name: Literal["deckcheck"]
    """The name of the program."""
    version: str
    """The version of the program."""


class _Described(GenerateJsonSchema):
    """Takes the docstrings of fields, and does without titles made of their names.

    Pydantic's own `use_attribute_docstrings` leaves out inherited fields, and reads the
    sources of records whenever a file is validated, not only when a schema is made.
    """

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def typed_dict_schema(self, schema: Any) -> Schema:
        return _described(super().typed_dict_schema(schema), schema.get("cls"))

    def dataclass_schema(self, schema: Any) -> Schema:
        return _described(super().dataclass_schema(schema), schema["cls"])


def json_schema(shape: Any) -> Schema:
    """The JSON Schema of a document or a record."""
    return TypeAdapter(shape).json_schema(schema_generator=_Described)


def _described(schema: Schema, shape: type | None) -> Schema:
    texts = {} if shape is None else _docstrings(shape)
    for name, field in schema.get("properties", {}).items():
        if name in texts:
            field["description"] = texts[name]
    return schema


def _docstrings(shape: type) -> dict[str, str]:
    """The docstrings of the fields of a class and of those that it extends."""
    # A TypedDict has the classes that it extends here alone.
    bases = shape.__dict__.get("__orig_bases__", shape.__bases__)
    texts: dict[str, str] = {}
    for base in bases:
        if is_typeddict(base) or hasattr(base, "__dataclass_fields__"):
            texts |= _docstrings(base)
    return texts | _texts_in(sys.modules[shape.__module__]).get(shape.__name__, {})


@cache
def _texts_in(module: ModuleType) -> dict[str, dict[str, str]]:
    """The docstrings of the fields of all classes of a module, by class and field."""
    return {
        node.name: {
            field.target.id: inspect.cleandoc(text.value.value).replace("\n", " ")
            for field, text in pairwise(node.body)
            if isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(text, ast.Expr)
            and isinstance(text.value, ast.Constant)
            and isinstance(text.value.value, str)
        }
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.ClassDef)
    }
