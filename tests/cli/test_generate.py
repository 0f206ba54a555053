"""`deckcheck generate`."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckcheck.cli import main
from deckcheck.validation import validate_files

Captured = pytest.CaptureFixture[str]


def run(*arguments: str) -> int:
    return main(["generate", *arguments])


def test_files_are_written_one_for_each_deck(tmp_path: Path, capsys: Captured) -> None:
    folder = tmp_path / "new" / "decks"

    assert run("deckmaster/standard", "--seed", "7", "-n", "12", "-o", str(folder)) == 0

    files = sorted(folder.iterdir())

    assert [file.name for file in files][::11] == [
        "random_7_0001.deck",
        "random_7_0012.deck",
    ]
    assert validate_files(files).legal
    assert capsys.readouterr() == (
        "",
        f"12 decks of deckmaster/standard written to {folder}\n",
    )


def test_a_single_file_is_printed(capsys: Captured) -> None:
    assert run("gwen_t/pool", "--seed", "3") == 0

    out = capsys.readouterr().out

    assert out.startswith("Name: Random 3-1\nFormat: gwen_t/pool\n")


def test_more_files_begin_with_the_same_ones(tmp_path: Path) -> None:
    for name, count in (("a", "3"), ("b", "12")):
        run("gwent/two_vs_two", "-n", count, "-o", str(tmp_path / name))
    few, many = (
        {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}
        for folder in (tmp_path / "a", tmp_path / "b")
    )

    assert sorted(few) == [f"random_1_000{n}.deck" for n in (1, 2, 3)]
    assert few.items() < many.items()


def test_a_single_one_goes_to_a_file(tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "new.deck"

    assert run("gwent/standard", "-o", str(file)) == 0
    assert validate_files([file]).legal

    assert run("gwent/standard", "-n", "2", "-o", str(tmp_path / "b.deck")) == 2
    assert "No folder given for 2 files" in capsys.readouterr().err


def test_nothing_is_overwritten(tmp_path: Path, capsys: Captured) -> None:
    old = tmp_path / "random_1_0002.deck"
    old.write_text("mine")

    assert run("gwent/standard", "-n", "2", "-o", str(tmp_path)) == 2

    assert "already exists" in capsys.readouterr().err
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
        (["gwent/standrd"], "Unknown format `gwent/standrd`"),
        (["gwent/standard", "-n", "0"], "`-n`: 0, from 1 to 100000 allowed"),
        (["gwent/standard", "-n", "2"], "No folder given for 2 files"),
        (["gwent/standard", "--option", "gms=1"], "Unknown option of play `gms=1`"),
        (["gwent/standard", "--option", "gems"], "Option `gems` has no value"),
        (["gwent/standard", "--option", "gems=9"], "`gems` cannot be `9`"),
        (["gwent/standard", "--option", "gems=1"], "do not depend on `gems`"),
        (["gwent/standard", "--rule", "max heroes"], "expected a whole number"),
    ],
)
def test_misuse_is_explained(
    arguments: list[str], message: str, capsys: Captured
) -> None:
    assert run(*arguments) == 2

    assert message in capsys.readouterr().err


def test_a_file_in_place_of_the_folder_is_misuse(
    tmp_path: Path, capsys: Captured
) -> None:
    file = tmp_path / "file"
    file.write_text("")

    assert run("gwent/standard", "-o", str(file)) == 2

    assert "Cannot write" in capsys.readouterr().err
