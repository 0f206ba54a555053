"""Deck files: encodings, sizes, and what is no text at all."""

from __future__ import annotations

import codecs
import io
import subprocess
from pathlib import Path

import pytest

from deckcheck.decks import decode_deck, read_deck_file, read_decks
from deckcheck.decks.files import MAX_BYTES, MAX_LINES
from deckcheck.findings import Position, UsageError

TEXT = "Name: Eithn\u00e9\n3 Ballista\n"


def rule_of(data: bytes) -> str | None:
    finding = decode_deck(data, "a.deck").finding
    return finding.name if finding else None


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"),
        codecs.BOM_UTF32_BE + TEXT.encode("utf-32-be"),
    ],
)
def test_a_byte_order_mark_tells_the_encoding(data: bytes) -> None:
    source = decode_deck(data, "a.deck")

    assert source.finding is None
    assert source.text == TEXT


@pytest.mark.parametrize(
    ("data", "looks"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0", "a PNG image"),
        (b"%PDF-1.7\n\xe2\xe3\xcf\xd3\0", "a PDF document"),
        (b"PK\x03\x04\x14\0\0", "a ZIP archive"),
        (TEXT.encode("utf-16-le"), "UTF-16 text without a byte order mark"),
        (TEXT.encode("utf-16-be"), "UTF-16 text without a byte order mark"),
        (codecs.BOM_UTF16_LE + b"a\0\0\xd8b\0", "damaged UTF-16 text"),
        (bytes(range(256)) * 4, "binary data"),
        (b"3 Ballista\0", "binary data"),
    ],
)
def test_what_is_no_text_is_called_by_its_looks(data: bytes, looks: str) -> None:
    finding = decode_deck(data, "a.deck").finding

    assert finding is not None
    assert finding.name == "binary-file"
    assert f"looks like {looks}" in finding.message
    assert finding.help


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


def test_of_a_huge_file_only_the_start_is_read(tmp_path: Path) -> None:
    file = tmp_path / "huge.deck"
    with file.open("wb") as stream:
        stream.truncate(50 * 2**20)

    source = read_deck_file(file, "huge.deck")

    assert source.finding is not None
    assert source.finding.message == "File has 52,428,800 bytes, 1,048,576 allowed"


def test_an_endless_pipe_is_oversized() -> None:
    with subprocess.Popen(["cat", "/dev/zero"], stdout=subprocess.PIPE) as endless:
        assert endless.stdout is not None
        pipe = Path(f"/dev/fd/{endless.stdout.fileno()}")
        source = read_deck_file(pipe, "zero.deck")
        endless.kill()

    assert source.finding is not None
    assert "more than 1,048,576 bytes" in source.finding.message


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    stdin = io.TextIOWrapper(io.BytesIO(TEXT.encode()))
    monkeypatch.setattr("sys.stdin", stdin)

    assert read_deck_file(None, "<stdin>").text == TEXT


def test_a_file_that_the_system_keeps_from_us_is_misuse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(file: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("deckcheck.decks.files.open_file", refuse)

    with pytest.raises(UsageError, match=r"Cannot read `a\.deck`: permission denied"):
        read_deck_file(tmp_path / "a.deck", "a.deck")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a folder, not a file"):
        read_decks(tmp_path)


def test_read_decks_takes_the_syntax_from_the_suffix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.YAML").write_text("cards: {Ballista: 2}\n")
    Path("a.list").write_text("2 Ballista\n")

    for name in ("a.YAML", "a.list"):
        [deck] = read_decks(name)
        assert [(e.count, e.name) for e in deck.entries] == [(2, "Ballista")]
        assert deck.source.path == name
