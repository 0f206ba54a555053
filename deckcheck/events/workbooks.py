"""Writing workbooks of Excel, XLSX: sheets of texts and numbers.

The same sheets always give the same bytes. The parts of a workbook are described in
ECMA-376, "Office Open XML file formats".
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from deckcheck.messages import printable

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
