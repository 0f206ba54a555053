"""The commands that show cards, formats and rules."""

import json
import re
import shutil
from pathlib import Path

import pytest
from helpers.commands import stderr_of, stdout_of

from deckcheck.cards import card_db_root
from deckcheck.cli import main
from deckcheck.formats import format_ids
from deckcheck.rules import ALL_RULES

# `deckcheck cards`: lists, finds and shows.

Captured = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["medic"], ["--ability", "medic"]),
        (["tight", "bond"], ["--ability", "tight_bond"]),
        (["nilfgaard", "spies"], ["--faction", "nilfgaard", "--ability", "spy"]),
        (["heroes", "siege"], ["--kind", "hero", "--row", "siege"]),
        (["leaders"], ["--kind", "leader"]),
        (["leader", "monsters"], ["--kind", "leader", "--faction", "monsters"]),
    ],
)
def test_words_of_list_are_filters(
    capsys: Captured, words: list[str], options: list[str]
) -> None:
    expected = stdout_of(capsys, "cards", "list", *options)

    assert stdout_of(capsys, "cards", "list", *words) == expected
    assert "0 " not in expected.splitlines()[-1]


# `--card-db`, given several times, in a variable, and in a configuration.


@pytest.fixture
def folder(here: Path) -> Path:
    """A working folder with a database of one game, `tiny`."""
    shutil.copytree(card_db_root() / "gwen_t", "mine/tiny")
    file = Path("mine/tiny/game.yaml")
    file.write_text(file.read_text().replace("id: gwen_t", "id: tiny"))
    deck = card_db_root().parent / "decks/gwen_t/pool/rocket_park.deck"
    Path("a.deck").write_text(deck.read_text().replace("gwen_t/", "tiny/"))
    shutil.copy(card_db_root().parent / "decks/gwent/standard/mo_swarm.deck", "b.deck")
    return here


def formats(capsys: Captured, *args: str) -> set[str]:
    """The games that have formats."""
    lines = stdout_of(capsys, "formats", *args).splitlines()
    return {line.partition("/")[0] for line in lines if "/" in line}


@pytest.mark.usefixtures("folder")
def test_an_own_format_of_a_game_in_the_second_folder(capsys: Captured) -> None:
    Path("own.yaml").write_text(
        "extends: tiny/pool\ntitle: Mine\nconstraints:\n  cards: {min: 24, max: 24}\n"
    )
    folders = ["--card-db", "built-in", "--card-db", "mine"]

    out = stdout_of(capsys, "validate", "a.deck", "-f", "own.yaml", *folders, code=1)
    assert "25 cards, at most 24 allowed" in out
    assert "tiny" in formats(capsys, *folders)
    shutil.copytree("mine/tiny", "other/tiny")
    said = stderr_of(capsys, "formats", "--card-db", "mine", "--card-db", "other")
    assert said == (
        "error: The game `tiny` is in two folders, `mine` and `other`\n"
        "help: Leave one of them out\n"
    )


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


# `deckcheck formats`: lists, shows, compares, and says where a deck is legal.

DECKS = Path(__file__).parents[2] / "decks" / "gwent"
GENEROUS = str(DECKS / "standard" / "nr_siege_masters.deck")


@pytest.mark.parametrize("args", [[], ["list"]])
def test_all_formats_are_listed(capsys: Captured, args: list[str]) -> None:
    lines = stdout_of(capsys, "formats", *args).splitlines()
    assert [line.split()[0] for line in lines] == ["format", *format_ids()]


def test_a_deck_is_judged_by_every_format(capsys: Captured) -> None:
    assert main(["formats", "--for", GENEROUS, "--output-format", "json"]) == 0

    (deck,) = json.loads(capsys.readouterr().out)["decks"]
    assert "gwent/standard" in deck["legal"]
    assert "gwent/advanced" not in deck["legal"]
    assert [judged["format"] for judged in deck["formats"]] == [
        id for id in format_ids() if id.startswith("gwent/")
    ]


@pytest.mark.usefixtures("here")
def test_the_game_of_the_cards_comes_first(capsys: Captured) -> None:
    deck = Path("a.deck")
    deck.write_text("Leader: Foltest, The Siegemaster\n\n3 Ballista\n")

    lines = stdout_of(capsys, "formats", "--for", "a.deck", code=1).splitlines()
    games = [line.split("/")[0].strip() for line in lines if re.match("  [a-z]", line)]
    assert games == sorted(games, key=lambda game: game != "gwent")
    assert "  deckmaster/standard      of another game" in lines
    assert not any("Deckmaster has no leaders" in line for line in lines)
    # One of no known card is judged by all, one without a format by its cards.
    deck.write_text("3 Lightning Bolt\n")
    said = stdout_of(capsys, "formats", "--for", "a.deck", code=1)
    assert "of another game" not in said
    text = Path(GENEROUS).read_text(encoding="utf-8")
    deck.write_text(text.replace("Format: gwent/standard\n", ""), encoding="utf-8")
    said = stdout_of(capsys, "formats", "--for", "a.deck")
    assert re.search("gwent/standard +legal\n", said)


# `deckcheck rule`: explains a finding.


def test_every_explanation_is_short_enough_to_read(capsys: Captured) -> None:
    for rule in ALL_RULES:
        lines = stdout_of(capsys, "rule", rule.name).splitlines()
        assert len(lines) < 60, rule.name
        assert max(map(len, lines)) <= 96, rule.name
