"""TOML documents whose keys and values have places."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.documents.model import DocumentError
from deckcheck.documents.readers import read_toml

TEXT = '''\
# severity = 1
fail-on = "error"
exclude = [
  "severity = 2", # ]
  'b', {inner = """a
"b""", dotted.key = 1},
]
note = """
isolated = true
[formats]
"" """""
  [formats]
"league/\\u002a" = "gwent/advanced"
day = 2025-12-06 07:00:00

[tool . deckcheck]
DL103 = "off"
[[tables]]
n = 1
[[tables]]
n = 2
[tables.sub]
m = 3
'''


@pytest.mark.parametrize(
    ("location", "key", "value"),
    [
        (("fail-on",), (2, 1), (2, 11)),
        (("exclude",), (3, 1), (3, 11)),
        (("exclude", 1), (5, 3), (5, 3)),
        (("exclude", 2, "inner"), (5, 9), (5, 17)),
        (("exclude", 2, "dotted", "key"), (6, 15), (6, 21)),
        (("formats", "league/*"), (13, 1), (13, 19)),
        (("formats", "day"), (14, 1), (14, 7)),
        (("tool", "deckcheck", "DL103"), (17, 1), (17, 9)),
        (("tool", "deckcheck", "missing"), (16, 9), (16, 9)),
        (("tables", 0, "n"), (19, 1), (19, 5)),
        (("tables", 1, "sub", "m"), (23, 1), (23, 5)),
    ],
)
def test_places(
    location: tuple[str | int, ...], key: tuple[int, int], value: tuple[int, int]
) -> None:
    document = read_toml(TEXT)

    start = document.span(location).start
    assert (start.line, start.column) == value
    if isinstance(location[-1], str):
        start = document.key_span(location).start
        assert (start.line, start.column) == key


def test_values_are_those_of_tomllib_and_dates_are_text() -> None:
    data = tomllib.loads(TEXT)
    data["formats"]["day"] = "2025-12-06T07:00:00"

    assert read_toml(TEXT).data == data


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("a = 1\nb = ", (2, 5), "Invalid value"),
        ("a = 1\na = 2\n", (2, 6), "Cannot overwrite a value"),
        ("a = " + "[" * 5000, (1, 1), "values are nested deeper than 50 levels"),
        ("a = 1\n" + "b." * 100_000 + "c = 1", (2, 1), "a key has more than 50 parts"),
        (f"a = {{{'b . ' * 51}c = 1}}", (1, 5), "a key has more than 50 parts"),
        ("[['a'" + " . 'b'" * 51 + "]]", (1, 1), "a key has more than 50 parts"),
        ("a = " + "1" * 5000, (1, 1), "a number is too long"),
        (b"a = '\xff'", (1, 6), "byte 0xff is not UTF-8 text"),
    ],
)
def test_what_cannot_be_read(
    text: str | bytes, place: tuple[int, int], message: str
) -> None:
    with pytest.raises(DocumentError) as caught:
        read_toml(text)

    start = caught.value.span.start
    assert ((start.line, start.column), caught.value.message) == (place, message)


@pytest.mark.parametrize("value", [f'"{"a." * 99}"', f"1 # {'a.' * 99}"])
def test_dots_that_part_no_keys_are_no_matter(value: str) -> None:
    assert list(read_toml(f"a = {value}").data or ()) == ["a"]  # type: ignore[call-overload]


@given(st.text("ab.\"'[]{}=,#1\\\n\r ", max_size=40))
def test_every_value_of_whatever_is_toml_has_a_place(text: str) -> None:
    try:
        document = read_toml(text)
    except DocumentError:
        return

    for location in locations(document.data):
        if location:
            assert document.span(location).start >= document.key_span(location).start
            assert document.span(location) != document.span(())


def locations(data: object) -> list[tuple[str | int, ...]]:
    """The way to every value."""
    found: list[tuple[str | int, ...]] = [()]
    items: list[tuple[str | int, object]] = []
    if isinstance(data, dict):
        items = list(data.items())
    elif isinstance(data, list):
        items = list(enumerate(data))
    for key, inner in items:
        found += [(key, *rest) for rest in locations(inner)]
    return found
