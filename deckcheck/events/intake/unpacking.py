"""Unpacks a file as it arrived into the lists in it."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath

from deckcheck.decks import decode_deck
from deckcheck.events.intake.archives import ArchiveError, members
from deckcheck.events.intake.mails import Attachment, read_mail
from deckcheck.events.intake.pieces import Budget, Hint, Piece
from deckcheck.events.intake.tables import csv_rows, form_pieces, sheet_pieces
from deckcheck.events.intake.web_pages import is_page, page_text
from deckcheck.findings.words import quote

_PAGES = (".html", ".htm", ".xhtml")
_SHEETS = (".xlsx", ".xlsm")


def unpacked(piece: Piece, budget: Budget, depth: int = 0) -> Iterator[Piece]:
    """Every list of a file: that of an archive, a mail, a spreadsheet, a form.

    What cannot be read is one piece with a fault.
    """
    suffix = PurePath(piece.name).suffix.lower()
    try:
        if depth > budget.depth:
            raise ArchiveError(
                f"archives and mails are nested deeper than {budget.depth}"
            )
        if suffix == ".zip":
            yield from _archive(piece, budget, depth)
        elif suffix == ".eml":
            yield from _mail(piece, budget, depth)
        elif suffix in _SHEETS:
            yield from sheet_pieces(piece, budget)
        else:
            yield from _text(piece, suffix)
    except ArchiveError as error:
        yield replace(piece, fault=str(error))
    except (ValueError, KeyError, LookupError, RecursionError, TypeError) as error:
        kind = suffix.removeprefix(".") or "file"
        reason = (
            "it is nested too deeply" if isinstance(error, RecursionError) else error
        )
        yield replace(piece, fault=f"cannot be read as {kind}: {reason}")


def _archive(piece: Piece, budget: Budget, depth: int) -> Iterator[Piece]:
    number = 0
    for name, data in members(piece.data, budget):
        number += 1
        inner = Piece(
            f"{piece.place}: {name}",
            name,
            data,
            (Hint("the file name", PurePath(name).stem),),
        )
        yield from unpacked(_with(inner, piece), budget, depth + 1)
    if not number:
        raise ArchiveError("the archive is empty")


def _mail(piece: Piece, budget: Budget, depth: int) -> Iterator[Piece]:
    mail = read_mail(piece.data)
    piece = replace(piece, hints=(*piece.hints, *mail.hints))
    for at, attachment in enumerate(mail.attachments):
        inner = _attached(piece, attachment)
        if mail.text.strip() and not at:
            inner = inner.noting("left out the text of the mail, which has a file")
        if not budget.spend(len(attachment.data)):
            raise ArchiveError("it holds too much")
        yield from unpacked(inner, budget, depth + 1)
    if not mail.attachments:
        stem = PurePath(piece.name).stem
        text = mail.text.replace("\r\n", "\n").encode("utf-8")
        remarks = (*piece.remarks, *mail.remarks)
        yield replace(piece, name=f"{stem}.deck", data=text, remarks=remarks)


def _attached(piece: Piece, attachment: Attachment) -> Piece:
    stem = Hint("the file name", PurePath(attachment.name).stem)
    place = f"{piece.place}: {attachment.name}"
    return _with(Piece(place, attachment.name, attachment.data, (stem,)), piece)


def _with(inner: Piece, outer: Piece) -> Piece:
    """A piece with what is known of the one that it was in."""
    is_name = (hint.by == "the file name" for hint in outer.hints)
    hints = (
        Hint(f"the name of {outer.name}", hint.text) if named else hint
        for hint, named in zip(outer.hints, is_name, strict=True)
    )
    remarks = (*outer.remarks, *inner.remarks)
    return replace(inner, hints=(*inner.hints, *hints), remarks=remarks)


def _text(piece: Piece, suffix: str) -> Iterator[Piece]:
    """A form as CSV gives its rows, a page its text; all else stays as it is."""
    if suffix in _PAGES:
        yield _page(piece)
        return
    read = decode_deck(piece.data, piece.name)
    if read.finding is None and is_page(read.text):
        yield _page(piece)
    elif read.finding is None and suffix == ".csv":
        try:
            forms = form_pieces(csv_rows(read.text), piece)
        except csv.Error:
            forms = []
        yield from forms or [piece]
    else:
        yield piece


def _page(piece: Piece) -> Piece:
    stem = PurePath(piece.name).stem
    text = page_text(piece.data).encode("utf-8")
    page = replace(piece, name=f"{stem}.deck", data=text)
    return page.noting(f"read from the page {quote(piece.name)}")
