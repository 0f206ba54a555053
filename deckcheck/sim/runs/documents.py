"""The files of a run that are one JSON document each, with a CRC: `run.json` for one.

They are written whole or not at all, so that they outlive a power cut.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

from deckcheck.findings import UsageError
from deckcheck.findings.files import LONGEST_PATH, open_file, unusable
from deckcheck.findings.json_text import json_text
from deckcheck.findings.words import quote

SCHEMA_VERSION = 2
"""That of the first documents with a CRC."""

MAX_BYTES = 2**28
RESTORE = "Restore it from a copy; without one, begin the run again in another folder"


def write_document(file: Path, content: Mapping[str, object]) -> None:
    """Write a document, its version first; raises UsageError where that fails."""
    text = json_text({"schema_version": SCHEMA_VERSION, **content})
    try:
        replace_file(file, [with_crc(text.encode())])
    except OSError as error:
        raise unusable("write", file, error) from None


def read_document(file: Path, remedy: str = RESTORE) -> dict[str, Any]:
    """What a document says, but for its version.

    Raises UsageError for one that is damaged, with the remedy, or that was written
    before there were CRCs.
    """
    try:
        with open_file(file) as stream:
            content = stream.read(MAX_BYTES)
    except OSError as error:
        raise unusable("read", file, error) from None
    try:
        document = json.loads(without_crc(content))
        if document.pop("schema_version") != SCHEMA_VERSION:
            raise ValueError(document)
    except (ValueError, LookupError, AttributeError, RecursionError):
        if _is_old(content):
            name = quote(str(file), LONGEST_PATH)
            raise UsageError(
                f"{name} is of an earlier deckcheck, whose runs have no checksums",
                "Go on with the deckcheck that began it, or begin another run",
            ) from None
        raise damaged(file, "its CRC is wrong", remedy) from None
    checked: dict[str, Any] = document
    return checked


def damaged(file: Path, why: str, remedy: str = RESTORE) -> UsageError:
    """The error for a document that must not be believed."""
    return UsageError(f"{quote(str(file), LONGEST_PATH)} is damaged: {why}", remedy)


def draft_of(file: Path) -> Path:
    """Where a file is written before it takes the place of the old one."""
    return file.with_name(f".{file.name}.part")


def replace_file(file: Path, content: Iterable[bytes]) -> None:
    """Write a file whole or not at all; raises OSError."""
    draft = draft_of(file)
    with open(draft, "wb") as stream:
        stream.writelines(content)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(draft, file)
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(file.parent, os.O_RDONLY | os.O_DIRECTORY)
        os.fsync(handle)
        os.close(handle)


def _is_old(content: bytes) -> bool:
    """Whether it is a document as they were before they had a CRC."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and document.get("schema_version") == 1


_OF_LINE = b',"crc":"%08x"}\n'
_OF_DOCUMENT = b',\n  "crc": "%08x"\n}\n'


def with_crc(text: bytes) -> bytes:
    """The text of an object with the last key `crc`, which is over all before it.

    The object is not empty, and stands on one line or is indented by two.
    """
    end = b"\n}\n" if text.endswith(b"\n}\n") else b"}\n"
    form = _OF_DOCUMENT if end == b"\n}\n" else _OF_LINE
    body = text.removesuffix(end)
    return body + form % crc32(body)


def without_crc(text: bytes) -> bytes:
    """The text of the object without `crc`; ValueError unless it is the right one."""
    for form in (_OF_LINE, _OF_DOCUMENT):
        body = text[: -len(form % 0)]
        if text == body + form % crc32(body):
            return body + b"}"
    raise ValueError("a wrong CRC, or none")
