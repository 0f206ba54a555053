"""The text of a web page, as a browser would copy it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from deckcheck.decks.encodings import encoding_of

_CHARSET = re.compile(rb"<meta[^>]+charset\s*=\s*[\"']?([A-Za-z0-9_-]+)", re.IGNORECASE)
_PAGE = re.compile(r"\s*<(?:!doctype html|html|head|body|div|p|ul|ol|table)\b", re.I)
_HEAD = 2_048
_HIDDEN = frozenset({"script", "style", "head", "template", "noscript", "svg"})
_BLOCKS = frozenset(
    {
        *("address", "article", "blockquote", "br", "dd", "div", "dl", "dt", "footer"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav"),
        *("ol", "option", "p", "pre", "section", "table", "tbody", "thead", "tr", "ul"),
    }
)
_CELLS = frozenset({"td", "th"})


def is_page(text: str) -> bool:
    """Whether a text is a web page, whatever its file is called."""
    return _PAGE.match(text.lstrip("\ufeff")) is not None


def page_text(data: bytes) -> str:
    """The lines of a page that a reader sees; UnicodeDecodeError, LookupError."""
    encoding, start = encoding_of(data)
    declared = _CHARSET.search(data[:_HEAD])
    if not start and declared is not None:
        encoding = declared[1].decode("ascii")
    return text_of(data[start:].decode(encoding))


def text_of(page: str) -> str:
    """The lines of a page that is decoded already."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    lines = ("".join(reader.parts)).split("\n")
    shown = [re.sub(r"[ \r\f\v]+", " ", line).strip() for line in lines]
    return "\n".join(line for line in shown if line) + "\n"


class _Reader(HTMLParser):
    """Gathers text, with a line for each block and a tab between the cells of a row."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in _HIDDEN:
            self.hidden += 1
        elif tag in _BLOCKS:
            self.parts.append("\n")
        elif tag in _CELLS:
            self.parts.append("\t")

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        if tag in _BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self.hidden = max(0, self.hidden - 1)
        elif tag in _BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.parts.append(data.replace("\n", " ").replace("\xa0", " "))
