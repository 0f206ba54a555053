"""Options that take every path up to the next option."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deckcheck.cli import main
from deckcheck.cli.application import all_options, load_command
from deckcheck.cli.settings import spelled_out

Captured = pytest.CaptureFixture[str]

STANDARD = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
SIEGE, SWARM, SHIPS, HUNT = (
    str(STANDARD / f"{name}.deck")
    for name in ("nr_siege_masters", "mo_swarm", "sk_longships", "mo_wild_hunt")
)
FAST = ["-n", "20", "--policy", "random", "--output-format", "json"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("a b --against c d", "a b --against c --against d"),
        ("a --against c d -n 5 b", "a --against c --against d -n 5 b"),
        ("a --against c --against d e", "a --against c --against d --against e"),
        ("a --against=c b", "a --against=c b"),
        ("--against c -- -d e", "--against c -- -d e"),
        ("a --against - b", "a --against - --against b"),
        ("a --against", "a --against"),
        ("a --against --seed 4", "a --against --seed 4"),
        ("a --against --against b", "a --against --against b"),
        ("a --policy heuristic b", "a --policy heuristic b"),
    ],
)
def test_paths_go_to_the_option_before_them(typed: str, meant: str) -> None:
    settings = load_command("compare").settings

    assert [*spelled_out(typed.split(), settings)] == meant.split()


def test_fields_and_first_decks_are_such_options() -> None:
    kinds = {setting.key for setting in all_options() if setting.takes_paths}

    assert kinds == {"against", "start"}


def test_a_list_of_the_shell_is_the_field(capsys: Captured) -> None:
    """Versions were compared with decks of the field, and nothing said so."""
    assert main(["compare", SIEGE, SHIPS, "--against", SWARM, HUNT, *FAST]) == 0

    document = json.loads(capsys.readouterr().out)
    assert [version["name"] for version in document["versions"]] == [
        *("Siege masters", "Longships of Skellige")
    ]
    assert [opponent["name"] for opponent in document["opponents"]] == [
        *("The swarm", "The Wild Hunt")
    ]


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("simulate", "decks"),
        ("compare", "decks"),
        ("impact", "deck"),
        ("tune", "deck"),
        ("build", "format"),
        ("solve", "format"),
    ],
)
def test_where_the_field_took_all_a_sentence_says_so(
    command: str, what: str, capsys: Captured
) -> None:
    field = [f"{name}.deck" for name in "abcde"]

    assert main([command, "--against", *field]) == 2

    shown = ", ".join(f"`{path}`" for path in field[:3])
    error, help = capsys.readouterr().err.splitlines()[-2:]
    assert error == (
        f"error: No {what} given: `--against` takes every path up to the next "
        f"option, here {shown} and 2 more"
    )
    assert help.startswith("help: Name ")
    assert help.endswith(" before `--against`")
