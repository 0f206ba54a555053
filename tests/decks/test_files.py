"""Which files are decks, and how their bytes become text."""

import codecs
import io
import subprocess
from pathlib import Path, PurePath

import pytest
from helpers.decks import read_decks

from deckcheck.decks import (
    LeftOut,
    decode_deck,
    find_deck_files,
    read_deck,
    read_deck_file,
    read_found,
)
from deckcheck.decks.decoding import MAX_BYTES, MAX_LINES
from deckcheck.files import PathPatterns
from deckcheck.findings import Position, UsageError

# Deck files: encodings, sizes, and what is no text at all.

TEXT = "Name: Eithn\u00e9\n3 Ballista\n"


def rule_of(data: bytes) -> str | None:
    finding = decode_deck(data, "a.deck").finding
    return finding.name if finding else None


def test_a_byte_order_mark_tells_the_encoding() -> None:
    for mark, encoding in (
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ):
        source = decode_deck(mark + TEXT.encode(encoding), "a.deck")
        assert (source.finding, source.text) == (None, TEXT), mark


def test_what_is_no_text_is_called_by_its_looks() -> None:
    utf_16 = "UTF-16 text without a byte order mark"
    for data, looks in {
        b"\x89PNG\r\n\x1a\n\0\0": "a PNG image",
        b"%PDF-1.7\n\xe2\xe3\xcf\xd3\0": "a PDF document",
        b"PK\x03\x04\x14\0\0": "a ZIP archive",
        TEXT.encode("utf-16-le"): utf_16,
        TEXT.encode("utf-16-be"): utf_16,
        codecs.BOM_UTF16_LE + b"a\0\0\xd8b\0": "damaged UTF-16 text",
        bytes(range(256)) * 4: "binary data",
        b"3 Ballista\0": "binary data",
    }.items():
        finding = decode_deck(data, "a.deck").finding
        assert finding is not None, looks
        assert finding.name == "binary-file", looks
        assert f"looks like {looks}" in finding.message
        assert finding.help, looks


def test_another_encoding_is_reported_at_its_first_character() -> None:
    source = decode_deck("\u00e4\r\nName: X\nEithn\u00e9".encode("cp1252"), "a.deck")
    finding = source.finding

    assert finding is not None
    assert finding.name == "undecodable-file"
    assert finding.span.start == Position(1, 1)

    finding = decode_deck("A\u00df\r\nName: Eithn".encode() + b"\xe9", "a").finding

    assert finding is not None
    assert finding.span.start == Position(2, 12)
    assert finding.notes == ("In Windows-1252 it would be `\u00e9`",)


def test_size_limits_are_inclusive() -> None:
    line = b"x" * 99 + b"\n"
    whole = line * (MAX_BYTES // 100)
    whole += b"x" * (MAX_BYTES - len(whole))

    assert rule_of(whole) == "oversized-file"
    assert rule_of(whole.replace(b"\n", b" ")) is None
    assert rule_of(whole.replace(b"\n", b" ") + b"x") == "oversized-file"
    assert rule_of(b"\n" * (MAX_LINES - 1)) is None
    assert rule_of(b"\r\n" * MAX_LINES) == "oversized-file"


def test_an_output_of_ours_is_one_however_large_it_is() -> None:
    head = '{"schema_version": 1, "tool": {"name": "deckcheck"'
    for rest in ("\n" * MAX_LINES, " " * MAX_BYTES):
        finding = decode_deck((head + rest).encode(), "a.json").finding
        assert finding is not None, rest[0]
        assert finding.message == "Cannot be read as a deck: an output of deckcheck"
        assert finding.help == "Name a deck, or leave the file out with `--exclude`"


def test_of_a_huge_file_only_the_start_is_read(tmp_path: Path) -> None:
    file = tmp_path / "huge.deck"
    with file.open("wb") as stream:
        stream.truncate(50 * 2**20)
    finding = read_deck_file(file, "huge.deck").finding
    assert finding is not None
    assert finding.message == "File has 52,428,800 bytes, 1,048,576 allowed"

    with subprocess.Popen(["cat", "/dev/zero"], stdout=subprocess.PIPE) as endless:
        assert endless.stdout is not None
        pipe = Path(f"/dev/fd/{endless.stdout.fileno()}")
        finding = read_deck_file(pipe, "zero.deck").finding
        endless.kill()
    assert finding is not None
    assert "more than 1,048,576 bytes" in finding.message


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(TEXT.encode()))
    monkeypatch.setattr("sys.stdin", stdin)

    assert read_deck_file(None, "<stdin>").text == TEXT


def test_a_file_that_the_system_keeps_from_us_is_misuse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(file: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("deckcheck.decks.decoding.open_file", refuse)

    with pytest.raises(UsageError, match=r"Cannot read `a\.deck`: permission denied"):
        read_deck_file(tmp_path / "a.deck", "a.deck")
    monkeypatch.undo()
    with pytest.raises(UsageError, match="a folder, not a file"):
        read_decks(tmp_path)


def test_read_decks_takes_the_syntax_from_the_suffix(here: Path) -> None:
    Path("a.YAML").write_text("cards: {Ballista: 2}\n")
    Path("a.list").write_text("2 Ballista\n")

    for name in ("a.YAML", "a.list"):
        [raw] = read_decks(name)
        deck = read_deck(raw, None)
        assert [(e.count, e.name) for e in deck.entries] == [(2, "Ballista")], name
        assert deck.source.path == name


# Which files are checked: named files, folders, globs, standard input.


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with decks and other files."""
    for name in (
        *("b.deck", "a.txt", "notes.md", ".hidden.deck", ".git/config.yaml"),
        *("sub/c.YAML", "sub/deeper/d.json", "sub/e.yml"),
    ):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(*targets: str) -> list[str]:
    return [file.path for file in find_deck_files(targets)]


def test_every_table_of_a_folder_is_taken(folder: Path) -> None:
    (folder / "sub" / "prices.csv").write_text("card number,price\n1,2\n")
    (folder / "sub" / "a.csv").write_bytes(b'\xef\xbb\xbf"Count";"Card"\n1;Ballista\n')
    (folder / "sub" / "empty.CSV").write_text("")
    (folder / "sub" / "f.code").write_text("DC1_AA")

    assert found("sub") == [
        *("sub/a.csv", "sub/c.YAML", "sub/deeper/d.json", "sub/e.yml"),
        *("sub/empty.CSV", "sub/f.code", "sub/prices.csv"),
    ]
    assert found("sub/prices.csv") == ["sub/prices.csv"]


def test_share_codes_stand_for_themselves(folder: Path) -> None:
    files = find_deck_files(["DC1_AA", "b.deck", "DC1_AB", "DC1_AA"])

    assert [(file.path, file.text) for file in files] == [
        ("DC1_AA", "DC1_AA"),
        ("b.deck", None),
        ("DC1_AB", "DC1_AB"),
    ]


def test_names_of_share_codes_and_of_files_like_them(folder: Path) -> None:
    files = find_deck_files(["DC1_Dmd3ZW50S7JOg", "DC1_Dmd3ZW50GeiDT9"])
    assert [file.path for file in files] == ["DC1_…0S7JOg", "DC1_…GeiDT9"]
    (folder / "DC1_AA").write_text("")
    assert find_deck_files(["DC1_AA"])[0].text is None
    (folder / "[1].deck").write_text("")
    assert found("[1].deck") == ["[1].deck"]
    [file] = find_deck_files(["-"], "x.yaml")
    assert (file.file, file.path) == (None, "x.yaml")


SUB = ["sub/c.YAML", "sub/deeper/d.json", "sub/e.yml"]


def test_what_is_taken(folder: Path) -> None:
    for targets, taken in {
        ".": ["a.txt", "b.deck", *SUB],
        # A named file is taken whatever its suffix.
        "notes.md .hidden.deck": ["notes.md", ".hidden.deck"],
        # Each file is taken once, in the order asked for.
        "sub sub/../b.deck b.deck sub/c.YAML": [*SUB, "b.deck"],
        "*.deck": ["b.deck"],
        "**/*.[jy]*": SUB[1:],
        "s*": SUB,
        "- -": ["<stdin>"],
    }.items():
        assert found(*targets.split()) == taken, targets


def test_links_in_a_circle_end(folder: Path) -> None:
    (folder / "sub" / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "sub" / "z.deck").symlink_to(folder / "b.deck")
    (folder / "sub" / "gone.deck").symlink_to(folder / "nowhere")

    assert found("sub") == [
        *("sub/c.YAML", "sub/deeper/d.json", "sub/e.yml", "sub/gone.deck", "sub/loop"),
        "sub/z.deck",
    ]
    unread = [each for each in find_deck_files(["sub"]) if read_found(each).finding]
    assert [each.path for each in unread] == ["sub/gone.deck", "sub/loop", "sub/z.deck"]


def test_files_outside_the_working_folder_keep_their_path(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder / "sub")

    assert found(str(folder / "b.deck")) == [(folder / "b.deck").as_posix()]
    assert found("../b.deck") == ["../b.deck"]


def test_what_gives_no_file_is_misuse(folder: Path) -> None:
    for target, message, help in (
        (
            *("reference", "`reference` does not exist"),
            "The reference field of a format goes with `--against reference`",
        ),
        ("nowhere", "`nowhere` does not exist", "Check the path"),
        ("b.dek", "`b.dek` does not exist", "Did you mean `b.deck`?"),
        ("sub/x/y.deck", "`sub/x/y.deck` does not exist", "Check the path"),
        ("*.toml", "Nothing matches `*.toml`", "Check the pattern"),
        ("a\0b", "`a\\x00b` does not exist", "Check the path"),
    ):
        with pytest.raises(UsageError) as caught:
            find_deck_files([target])
        assert (caught.value.message, caught.value.help) == (message, help)
    (folder / "empty").mkdir()
    with pytest.raises(UsageError, match="Folder `empty` holds no deck"):
        find_deck_files(["empty"])
    (folder / "empty" / "lists.zip").write_text("x")
    with pytest.raises(UsageError, match=r"holds no deck, but 1 \.zip"):
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
    assert not left_out("a.txt")
    excluded = left_out(".", "b.deck", exclude="sub")
    assert (excluded.excluded, excluded.others[".zip"]) == (3, 0)
    # Many kinds are summed up.
    for number in range(14):
        (folder / f"x.{number}").write_text("x")
    shown = str(left_out("."))
    assert shown.endswith("1 .4, 1 .5, 6 of other kinds"), shown


def test_a_named_file_is_taken_wherever_its_folder_is_named(folder: Path) -> None:
    """By what it is named, and neither excluded nor passed over with its folder."""
    (folder / "sub" / "x.csv").write_text("name,points\nGeralt,3\n")
    for targets in ((".", "sub/x.csv"), ("sub/x.csv", ".")):
        for exclude in ([], ["sub"]):
            files = find_deck_files(targets, exclude=PathPatterns(exclude))
            assert [f.path for f in files].count("sub/x.csv") == 1, (targets, exclude)


# Patterns of paths: names at any depth, paths from a folder on.


MATCHED = {
    "drafts": "drafts/a.deck|x/drafts/y/a.deck",
    "drafts/": "x/drafts/a.deck",
    "*.txt": "x/a.txt",
    "league/*.deck": "league/a.deck",
    "./league/**": "league/x/a.deck",
    "league/**/a.deck": "league/a.deck|league/x/y/a.deck",
    "**/old/a?.deck": "x/old/a1.deck",
    "a[0-9].deck": "a1.deck",
    "a[!0-9].deck": "ab.deck",
    "a[.deck": "a[.deck",
    "a*b*b.deck": "axbxb.deck",
    "a*[0-9]?.deck": "a-x1y.deck",
    "*a*": "xax/b.deck",
    "x/**/a/**/a/b.deck": "x/a/a/a/b.deck",
    "x/**/*a/b*": "x/a/c/ca/bb.deck",
    "x/**/**/b.deck": "x/b.deck",
    "a**b": "a-b",
    "/top/*": "a.deck",
}
NOT_MATCHED = {
    "drafts": "my-drafts/a.deck",
    "top": "a.deck",
    "*.txt": "x/a.txt.deck",
    "league/*.deck": "league/x/a.deck|x/league/a.deck",
    "**/old/a?.deck": "x/old/a/.deck",
    "a[!0-9].deck": "a1.deck",
    "a.deck": "abdeck",
    "a*b*b.deck": "axb.deck",
    "x/**/a/**/a/b.deck": "x/a/b.deck",
    "league/**": "league",
    "a**b": "a/b",
}


def test_matching() -> None:
    for tried, expected in ((MATCHED, 0), (NOT_MATCHED, None)):
        for pattern, paths in tried.items():
            patterns = PathPatterns([pattern], "/top")
            for path in paths.split("|"):
                assert patterns.match(f"/top/{path}") == expected, (pattern, path)
    assert PathPatterns(["/elsewhere/*"], "/top").match("/elsewhere/a.deck") == 0


def test_patterns_are_idle_until_they_match() -> None:
    patterns = PathPatterns(["x", "a*", "*.deck", "!a.deck", "a[1].deck"], "/top")
    assert patterns.match("/top/b.deck") == 2
    assert patterns.idle == ["x", "a*", "!a.deck", "a[1].deck"]
    assert patterns.match("/top/x/a.deck") == 0
    assert patterns.idle == ["!a.deck", "a[1].deck"]
    # The first of several patterns is told.
    assert PathPatterns(["x", "a*", "*.deck"], "/top").match("/top/a.deck") == 1
    # Signs in the name of the folder mean themselves.
    patterns = PathPatterns(["a.deck", "x/b.deck"], "/top[1]*")
    assert patterns.match("/top[1]*/a.deck") == 0
    assert patterns.match("/top[1]*/x/b.deck") == 1
    assert patterns.match("/top1x/a.deck") is None


def test_an_impossible_pattern_is_misuse() -> None:
    with pytest.raises(UsageError, match="is not a valid path pattern"):
        PathPatterns(["a[z-a]"], "/top")
    PathPatterns(["a" * 4096], "/top")
    with pytest.raises(UsageError, match="is too long") as info:
        PathPatterns(["a" * 4097], "/top")
    assert info.value.help == "A pattern has at most 4096 characters"


def test_patterns_of_many_stars_end() -> None:
    for pattern, path in (
        ("*a" * 40 + "b", "a" * 4_000),
        ("a/" + "**/a/" * 40 + "b", "a/" * 2_000),
        ("**/" + "*a*/" * 20 + "b", "aaaa/" * 500),
    ):
        patterns = PathPatterns([pattern], "/top")
        assert patterns.match(f"/top/{path}") is None, pattern


def test_links_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    """A pull request with such a link would make CI print any file."""
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key.txt").write_text("hush\n")
    folder = tmp_path / "lists"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.deck").write_text("2 Ballista\n")
    (folder / "sub" / "b.deck").symlink_to(secret / "key.txt")
    (folder / "c").symlink_to(secret)
    (folder / "sub" / "d.deck").symlink_to(folder / "a.deck")
    found = find_deck_files([str(folder)])

    faults = {PurePath(each.path).name: each.fault for each in found}
    out = "is a link out of the folder"
    assert faults == {"a.deck": None, "b.deck": out, "c": out, "d.deck": None}
    texts = [read_found(each) for each in found]
    assert not any("hush" in text.text for text in texts)
    messages = [text.finding.message for text in texts if text.finding is not None]
    assert messages == [f"Cannot be read as a deck: it {out}"] * 2
    # What is named itself is read.
    [named] = find_deck_files([str(folder / "sub" / "b.deck")])
    assert named.fault is None
