"""What holds of every output: its schema, its values, its frames."""

import io
from functools import cache
from typing import Any

import jsonschema
import pandas as pd

from deckcheck.cli.schema import SCHEMAS
from deckcheck.report.outputs import PARQUET_OUTPUT
from deckcheck.sim.figures import (
    ALL,
    ANY,
    COLUMN_TYPES,
    FRAME_COLUMNS,
    METRICS,
    shown_value,
)
from deckcheck.studies.registry import find_presentation, write_report
from tools.schemas import schema_named

# Schemas of outputs that refuse keys which they do not describe.


def check_document(name: str, document: Any) -> None:
    """Assert that a document is what the schema of that name says, and no more."""
    _validator(name).validate(document)


def check_schema(name: str, document: Any) -> None:
    """The same, if there is a schema of that name."""
    if name in {kind.name for kind in SCHEMAS}:
        check_document(name, document)


@cache
def _validator(name: str) -> jsonschema.Draft202012Validator:
    schema = _closed(schema_named(name))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def _closed(part: Any) -> Any:
    if isinstance(part, list):
        return [_closed(item) for item in part]
    if not isinstance(part, dict):
        return part
    closed = {key: _closed(value) for key, value in part.items()}
    if isinstance(closed.get("properties"), dict):
        closed.setdefault("additionalProperties", False)
    return closed


# Whether a document is made of plain values, which every writer of files knows.

PLAIN = {str, int, float, bool, type(None)}


def other_types(document: Any) -> set[str]:
    """The types in a document, at any depth, that JSON does not have."""
    if type(document) is dict:
        return {name for part in document.values() for name in other_types(part)}
    if type(document) is list:
        return {name for part in document for name in other_types(part)}
    return set() if type(document) in PLAIN else {type(document).__name__}


# What SARIF 2.1.0 says of the parts that deckcheck writes, as a JSON Schema.
#
# Written by hand after the standard (OASIS, sections 3.4 to 3.50) because the official
# schema is not part of this project: the properties we use, their types, limits and
# fixed words. It is stricter in one way: a property that we do not write is refused.

_WORDS = {"type": "string", "minLength": 1}
_COUNTING = {"type": "integer", "minimum": 1}
_INDEX = {"type": "integer", "minimum": 0}
_LEVEL = {"enum": ["none", "note", "warning", "error"]}


def _object(
    required: dict[str, object], optional: dict[str, object] | None = None
) -> dict[str, object]:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def _list(items: object, **more: object) -> dict[str, object]:
    return {"type": "array", "items": items, **more}


# 3.11 message, 3.12 multiformatMessageString
_MESSAGE = _object({"text": _WORDS})
_MULTIFORMAT = _object({"text": _WORDS}, {"markdown": _WORDS})

# 3.4 artifactLocation: a URI reference (RFC 3986) and the name of its base
_URI = r"^(?:[A-Za-z0-9._~:/?#@!$&'()*+,;=-]|%[0-9A-F]{2})+$"
_ARTIFACT = _object(
    {"uri": {"type": "string", "pattern": _URI}},
    {"uriBaseId": {"const": "%SRCROOT%"}},
)

# 3.30 region: lines and columns count from 1
_ENDS = ("startLine", "startColumn", "endLine", "endColumn")
_REGION = _object(dict.fromkeys(_ENDS, _COUNTING))

# 3.29 physicalLocation, 3.28 location
_PHYSICAL = _object({"artifactLocation": _ARTIFACT, "region": _REGION})
_RELATED = _object({"id": _INDEX, "message": _MESSAGE, "physicalLocation": _PHYSICAL})

# 3.49 reportingDescriptor, 3.50 reportingConfiguration
_TEXTS = ("shortDescription", "fullDescription", "help")
_RULE = _object(
    {"id": _WORDS, "name": _WORDS, **dict.fromkeys(_TEXTS, _MULTIFORMAT)}
    | {"defaultConfiguration": _object({"level": _LEVEL})}
)

# 3.19 toolComponent: a semantic version, rules without repetition
_VERSION = r"^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$"
_DRIVER = _object(
    {"name": _WORDS, "semanticVersion": {"type": "string", "pattern": _VERSION}}
    | {"rules": _list(_RULE, uniqueItems=True)}
)

# 3.27 result, with 3.27.24 for a baseline
_FINGERPRINTS = {"minProperties": 1, "additionalProperties": {"type": "string"}}
_RESULT = _object(
    {"ruleId": _WORDS, "ruleIndex": _INDEX, "level": _LEVEL, "message": _MESSAGE}
    | {"locations": _list(_object({"physicalLocation": _PHYSICAL}))}
    | {"partialFingerprints": {"type": "object", **_FINGERPRINTS}},
    {"relatedLocations": _list(_RELATED, uniqueItems=True)}
    | {"baselineState": {"enum": ["new", "unchanged", "updated", "absent"]}},
)

# 3.20 invocation, 3.58 notification
_INVOCATION = _object(
    {"executionSuccessful": {"type": "boolean"}}
    | {
        "toolExecutionNotifications": _list(
            _object({"level": _LEVEL, "message": _MESSAGE})
        )
    }
)

# 3.14 run, 3.8 propertyBag, 3.13 sarifLog
_RUN = _object(
    {"tool": _object({"driver": _DRIVER}), "results": _list(_RESULT)}
    | {"columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]}}
    | {"properties": _object({"leftOut": {"type": "object"}})},
    {"invocations": _list(_INVOCATION)},
)

SARIF_SCHEMA = _object(
    {"$schema": {"type": "string", "format": "uri"}, "version": {"const": "2.1.0"}}
    | {"runs": _list(_RUN, minItems=1)}
)
"""The condensed schema of a SARIF log."""


# What holds of the frame of every result, read in each of the ways it is written.

READ = {
    "keep_default_na": False,
    "na_values": dict.fromkeys(("value", "low", "high"), ""),
}


def frames_of(writers: Any, result: Any) -> list[pd.DataFrame]:
    """What CSV and Parquet hold of a result."""
    written = dict(writers)
    text, data = io.StringIO(), io.BytesIO()
    binary = io.TextIOWrapper(data)
    written["csv"](result, text)
    written[PARQUET_OUTPUT](result, binary)
    read = pd.read_csv(io.StringIO(text.getvalue()), **READ)  # type: ignore[call-overload]
    words = read.select_dtypes(exclude="number").columns
    read[words] = read[words].replace({"": None})
    return [read, pd.read_parquet(io.BytesIO(data.getvalue()))]


def with_none(frame: pd.DataFrame) -> pd.DataFrame:
    """A frame whose empty cells are alike: kinds of columns have different ones."""
    return frame.astype(object).where(frame.notna(), None)


def check_columns(frame: pd.DataFrame) -> None:
    """Assert that columns, their types and their cells are as they are promised."""
    assert tuple(frame.columns[: len(FRAME_COLUMNS)]) == FRAME_COLUMNS
    assert {name: str(frame[name].dtype) for name in COLUMN_TYPES} == COLUMN_TYPES
    words = frame.drop(columns=list(COLUMN_TYPES))
    # Of what is asked of single rows only, such as a baseline, others have nothing.
    own = words[[name for name in FRAME_COLUMNS if name in words]]
    assert all(isinstance(cell, str) and cell for cell in own.to_numpy().ravel())
    assert not (words == "").any(axis=None)
    # Who won or lost all against the others has a rating with a bound alone.
    known = frame[frame["metric"] != "rating"]
    assert known["value"].notna().all()
    assert (known["low"].isna() == known["high"].isna()).all()
    measured = frame.dropna(subset=["value", "low"])
    assert (measured["low"] <= measured["value"]).all()
    assert (measured["value"] <= measured["high"]).all()
    assert set(frame["metric"]) <= set(METRICS)
    assert not frame.duplicated([*words.columns]).any()


def assert_tidy(result: Any, *printed: str, writers: Any = None) -> pd.DataFrame:
    """Return the frame of a result, once it is what is promised of all of them.

    The values of the metrics `printed` stand in the report, too: those over all
    opponents, where there are any.
    """
    frame: pd.DataFrame = result.to_frame()
    check_columns(frame)
    for read in frames_of(writers or find_presentation(result).writers(), result):
        pd.testing.assert_frame_equal(*map(with_none, (read, frame)), check_dtype=False)
        check_columns(read)
    rows = frame[frame["metric"].isin(printed) & (frame["starts"] == ANY)]
    over_all = rows[rows["opponent"] == ALL]
    rows = rows if over_all.empty else over_all
    assert set(rows["metric"]) == set(printed)
    text = write_report(result, "table", full=True) if printed else ""
    for metric, value in zip(rows["metric"], rows["value"], strict=True):
        assert shown_value(metric, value).rstrip("%") in text
    shown = result._repr_html_()
    assert shown.count("<tr>") <= 1 + len(frame) <= 1 + len(result.to_rows())
    return frame
