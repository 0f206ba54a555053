"""The commands about single decks: `convert`, `fmt`, `generate` and `stats`."""

import json
import re
from pathlib import Path

import pytest
from helpers.commands import stderr_of, stdout_of
from helpers.findings import validate_files
from helpers.outputs import check_document

from deckcheck.cards import load_database
from deckcheck.cli import main
from deckcheck.decks.codes import load_index

# `deckcheck convert`: inputs, outputs, exit codes.

DECK = """\
Name: Test
Format: gwent/standard
Faction: Northern Realms
Leader: Foltest, The Siegemaster

Units:
2 Ballista
Thaler
"""

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def deck(here: Path) -> Path:
    (here / "a.deck").write_text(DECK, encoding="utf-8")
    return here / "a.deck"


@pytest.mark.parametrize("output", ["a.deck", "link.deck"])
def test_the_deck_itself_is_replaced_by_force_alone(
    deck: Path, output: str, capsys: Captured
) -> None:
    deck.write_text(f"# my deck\n{DECK}", encoding="utf-8")
    deck.with_name("link.deck").symlink_to(deck)
    words = ("convert", "a.deck", "-o", output)

    assert stderr_of(capsys, *words) == (
        f"error: Writing `{output}` would replace the deck itself and lose 1 comment\n"
        "help: Choose another file or pass `--force`. `deckcheck fmt` keeps comments\n"
    )
    assert deck.read_text(encoding="utf-8") == f"# my deck\n{DECK}"
    said = stderr_of(capsys, *words, "--force", code=0)
    assert said == "note: text cannot hold 1 comment\n"
    assert deck.read_text(encoding="utf-8") == DECK


def test_the_page_names_the_cards_that_gwent_classic_lacks() -> None:
    db = load_database("gwent")
    numbers = load_index(db).numbers
    cards = [card.name for id, card in db.cards.items() if ("card", id) not in numbers]
    leaders = [
        leader.full_name
        for id, leader in db.leaders.items()
        if ("leader", id) not in numbers
    ]
    page = Path(__file__).parents[2] / "docs" / "how-to" / "deck-files.md"

    [line] = [
        line
        for line in page.read_text(encoding="utf-8").splitlines()
        if line.startswith("It does not have ")
    ]
    assert re.findall("`([^`]+)`", line) == cards + leaders


# `deckcheck fmt`: what it writes, what it leaves, exit codes.

NEAT = "Format: gwent/standard\n\nUnits:\n2 Ballista\nThaler\n"
ROUGH = "Format: gwent/standard\nthaler\n2x ballista\n"


@pytest.fixture
def folder(here: Path) -> Path:
    (here / "neat.deck").write_text(NEAT, encoding="utf-8")
    (here / "rough.deck").write_text(ROUGH, encoding="utf-8")
    (here / "other.json").write_text("{}", encoding="utf-8")
    return here


def test_line_ends_stay_where_all_are_alike(folder: Path, capsys: Captured) -> None:
    windows = NEAT.replace("\n", "\r\n").encode()
    (folder / "neat.deck").write_bytes(windows)

    assert main(["fmt", "--check", "neat.deck"]) == 0
    (folder / "neat.deck").write_bytes(windows.replace(b"Ballista", b"ballista"))
    assert main(["fmt", "neat.deck"]) == 0
    assert (folder / "neat.deck").read_bytes() == windows
    (folder / "neat.deck").write_bytes(windows.replace(b"\r\n", b"\n", 1))
    capsys.readouterr()
    assert main(["fmt", "--diff", "neat.deck"]) == 1
    out, notes = capsys.readouterr()
    assert out == ""
    assert "note: neat.deck: only line endings change\n" in notes
    assert main(["fmt", "neat.deck"]) == 0
    assert (folder / "neat.deck").read_bytes() == NEAT.encode()


# `deckcheck generate`.


def run(*arguments: str) -> int:
    return main(["generate", *arguments])


def test_files_are_written_one_for_each_deck(here: Path, capsys: Captured) -> None:
    words = ("deckmaster/standard", "--seed", "7", "-n", "12", "-o", "new/decks")
    said = "12 decks of deckmaster/standard written to new/decks\n"
    assert run(*words) == 0
    assert capsys.readouterr() == ("", said)

    files = sorted((here / "new" / "decks").iterdir())
    names = [file.name for file in files]
    assert names[::11] == ["random_7_0001.deck", "random_7_0012.deck"]
    assert validate_files(files).legal


def test_more_files_begin_with_the_same_ones(tmp_path: Path) -> None:
    for name, count in (("a", "3"), ("b", "12")):
        run("gwent/two_vs_two", "-n", count, "-o", str(tmp_path / name))
    few, many = (
        {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}
        for folder in (tmp_path / "a", tmp_path / "b")
    )

    assert sorted(few) == [f"random_1_000{n}.deck" for n in (1, 2, 3)]
    assert few.items() < many.items()


def test_a_single_one_is_printed_or_goes_to_a_file(
    here: Path, capsys: Captured
) -> None:
    assert run("gwen_t/pool", "--seed", "3") == 0
    head = "Name: Random 3-1\nFormat: gwen_t/pool\n"
    assert capsys.readouterr().out.startswith(head)

    assert run("gwent/standard", "-o", "new.deck") == 0
    assert validate_files(["new.deck"]).legal
    (here / "file").write_text("")
    for words, said in (
        (("-o", "file"), "Cannot write"),
        (("-n", "2", "-o", "b.deck"), "No folder given for 2 files"),
    ):
        assert said in stderr_of(capsys, "generate", "gwent/standard", *words)


def test_nothing_is_overwritten(tmp_path: Path, capsys: Captured) -> None:
    old = tmp_path / "random_1_0002.deck"
    old.write_text("mine")

    words = ("gwent/standard", "-n", "2", "-o", str(tmp_path))
    assert "already exists" in stderr_of(capsys, "generate", *words)
    assert [file.name for file in tmp_path.iterdir()] == [old.name]
    assert old.read_text() == "mine"


@pytest.mark.parametrize(
    ("format", "option", "values"),
    [
        ("deckmaster/standard", "arrow_model", ("by_number", "by_value")),
        ("gwen_t/pool", "sampling", ("uniform_kind", "weighted_card")),
    ],
)
def test_options_of_play_change_the_decks(
    format: str, option: str, values: tuple[str, ...], capsys: Captured
) -> None:
    texts = []
    for value in values:
        assert run(format, "--option", f"{option}={value}") == 0
        texts.append(capsys.readouterr().out)

    assert texts[0] != texts[1]


# `deckcheck stats` as it is typed.

STATS_DECK = "decks/gwent/standard/nr_siege_masters.deck"


def test_json_fits_its_schema(capsys: Captured) -> None:
    decks = ("decks/gwent/standard", "decks/deckmaster", "examples/broken/gwent")
    assert main(["stats", *decks, "--output-format", "json"]) == 1

    out, err = capsys.readouterr()
    document = json.loads(out)
    check_document("stats", document)
    assert len(document["decks"]) > 40
    # Some of the broken decks have no card that can be read.
    assert "holds no deck that could be read" in err
    assert "is illegal in" in err


def test_quiet_leaves_out_notes_and_an_own_result_is_no_deck(
    tmp_path: Path, capsys: Captured
) -> None:
    (tmp_path / "a.deck").write_text("Format: gwent/standard\n\n2 Catapult\n")
    result = ("--output-format", "json", "-o", str(tmp_path / "stats.json"))
    assert main(["stats", STATS_DECK, *result]) == 0

    folder = str(tmp_path)
    assert stderr_of(capsys, "stats", folder, code=0).count("note: ") == 2
    assert stderr_of(capsys, "stats", folder, "-q", code=0) == ""
    assert "1 deck checked" in stdout_of(capsys, "validate", folder, code=1)
