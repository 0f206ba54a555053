"""Unpack the inbox: archives, emails, web pages, tables of forms."""

from __future__ import annotations

import csv
import io
import re
import stat
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr, parsedate_to_datetime
from html import unescape
from html.parser import HTMLParser
from itertools import groupby, islice
from operator import itemgetter
from pathlib import PurePath, PurePosixPath
from typing import Any, NamedTuple

from deckcheck.decks import decode_deck
from deckcheck.decks.decoding import MAX_BYTES, MAX_LINES, find_encoding
from deckcheck.decks.words import column_role, header_key
from deckcheck.messages import plural, printable, quote

# The pieces that arrive: a file, an attachment, a row of a form


class Hint(NamedTuple):
    """A hint to the owner of a list: `by` the file name, the sender, a row."""

    by: str
    text: str


def path_hints(path: PurePath) -> tuple[Hint, ...]:
    """Return the name of a file and of its folder as hints."""
    folder = [Hint("the folder", path.parent.name)] if path.parent.name else []
    return Hint("the file name", path.stem), *folder


Rows = Sequence[Sequence[str]]
"""The cells of a table, row by row."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A list as it arrived."""

    origin: str
    """Where it was, as in `mail.eml: list.txt`."""
    name: str
    """The name of its file, whose suffix names its notation."""
    data: bytes = field(repr=False)
    """Its bytes."""
    hints: tuple[Hint, ...] = ()
    """Whatever may name its player."""
    remarks: tuple[str, ...] = ()
    """The changes to it, in sentences for the organiser."""
    fault: str | None = None
    """The reason why it is unreadable."""
    time: datetime | None = None
    """When it was received, by the row of a form or by the mail that it came in.

    The row of a form may have no time zone.
    """
    time_fault: str | None = None
    """Why nobody knows when it was received, where a deadline acts on that."""
    mail: str = ""
    """The place of the mail that it came in."""
    is_letter: bool = False
    """Whether there may be a letter around the list: a mail, the cell of a form."""
    is_form_row: bool = False
    """Whether it is a cell of a form's row."""
    is_spare: bool = False
    """Whether it counts only if nothing else arrived from its player."""
    rows: Rows | None = field(default=None, repr=False)
    """The cells of a table, which may be a form."""

    def with_remark(self, remark: str) -> Piece:
        """Return the piece with another remark."""
        return replace(self, remarks=(*self.remarks, remark))


@dataclass(slots=True)
class Budget:
    """How much of archives and emails is unpacked, over all that they hold."""

    pieces: int = 2_000
    bytes: int = 64 * MAX_BYTES
    depth: int = 4

    def spend(self, size: int) -> bool:
        """Take a piece of this size off, and report whether it may be unpacked."""
        self.pieces -= 1
        self.bytes -= size
        return self.pieces >= 0 and self.bytes >= 0


# ZIP archives, unpacked into memory: their paths are never used as paths

_LITTER_NAMES = ("__MACOSX", "Thumbs.db", "desktop.ini")


class ArchiveError(ValueError):
    """Why an archive is not unpacked, in a sentence without a full stop."""


def is_litter(path: str) -> bool:
    """Report whether a file is hidden, or left behind by a system."""
    parts = PurePosixPath(path.replace("\\", "/")).parts
    hidden = (part.startswith(".") and part not in (".", "..") for part in parts)
    return any(hidden) or any(part in _LITTER_NAMES for part in parts)


def members(data: bytes, budget: Budget) -> Iterator[tuple[str, bytes | str]]:
    """Yield the path of each file of an archive, and its bytes.

    A member without bytes has the reason: an empty folder, a link, a damaged file, or a
    password. Stated sizes are not trusted. Raises ArchiveError.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = (name.replace("\\", "/") for name in archive.namelist())
            filled = {above for name in names for above in PurePosixPath(name).parents}
            for info in archive.infolist():
                path = PurePosixPath(info.filename.replace("\\", "/"))
                if is_litter(str(path)) or (info.is_dir() and path in filled):
                    continue
                content = _read_member(archive, info, budget)
                if not budget.spend(len(content)):
                    raise ArchiveError(_describe_excess(budget))
                yield str(path), content
    except ArchiveError:
        raise
    except Exception as error:
        # Each way of packing has errors of its own.
        raise ArchiveError(f"the archive is damaged: {printable(str(error))}") from None


def _read_member(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget
) -> bytes | str:
    if info.is_dir():
        return "it is an empty folder"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "it is a link to another file"
    if info.flag_bits & 1:
        return "it needs a password"
    try:
        with archive.open(info) as stream:
            return stream.read(max(0, budget.bytes) + 1)
    except NotImplementedError as error:
        return f"it cannot be unpacked: {error}"
    except Exception as error:
        return f"it is damaged: {printable(str(error))}"


def _describe_excess(budget: Budget) -> str:
    if budget.pieces < 0:
        return f"it holds more than {plural(Budget().pieces, 'file')}"
    return f"it holds more than {Budget().bytes // 2**20} MiB"


# The text of a web page, as a browser would copy it

_CHARSET_TAG = re.compile(
    rb"<meta[^>]+charset\s*=\s*[\"']?([A-Za-z0-9_-]+)", re.IGNORECASE
)
_PAGE_START = re.compile(
    r"\s*<(?:!doctype html|html|head|body|div|p|ul|ol|table)\b", re.I
)
_HEAD_BYTES = 2_048
_HIDDEN_TAGS = frozenset({"script", "style", "head", "template", "noscript", "svg"})
_BLOCK_TAGS = frozenset(
    """
    address article blockquote br dd div dl dt footer h1 h2 h3 h4 h5 h6 header
    hr li main nav ol option p pre section table tbody thead tr ul
    """.split()
)
_CELL_TAGS = frozenset({"td", "th"})
_VOID_TAGS = frozenset(
    "area base br col embed hr img input link meta source track wbr".split()
)
# Tags that the start of the same tag ends, unless another listed tag is in between.
_IMPLIED_ENDS = frozenset({"dd", "dt", "li", "option", "p", "td", "th", "tr"})
_LIST_TAGS = frozenset({"dl", "ol", "select", "table", "ul"})
_STRUCK_STYLE = re.compile(r"line-through|\bstri(?:ke|cken)", re.I)
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all"
    r"|(?:font-size|opacity)\s*:\s*0(?![.\d])|(?<![-\w:])(?:d-none|hidden)(?![-\w])",
    re.I,
)
_MAX_DEPTH = 200
"""More nested tags than any page has. Each line goes through all open tags."""
_STATE_SHOWN, _STATE_CROSSED, _STATE_HIDDEN, _STATE_GONE = range(4)
"""The states of text: shown, crossed out, hidden, and other than text."""


def decode_page(data: bytes) -> str:
    """Return the visible lines of a page. Raises UnicodeDecodeError, LookupError."""
    encoding, start = find_encoding(data)
    declared = _CHARSET_TAG.search(data[:_HEAD_BYTES])
    if not start and declared is not None:
        encoding = declared[1].decode("ascii")
    return read_page_text(data[start:].decode(encoding))


def read_page_text(page: str) -> str:
    """Return the lines of a decoded page.

    Crossed out, hidden and quoted text has the marks of text decks.
    """
    reader = _PageReader()
    reader.feed(re.sub("<!---?>", "", page).replace("--!>", "-->"))
    if reader.rawdata.startswith("<!--"):
        # Without its end a comment hides all below it, as browsers have it.
        reader.feed("-->")
    reader.close()
    reader.end_line()
    return "\n".join(reader.lines) + "\n"


class _PageReader(HTMLParser):
    """Gathers text, with a line for each block and a tab between the cells of a row."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self.parts: list[tuple[int, str]] = []
        self.open: list[tuple[str, int]] = []

    def end_line(self) -> None:
        """Write the gathered line, each part with its marks."""
        shown_parts = []
        for state, parts in groupby(self.parts, key=lambda part: part[0]):
            text = re.sub(r"[ \r\f\v]+", " ", "".join(part for _, part in parts))
            bare = text.strip()
            if bare and state != _STATE_SHOWN:
                # A number may be a count: nobody knows if it is meant.
                is_struck = state == _STATE_CROSSED or bare.isdigit()
                mark, end = ("~~", "~~") if is_struck else ("<!-- ", " -->")
                text = text.replace(bare, f"{mark}{bare}{end}")
            shown_parts.append(text)
        self.parts.clear()
        line = "".join(shown_parts).strip()
        tags = Counter(tag for tag, _ in self.open)
        quotes = tags["blockquote"]
        nested = tags["ul"] + tags["ol"] - 1
        if line:
            line = "  " * nested + line
            self.lines.append(f"{'>' * quotes} {line}" if quotes else line)

    @property
    def state(self) -> int:
        """The state of the next text."""
        return self.open[-1][1] if self.open else _STATE_SHOWN

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag in _BLOCK_TAGS or tag == "body":
            self.end_line()
        if tag == "body":
            self.open.clear()
        elif tag in _IMPLIED_ENDS:
            names = [name for name, _ in self.open]
            indexes = [index for index, name in enumerate(names) if name == tag]
            last = max(indexes, default=-1)
            if last >= 0 and _LIST_TAGS.isdisjoint(names[last:]):
                del self.open[last:]
        if tag in _CELL_TAGS:
            self.parts.append((self.state, "\t"))
        if tag == "input" and (attributes.get("type") or "").lower() == "checkbox":
            self.parts.append(
                (self.state, "[x] " if "checked" in attributes else "[ ] ")
            )
        elif tag not in _VOID_TAGS:
            if len(self.open) >= _MAX_DEPTH:
                raise RecursionError
            self.open.append((tag, max(self.state, _find_state(tag, attributes))))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BLOCK_TAGS or tag in _VOID_TAGS:
            self.handle_starttag(tag, attrs)
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCK_TAGS:
            self.end_line()
        names = [name for name, _ in self.open]
        if tag in names:
            del self.open[len(names) - 1 - names[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if self.state != _STATE_GONE:
            text = data.replace("\n", " ").replace("\xa0", " ")
            self.parts.append((self.state, text))

    def handle_comment(self, data: str) -> None:
        """Keep the lines of a comment that may be of a list, and none of a program."""
        if self.state != _STATE_GONE and not re.match(r"\s*\[(?:if|endif)\b", data):
            self.end_line()
            comment = data.replace("<!--", "")
            lines = (
                read_page_text(comment) if "<" in comment else unescape(comment)
            ).split("\n")
            shown_lines = (
                line for line in lines if line and not re.search("[{};]", line)
            )
            self.lines += (f"<!-- {line.strip()} -->" for line in shown_lines)


def _find_state(tag: str, attrs: Mapping[str, str | None]) -> int:
    style = f"{attrs.get('style') or ''} {attrs.get('class') or ''}"
    if tag in _HIDDEN_TAGS:
        return _STATE_GONE
    if "hidden" in attrs or _HIDDEN_STYLE.search(style):
        return _STATE_HIDDEN
    is_struck = tag in ("s", "del", "strike") or _STRUCK_STYLE.search(style)
    return _STATE_CROSSED if is_struck else _STATE_SHOWN


# Emails as files: their attachments, or else their text

_IMAGE_TYPE = "image"
BY_ADDRESS = "the address"
"""The word for a hint with the address of the sender."""


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


def _read_body(message: EmailMessage) -> tuple[str, tuple[str, ...]]:
    body = message.get_body(("plain", "html"))
    if body is None:
        return "", ()
    text = body.get_content()
    if body.get_content_type() == "text/html":
        return read_page_text(text), ("read from the page in the mail",)
    return text, ()


# Tables of spreadsheets: a deck, or a form with a list in each row

_DECLARED_ENTITY = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_MAX_COLUMNS = 100
MAX_SHEETS = 16 * 2**20
"""How many bytes a spreadsheet has at most, unpacked."""


def csv_rows(text: str) -> Rows:
    """Read a table with commas, semicolons or tabs. Raises csv.Error for other text."""
    first, _, rest = text.partition("\n")
    if first.strip().lower().startswith("sep=") and rest:
        return list(csv.reader(io.StringIO(rest), delimiter=first.strip()[4:5] or ","))
    delimiter = max(",;\t", key=first.count)
    return list(csv.reader(io.StringIO(text), delimiter=delimiter))


def sheet_pieces(piece: Piece, budget: Budget) -> Iterator[Piece]:
    """Yield each sheet of a spreadsheet as a deck, with its rows.

    Raises ArchiveError for a large or damaged spreadsheet, and without the package that
    reads spreadsheets.
    """
    # No more is unpacked below than is counted here, and no entity becomes more.
    size = 0
    for path, data in members(piece.data, budget):
        size += len(data)
        if size > MAX_SHEETS:
            raise ArchiveError(f"it holds more than {MAX_SHEETS // 2**20} MiB")
        if isinstance(data, bytes) and _DECLARED_ENTITY.search(
            data.replace(b"\0", b"")
        ):
            raise ArchiveError(f"{quote(path)} in it declares entities")
    sheets = [(title, rows) for title, rows in _read_sheets(piece.data) if rows != []]
    if not sheets:
        raise ArchiveError("it holds no list")
    for title, rows in sheets:
        where = f"{piece.origin}: {title}" if len(sheets) > 1 else piece.origin
        hints = (*piece.hints, Hint("the sheet", title))
        sheet = replace(piece, origin=where, data=b"", hints=hints)
        if rows is None:
            yield replace(sheet, fault="the sheet is hidden")
            continue
        yield replace(_write_table(rows, sheet), rows=rows)


def _read_sheets(data: bytes) -> Iterator[tuple[str, Rows | None]]:
    """Yield the title and the rows of each sheet, None for a hidden sheet.

    Crossed out and hidden text has the marks of text decks.
    """
    try:
        from openpyxl import load_workbook
    except ImportError:
        raise ArchiveError(
            "the package openpyxl, which reads spreadsheets, is not installed: "
            "`pip install openpyxl`"
        ) from None
    book = load_workbook(io.BytesIO(data), data_only=True, rich_text=True)
    for sheet in book.worksheets:
        if sheet.sheet_state != "visible":
            yield sheet.title, None
            continue
        unseen: set[int] = set()
        for dimension in sheet.column_dimensions.values():
            if dimension.hidden or dimension.width == 0:
                unseen.update(range(dimension.min or 0, (dimension.max or 0) + 1))
        rows = []
        for row in islice(sheet.iter_rows(max_col=_MAX_COLUMNS), MAX_LINES):
            cells = _cut_row([_show_cell(cell) for cell in row])
            dimension = sheet.row_dimensions.get(row[0].row) if row else None
            is_hidden = dimension is not None and (
                dimension.hidden or dimension.height == 0
            )
            if cells:
                hid = [
                    is_hidden or index in unseen for index in range(1, len(cells) + 1)
                ]
                rows.append(_mark_cells(cells, hid))
        yield sheet.title, rows


def _mark_cells(cells: Sequence[str], hid: Sequence[bool]) -> list[str]:
    """Return the cells of a row. Hidden cells beside each other are a comment.

    A hidden number alone is crossed out instead: it may be a count.
    """
    row: list[str] = []
    for is_hid, pairs in groupby(zip(hid, cells, strict=True), key=itemgetter(0)):
        texts = [text for _, text in pairs]
        filled = [text for text in texts if text.strip()]
        if is_hid and filled:
            is_named = any(map(str.isalpha, "".join(filled)))
            hidden_text = " ".join(filled)
            texts = [""] * len(texts)
            texts[-1] = f"<!-- {hidden_text} -->" if is_named else f"~~{hidden_text}~~"
        row += texts
    return row


def _read_run(run: Any) -> str:
    """Return a run of text with its font, struck through or not, or a plain text."""
    if not hasattr(run, "font"):
        return str(run)
    text: str = run.text
    return f"~~{text}~~" if getattr(run.font, "strike", False) else text


def _show_cell(cell: Any) -> str:
    value = cell.value
    if isinstance(value, bool):
        return "[x]" if value else "[ ]"
    if isinstance(value, list):
        # Runs of text, each with a font of its own.
        return "".join(map(_read_run, value))
    if value is None:
        return ""
    is_whole = isinstance(value, float) and value.is_integer()
    text = str(int(value) if is_whole else value)
    return f"~~{text}~~" if cell.font is not None and cell.font.strike else text


def _cut_row(row: list[str]) -> list[str]:
    while row and not row[-1].strip():
        row.pop()
    return row


def _write_table(rows: Rows, piece: Piece) -> Piece:
    """Write a table with columns of cards as CSV, any other as lines with tabs."""
    stem = piece.name.rpartition(".")[0] or piece.name
    heads = {cell.strip().lower() for cell in rows[0]}
    roles = set(map(column_role, heads))
    stream = io.StringIO()
    # `Name` alone may be the header of a deck, beside a column of counts it is not.
    is_table = "card" in heads or ("card" in roles and {"count", "number"} & roles)
    if is_table:
        csv.writer(stream, lineterminator="\n").writerows(rows)
    else:
        for row in rows:
            cells = [cell.replace("\n", " ") for cell in row]
            is_header = len(cells) == 2 and header_key(cells[0]) is not None
            stream.write((": " if is_header else "\t").join(cells) + "\n")
    name = f"{stem}.csv" if is_table else f"{stem}.deck"
    read = replace(piece, name=name, data=stream.getvalue().encode("utf-8"))
    return read.with_remark(f"read from the spreadsheet {quote(piece.name)}")


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
            yield from sheet_pieces(piece, budget)
        else:
            yield from _read_text(piece, suffix)
    except ArchiveError as error:
        yield replace(piece, fault=str(error))
    except Exception as error:
        # Whatever the libraries that read it stumble over: the rest goes on.
        kind = suffix.removeprefix(".") or "file"
        is_deep = isinstance(error, RecursionError)
        reason = "it is nested too deeply" if is_deep else printable(str(error))
        yield replace(piece, fault=f"cannot be read as {kind}: {reason}")


def _unpack_archive(piece: Piece, budget: Budget, depth: int) -> Iterator[Piece]:
    number = 0
    for path, data in members(piece.data, budget):
        number += 1
        name = PurePosixPath(path).name
        hints = path_hints(PurePosixPath(path))
        parts = [part for part in PurePosixPath(path).parts if part not in ("..", "/")]
        inner = Piece(
            f"{piece.origin}: {'/'.join(parts)}",
            name,
            data if isinstance(data, bytes) else b"",
            hints,
            fault=data if isinstance(data, str) else None,
        )
        inner = _inherit_hints(inner, piece)
        yield from [inner] if inner.fault else unpack(inner, budget, depth + 1)
    if not number:
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
    stated = (("the sender", name), (BY_ADDRESS, address), ("the subject", subject))
    hints = (*piece.hints, *(Hint(by, text) for by, text in stated if text))
    time = piece.time or _find_time(message)
    piece = replace(piece, hints=hints, time=time, mail=piece.mail or piece.origin)
    attachments = list(_list_attachments(message))
    for attachment in attachments:
        attachment_origin = f"{piece.origin}: {attachment.name}"
        stem = Hint("the file name", PurePath(attachment.name).stem)
        inner = _inherit_hints(
            replace(attachment, origin=attachment_origin, hints=(stem,)), piece
        )
        if not budget.spend(len(attachment.data)):
            raise ArchiveError("it holds too much")
        yield from [inner] if inner.fault else unpack(inner, budget, depth + 1)
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


def _inherit_hints(inner: Piece, outer: Piece) -> Piece:
    """Return a piece with the hints, remarks, time and mail of the piece around it."""
    is_name = (hint.by == "the file name" for hint in outer.hints)
    outer_hints = (
        Hint(f"the name of {outer.name}", hint.text) if named else hint
        for hint, named in zip(outer.hints, is_name, strict=True)
    )
    remarks = (*outer.remarks, *inner.remarks)
    hints = (*inner.hints, *outer_hints)
    return replace(
        inner, hints=hints, remarks=remarks, time=outer.time, mail=outer.mail
    )


def _read_text(piece: Piece, suffix: str) -> Iterator[Piece]:
    """Yield a page as its text, a table with its rows, and other files unchanged."""
    if suffix in _PAGE_SUFFIXES:
        yield _read_page(piece)
        return
    read = decode_deck(piece.data, piece.name)
    if read.finding is None and _PAGE_START.match(read.text.lstrip("\ufeff")):
        yield _read_page(piece)
    elif read.finding is None and suffix in _TABLE_SUFFIXES:
        try:
            yield replace(piece, rows=csv_rows(read.text.lstrip("\ufeff")))
        except csv.Error:
            yield piece
    else:
        yield piece


def _read_page(piece: Piece) -> Piece:
    stem = PurePath(piece.name).stem
    text = decode_page(piece.data).encode("utf-8")
    page = replace(piece, name=f"{stem}.deck", data=text)
    return page.with_remark(f"read from the page {quote(piece.name)}")
