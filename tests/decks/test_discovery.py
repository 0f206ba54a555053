"""Which files are checked: named files, folders, globs, standard input."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckcheck.decks import LeftOut, find_deck_files, read_found
from deckcheck.decks.files import PathPatterns
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


def test_every_table_of_a_folder_is_taken(folder: Path) -> None:
    (folder / "sub" / "prices.csv").write_text("card number,price\n1,2\n")
    (folder / "sub" / "a.csv").write_bytes(b'\xef\xbb\xbf"Count";"Card"\n1;Ballista\n')
    (folder / "sub" / "empty.CSV").write_text("")
    (folder / "sub" / "f.code").write_text("DC1_AA")

    assert found("sub") == [
        "sub/a.csv",
        "sub/c.YAML",
        "sub/deeper/d.json",
        "sub/e.yml",
        "sub/empty.CSV",
        "sub/f.code",
        "sub/prices.csv",
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
        "sub/gone.deck",
        "sub/z.deck",
    ]
    [gone] = [each for each in find_deck_files(["sub"]) if each.path == "sub/gone.deck"]
    assert read_found(gone).finding is not None


def test_files_outside_the_working_folder_keep_their_path(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder / "sub")

    assert found(str(folder / "b.deck")) == [(folder / "b.deck").as_posix()]
    assert found("../b.deck") == ["../b.deck"]


@pytest.mark.parametrize(
    ("target", "message", "help"),
    [
        (
            "reference",
            "`reference` does not exist",
            "The reference field of a format goes with `--against reference`",
        ),
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


def left_out(*targets: str, exclude: str = "") -> LeftOut:
    counted = LeftOut()
    patterns = PathPatterns([exclude] if exclude else [])
    find_deck_files(targets, exclude=patterns, left_out=counted)
    return counted


def test_what_lies_beside_decks_is_counted_once_by_suffix(folder: Path) -> None:
    for name in ("a.JPG", "sub/b.jpg", "sub/deeper/x.zip", "README", "sub/.hidden"):
        (folder / name).write_text("x")

    counted = left_out(".", "sub", "sub", "a.JPG")

    assert dict(counted.others) == {".jpg": 2, ".zip": 1, "": 1, ".md": 1}
    assert str(counted) == "2 .jpg, 1 without suffix, 1 .md, 1 .zip"
    assert str(left_out("a.txt")) == ""
    assert not left_out("a.txt")


def test_what_patterns_leave_out_is_counted(folder: Path) -> None:
    (folder / "sub" / "x.zip").write_text("x")

    counted = left_out(".", "b.deck", exclude="sub")

    assert (counted.excluded, counted.others[".zip"]) == (3, 0)
    assert str(counted) == "1 .md, 3 excluded"


def test_many_kinds_are_summed_up(folder: Path) -> None:
    for number in range(14):
        (folder / f"x.{number}").write_text("x")

    assert str(left_out(".")) == (
        "1 .0, 1 .1, 1 .10, 1 .11, 1 .12, 1 .13, 1 .2, 1 .3, 1 .4, 1 .5, 1 .6, "
        "1 .7, 3 of other kinds"
    )


def test_a_folder_without_decks_says_what_it_holds(folder: Path) -> None:
    (folder / "empty").mkdir()
    (folder / "empty" / "lists.zip").write_text("x")

    with pytest.raises(UsageError, match=r"holds no deck, but 1 \.zip"):
        find_deck_files(["empty"])
