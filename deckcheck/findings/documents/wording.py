"""Words for what pydantic has against a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

__all__ = ["describe_error", "show"]

LONGEST = 40

_EXPECTED = {
    "string_type": "text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
}
_SENTENCES = {
    "missing": "`{key}` is missing",
    "extra_forbidden": "unknown key `{key}`",
    "string_too_short": "text is missing",
    "string_too_long": "text is longer than {max_length} characters",
    "string_pattern_mismatch": "{found} does not have the form `{pattern}`",
    "greater_than_equal": "{found} is too small, the least is {ge}",
    "less_than_equal": "{found} is too large, the most is {le}",
    "literal_error": "expected {expected}, found {found}",
    "value_error": "{error}",
    "union_tag_invalid": "`{tag}` is none of {expected_tags}",
    **{kind: f"expected {what}, found {{found}}" for kind, what in _EXPECTED.items()},
}


def describe_error(error: ErrorDetails) -> str:
    """One sentence, without a full stop, for one entry of `ValidationError.errors()`.

    It names the value found but not its place, which the span tells.
    """
    key = error["loc"][-1] if error["loc"] else ""
    sentence = _SENTENCES.get(error["type"])
    if sentence is None:
        wish = error["msg"].removeprefix("Input should be ")
        return f"{wish[0].lower()}{wish[1:]}, found {show(error['input'])}"
    limits = error.get("ctx", {})
    return sentence.format(key=key, found=show(error["input"]), **limits)


def show(value: object) -> str:
    """A value as a message names it: text in back-ticks, collections by their kind."""
    match value:
        case None:
            return "nothing"
        case dict():
            return "a mapping"
        case list() | tuple():
            return "a list"
        case bool():
            return f"`{str(value).lower()}`"
    text = str(value)
    return f"`{text[:LONGEST]}...`" if len(text) > LONGEST else f"`{text}`"
