"""The event in the working folder: its arrivals made, changed, checked, read back."""

import io
import zipfile
from email.message import EmailMessage
from pathlib import Path

from deckcheck.cli import main


def read(name: str) -> str:
    """Return the text of a file."""
    return Path(name).read_text(encoding="utf-8")


def edit(name: str, old: str, new: str) -> None:
    """Replace words of a file, which must be there."""
    text = read(name)
    assert old in text
    Path(name).write_text(text.replace(old, new), encoding="utf-8")


def check_event(*words: str, code: int = 0) -> None:
    """Run `deckcheck event` on the event, quietly."""
    assert main(["event", "event.toml", "-q", *words]) == code


def list_problems(*words: str, code: int = 1) -> list[str]:
    """Return the findings of the event, one on each line."""
    check_event("--output-format", "concise:found", "-q", *words, code=code)
    return read("found").splitlines()


def make_zip(method: int = zipfile.ZIP_DEFLATED, **files: str | bytes) -> bytes:
    """Return an archive of these files, by their names."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


def make_book(*rows: tuple[object, ...]) -> bytes:
    """Return a spreadsheet of these rows."""
    from openpyxl import Workbook

    book = Workbook()
    assert book.active is not None
    for row in rows:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def make_mail(
    sender: str,
    text: str = "Here is my list.\n",
    *,
    kind: str = "plain",
    date: str | None = None,
    **files: str | bytes,
) -> bytes:
    """Return a mail of a sender with these attachments, by their names."""
    message = EmailMessage()
    message["From"], message["Subject"] = sender, "My list"
    if date is not None:
        message["Date"] = date
    message.set_content(text, subtype=kind)
    for name, data in files.items():
        raw = data.encode("utf-8") if isinstance(data, str) else data
        message.add_attachment(
            raw, maintype="application", subtype="octet-stream", filename=name
        )
    return message.as_bytes()
