"""Which files are checked: named files, folders, globs, standard input."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckcheck.decks import find_deck_files
from deckcheck.findings import UsageError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with decks and other files."""
    for name in (
        "b.deck",
        "a.txt",
        "notes.md",
        ".hidden.deck",
        ".git/config.yaml",
        "sub/c.YAML",
        "sub/deeper/d.json",
        "sub/e.yml",
    ):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(*targets: str) -> list[str]:
    return [file.path for file in find_deck_files(targets)]


def test_folders_are_searched_to_any_depth_in_order(folder: Path) -> None:
    expected = ["a.txt", "b.deck", "sub/c.YAML", "sub/deeper/d.json", "sub/e.yml"]

    assert found(".") == expected
    assert found(str(folder)) == expected


def test_tables_of_a_folder_are_taken_when_they_have_cards(folder: Path) -> None:
    (folder / "sub" / "prices.csv").write_text("card number,price\n1,2\n")
    (folder / "sub" / "a.csv").write_bytes(b'\xef\xbb\xbf"Count";"Card"\n1;Ballista\n')
    (folder / "sub" / "empty.CSV").write_text("")
    (folder / "sub" / "f.code").write_text("DC1_AA")

    assert found("sub") == [
        "sub/a.csv",
        "sub/c.YAML",
        "sub/deeper/d.json",
        "sub/e.yml",
        "sub/f.code",
    ]
    assert found("sub/prices.csv") == ["sub/prices.csv"]


def test_share_codes_stand_for_themselves(folder: Path) -> None:
    files = find_deck_files(["DC1_AA", "b.deck", "DC1_AB", "DC1_AA"])

    assert [(file.path, file.text) for file in files] == [
        ("DC1_AA", "DC1_AA"),
        ("b.deck", None),
        ("DC1_AB", "DC1_AB"),
    ]


def test_long_share_codes_are_shown_by_their_ends(folder: Path) -> None:
    files = find_deck_files(["DC1_Dmd3ZW50S7JOg", "DC1_Dmd3ZW50GeiDT9"])

    assert [file.path for file in files] == ["DC1_…0S7JOg", "DC1_…GeiDT9"]


def test_a_file_that_is_called_like_a_code(folder: Path) -> None:
    (folder / "DC1_AA").write_text("")

    assert find_deck_files(["DC1_AA"])[0].text is None


def test_a_named_file_is_taken_whatever_its_suffix(folder: Path) -> None:
    assert found("notes.md", ".hidden.deck") == ["notes.md", ".hidden.deck"]


def test_each_file_is_taken_once_in_the_order_asked_for(folder: Path) -> None:
    assert found("sub", "sub/../b.deck", "b.deck", "sub/c.YAML") == [
        "sub/c.YAML",
        "sub/deeper/d.json",
        "sub/e.yml",
        "b.deck",
    ]


def test_globs(folder: Path) -> None:
    assert found("*.deck") == ["b.deck"]
    assert found("**/*.y*ml") == ["sub/e.yml"]
    assert found("s*") == ["sub/c.YAML", "sub/deeper/d.json", "sub/e.yml"]


def test_a_file_that_looks_like_a_glob(folder: Path) -> None:
    (folder / "[1].deck").write_text("")

    assert found("[1].deck") == ["[1].deck"]


def test_standard_input_has_a_name(folder: Path) -> None:
    [file] = find_deck_files(["-"], "x.yaml")

    assert (file.file, file.path) == (None, "x.yaml")
    assert found("-", "-") == ["<stdin>"]


def test_links_in_a_circle_end(folder: Path) -> None:
    (folder / "sub" / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "sub" / "z.deck").symlink_to(folder / "b.deck")
    (folder / "sub" / "gone.deck").symlink_to(folder / "nowhere")

    assert found("sub") == [
        "sub/c.YAML",
        "sub/deeper/d.json",
        "sub/e.yml",
        "sub/z.deck",
    ]


def test_files_outside_the_working_folder_keep_their_path(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder / "sub")

    assert found(str(folder / "b.deck")) == [(folder / "b.deck").as_posix()]
    assert found("../b.deck") == ["../b.deck"]


@pytest.mark.parametrize(
    ("target", "message", "help"),
    [
        ("nowhere", "`nowhere` does not exist", "Check the path"),
        ("b.dek", "`b.dek` does not exist", "Did you mean `b.deck`?"),
        ("sub/x/y.deck", "`sub/x/y.deck` does not exist", "Check the path"),
        ("*.toml", "Nothing matches `*.toml`", "Check the pattern"),
        ("a\0b", "`a\\x00b` does not exist", "Check the path"),
    ],
)
def test_what_gives_no_file_is_misuse(
    folder: Path, target: str, message: str, help: str
) -> None:
    with pytest.raises(UsageError) as caught:
        find_deck_files([target])

    assert caught.value.message == message
    assert caught.value.help == help


def test_a_folder_without_decks_is_misuse(folder: Path) -> None:
    (folder / "empty").mkdir()

    with pytest.raises(UsageError, match="Folder `empty` holds no deck"):
        find_deck_files(["empty"])


def test_a_folder_that_the_system_keeps_from_us_is_misuse(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(place: str) -> None:
        raise PermissionError(13, "Permission denied", "sub")

    monkeypatch.setattr("os.scandir", refuse)

    with pytest.raises(UsageError, match="Cannot read `sub`: permission denied"):
        find_deck_files(["sub"])
