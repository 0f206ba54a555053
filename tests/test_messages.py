"""Words, quotes and options in messages."""

import ast
import re
from collections.abc import Callable, Iterator
from inspect import Parameter, signature
from itertools import chain
from pathlib import Path

import pytest

import deckcheck
from deckcheck.api import arguments
from deckcheck.cli import main
from deckcheck.findings import UsageError
from deckcheck.messages import (
    choice,
    game_count,
    join_helps,
    list_first,
    nearest,
    plural,
    printable,
    printable_lines,
    quote,
    sentence,
)

# Messages name options as the one who reads them would write them.

PACKAGE = Path(deckcheck.__file__).parent
DECKS = Path(__file__).parents[1] / "decks" / "gwent" / "standard"
DECK, OPPONENT = DECKS / "nr_siege_masters.deck", DECKS / "mo_swarm.deck"
ONLY_TYPED = ("cli", "rules")
"""Packages of the command line alone, and of texts that explain it."""

DESCRIPTIONS = ("schema.py", "document.py", "finding_data.py")


def on_the_command_line(capsys: pytest.CaptureFixture[str], *more: str) -> str:
    assert main(["simulate", str(DECK), str(OPPONENT), *more]) == 2
    return capsys.readouterr().err


def in_python(call: Callable[[], object]) -> str:
    with pytest.raises(UsageError) as error:
        call()
    return f"{error.value.message} {error.value.help}"


def in_a_plan(folder: Path, line: str) -> str:
    plan = folder / "plan.toml"
    plan.write_text(
        "[experiments.one]\n"
        f"decks = ['{DECK}', '{OPPONENT}']\n"
        "expect = ['\"Siege masters\" >= 10%']\n"
        f"{line}\n",
        encoding="utf-8",
    )
    return in_python(lambda: deckcheck.expect(plan))


def test_each_reader_gets_their_own_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = on_the_command_line(capsys, "--until-width", "200%")
    called = in_python(lambda: deckcheck.simulate(DECK, OPPONENT, until_width="200%"))
    planned = in_a_plan(tmp_path, "until_width = '200%'")

    assert "`--until-width` must be" in typed
    assert "`--until-width 1%` stops" in typed
    assert "`until_width` must be" in called
    assert "`until_width='1%'` stops" in called
    assert "plan.toml:1:14: `until_width` must be" in planned
    assert "`until_width = '1%'` stops" in planned


def test_a_list_has_another_name(tmp_path: Path) -> None:
    called = in_python(
        lambda: deckcheck.simulate(DECK, OPPONENT, opponents=["gaunter"])
    )

    assert "`opponents` does not apply" in called
    assert "`opponents` does not apply" in in_a_plan(tmp_path, "opponents = ['x']")


def test_what_no_plan_says_stays_an_option(tmp_path: Path) -> None:
    assert "`--against`" not in in_a_plan(tmp_path, "until_width = 'x'")
    assert "`games` is 0" in in_python(
        lambda: deckcheck.simulate(DECK, OPPONENT, games=0)
    )


@pytest.mark.parametrize("name", [*chain(*deckcheck._FUNCTIONS.values())])
def test_every_public_function_names_arguments_as_python_does(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    namings: list[object] = []
    name_options = arguments.name_options

    def record(naming: Callable[[str, object], str]) -> object:
        namings.append(naming)
        return name_options(naming)

    monkeypatch.setattr(arguments, "name_options", record)
    function = getattr(deckcheck, name)
    parameters = signature(function).parameters.values()
    required = [p for p in parameters if p.default is Parameter.empty]
    keywords = {p.name for p in required if p.kind is Parameter.KEYWORD_ONLY}
    positions = len(required) - len(keywords)
    positions -= any(p.kind is Parameter.VAR_KEYWORD for p in required)

    told = in_python(
        lambda: function(*["no-such"] * positions, **dict.fromkeys(keywords, "no-such"))
    )

    assert namings, name
    assert "`--" not in told


def test_the_naming_ends_with_the_call(capsys: pytest.CaptureFixture[str]) -> None:
    in_python(lambda: deckcheck.simulate(DECK, OPPONENT, games=0))

    typed = on_the_command_line(capsys, "--until-width", "200%")
    assert "`--until-width` must be" in typed


def texts(file: Path) -> Iterator[ast.Constant]:
    """The texts of a module that are no docstrings."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    docs = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in docs:
            yield node


def test_no_message_spells_out_an_option() -> None:
    spelled = [
        f"{file.relative_to(PACKAGE)}:{text.lineno}: {text.value[:60]}"
        for file in sorted(PACKAGE.rglob("*.py"))
        if file.relative_to(PACKAGE).parts[0] not in ONLY_TYPED
        if file.name not in DESCRIPTIONS
        for text in texts(file)
        if "\n" not in text.value and re.search(r"`--[a-z]", text.value)
    ]

    assert spelled == []


# Words and quotes of messages.


def test_plural() -> None:
    for number, noun, expected in (
        (1, "card", "1 card"),
        (0, "card", "0 cards"),
        (2, "copy", "2 copies"),
        (1, "copy", "1 copy"),
    ):
        assert expected == plural(number, noun), number
    assert (game_count(1), game_count(12_000)) == ("1 game", "12,000 games")
    assert (sentence("unknown `x`"), sentence("")) == ("Unknown `x`", "")


def test_quotes_are_short_and_steer_nothing() -> None:
    for text, quoted in (
        ("x" * 100, f"`{'x' * 57}...`"),
        # Cut before it is looked at.
        ("\x1b" * 10**6, "`" + (r"\x1b" * 15)[:57] + "...`"),
        ("a\x1b[31mb\u202ec\n", r"`a\x1b[31mb\u202ec\n`"),
        ("a`b` @name", r"`a\x60b\x60 @name`"),
    ):
        assert quote(text) == quoted, text


def test_letters_and_pictures_are_printable() -> None:
    for text in (
        "Eithné 希里",
        "e\u0301",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian
        "\u0915\u094d\u200d\u0937",  # Hindi
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family
        "\u2694\ufe0f Siege",
        "\u845b\U000e0100",  # a way to write a Chinese sign
    ):
        assert printable(text) == printable_lines(text) == text, text


@pytest.mark.parametrize("text", ["{}", "a{}b", "é{}", "{}b"])
def test_what_is_hidden_is_shown(text: str) -> None:
    for hidden in (
        "\x00\t\n\x1b\x7f\x9b\xad\u034f\u061c\u115f\u180e\u200b\u200c\u200d\u200e\u2028"
        "\u202e\u2060\u2064\u2066\u206f\u3164\ufe0f\ufeff\uffa0\ufffb\ud800\U0001d173"
        "\U000e0041\U000e0100\U000e0fff"
    ):
        assert printable(text.format(hidden)) == text.format(ascii(hidden)[1:-1])


@pytest.mark.parametrize("text", ["\u5e0c\u200d", "\u200d\u5e0c", "\u5e0c\u200db"])
def test_a_joiner_that_joins_nothing_is_shown(text: str) -> None:
    assert printable(text) == text.replace("\u200d", r"\u200d")


def test_lines_keep_their_ends_and_tabs() -> None:
    assert (
        printable_lines("a\n##[b]")
        == "a\n" + r"#\x23[b]"
        == printable_lines("a\n#\\x23[b]")
    )
    assert printable("## [a] #[b] ##[c]") == r"## [a] #[b] #\x23[c]"
    assert printable_lines("a\n\tb\r\u200b") == "a\n\tb" + r"\r\u200b"


@pytest.mark.parametrize(
    ("options", "expected"),
    [([], ""), (["a"], "`a`"), (["a", "b"], "`a` or `b`"), ("abc", "`a`, `b` or `c`")],
)
def test_choice(options: list[str], expected: str) -> None:
    assert expected == choice(list(options))


def test_list_first_counts_the_rest() -> None:
    assert list_first("abc", 3) == "`a`, `b` and `c`"
    assert list_first("abc", 2) == "`a`, `b` and 1 more"


def test_the_nearest_word_or_none() -> None:
    for word, expected in (
        ("fromat", ["format"]),
        ("FORMATT", ["format"]),
        ("out", ["output"]),
        ("files", ["files-from"]),
        ("fo", []),
        ("nope", []),
        ("", []),
    ):
        assert nearest(word, ["files-from", "format", "output"]) == expected, word
    known = ["format", "formats", "output"]
    assert nearest("formatss", known, limit=2) == ["formats", "format"]


def test_remedies_are_sentences_of_their_own() -> None:
    for helps, expected in (
        ([], None),
        ([None, "try it"], "Try it"),
        (["Did you mean `a`?", "Did you mean `a`?"], "Did you mean `a`?"),
        (
            ["Did you mean `a`?", None, "leave it out"],
            "Did you mean `a`? Leave it out.",
        ),
    ):
        assert join_helps(helps) == expected, helps
