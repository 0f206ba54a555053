"""Messages name options as the one who reads them would write them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import deckcheck
from deckcheck.cli import main
from deckcheck.findings import UsageError

PACKAGE = Path(deckcheck.__file__).parent
DECKS = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
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
        "expect = ['\"Siege masters\" >= 10 %']\n"
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
