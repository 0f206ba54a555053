"""The commands that show cards, formats and rules."""

import shutil
from pathlib import Path

import pytest
from helpers.commands import stdout_of

from deckcheck.cards import card_db_root
from deckcheck.rules import ALL_RULES

# `deckcheck cards`: lists, finds and shows.

Captured = pytest.CaptureFixture[str]


FILTERS = {
    "medic": "--ability medic",
    "tight bond": "--ability tight_bond",
    "nilfgaard spies": "--faction nilfgaard --ability spy",
    "heroes siege": "--kind hero --row siege",
    "leaders": "--kind leader",
    "leader monsters": "--kind leader --faction monsters",
}


def test_words_of_list_are_filters(capsys: Captured) -> None:
    for words, options in FILTERS.items():
        expected = stdout_of(capsys, "cards", "list", *options.split())
        assert stdout_of(capsys, "cards", "list", *words.split()) == expected, words
        assert "0 " not in expected.splitlines()[-1], words


# `--card-db` in a variable, and in a configuration.


@pytest.fixture
def folder(here: Path) -> Path:
    """A working folder with a database of one game, `tiny`."""
    shutil.copytree(card_db_root() / "gwen_t", "mine/tiny")
    file = Path("mine/tiny/game.yaml")
    file.write_text(file.read_text().replace("id: gwen_t", "id: tiny"))
    return here


def formats(capsys: Captured, *args: str) -> set[str]:
    """The games that have formats."""
    lines = stdout_of(capsys, "formats", *args).splitlines()
    return {line.partition("/")[0] for line in lines if "/" in line}


@pytest.mark.usefixtures("folder")
def test_the_variable_and_the_configuration_which_starts_from_its_folder(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("DECKCHECK_CARD_DB", "mine; built-in")
        assert formats(capsys) > {"tiny", "gwent"}
        assert formats(capsys, "--card-db", "mine") == {"tiny"}
    Path("deckcheck.toml").write_text('card-db = ["mine", "built-in"]\n')
    Path("below").mkdir()
    monkeypatch.chdir("below")
    assert formats(capsys) > {"tiny", "gwent"}
    assert formats(capsys, "--card-db", "built-in") == formats(capsys, "--isolated")


# `deckcheck rule`: explains a finding.


def test_every_explanation_is_short_enough_to_read(capsys: Captured) -> None:
    for rule in ALL_RULES:
        lines = stdout_of(capsys, "rule", rule.name).splitlines()
        assert len(lines) < 60, rule.name
        assert max(map(len, lines)) <= 96, rule.name
