"""Documents of JSON, YAML and TOML, and where everything stands in them."""

import json
import tomllib
from collections.abc import Callable

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from deckcheck.documents.model import (
    MAX_BYTES,
    MAX_DEPTH,
    DocumentError,
    Reason,
    decode,
)
from deckcheck.documents.readers import (
    read_json,
    read_toml,
    read_yaml,
    read_yaml_stream,
)
from deckcheck.findings import Position, Span

# Documents: what is typed, what is refused, and where everything stands.

DECK = """\
# a deck
name: Siege masters
cards:
  Catapult: 2   # both
  "Blue Stripes Commando": 3
tags: [a, {b: 1}]
list:
  - one
  - two
"""


def span(line: int, start: int, end: int) -> Span:
    return Span(Position(line, start), Position(line, end))


def refusal(
    text: str | bytes, read: Callable[..., object] = read_yaml
) -> DocumentError:
    with pytest.raises(DocumentError) as caught:
        read(text)
    return caught.value


VALUES = {
    ("name",): span(2, 7, 20),
    ("cards", "Catapult"): span(4, 13, 14),
    ("tags", 1, "b"): span(6, 15, 16),
    ("list", 1): span(9, 5, 8),
    # Collections end with their last value.
    ("cards",): Span(Position(4, 3), Position(5, 29)),
    ("tags",): span(6, 7, 18),
    (): Span(Position(2, 1), Position(9, 8)),
    # What is missing has the place of what is around it.
    ("cards", "Ballista"): Span(Position(4, 3), Position(5, 29)),
    ("count", "tags", 0): span(6, 8, 9),
}
KEYS = {
    ("cards", "Catapult"): span(4, 3, 11),
    ("cards", "Blue Stripes Commando"): span(5, 3, 26),
    ("list", 0): span(8, 5, 8),
}


class TestPositions:
    def test_of_values_and_of_keys(self) -> None:
        document = read_yaml(DECK)

        assert {path: document.span(path) for path in VALUES} == VALUES
        assert {path: document.key_span(path) for path in KEYS} == KEYS

    def test_of_a_stream_are_those_of_the_whole_text(self) -> None:
        first, second, third = read_yaml_stream("a: 1\n---\n# none\n---\na: 2\n")

        assert [first.data, second.data, third.data] == [{"a": 1}, None, {"a": 2}]
        assert third.span(("a",)) == span(5, 4, 5)
        assert [document.data for document in read_yaml_stream("")] == [None]

    @pytest.mark.parametrize(
        ("text", "path", "place"),
        [
            # Characters count, not bytes, and a byte order mark takes no column.
            ("[Síle, 😀, x]", 2, span(1, 11, 12)),
            (b"\xef\xbb\xbfa: 1", "a", span(1, 4, 5)),
            # Lines end in every way.
            *(
                (f"a: 1{end}b: 2{end}", "b", span(2, 4, 5))
                for end in ("\n", "\r\n", "\r")
            ),
            ("- 'a\u2028b'\n- c", 1, span(3, 3, 4)),
            ("a: |\n  one\n  two\n\nb: 1\n", "a", Span(Position(1, 4), Position(3, 6))),
        ],
    )
    def test_count_characters_and_lines(
        self, text: str | bytes, path: str | int, place: Span
    ) -> None:
        assert read_yaml(text).span((path,)) == place

    def test_in_json(self) -> None:
        document = read_json('{"a": [1,\n  {"b": "x\\n"}]}')

        assert document.span(("a", 1, "b")) == span(2, 9, 14)
        assert document.key_span(("a", 1, "b")) == span(2, 4, 7)
        assert document.span() == Span(Position(1, 1), Position(2, 17))


class TestTypes:
    def test_typed(self) -> None:
        for text, value in {
            "3": 3,
            "-5": -5,
            "0": 0,
            "true": True,
            "false": False,
            "null": None,
            "x:": {"x": None},
            "": None,
            "# nothing": None,
            "1: 2": {"1": 2},
            "true: 2": {"true": 2},
        }.items():
            data = read_yaml(text).data
            assert (data, type(data)) == (value, type(value)), text

    def test_stays_text(self) -> None:
        words = "no No yes on off y n ~ True FALSE Null 12:30 0x1F 0o17 017 1_000 +5"
        words += " 1.5 1e3 .inf .nan 2025-10 2025-10-01 <<"

        assert [read_yaml(word).data for word in words.split()] == words.split()
        for text in ('"3"', "'3'", '"true"', "|-\n  3", ">-\n  null"):
            assert isinstance(read_yaml(text).data, str), text

    def test_json_values(self) -> None:
        """Also of JSON that is no YAML."""
        for text in (
            '{"a": [1, -2.5, 1e2, true, false, null, "\\ud83d\\ude00\\/"], "": {}}',
            *('\t{\t"a"\t:\n1}', '{"a":1}', '"\x7f\u2028"', " [ ] "),
            '{"' + "k" * 2000 + '": 1}',
        ):
            assert read_json(text).data == json.loads(text), text
        assert read_json(" \n").data is None


class TestRefusals:
    def test_duplicate_key(self) -> None:
        error = refusal("a: 1\nb: 2\na: 3\n")

        assert error.message == "key `a` is given twice"
        assert error.reason is Reason.DUPLICATE_KEY
        assert error.span == span(3, 1, 2)
        assert error.related[0].span == span(1, 1, 2)
        # Keys are compared as text.
        assert refusal("1: a\n'1': b").reason is Reason.DUPLICATE_KEY

    def test_unsupported(self) -> None:
        for text, message, place in (
            ("a: &x 1", "anchor `&x` is not allowed", (1, 4, 8)),
            ("a: *x", "alias `*x` is not allowed", (1, 4, 6)),
            ("a: !!str 1", "tag `tag:yaml.org,2002:str` is not allowed", (1, 4, 11)),
            ("a: !x 1", "tag `!x` is not allowed", (1, 4, 8)),
            ("a\n---\nb", "a second document is not allowed", (2, 1, 4)),
            ("? [a]\n: 1", "a key must be text, not a list or a mapping", (1, 3, 4)),
        ):
            error = refusal(text)
            assert (error.message, error.span) == (message, span(*place)), text
            assert error.reason is Reason.UNSUPPORTED, text

    def test_syntax(self) -> None:
        for text, message, place in (
            ("a: b: c", "a `:` is not expected here", (1, 5)),
            ("a: [1\nb: 2", "a `,` or `]` is missing", (2, 2)),
            ("a: 1\n\tb: 2", "a tab is not allowed here", (2, 1)),
            ("a: 'x", "the closing quote is missing", (1, 6)),
            ("a: 1\nb\n", "a `:` is missing after this key", (3, 1)),
            ("a: @x", "no value can start like this", (1, 4)),
            ("a: \x07", "character U+0007 is not allowed in YAML", (1, 4)),
            ("a: \udc80", "character U+DC80 is not allowed in YAML", (1, 4)),
        ):
            error = refusal(text)
            assert (error.message, error.span.start) == (message, place), message
            assert error.reason is Reason.SYNTAX, message
        assert refusal("a: 1\n\tb: 2").help == "Indent with spaces"

    def test_deep_nesting(self) -> None:
        for text in ("[" * 100_000, "- " * 100_000, '{"a":' * 100_000):
            assert "nested deeper than 50 levels" in refusal(text).message, text[:5]
            in_json = refusal(text.replace("- ", "["), read_json)
            assert "nested deeper" in in_json.message, text[:5]

    def test_depth_just_allowed(self) -> None:
        text = "[" * MAX_DEPTH + "]" * MAX_DEPTH

        assert read_yaml(text).data == read_json(text).data

    def test_size(self) -> None:
        assert read_yaml(b"#" * MAX_BYTES).data is None
        assert refusal(b"x" * (MAX_BYTES + 1)).reason is Reason.SIZE
        # A letter with an accent has two bytes, in a text as in a file.
        assert refusal("é" * (MAX_BYTES // 2 + 1)).reason is Reason.SIZE

    def test_long_numbers(self) -> None:
        error = refusal("a: " + "9" * 5000)

        assert error.message == "number has 5000 digits, at most 18 allowed"
        assert refusal("9" * 5000, read_json).message == error.message

    def test_json(self) -> None:
        for text, message, column in (
            ('{"a": 1,}', "expected a key in double quotes, found `}`", 9),
            ("[1,]", "expected a value, found `]`", 4),
            ("[1 2]", "expected `,` or `]`, found `2`", 4),
            ("[1", "expected `,` or `]`, found the end", 3),
            ('{"a" 1}', "expected `:`, found `1`", 6),
            ("[nope]", "expected a value, found `nope`", 2),
            ("01", "expected a number, found `01`", 1),
            ("1 2", "expected the end of the text, found `2`", 3),
            ('"a\nb"', "text in double quotes does not end on its line", 1),
            ('"a\\qb"', "this escape sequence is not allowed", 3),
            ('"\\ud800"', "half a surrogate pair is not a character", 1),
            ("1e999", "number `1e999` is too large", 1),
            ("-1e999", "number `-1e999` is too large", 1),
            ('{"a": 1, "a": 2}', "key `a` is given twice", 10),
            ("NaN", "expected a value, found `NaN`", 1),
        ):
            error = refusal(text, read_json)
            assert (error.message, error.span.start) == (message, (1, column)), text


class TestEncodings:
    def test_utf8_with_and_without_mark(self) -> None:
        assert decode("Síle".encode()) == decode("Síle".encode("utf-8-sig")) == "Síle"

    def test_wide_encodings(self) -> None:
        for encoding in ("utf-16", "utf-32"):
            error = refusal("name: Síle".encode(encoding))
            assert error.message == "file is UTF-16 or UTF-32, not UTF-8", encoding
            assert error.help == "Save the file as UTF-8", encoding

    def test_other_bytes_are_pointed_at(self) -> None:
        error = refusal("name: x\nlead: Síle".encode("latin-1"))

        assert error.message == "byte 0xed is not UTF-8 text"
        assert error.span == span(2, 8, 9)
        assert error.reason is Reason.ENCODING


class TestAnything:
    """Whatever comes in, nothing but a DocumentError comes out."""

    @settings(max_examples=300)
    @given(
        st.binary(max_size=200)
        | st.text(max_size=200)
        | st.text(alphabet="[]{}:,-?&*!|>\"%@#'\\ \n\ta1\u2028", max_size=60)
    )
    def test_bytes_and_text(self, source: bytes | str) -> None:
        for read in (read_yaml, read_json):
            try:
                place = read(source).span()
            except DocumentError as error:
                place = error.span

            assert place.start <= place.end

    @given(
        st.recursive(
            st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.text(), inner, max_size=3)
            ),
            max_leaves=8,
        )
    )
    def test_json_round_trip(self, value: object) -> None:
        assert read_json(json.dumps(value)).data == value


def test_without_the_compiled_loader(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = read_yaml(DECK)
    monkeypatch.delattr(yaml, "CLoader")
    plain = read_yaml(DECK)

    assert plain.data == compiled.data
    assert plain.span(("tags",)) == compiled.span(("tags",))
    assert plain.span(("cards",)) == compiled.span(("cards",))


# TOML documents whose keys and values have places.

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
m=3
'''


def test_places() -> None:
    document = read_toml(TEXT)
    places: dict[tuple[str | int, ...], tuple[tuple[int, int], tuple[int, int]]] = {
        ("fail-on",): ((2, 1), (2, 11)),
        ("exclude",): ((3, 1), (3, 11)),
        ("exclude", 1): ((5, 3), (5, 3)),
        ("exclude", 2, "inner"): ((5, 9), (5, 17)),
        ("exclude", 2, "dotted", "key"): ((6, 15), (6, 21)),
        ("formats", "league/*"): ((13, 1), (13, 19)),
        ("formats", "day"): ((14, 1), (14, 7)),
        ("tool", "deckcheck", "DL103"): ((17, 1), (17, 9)),
        ("tool", "deckcheck", "missing"): ((16, 9), (16, 9)),
        ("tables", 0, "n"): ((19, 1), (19, 5)),
        ("tables", 1, "sub", "m"): ((23, 1), (23, 3)),
    }
    for location, (key, value) in places.items():
        assert document.span(location).start == value, location
        if isinstance(location[-1], str):
            assert document.key_span(location).start == key, location


def test_values_are_those_of_tomllib_and_dates_are_text() -> None:
    data = tomllib.loads(TEXT)
    data["formats"]["day"] = "2025-12-06T07:00:00"

    assert read_toml(TEXT).data == data


def test_what_cannot_be_read() -> None:
    dots = "a key has more than 50 parts"
    for text, place, message in (
        ("a = 1\nb = ", (2, 5), "Invalid value"),
        ("a = 1\na = 2\n", (2, 6), "Cannot overwrite a value"),
        ("a = " + "[" * 5000, (1, 1), "values are nested deeper than 50 levels"),
        ("a = 1\n" + "b." * 100_000 + "c = 1", (2, 1), dots),
        (f"a = {{{'b . ' * 51}c = 1}}", (1, 5), dots),
        ("[['a'" + " . 'b'" * 51 + "]]", (1, 1), dots),
        ("a = " + "1" * 5000, (1, 1), "a number is too long"),
        (b"a = '\xff'", (1, 6), "byte 0xff is not UTF-8 text"),
        ('\n{"a": 1}', (1, 1), "this is JSON, not TOML"),
        ("<html>", (1, 1), "this is HTML or XML, not TOML"),
    ):
        error = refusal(text, read_toml)
        assert (error.span.start, error.message) == (place, message), text[:20]


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
