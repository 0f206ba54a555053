"""What SARIF 2.1.0 says of the parts that deckcheck writes, as a JSON Schema.

Written by hand after the standard (OASIS, sections 3.4 to 3.50) because the official
schema is not part of this project: the properties we use, their types, limits and
fixed words. It is stricter in one way: a property that we do not write is refused.
"""

from __future__ import annotations

__all__ = ["SARIF_SCHEMA"]

_TEXT = {"type": "string"}
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


# 3.11 message, 3.12 multiformatMessageString
_MESSAGE = _object({"text": _WORDS})
_MULTIFORMAT = _object({"text": _WORDS}, {"markdown": _WORDS})

# 3.4 artifactLocation: a URI reference (RFC 3986) and the name of its base
_ARTIFACT = _object(
    {
        "uri": {
            "type": "string",
            "pattern": r"^(?:[A-Za-z0-9._~:/?#@!$&'()*+,;=-]|%[0-9A-F]{2})+$",
        }
    },
    {"uriBaseId": {"const": "%SRCROOT%"}},
)

# 3.30 region: lines and columns count from 1
_REGION = _object(
    {
        "startLine": _COUNTING,
        "startColumn": _COUNTING,
        "endLine": _COUNTING,
        "endColumn": _COUNTING,
    }
)

# 3.29 physicalLocation, 3.28 location
_PHYSICAL = _object({"artifactLocation": _ARTIFACT, "region": _REGION})
_LOCATION = _object({"physicalLocation": _PHYSICAL})
_RELATED = _object({"id": _INDEX, "message": _MESSAGE, "physicalLocation": _PHYSICAL})

# 3.49 reportingDescriptor, 3.50 reportingConfiguration
_RULE = _object(
    {
        "id": _WORDS,
        "name": _WORDS,
        "shortDescription": _MULTIFORMAT,
        "fullDescription": _MULTIFORMAT,
        "defaultConfiguration": _object({"level": _LEVEL}),
        "help": _MULTIFORMAT,
    }
)

# 3.19 toolComponent: a semantic version, rules without repetition
_DRIVER = _object(
    {
        "name": _WORDS,
        "semanticVersion": {
            "type": "string",
            "pattern": r"^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$",
        },
        "rules": {"type": "array", "items": _RULE, "uniqueItems": True},
    }
)

# 3.27 result
_RESULT = _object(
    {
        "ruleId": _WORDS,
        "ruleIndex": _INDEX,
        "level": _LEVEL,
        "message": _MESSAGE,
        "locations": {"type": "array", "items": _LOCATION},
        "partialFingerprints": {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": _TEXT,
        },
    },
    {"relatedLocations": {"type": "array", "items": _RELATED, "uniqueItems": True}},
)

# 3.20 invocation, 3.58 notification
_NOTIFICATION = _object({"level": _LEVEL, "message": _MESSAGE})
_INVOCATION = _object(
    {
        "executionSuccessful": {"type": "boolean"},
        "toolExecutionNotifications": {"type": "array", "items": _NOTIFICATION},
    }
)

# 3.14 run, 3.13 sarifLog
_RUN = _object(
    {
        "tool": _object({"driver": _DRIVER}),
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "results": {"type": "array", "items": _RESULT},
        # 3.8 propertyBag
        "properties": _object({"leftOut": {"type": "object"}}),
    },
    {"invocations": {"type": "array", "items": _INVOCATION}},
)

SARIF_SCHEMA = _object(
    {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "items": _RUN, "minItems": 1},
    }
)
"""The condensed schema of a SARIF log."""
