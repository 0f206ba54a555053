"""The commands that show cards, formats and rules."""

import json
import re
import shutil
from pathlib import Path

import pytest
from helpers.commands import stderr_of, stdout_of

from deckcheck.cards import card_db_root, load_database
from deckcheck.cli import main
from deckcheck.formats import format_ids
from deckcheck.rules import ALL_RULES

# `deckcheck cards`: lists, finds and shows.

Captured = pytest.CaptureFixture[str]


@pytest.mark.parametrize("args", [[], ["list"]])
def test_all_cards_are_listed(capsys: Captured, args: list[str]) -> None:
    lines = stdout_of(capsys, "cards", *args).splitlines()
    count = len(load_database("gwent").cards)
    assert lines[0].split()[:2] == ["card", "faction"]
    assert len(lines) == count + 3
    assert lines[-1] == f"{count} cards"


def test_json_holds_what_the_database_holds(capsys: Captured) -> None:
    words = ("cards", "find", "kambi", "--output-format", "json")
    document = json.loads(stdout_of(capsys, *words))
    assert document["schema_version"] == 1
    assert document["digest"] == load_database("gwent").digest
    (card,) = document["cards"]
    assert card["id"] == "kambi"
    assert card["abilities"][0]["target"] == "hemdall"
    assert [text["ability"] for text in document["texts"]] == ["summon_avenger"]


def test_leaders_are_found_unless_cards_are_filtered(capsys: Captured) -> None:
    find = ("cards", "find", "foltest")

    assert stdout_of(capsys, *find).endswith("\n\n5 leaders\n")
    assert stdout_of(capsys, *find, "--kind", "unit") == "0 cards\n"


def test_a_name_of_several_words_needs_no_quotes(capsys: Captured) -> None:
    out = stdout_of(capsys, "cards", "show", "geralt", "of", "rivia")
    assert out.startswith("Geralt of Rivia\n  id ")
    assert "muster (Roach)" in out


@pytest.mark.parametrize(
    ("arguments", "end"),
    [
        (
            ["kambi"],
            "\nsummon_avenger (gwent 1.6.11)\n  When it is discarded from the "
            "board, the card named comes to the same side from the side deck.\n",
        ),
        (
            ["the", "siegemaster"],
            "\nhorn_own_siege (gwent 1.9.2)\n  Horn on your siege row.\n",
        ),
        (
            ["mobilized infantry", "--game", "gwen_t"],
            "\ntight_bond (gwen_t 5.1)\n  It doubles every card of its name in its "
            "row, and itself; alone it does nothing.\n",
        ),
        (
            ["2 left", "--game", "deckmaster"],
            "\nleft (deckmaster 4.1)\n  When placed, it attacks the card to its left, "
            "if one lies there.\n",
        ),
    ],
)
def test_show_says_what_abilities_do(
    capsys: Captured, arguments: list[str], end: str
) -> None:
    assert stdout_of(capsys, "cards", "show", *arguments).endswith(end)


@pytest.mark.parametrize("name", ["kambi", "The Siegemaster"])
def test_show_as_json_has_one_record(capsys: Captured, name: str) -> None:
    assert main(["cards", "show", name, "--output-format", "json"]) == 0

    document = json.loads(capsys.readouterr().out)
    assert len(document["cards"]) + len(document["leaders"]) == 1


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


@pytest.mark.parametrize("words", [["show", "foltest"], ["find", "foltest"]])
def test_leaders_are_listed_with_what_they_do(
    capsys: Captured, words: list[str]
) -> None:
    assert main(["cards", *words]) == 0

    assert capsys.readouterr().out == (
        "Northern Realms\n"
        "  Foltest, King of Temeria              Play one Impenetrable Fog from your "
        "deck.\n"
        "  Foltest, Lord Commander of the North  Remove all weather, as Clear Weather "
        "does.\n"
        "  Foltest, The Siegemaster              Horn on your siege row.\n"
        "  Foltest, The Steel-Forged             Row scorch on the opponent's siege "
        "row.\n"
        "  Foltest, Son of Medell                Row scorch on the opponent's ranged "
        "row.\n"
        "\n5 leaders\n"
    )


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["find"], "error: `cards find` needs a name\n"),
        (["list", "kambi"], "error: No faction, kind, row or ability is called "),
        (["show", "kambi", "--row", "close"], "error: `cards show` takes no filter\n"),
        (["find", "xyzzyq"], "error: Unknown card or leader `xyzzyq`\n"),
        (["list", "--game", "gwnt"], "error: Unknown game `gwnt`\n"),
    ],
)
def test_misuse(capsys: Captured, args: list[str], error: str) -> None:
    assert stderr_of(capsys, "cards", *args).startswith(error)


# `--card-db`, given several times, in a variable, and in a configuration.

FOLDERS = ["--card-db", "mine", "--card-db", "built-in"]


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
def test_games_of_several_folders(capsys: Captured) -> None:
    assert main(["validate", "a.deck", "b.deck", *FOLDERS]) == 0
    assert "2 decks checked, 2 legal" in capsys.readouterr().out

    assert main(["validate", "b.deck", "--card-db", "mine"]) == 1
    assert "Unknown format `gwent/standard`" in capsys.readouterr().out


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
BROKEN = DECKS.parents[1] / "examples" / "broken" / "gwent"
TOO_MANY = str(BROKEN / "too-many-copies.deck")
SHORT = str(BROKEN / "too-few-units.deck")


@pytest.mark.parametrize("args", [[], ["list"]])
def test_all_formats_are_listed(capsys: Captured, args: list[str]) -> None:
    lines = stdout_of(capsys, "formats", *args).splitlines()
    assert [line.split()[0] for line in lines] == ["format", *format_ids()]


def test_show_names_the_file_of_each_constraint(capsys: Captured) -> None:
    out = stdout_of(capsys, "formats", "show", "gwent/advanced")
    assert out.startswith("gwent/advanced (2025-10): Gwent, advanced\n")
    (units,) = [line for line in out.splitlines() if line.startswith("  units ")]
    assert units.split("  ")[-1] == "gwent/formats/standard.yaml"


def test_show_and_diff_tell_how_decks_meet(capsys: Captured) -> None:
    lines = stdout_of(capsys, "formats", "show", "gwent/tournament").splitlines()
    assert {"  play         match", "  max_decks    3"} <= set(lines)
    out = stdout_of(capsys, "formats", "diff", "gwent/advanced", "gwent/tournament")
    assert "\nseating holds\n- deck\n+ lineup\n" in out
    out = stdout_of(capsys, "formats", "diff", "gwent/standard", "gwent/standard")
    assert out.endswith("\n0 differences\n")


def test_differences_are_data_too(capsys: Captured) -> None:
    args = ["diff", "gwent/advanced", "gwent/standard", "--output-format", "json"]
    document = json.loads(stdout_of(capsys, "formats", *args))
    found = {one["name"]: (one["old"], one["new"]) for one in document["differences"]}
    assert set(found) == {"specials", "spies", "medics", "strength"}
    assert found["spies"] == ("count, abilities spy, max 2", None)
    assert [fmt["id"] for fmt in document["formats"]] == args[1:3]


def test_a_deck_is_judged_by_every_format(capsys: Captured) -> None:
    assert main(["formats", "--for", GENEROUS, "--output-format", "json"]) == 0

    (deck,) = json.loads(capsys.readouterr().out)["decks"]
    assert "gwent/standard" in deck["legal"]
    assert "gwent/advanced" not in deck["legal"]
    assert [judged["format"] for judged in deck["formats"]] == [
        id for id in format_ids() if id.startswith("gwent/")
    ]


def test_a_deck_that_is_legal_nowhere_gives_1(capsys: Captured) -> None:
    assert main(["formats", "--for", TOO_MANY]) == 1
    assert "3 copies of `Ballista`, at most 2 allowed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["show"], "error: `formats show` takes one format, 0 given\n"),
        (["list", "x"], "error: `formats list` takes no format, 1 given\n"),
        (["show", "gwent/advanecd"], "error: Unknown format `gwent/advanecd`\n"),
        (
            ["show", "./nix"],
            "error: Unknown format `./nix`\nhelp: A file with a format ",
        ),
        (["show", "--for", SHORT], "error: `--for` works with `formats list` only\n"),
        (["--for", "nowhere.deck"], "error: `nowhere.deck` does not exist\n"),
    ],
)
def test_misuse_of_formats(capsys: Captured, args: list[str], error: str) -> None:
    assert stderr_of(capsys, "formats", *args).startswith(error)


def test_a_list_leaves_out_what_there_was_not_yet(capsys: Captured) -> None:
    lines = stdout_of(capsys, "formats", "--as-of", "2020-01").splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["deckmaster/standard"]

    error = stderr_of(capsys, "formats", "--as-of", "2000-01").splitlines()[0]
    assert error == "error: No format has a snapshot as early as `2000-01`"


def test_a_deck_is_older_than_the_formats_of_its_game(capsys: Captured) -> None:
    assert main(["formats", "--for", GENEROUS, "--as-of", "2020-01"]) == 1

    lines = capsys.readouterr().out.splitlines()
    assert lines[1:] == ["  no format of its game existed then"]


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


def test_without_a_name_all_are_listed(capsys: Captured) -> None:
    lines = stdout_of(capsys, "rule").splitlines()
    assert len(lines) == len(ALL_RULES)
    assert lines == sorted(lines)
    summaries = [
        line.rindex(rule.summary)
        for line, rule in zip(lines, ALL_RULES, strict=True)
        if line.endswith(rule.summary)
    ]
    assert len(summaries) == len(lines)
    assert len(set(summaries)) == 1


@pytest.mark.parametrize("name", ["too-many-copies", "DL103", "dl103"])
def test_a_name_or_a_code_is_explained(capsys: Captured, name: str) -> None:
    out = stdout_of(capsys, "rule", name)
    assert out.startswith("too-many-copies (DL103, error)\n")
    assert "gwent 1.1.5" in out
    assert "    - 3 Ballista\n    + 2 Ballista\n" in out


def test_every_explanation_is_short_enough_to_read(capsys: Captured) -> None:
    for rule in ALL_RULES:
        lines = stdout_of(capsys, "rule", rule.name).splitlines()
        assert len(lines) < 60, rule.name
        assert max(map(len, lines)) <= 96, rule.name


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("too-many-cpies", "`too-many-copies`"),
        ("copies", "`too-many-copies`"),
        ("leader", "`banned-leader`, `unknown-leader` or `ambiguous-leader`"),
        ("DL13", "`DL103`"),
    ],
)
def test_a_word_of_a_name_finds_it(word: str, names: str, capsys: Captured) -> None:
    assert stderr_of(capsys, "rule", word).endswith(f"help: Did you mean {names}?\n")
