"""Words for what pydantic has against a value of a scenario file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deckcheck.findings.documents import show

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

__all__ = ["describe_error"]

_EXPECTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
}
_SENTENCES = {
    "missing": "`{key}` is missing",
    "extra_forbidden": "unknown key `{key}`",
    "string_pattern_mismatch": "{found} is no name of a player",
    "greater_than_equal": "{found} is too small, the least is {ge}",
    "less_than_equal": "{found} is too large, the most is {le}",
    "too_short": "at least {min_length} entries needed, found {actual_length}",
    "too_long": "{actual_length} entries, at most {max_length} allowed",
    "literal_error": "expected {expected}, found {found}",
    "value_error": "{error}",
    **{kind: f"expected {what}, found {{found}}" for kind, what in _EXPECTED.items()},
}


def describe_error(error: ErrorDetails) -> str:
    """One sentence, without a full stop, for one entry of `ValidationError.errors()`.

    It names the value found but not its place, which the span tells.
    """
    keys = [part for part in error["loc"] if part != "[key]"]
    found = show(error["input"])
    sentence = _SENTENCES.get(error["type"])
    if sentence is None:
        wish = error["msg"].removeprefix("Input should be ")
        return f"{wish[0].lower()}{wish[1:]}, found {found}"
    limits = {key: str(value) for key, value in error.get("ctx", {}).items()}
    if "expected" in limits:
        limits["expected"] = limits["expected"].replace("'", "`")
    return sentence.format(key=keys[-1] if keys else "", found=found, **limits)
