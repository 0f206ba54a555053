"""All lists of an event in a table of players and cards, as CSV, XLSX or a page."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.decks.model import sections
from deckcheck.events.event import Event
from deckcheck.events.pages import format_line
from deckcheck.findings import UsageError
from deckcheck.formats import database_of
from deckcheck.markup import csv_table
from deckcheck.messages import choice, plural, printable, quote
from deckcheck.report.blocks import Figures
from deckcheck.report.page import Page, Section, render_page
from deckcheck.report.tables import COUNT, PERCENT, Cell, Column, ReportTable, words

TABLE_SUFFIXES = (".csv", ".xlsx", ".html")
"""The kinds of files that hold the table of an event."""

NONE = "none"
"""The faction or leader of a deck without any."""


class EnteredDeck(NamedTuple):
    """A deck of a player who plays, which could be read."""

    player: str
    deck: Deck
    legal: bool
    faction: str
    """The name of the faction, or `none`."""
    leader: str
    """The name of the leader, or `none`."""

    @property
    def cells(self) -> tuple[str, str, str, str, str]:
        """The first cells of its rows: player, deck, faction, leader, legal."""
        legal = "yes" if self.legal else "no"
        return self.player, self.deck.name, self.faction, self.leader, legal


def check_table_file(file: Path) -> None:
    """Raise UsageError unless a table can be written to a file of this name."""
    if file.suffix.lower() not in TABLE_SUFFIXES:
        raise UsageError(
            f"{quote(str(file))} has no suffix of a table",
            f"End its name with {choice(TABLE_SUFFIXES)}",
        )


def write_table(event: Event, file: Path) -> str | bytes:
    """Write the table of an event as CSV, XLSX or a page, by the suffix of the file.

    CSV has a row for each card of each deck. A workbook and a page have tables of
    cards, decks, factions and leaders, and the workbook has the rows of the CSV too.
    """
    database = database_of(event.format, event.root)
    decks = list(_list_decks(event, database))
    rows = list(_list_entries(decks, database))
    suffix = file.suffix.lower()
    if suffix == ".csv" and not rows:
        return f"{','.join(_ENTRY_COLUMNS)}\n"
    if suffix == ".csv":
        return csv_table(rows)
    tables = _make_tables(decks, database)
    if suffix == ".html":
        return render_page(_make_page(event, decks, tables))
    sheets: dict[str, list[Sequence[object]]] = {}
    for table in tables:
        heads = [column.name for column in table.columns]
        sheets[table.section[0]] = [heads, *table.rows]
    sheets["entries"] = [_ENTRY_COLUMNS]
    sheets["entries"] += [tuple(row.values()) for row in rows]
    return write_workbook(sheets)


def _list_decks(event: Event, database: CardDatabase) -> Iterator[EnteredDeck]:
    """Yield the decks of all players who play, in the order of their names."""
    for player in event.players:
        if player.departure is not None:
            continue
        for report in player.decks:
            deck = report.deck
            if deck is None or not deck.entries:
                continue
            faction, leader = NONE, NONE
            if deck.faction is not None:
                faction = database.factions[deck.faction].name
            if deck.leader is not None:
                leader = database.leaders[deck.leader].full_name
            yield EnteredDeck(player.title, deck, report.legal, faction, leader)


_ENTRY_COLUMNS = tuple("player deck faction leader legal card kind copies".split())


def _list_entries(
    decks: Sequence[EnteredDeck], database: CardDatabase
) -> Iterator[dict[str, object]]:
    """Yield a row for each card of each deck."""
    for entered in decks:
        for section in sections(entered.deck.counts(), database):
            for card, count in section.cards:
                name = database.cards[card].name
                cells = (*entered.cells, name, section.kind, count)
                yield dict(zip(_ENTRY_COLUMNS, cells, strict=True))


# The tables: cards, decks, factions, leaders.


def _make_tables(
    decks: Sequence[EnteredDeck], database: CardDatabase
) -> list[ReportTable]:
    factions = Counter(entered.faction for entered in decks)
    leaders = Counter(entered.leader for entered in decks)
    return [
        _count_cards(decks, database),
        _describe_decks(decks, database),
        _count_shares("faction", factions),
        _count_shares("leader", leaders),
    ]


def _count_cards(decks: Sequence[EnteredDeck], database: CardDatabase) -> ReportTable:
    """Return the table of all cards, the card of the most decks first."""
    copies: Counter[str] = Counter()
    players: dict[str, list[str]] = {}
    for entered in decks:
        for card, count in entered.deck.counts().items():
            copies[card] += count
            players.setdefault(card, []).append(entered.player)
    names = {card: database.cards[card].name for card in copies}
    order = sorted(copies, key=lambda card: (-len(players[card]), names[card]))
    rows: list[tuple[Cell, ...]] = []
    for card in order:
        number = len(players[card])
        who = ", ".join(dict.fromkeys(players[card]))
        kind = database.cards[card].kind.replace("_", " ")
        share = number / len(decks)
        rows.append((names[card], kind, number, share, copies[card], who))
    columns = (
        *words("card", "kind"),
        Column("decks", COUNT),
        Column("share", PERCENT),
        Column("copies", COUNT),
        Column("players"),
    )
    note = "share: the share of all decks that hold the card"
    title = "Cards by the number of decks that hold them"
    section = ("cards", "Players of each card")
    return ReportTable(title, columns, tuple(rows), note=note, section=section)


def _describe_decks(
    decks: Sequence[EnteredDeck], database: CardDatabase
) -> ReportTable:
    """Return the table of all decks with their cards."""
    rows: list[tuple[Cell, ...]] = []
    for entered in decks:
        cards: list[str] = []
        counts = entered.deck.counts()
        for part in sections(counts, database):
            for card, count in part.cards:
                name = database.cards[card].name
                cards.append(name if count == 1 else f"{count} {name}")
        rows.append((*entered.cells, counts.total(), ", ".join(cards)))
    columns = (
        *words("player", "deck", "faction", "leader", "legal"),
        Column("number", COUNT),
        Column("cards"),
    )
    title = "Decks by player"
    return ReportTable(title, columns, tuple(rows), section=("decks", "Decks"))


def _count_shares(noun: str, numbers: Counter[str]) -> ReportTable:
    """Return the table of how many decks have each faction, or each leader."""
    rows: list[tuple[Cell, ...]] = []
    for name, number in sorted(numbers.items(), key=lambda item: (-item[1], item[0])):
        rows.append((name, number, number / numbers.total()))
    columns = (Column(noun), Column("decks", COUNT), Column("share", PERCENT))
    section = (f"{noun}s", f"{noun.capitalize()}s")
    return ReportTable(f"Decks by {noun}", columns, tuple(rows), section=section)


def _make_page(
    event: Event, decks: Sequence[EnteredDeck], tables: Sequence[ReportTable]
) -> Page:
    players = dict.fromkeys(entered.player for entered in decks)
    answer = f"{plural(len(decks), 'deck')} of {plural(len(players), 'player')}."
    illegal: list[str] = []
    for entered in decks:
        name = quote(entered.player)
        if not entered.legal and name not in illegal:
            illegal.append(name)
    warnings: tuple[str, ...] = ()
    if illegal:
        warnings = (f"Illegal decks are counted: {', '.join(illegal)}",)
    page_sections = []
    for table in tables:
        if table.rows:
            page_sections.append(Section(*table.section, (Figures(table),)))
    return Page(
        title=event.file.name,
        about=f"{event.file.date}, {format_line(event.format)}",
        answers=(answer,),
        warnings=warnings,
        sections=tuple(page_sections),
        fingerprint=event.format.fingerprint,
    )


# Workbooks of Excel, XLSX: sheets of texts and numbers
#
# The same sheets always give the same bytes. The parts of a workbook are described in
# ECMA-376, "Office Open XML file formats".

_SPREADSHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SPREADSHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_LINKS_TYPE = "application/vnd.openxmlformats-package.relationships+xml"
_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_FIRST_DATE = (1980, 1, 1, 0, 0, 0)
"""The date of all parts, the first that an archive can hold."""


def write_workbook(sheets: Mapping[str, Sequence[Sequence[object]]]) -> bytes:
    """Write a workbook with a sheet of each name, whose first row is the heading."""
    paths = [f"worksheets/sheet{number}.xml" for number in range(1, len(sheets) + 1)]
    parts = {
        "[Content_Types].xml": _list_types(paths),
        "_rels/.rels": _write_links("officeDocument", ["xl/workbook.xml"]),
        "xl/workbook.xml": _list_sheets(sheets),
        "xl/_rels/workbook.xml.rels": _write_links("worksheet", paths),
    }
    for path, rows in zip(paths, sheets.values(), strict=True):
        parts[f"xl/{path}"] = _write_sheet(rows)
    data = io.BytesIO()
    with ZipFile(data, "w", ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            content = f"{_DECLARATION}{text}".encode()
            archive.writestr(ZipInfo(name, _FIRST_DATE), content, ZIP_DEFLATED)
    return data.getvalue()


def _list_types(paths: Iterable[str]) -> str:
    """Return the part with the type of every other part."""
    types = [f'<Default Extension="rels" ContentType="{_LINKS_TYPE}"/>']
    types.append(_write_type("workbook.xml", "sheet.main"))
    for path in paths:
        types.append(_write_type(path, "worksheet"))
    return f'<Types xmlns="{_PACKAGE}/content-types">{"".join(types)}</Types>'


def _write_type(path: str, kind: str) -> str:
    content_type = f"{_SPREADSHEET_TYPE}.{kind}+xml"
    return f'<Override PartName="/xl/{path}" ContentType="{content_type}"/>'


def _write_links(kind: str, targets: Iterable[str]) -> str:
    """Return a part with links to other parts, called `r1`, `r2` and so on."""
    links = []
    for number, target in enumerate(targets, start=1):
        attributes = f'Id="r{number}" Type="{_OFFICE}/{kind}" Target="{target}"'
        links.append(f"<Relationship {attributes}/>")
    space = f"{_PACKAGE}/relationships"
    return f'<Relationships xmlns="{space}">{"".join(links)}</Relationships>'


def _list_sheets(names: Iterable[str]) -> str:
    """Return the part with the names of all sheets, each with its link."""
    sheets = []
    for number, name in enumerate(names, start=1):
        sheets.append(f'<sheet name="{name}" sheetId="{number}" r:id="r{number}"/>')
    return (
        f'<workbook xmlns="{_SPREADSHEET}" xmlns:r="{_OFFICE}">'
        f"<sheets>{''.join(sheets)}</sheets></workbook>"
    )


def _write_sheet(rows: Iterable[Sequence[object]]) -> str:
    """Return the part of a sheet, whose first row stays in view."""
    lines = []
    for row in rows:
        cells = "".join(map(_write_cell, row))
        lines.append(f"<row>{cells}</row>")
    view = '<pane ySplit="1" topLeftCell="A2" state="frozen"/>'
    return (
        f'<worksheet xmlns="{_SPREADSHEET}"><sheetViews>'
        f'<sheetView workbookViewId="0">{view}</sheetView></sheetViews>'
        f"<sheetData>{''.join(lines)}</sheetData></worksheet>"
    )


def _write_cell(value: object) -> str:
    """Return a cell. A text is never computed, so a formula needs no guard."""
    if isinstance(value, (int, float)):
        return f"<c><v>{round(value, 6)}</v></c>"
    text = escape(printable(str(value)))
    return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
