"""Documents of a run: what is damaged is refused, with what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deckcheck.findings import UsageError
from deckcheck.sim.run_files import read_document, with_crc, without_crc, write_document

CONTENT = {"experiments": ["a", "b"], "check": "Zażółć.toml"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_document(tmp_path / "plan.json", CONTENT)
    return tmp_path / "plan.json"


def test_what_is_written_is_read(file: Path) -> None:
    assert read_document(file) == CONTENT
    assert [each.name for each in file.parent.iterdir()] == ["plan.json"]
    assert json.loads(file.read_bytes())["check"] == CONTENT["check"]


def test_every_flipped_bit_is_noticed(file: Path) -> None:
    whole = file.read_bytes()
    for at in range(len(whole)):
        for bit in range(8):
            file.write_bytes(
                whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :]
            )
            with pytest.raises(UsageError, match=r"plan\.json` is damaged: its CRC is"):
                read_document(file)


@pytest.mark.parametrize("kept", [0, 1, 10, -1])
def test_a_torn_document_is_damaged(file: Path, kept: int) -> None:
    file.write_bytes(file.read_bytes()[:kept])

    with pytest.raises(UsageError, match="is damaged") as caught:
        read_document(file)
    assert caught.value.help is not None
    assert "Restore it from a copy" in caught.value.help


@pytest.mark.parametrize("text", [b"[" * 100_000, b'{"a":' * 100_000, b"[]", b"3"])
def test_what_is_none_is_damaged(file: Path, text: bytes) -> None:
    for content in (text, with_crc(text + b"}\n")):
        file.write_bytes(content)
        with pytest.raises(UsageError, match="is damaged"):
            read_document(file)


def test_one_of_before_there_were_checksums_is_named(file: Path) -> None:
    file.write_text(json.dumps({"schema_version": 1, **CONTENT}))

    with pytest.raises(UsageError, match="is of an earlier deckcheck"):
        read_document(file)


def test_one_of_a_later_deckcheck_is_refused(file: Path) -> None:
    later = json.dumps({"schema_version": 3, **CONTENT}, indent=2) + "\n"
    file.write_bytes(with_crc(later.encode()))

    with pytest.raises(UsageError, match="is damaged"):
        read_document(file)


@pytest.mark.parametrize("text", [b'{"a":1}\n', b'{\n  "a": 1\n}\n'])
def test_a_crc_is_the_last_key(text: bytes) -> None:
    whole = with_crc(text)

    assert list(json.loads(whole)) == ["a", "crc"]
    assert json.loads(without_crc(whole)) == {"a": 1}
