"""Unpack the inbox: every list of a file, an archive, a mail or a spreadsheet."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr, parsedate_to_datetime
from pathlib import PurePath, PurePosixPath

from deckcheck.decks import decode_deck
from deckcheck.events.pieces import (
    BY_ADDRESS,
    BY_FILE,
    ArchiveError,
    Budget,
    Hint,
    Piece,
    list_path_hints,
    read_archive,
)
from deckcheck.events.spreadsheets import read_csv, read_spreadsheet
from deckcheck.events.web_pages import PAGE_START, decode_page, read_page_text
from deckcheck.messages import printable, quote

# Unpacks a file as it arrived into the lists in it

_PAGE_SUFFIXES = (".html", ".htm", ".xhtml")
_SHEET_SUFFIXES = (".xlsx", ".xlsm")
_TABLE_SUFFIXES = (".csv", ".tsv")


def unpack(piece: Piece, budget: Budget, depth: int = 0) -> Iterator[Piece]:
    """Yield every list of a file, an archive, a mail or a spreadsheet.

    An unreadable file is a single piece with a fault.
    """
    suffix = PurePath(piece.name).suffix.lower()
    try:
        if depth > budget.depth:
            deep = f"nested deeper than {budget.depth}"
            raise ArchiveError(f"archives and emails are {deep}")
        if suffix == ".zip":
            yield from _unpack_archive(piece, budget, depth)
        elif suffix == ".eml":
            yield from _unpack_mail(piece, budget, depth)
        elif suffix in _SHEET_SUFFIXES:
            yield from read_spreadsheet(piece, budget)
        else:
            yield from _read_text(piece, suffix)
    except ArchiveError as error:
        yield replace(piece, fault=str(error))
    except Exception as error:
        # Whatever the libraries that read it stumble over: the rest goes on.
        kind = suffix.removeprefix(".") or "file"
        reason = printable(str(error))
        if isinstance(error, RecursionError):
            reason = "it is nested too deeply"
        yield replace(piece, fault=f"cannot be read as {kind}: {reason}")


def _unpack_archive(piece: Piece, budget: Budget, depth: int) -> Iterator[Piece]:
    is_empty = True
    for name, data in read_archive(piece.data, budget):
        is_empty = False
        path = PurePosixPath(name)
        parts = [part for part in path.parts if part not in ("..", "/")]
        inner = Piece(
            origin=f"{piece.origin}: {'/'.join(parts)}",
            name=path.name,
            data=b"",
            hints=list_path_hints(path),
        )
        if isinstance(data, bytes):
            inner = replace(inner, data=data)
        else:
            inner = replace(inner, fault=data)
        yield from _unpack_inner(inner, piece, budget, depth)
    if is_empty:
        raise ArchiveError("the archive is empty")


def _unpack_mail(piece: Piece, budget: Budget, depth: int) -> Iterator[Piece]:
    """Yield the files of a mail, then its text. Raises ValueError for anything else.

    A forwarded mail is a file with the suffix `.eml`.
    """
    message = message_from_bytes(piece.data, policy=default)
    if not isinstance(message, EmailMessage) or message.get("From") is None:
        raise ValueError("it has no sender")
    name, address = parseaddr(str(message["From"]))
    subject = str(message.get("Subject", ""))
    hints = list(piece.hints)
    for hint in (
        Hint("the sender", name),
        Hint(BY_ADDRESS, address),
        Hint("the subject", subject),
    ):
        if hint.text:
            hints.append(hint)
    piece = replace(
        piece,
        hints=tuple(hints),
        time=piece.time or _find_time(message),
        mail=piece.mail or piece.origin,
    )
    attachments = list(_list_attachments(message))
    for attachment in attachments:
        if not budget.spend(len(attachment.data)):
            raise ArchiveError("it holds too much")
        inner = replace(
            attachment,
            origin=f"{piece.origin}: {attachment.name}",
            hints=(Hint(BY_FILE, PurePath(attachment.name).stem),),
        )
        yield from _unpack_inner(inner, piece, budget, depth)
    text, remarks = _read_body(message)
    if text.strip() or not attachments:
        # Below this line is a signature (RFC 3676).
        above, is_signed, _ = text.replace("\r\n", "\n").partition("\n-- \n")
        yield replace(
            piece,
            name=f"{PurePath(piece.name).stem}.deck",
            data=(f"{above}\n" if is_signed else above).encode("utf-8"),
            remarks=(*piece.remarks, *remarks),
            is_letter=True,
        )


def _unpack_inner(
    inner: Piece, outer: Piece, budget: Budget, depth: int
) -> Iterator[Piece]:
    """Yield the lists of a piece with what is known of `outer`, the piece around it."""
    hints = list(inner.hints)
    for hint in outer.hints:
        by = f"the name of {outer.name}" if hint.by == BY_FILE else hint.by
        hints.append(Hint(by, hint.text))
    piece = replace(
        inner,
        hints=tuple(hints),
        remarks=(*outer.remarks, *inner.remarks),
        time=outer.time,
        mail=outer.mail,
    )
    if piece.fault:
        yield piece
    else:
        yield from unpack(piece, budget, depth + 1)


def _read_text(piece: Piece, suffix: str) -> Iterator[Piece]:
    """Yield a page as its text, a table with its rows, and other files unchanged."""
    if suffix in _PAGE_SUFFIXES:
        yield _read_page(piece)
        return
    read = decode_deck(piece.data, piece.name)
    if read.finding is None and PAGE_START.match(read.text.lstrip("\ufeff")):
        yield _read_page(piece)
    elif read.finding is None and suffix in _TABLE_SUFFIXES:
        try:
            yield replace(piece, rows=read_csv(read.text.lstrip("\ufeff")))
        except csv.Error:
            yield piece
    else:
        yield piece


def _read_page(piece: Piece) -> Piece:
    stem = PurePath(piece.name).stem
    text = decode_page(piece.data).encode("utf-8")
    page = replace(piece, name=f"{stem}.deck", data=text)
    return page.with_remark(f"read from the page {quote(piece.name)}")


# Emails as files: their attachments, or else their text

_IMAGE_TYPE = "image"


def _find_time(message: EmailMessage) -> datetime | None:
    """Return when the last server received a mail, or else when it was sent.

    Servers write their lines above the others, so that no sender can write the first.
    The result is None if neither date can be read.
    """
    received = message.get_all("Received", [])[:1]
    for stated in (*map(str, received), str(message.get("Date", ""))):
        try:
            time = parsedate_to_datetime(stated.rpartition(";")[2].strip())
        except (ValueError, OverflowError):
            continue
        return time if time.tzinfo is not None else time.replace(tzinfo=UTC)
    return None


def _list_attachments(message: EmailMessage) -> Iterator[Piece]:
    """Yield the files of a mail, without the pictures that its text shows."""
    for part in message.iter_attachments():
        is_file = part.get_content_disposition() == "attachment"
        is_mail = part.get_content_type() == "message/rfc822"
        if part.get_content_maintype() == _IMAGE_TYPE and not is_file:
            continue
        name = f"attachment{_find_suffix(part)}"
        data = b""
        fault = None
        try:
            name = part.get_filename() or name
            if is_mail:
                name = "forwarded.eml"
                data = part.get_payload(0).as_bytes()  # type: ignore[union-attr]
            else:
                content = part.get_payload(decode=True)
                data = content if isinstance(content, bytes) else b""
        except Exception as error:
            # The library cannot decode this part. Other parts are read all the same.
            fault = f"the attachment is damaged: {printable(str(error))}"
        yield Piece(name, name, data, fault=fault)


def _find_suffix(part: EmailMessage) -> str:
    kinds = {"text/plain": ".txt", "text/csv": ".csv", "text/html": ".html"}
    return kinds.get(part.get_content_type(), "")


MIN_LIST_LINES = 5
"""Plain text with fewer lines only refers to the page of a mail, if there is one."""


def _read_body(message: EmailMessage) -> tuple[str, tuple[str, ...]]:
    """Return the text of a mail, plain or of its page, and remarks on it."""
    plain, page = message.get_body(("plain",)), message.get_body(("html",))
    text = plain.get_content() if plain is not None else ""
    lines = [line for line in text.splitlines() if line.strip()]
    if page is not None and len(lines) < MIN_LIST_LINES:
        page_text = read_page_text(page.get_content())
        if len(page_text.splitlines()) > len(lines):
            return page_text, ("read from the page in the mail",)
    return text, ()
