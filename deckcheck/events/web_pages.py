"""The text of a web page, as a browser would copy it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from html import unescape
from html.parser import HTMLParser
from itertools import groupby

from deckcheck.decks.decoding import find_encoding

_CHARSET_TAG = re.compile(
    rb"<meta[^>]+charset\s*=\s*[\"']?([A-Za-z0-9_-]+)", re.IGNORECASE
)
PAGE_START = re.compile(
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
    """Return the visible lines of a page.

    Raises UnicodeDecodeError for other bytes, and LookupError for an unknown encoding.
    """
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
        # The texts of the line to come, each with its state.
        self.parts: list[tuple[int, str]] = []
        # The names of the open tags, each with the state of the text in it.
        self.open: list[tuple[str, int]] = []

    def end_line(self) -> None:
        """Write the gathered line, each part with its marks."""
        shown_parts = []
        for state, parts in groupby(self.parts, key=lambda part: part[0]):
            text = re.sub(r"[ \r\f\v]+", " ", "".join(part for _, part in parts))
            bare = text.strip()
            if bare and state != _STATE_SHOWN:
                marked = f"<!-- {bare} -->"
                # A hidden number may be a count: nobody knows if it is meant.
                if state == _STATE_CROSSED or bare.isdigit():
                    marked = f"~~{bare}~~"
                text = text.replace(bare, marked)
            shown_parts.append(text)
        self.parts.clear()
        line = "".join(shown_parts).strip()
        tags = Counter(tag for tag, _ in self.open)
        quotes = tags["blockquote"]
        nested = tags["ul"] + tags["ol"] - 1
        if line:
            line = "  " * nested + line
            if quotes:
                line = f"{'>' * quotes} {line}"
            self.lines.append(line)

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
            last = self.find_last(tag)
            if last is not None and _LIST_TAGS.isdisjoint(names[last:]):
                del self.open[last:]
        if tag in _CELL_TAGS:
            self.parts.append((self.state, "\t"))
        if tag == "input" and (attributes.get("type") or "").lower() == "checkbox":
            mark = "[x] " if "checked" in attributes else "[ ] "
            self.parts.append((self.state, mark))
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
        last = self.find_last(tag)
        if last is not None:
            del self.open[last:]

    def find_last(self, tag: str) -> int | None:
        """Return the index of the innermost open tag of this name, or None."""
        indexes = [index for index, (name, _) in enumerate(self.open) if name == tag]
        return indexes[-1] if indexes else None

    def handle_data(self, data: str) -> None:
        if self.state != _STATE_GONE:
            text = data.replace("\n", " ").replace("\xa0", " ")
            self.parts.append((self.state, text))

    def handle_comment(self, data: str) -> None:
        """Keep the lines of a comment that may be of a list, and none of a program."""
        if self.state != _STATE_GONE and not re.match(r"\s*\[(?:if|endif)\b", data):
            self.end_line()
            comment = data.replace("<!--", "")
            text = read_page_text(comment) if "<" in comment else unescape(comment)
            for line in text.split("\n"):
                if line and not re.search("[{};]", line):
                    self.lines.append(f"<!-- {line.strip()} -->")


def _find_state(tag: str, attrs: Mapping[str, str | None]) -> int:
    style = f"{attrs.get('style') or ''} {attrs.get('class') or ''}"
    if tag in _HIDDEN_TAGS:
        return _STATE_GONE
    if "hidden" in attrs or _HIDDEN_STYLE.search(style):
        return _STATE_HIDDEN
    is_struck = tag in ("s", "del", "strike") or _STRUCK_STYLE.search(style)
    return _STATE_CROSSED if is_struck else _STATE_SHOWN
