"""The commands about single decks: `convert`, `fmt`, `generate` and `stats`."""

import io
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


def test_there_and_back(deck: Path, capsys: Captured) -> None:
    assert main(["convert", "a.deck", "-o", "a.csv"]) == 0
    assert main(["convert", "a.csv", "--to", "yaml", "-o", "a.txt"]) == 0
    assert main(["convert", "a.txt", "--from", "yaml", "--to", "text"]) == 0

    assert capsys.readouterr().out == DECK


def test_a_share_code_is_an_argument(deck: Path, capsys: Captured) -> None:
    assert main(["convert", "a.deck", "--to", "code"]) == 0
    code, note = capsys.readouterr()
    assert note == "note: code cannot hold `Name`\n"

    assert main(["convert", code.strip(), "--to", "text"]) == 0
    assert capsys.readouterr().out == DECK.split("\n", 1)[1]


def test_what_cannot_be_read_is_a_finding(deck: Path, capsys: Captured) -> None:
    deck.write_text("2 Ballsta\n", encoding="utf-8")

    assert main(["convert", "a.deck", "--to", "json", "-o", "b.json"]) == 1
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors.splitlines() == [
        "a.deck:1:3: error[DC101] unknown-card: Unknown card `Ballsta`",
        "help: Did you mean `Ballista`?",
    ]
    assert not deck.with_name("b.json").exists()


def test_what_nobody_can_read_needs_no_game(deck: Path, capsys: Captured) -> None:
    code = stdout_of(capsys, "convert", "a.deck", "--to", "code").strip()

    assert main(["convert", code[:-1], "--to", "text"]) == 1
    assert "error[DP201] malformed-document: Share code" in capsys.readouterr().err

    deck.write_text(f"{code[:-1]}\n{code}\n", encoding="utf-8")
    assert main(["convert", "a.deck", "--to", "text"]) == 1
    assert capsys.readouterr().err.startswith("a.deck:1:")

    deck.write_bytes(b"")
    assert main(["convert", "a.deck", "--to", "code"]) == 1
    assert "error[DP108] empty-deck" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["a.deck"], "Nothing says how to write the deck"),
        (["a.deck", "--to", "pdf"], "`pdf`"),
        (["b.deck", "--to", "json"], "`b.deck` does not exist"),
        ([".", "--to", "json"], "`.` is a folder"),
        (["a.deck", "-o", "no/b.json"], "Cannot write `no/b.json`"),
        (["a.deck", "--to", "json", "--game", "chess"], "nknown game `chess`"),
    ],
)
def test_misuse(deck: Path, capsys: Captured, args: list[str], error: str) -> None:
    assert error in stderr_of(capsys, "convert", *args)


def test_comments_that_are_lost_are_told(deck: Path, capsys: Captured) -> None:
    deck.write_text(f"# my deck\n{DECK}Ves  # the best\n", encoding="utf-8")
    yaml = "# mine\nname: 'Deck # 2'\nformat: gwent/standard\ncards: {Ves: 1} # one\n"
    deck.with_name("a.yaml").write_text(yaml, encoding="utf-8")

    for name, way, lost in (
        ("a.deck", "yaml", "2 comments"),
        ("a.deck", "code", "`Name` and 2 comments"),
        ("a.yaml", "json", "2 comments"),
    ):
        said = stderr_of(capsys, "convert", name, "--to", way, code=0)
        assert said == f"note: {way} cannot hold {lost}\n"


@pytest.mark.parametrize("output", ["a.deck", "link.deck"])
def test_the_deck_itself_is_replaced_by_force_alone(
    deck: Path, output: str, capsys: Captured
) -> None:
    deck.write_text(f"# my deck\n{DECK}", encoding="utf-8")
    deck.with_name("link.deck").symlink_to(deck)
    words = ("convert", "a.deck", "-o", output)

    assert stderr_of(capsys, *words) == (
        f"error: Writing `{output}` would replace the deck itself and lose 1 comment\n"
        "help: Choose another file or pass `--force`; `deckcheck fmt` keeps comments\n"
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


def test_a_folder(folder: Path, capsys: Captured) -> None:
    assert main(["fmt", "."]) == 0
    assert (folder / "rough.deck").read_text(encoding="utf-8") == NEAT
    assert capsys.readouterr().err == (
        "2 files, 1 changed; left out as no text: 1 file\n"
    )

    assert main(["fmt", ".", "--check"]) == 0
    assert capsys.readouterr().err.startswith("2 files, 0 would change;")


def test_check_and_diff_write_nothing(folder: Path, capsys: Captured) -> None:
    assert stdout_of(capsys, "fmt", "--check", ".", code=1) == (
        "would change rough.deck\n"
    )
    out = stdout_of(capsys, "fmt", "--diff", ".", code=1)
    assert "-2x ballista\n" in out
    assert "+2 Ballista\n" in out
    assert (folder / "rough.deck").read_text(encoding="utf-8") == ROUGH


def test_a_diff_has_three_lines_around_a_change(folder: Path, capsys: Captured) -> None:
    notes = [f"# note {letter}" for letter in "abcdefghi"]
    text = "\n".join([NEAT, *notes]).replace("note e", "note e ")
    (folder / "neat.deck").write_text(f"{text}\n", encoding="utf-8")
    out = stdout_of(capsys, "fmt", "--diff", "neat.deck", code=1)

    around = [f" # note {letter}" for letter in "bcdfgh"]
    changed = ["-# note e ", "+# note e"]
    place, *lines = out.splitlines()[2:]
    assert place.startswith("@@ ")
    assert lines == [*around[:3], *changed, *around[3:]]


def test_line_ends_are_part_of_the_form(folder: Path, capsys: Captured) -> None:
    (folder / "neat.deck").write_bytes(NEAT.replace("\n", "\r\n").encode())

    assert main(["fmt", "--diff", "neat.deck"]) == 1
    out, notes = capsys.readouterr()
    assert out == ""
    assert "note: neat.deck: only line endings change\n" in notes
    assert main(["fmt", "neat.deck"]) == 0
    assert (folder / "neat.deck").read_bytes() == NEAT.encode()


def test_a_share_code_in_a_folder_is_left_out_and_counted(
    folder: Path, capsys: Captured
) -> None:
    code = stdout_of(capsys, "convert", "neat.deck", "--to", "code")
    (folder / "code.deck").write_text(code, encoding="utf-8")

    said = stderr_of(capsys, "fmt", ".", "--check", code=1)
    assert said == "2 files, 1 would change; left out as no text: 2 files\n"
    assert "`code.deck` is not a text deck" in stderr_of(capsys, "fmt", "code.deck")


def test_a_deck_of_no_game_is_named(folder: Path, capsys: Captured) -> None:
    deck = folder / "rough.deck"
    deck.write_text("Name: Nothing yet\n", encoding="utf-8")
    said = stderr_of(capsys, "fmt", "rough.deck")
    assert "`rough.deck` does not say which game it is for" in said
    # A leader tells it.
    deck.write_text("leader: foltest, the siegemaster\n", encoding="utf-8")
    assert main(["fmt", "rough.deck"]) == 0
    assert deck.read_text(encoding="utf-8") == "Leader: Foltest, The Siegemaster\n"


def test_a_broken_deck_is_left_as_it_is(folder: Path, capsys: Captured) -> None:
    text = "Format: gwent/standard\n2 ballsta\nthaler\n"
    (folder / "broken.deck").write_text(text, encoding="utf-8")
    (folder / "picture.deck").write_bytes(b"\x89PNG\r\n\x1a\n")

    errors = stderr_of(capsys, "fmt", ".", code=1)
    assert (folder / "broken.deck").read_text(encoding="utf-8") == text
    assert "broken.deck:2:3: error[DC101] unknown-card" in errors
    assert "4 files, 1 changed, 2 cannot be read" in errors


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(ROUGH.encode())))

    assert stdout_of(capsys, "fmt", "-") == NEAT


@pytest.mark.parametrize("args", [[], ["none.deck"], ["other.json"]])
def test_misuse_of_fmt(folder: Path, args: list[str]) -> None:
    assert main(["fmt", *args]) == 2


def test_a_share_code_is_no_text_whatever_its_suffix(
    folder: Path, capsys: Captured
) -> None:
    code = stdout_of(capsys, "convert", "neat.deck", "--to", "code")
    (folder / "code.txt").write_text(code)

    assert stderr_of(capsys, "fmt", "code.txt").startswith(
        "error: `code.txt` is not a text deck\nhelp: Convert it with"
    )
    assert (folder / "code.txt").read_text() == code


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("gwent/standrd", "Unknown format `gwent/standrd`"),
        ("gwent/standard -n 0", "`-n`: 0, from 1 to 100000 allowed"),
        ("gwent/standard -n 2", "No folder given for 2 files"),
        ("gwent/standard --option gms=1", "Unknown option of play `gms=1`"),
        ("gwent/standard --option gems", "Option `gems` has no value"),
        ("gwent/standard --option gems=9", "`gems` cannot be `9`"),
        ("gwent/standard --option gems=1", "do not depend on `gems`"),
        ("gwent/standard --rule max", "a number is missing"),
    ],
)
def test_misuse_is_explained(arguments: str, message: str, capsys: Captured) -> None:
    assert message in stderr_of(capsys, "generate", *arguments.split())


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


def test_a_line_for_each_group(capsys: Captured) -> None:
    words = ("stats", STATS_DECK, "--group", "spy", "--group", "Decoy, Scorch")

    lines = stdout_of(capsys, *words).splitlines()
    assert [line.split("  ")[0] for line in lines[-2:]] == ["spy", "Decoy, Scorch"]


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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "No decks given"),
        ([STATS_DECK, "--group", "Catapullt"], "Did you mean `Catapult`?"),
        ([STATS_DECK, "--at-least", "0"], "0, from 1 allowed"),
        (["nowhere.deck"], "nowhere.deck"),
    ],
)
def test_misuse_of_stats(arguments: list[str], message: str, capsys: Captured) -> None:
    assert message in stderr_of(capsys, "stats", *arguments)
