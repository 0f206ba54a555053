"""`deckcheck rule`: explains a finding."""

from __future__ import annotations

import pytest

from deckcheck.cli import main
from deckcheck.rules import ALL_RULES

Captured = pytest.CaptureFixture[str]


def test_without_a_name_all_are_listed(capsys: Captured) -> None:
    assert main(["rule"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(ALL_RULES)
    assert lines == sorted(lines)


@pytest.mark.parametrize("name", ["too-many-copies", "DL103", "dl103"])
def test_a_name_or_a_code_is_explained(capsys: Captured, name: str) -> None:
    assert main(["rule", name]) == 0

    out = capsys.readouterr().out
    assert out.startswith("too-many-copies (DL103, error)\n")
    assert "gwent 1.1.5" in out
    assert "    3 Ballista\n" in out


@pytest.mark.parametrize("rule", ALL_RULES, ids=lambda rule: rule.name)
def test_every_explanation_is_short_enough_to_read(
    capsys: Captured, rule: object
) -> None:
    assert main(["rule", getattr(rule, "name", "")]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert len(lines) < 60
    assert max(map(len, lines)) <= 96


def test_an_unknown_name_gets_a_suggestion(capsys: Captured) -> None:
    assert main(["rule", "too-many-cpies"]) == 2
    assert capsys.readouterr().err == (
        "error: Unknown finding `too-many-cpies`\n"
        "help: Did you mean `too-many-copies`?\n"
    )


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("copies", "`too-many-copies`"),
        ("leader", "`banned-leader`, `unknown-leader` or `ambiguous-leader`"),
        ("DL13", "`DL103`"),
    ],
)
def test_a_word_of_a_name_finds_it(word: str, names: str, capsys: Captured) -> None:
    assert main(["rule", word]) == 2
    assert capsys.readouterr().err.endswith(f"help: Did you mean {names}?\n")
