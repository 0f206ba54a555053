"""What may not be meant is never counted without a word, in every form of lists."""

import csv
import io
import json
import random
from collections import Counter
from collections.abc import Callable
from email.message import EmailMessage
from html import escape
from pathlib import Path
from typing import Any

import pytest
import yaml
from helpers.findings import validate_text

from deckcheck.decks import DeckText, decode_deck
from deckcheck.decks.lines import read_comments
from deckcheck.decks.rewriting import Converter, fix_text, format_text, is_broken
from deckcheck.decks.words import Below, usual_heading
from deckcheck.events.pieces import Budget, Piece
from deckcheck.events.spreadsheets import _read_sheets
from deckcheck.events.unpacking import unpack
from deckcheck.findings import Severity
from deckcheck.validation import DeckReport, Validator

ROOT = Path(__file__).parents[2]
HEADS = ["Format: gwent/standard", "Leader: Foltest, The Siegemaster"]
UNITS = [
    *("2 Ballista", "2 Catapult", "2 Trebuchet", "2 Kaedweni Siege Expert", "Roach"),
    *("2 Redanian Foot Soldier", "3 Blue Stripes Commando", "3 Poor Fucking Infantry"),
    *("2 Crinfrid Reavers Dragon Hunter", "Thaler", "Prince Stennis", "Siege Tower"),
]
"""22 units, which is the fewest that `gwent/standard` allows."""
CARDS = [*UNITS, "3 Decoy"]


def cards_of(report: DeckReport) -> dict[str, int]:
    assert report.deck is not None
    return dict(report.deck.counts())


def errors(report: DeckReport) -> list[str]:
    return [f.name for f in report.findings if f.severity is Severity.ERROR]


def one(text: str, path: str = "a.deck") -> DeckReport:
    [report] = validate_text(text, path).reports
    return report


LEGAL = cards_of(one("\n".join([*HEADS, *CARDS])))


def assert_doubted(report: DeckReport) -> None:
    """The list is read as the legal one or as less, and nobody takes it for legal."""
    assert Counter(cards_of(report)) <= Counter(LEGAL), report.text
    assert errors(report), report.text


# Forms of a list: each writes lines as they stand in it.


def as_text(lines: list[str]) -> DeckText:
    return DeckText("a.deck", "\n".join([*HEADS, "", *CARDS, *lines]) + "\n")


def as_markdown(lines: list[str]) -> DeckText:
    bullets = [f"- {line}" for line in [*HEADS, *CARDS]]
    return DeckText("a.md", "\n".join([*bullets, "", *lines]) + "\n")


def from_piece(name: str, data: bytes) -> DeckText:
    [piece] = unpack(Piece(name, name, data), Budget())
    assert piece.fault is None, piece.fault
    return decode_deck(piece.data, piece.name)


def as_mail(lines: list[str]) -> DeckText:
    mail = EmailMessage()
    mail["From"] = "Anna Nowak <anna@example.org>"
    mail.set_content("\n".join([*HEADS, "", *CARDS, *lines]) + "\n")
    return from_piece("a.eml", bytes(mail))


def as_page(lines: list[str]) -> DeckText:
    shown = (line if "<" in line else escape(line) for line in [*HEADS, *CARDS, *lines])
    page = "".join(f"<p>{line}</p>\n" for line in shown)
    return from_piece("a.html", f"<html><body>{page}</body></html>".encode())


def split(line: str) -> tuple[str, str]:
    """Count and name of a line that has both, else nothing and the line."""
    count, _, name = line.partition(" ")
    return (count, name) if count.isdigit() else ("", line)


def as_csv(lines: list[str]) -> DeckText:
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(["format", "leader", "count", "card"])
    for line in [*CARDS, *lines]:
        count, name = split(line)
        is_heading = not count and usual_heading(line) is not None
        told = [head.partition(": ")[2] for head in HEADS]
        table.writerow([*told, "" if is_heading else count or "1", name])
    return DeckText("a.csv", out.getvalue())


def as_sheet(lines: list[str]) -> DeckText:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for line in [*HEADS, *CARDS, *lines]:
        book.active.append([*(cell for cell in split(line) if cell)])
        for cell in book.active[book.active.max_row]:
            # Also where it begins as a formula does.
            cell.data_type = "s"
    return from_piece("a.xlsx", save_sheet(book))


def as_document(lines: list[str]) -> dict[str, object]:
    heads = dict(head.lower().split(": ") for head in HEADS)
    if lines and (usual_heading(lines[0]) or ("", ""))[1] is Below.ASIDE:
        return {**heads, "cards": CARDS, lines[0]: lines[1:]}
    return {**heads, "cards": [*CARDS, *lines]}


def as_yaml(lines: list[str]) -> DeckText:
    return DeckText("a.yaml", yaml.safe_dump(as_document(lines), allow_unicode=True))


def as_json(lines: list[str]) -> DeckText:
    return DeckText("a.json", json.dumps(as_document(lines)))


Form = Callable[[list[str]], DeckText]
FORMS: dict[str, Form] = {
    "text": as_text,
    "markdown": as_markdown,
    "mail": as_mail,
    "page": as_page,
    "csv": as_csv,
    "sheet": as_sheet,
    "yaml": as_yaml,
    "json": as_json,
}


# Cases: what may not be meant, in lines that any form can hold.

HEADINGS = [
    *("Sideboard", "Sideboard:", "== Sideboard (2) ==", "## Maybeboard:", "Side deck"),
    *("**Sideboard**", "Sideboard 2", "[Sideboard]", "--- Cuts ---", "Considering"),
    *("Maybe (2 cards):", "Not playing", "Removed", "TOKENS", "Reserves"),
    *("Ersatzbank:", "Nicht gespielt", "Banquillo", "Fuera del mazo:", "Peut-être"),
    *("Retirées (2)", "Panchina", "Forse:", "Ławka rezerwowych", "Nie gram:", "Talvez"),
    *("Fora do baralho", "Сайдборд:", "Не в колоде", "Možná"),
]
DOUBTS = [
    *("~~2 Decoy~~", "2 ~~Decoy~~", "- ~~2 Decoy~~", "~2 Decoy~", "~~2~~ ~~Decoy~~"),
    *("[ ] 2 Decoy", "- [ ] 2 Decoy", "[] Decoy", "\u2610 2 Decoy", "\u25a1 Decoy"),
    *("\u2717 2 Decoy", "\u274c 2 Decoy", "2 Decoy \u274c", "[-] 2 Decoy"),
    *("<s>2 Decoy</s>", "<del>2 Decoy</del>", "<i hidden>2 Decoy</i>"),
    '<span style="text-decoration: line-through">2 Decoy</span>',
    *("D\u0336e\u0336c\u0336o\u0336y\u0336", "[s]2 Decoy[/s]", "2 Decoy [Sideboard]"),
    *("2 Decoy (maybe)", "SB: 2 Decoy", "[SB] 2 Decoy", "(maybe) 2 Decoy"),
    *("> 2 Decoy", ">> 2 Decoy", ">2 Decoy", "> - 2 Decoy"),
    *("; 2 Decoy", "-- 2 Decoy", "% 2 Decoy", ":: 2 Decoy", ".. 2 Decoy"),
    *("<!-- 2 Decoy -->", "/* 2 Decoy */", "{# 2 Decoy #}", "' 2 Decoy"),
    *("||2 Decoy||", "2 [ ] Decoy", "2x \u274c Decoy", "\u2612 2 Decoy", "2 Decoy?"),
    *("2 Decoy, cut", "2 Decoy -- cut", "2 Decoy !sideboard", "1. [ ] 2 Decoy"),
    *("+ 2 Decoy", "2 ~~Decoy~~ Scorch", "Sideboard: 2 Decoy"),
]
CASES = [
    *([heading, "2 Decoy"] for heading in HEADINGS),
    *([line] for line in DOUBTS),
    ["<del>", "2 Decoy", "</del>"],
    ["<!--", "2 Decoy", "-->"],
    ["~~2 Decoy", "1 Scorch~~"],
    ["||", "2 Decoy", "||"],
    ["\u274c Units:", "2 Decoy"],
    ["- [ ] Engines:", "  - 2 Decoy"],
    ["On Mon, 24 Nov 2025 at 10:00, Ben wrote:", "> 2 Decoy"],
    ["-----Original Message-----", "From: Ben", "2 Decoy"],
]


@pytest.mark.parametrize("form", FORMS)
def test_what_may_not_be_meant_is_never_counted_silently(form: str) -> None:
    """One Scorch more is legal, so that nothing but the mark can be wrong."""
    judge = Validator("gwent/standard")
    for lines in CASES:
        if form == "page" and lines[0] == "<del>":
            # The end of a paragraph ends the mark, so the line is meant.
            continue
        scorch = [line.replace("2 Decoy", "1 Scorch") for line in lines]
        [report] = judge.check_file(FORMS[form](scorch))
        names = {finding.name for finding in report.findings}
        is_told = "left-out" in names or form == "page"
        assert errors(report) or (cards_of(report) == LEGAL and is_told), lines


def test_a_doubtful_line_is_an_error_of_a_text() -> None:
    for line in DOUBTS:
        assert_doubted(one(as_text([line]).text))


def test_doubtful_lines_are_one_finding() -> None:
    [finding] = one("\n".join([*HEADS, *(f"> {card}" for card in CARDS)])).findings

    assert finding.name == "doubtful-line"
    assert len(finding.related) == len(CARDS) - 1


# What is a card after all, or nothing to be said.


def test_what_is_ticked_counts() -> None:
    judge = Validator("gwent/standard")
    for form, write in FORMS.items():
        for line in ("[x] Scorch", "\u2611 Scorch", "\u2714 1 Scorch"):
            [report] = judge.check_file(write([line]))
            counts = form == "csv" or cards_of(report) == {**LEGAL, "scorch": 1}
            assert counts, (form, line)


def test_below_a_heading_of_ones_own_cards_count() -> None:
    for lines in (["Engines:", "Scorch"], ["My spies:", "1 Scorch"]):
        report = one(as_text(lines).text)
        assert report.legal, lines
        assert cards_of(report) == {**LEGAL, "scorch": 1}, lines
        [finding] = report.findings
        assert (finding.name, finding.severity) == ("own-heading", "note"), lines


def test_a_known_heading_ends_what_is_set_aside() -> None:
    lines = ["Sideboard", "2 Decoy", "Specials", "Scorch"]

    assert cards_of(one(as_text(lines).text)) == {**LEGAL, "scorch": 1}


def test_a_comment_is_in_doubt_where_it_sets_aside() -> None:
    for comment in ("Roach\n# 2 Decoy", "Roach # 2 Decoy"):
        report = one(as_text([]).text.replace("Roach", comment))
        assert {finding.severity for finding in report.findings} <= {"note"}, comment
        assert report.legal, comment
    assert_doubted(one(as_text(["1 Scorch  # cut"]).text))


# Spreadsheets and pages, whose marks are not in their text.


def save_sheet(book: Any) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_what_a_spreadsheet_hides_or_crosses_out() -> None:
    openpyxl = pytest.importorskip("openpyxl")
    from openpyxl.cell.rich_text import CellRichText, TextBlock
    from openpyxl.cell.text import InlineFont
    from openpyxl.styles import Font

    def strike(sheet: Any, row: int) -> None:
        sheet.cell(row, 2).font = Font(strike=True)

    def strike_runs(sheet: Any, row: int) -> None:
        run = TextBlock(InlineFont(strike=True), "Decoy")
        sheet.cell(row, 2).value = CellRichText(run)

    def hide(sheet: Any, row: int) -> None:
        sheet.row_dimensions[row].hidden = True

    def hide_column(sheet: Any, row: int) -> None:
        sheet.cell(row, 1).value = sheet.cell(row, 2).value = None
        sheet.cell(row, 4).value = "2 Decoy"
        sheet.column_dimensions["D"].hidden = True

    def untick(sheet: Any, row: int) -> None:
        sheet.cell(row, 3).value = False

    for change in (strike, strike_runs, hide, hide_column, untick):
        book = openpyxl.Workbook()
        for line in [*HEADS, *CARDS, "2 Decoy"]:
            book.active.append([*(cell for cell in split(line) if cell)])
        change(book.active, book.active.max_row)
        pieces = unpack(Piece("a.xlsx", "a.xlsx", save_sheet(book)), Budget())
        piece = next(piece for piece in pieces if piece.fault is None)
        [report] = Validator().check_file(decode_deck(piece.data, piece.name))
        assert_doubted(report)


def test_a_hidden_column_hides_no_other() -> None:
    openpyxl = pytest.importorskip("openpyxl")
    for columns, shown in {"B": "ACD", "BC": "AD", "D": "ABC"}.items():
        book = openpyxl.Workbook()
        book.active.append([*"ABCD"])
        book.active.column_dimensions.group(columns[0], columns[-1], hidden=True)
        [(_, rows)] = _read_sheets(save_sheet(book))
        assert rows is not None
        assert [cell for cell in rows[0] if len(cell) == 1] == [*shown], columns


def test_a_hidden_sheet_is_no_list() -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["2 Ballista"])
    hidden = book.create_sheet("Old")
    hidden.append(["2 Decoy"])
    hidden.sheet_state = "hidden"
    pieces = unpack(Piece("a.xlsx", "a.xlsx", save_sheet(book)), Budget())

    assert [piece.fault for piece in pieces] == [None, "the sheet is hidden"]


PAGES = (
    *("<s>2 Decoy</s>", '<p style="text-decoration:line-through">2 Decoy</p>'),
    "<li><del>2</del> <del>Decoy</del></li>",
    '<tr style="display: none"><td>2</td><td>Decoy</td></tr>',
    "<tr hidden><td>2</td><td>Decoy</td></tr>",
    *("<ul><li hidden>2 Decoy<li>Scorch</ul>", "<!-- 2 Decoy -->"),
    *("<!-- <li>2 Decoy</li> -->", "<!--\n2 Decoy\n1 Scorch\n-->"),
    "<!-- old&nbsp;list\n<p>2 Decoy</p>\n<p>Scorch</p>",
    *("<!-- x --!><s>2 Decoy</s><!-- y -->", "<!--><s>2 Decoy</s>"),
    "<ul><li><s>Finishers</s><ul><li>2 Decoy</ul></ul>",
    '<ol><li><input type="checkbox"> Finishers<ul><li>2 Decoy</ul></ol>',
    *("<blockquote>2 Decoy</blockquote>", '<p class="strikethrough">2 Decoy</p>'),
    *('<p class="d-none">2 Decoy</p>', "<h2>Sideboard</h2><p>2 Decoy</p>"),
    '<li><input type="checkbox"> 2 Decoy</li>',
)


def test_what_a_page_hides_or_crosses_out() -> None:
    shown = "".join(f"<p>{line}</p>" for line in [*HEADS, *CARDS])
    judge = Validator()
    for html in PAGES:
        page = f"<html><body>{shown}{html}</body></html>".encode()
        [report] = judge.check_file(from_piece("a.html", page))
        names = {finding.name for finding in report.findings}
        assert errors(report) or "left-out" in names, html


def test_cards_with_a_key_that_may_set_them_aside() -> None:
    for card in (
        {"name": "Decoy", "count": 2, "enabled": False},
        {"name": "Decoy", "count": 2, "board": "sideboard"},
        {"card": "Decoy", "qty": 2},
        {"name": "~~Decoy~~", "count": 2},
    ):
        document = {**as_document([]), "cards": [*CARDS, card]}
        assert errors(one(json.dumps(document), "a.json")), card


def test_a_column_that_may_set_rows_aside() -> None:
    leader = '"Foltest, The Siegemaster"'
    rows = [f"{leader},{split(line)[0] or 1},{split(line)[1]}," for line in CARDS]
    rows[0] += "side"
    text = "\n".join(["leader,count,card,board", *rows])
    [report] = Validator("gwent/standard").check_file(DeckText("a.csv", text))

    assert errors(report) == ["malformed-deck"]


# Over all lists that there are, spoiled ones and many made up: `fmt` keeps the verdict,
# and `--fix` makes no legal deck of what was in doubt.

SAMPLES = [
    *sorted((ROOT / "decks").rglob("*.deck")),
    *sorted((ROOT / "examples" / "broken").rglob("*.deck")),
    *sorted((ROOT / "tests" / "decks" / "pasted").glob("*.txt")),
]


def check_rewriting(text: str, path: str, game: str | None = None) -> str | None:
    """What `fmt` made of the list, if anything; AssertionError for another verdict."""
    judge = Validator(None if "ormat:" in text else "gwent/standard")
    source = DeckText(path, text)
    before = judge.check_file(source)
    verdicts = [report.legal for report in before]
    converter = Converter(game or ("gwent" if "ormat:" not in text else None))
    raws = converter.read_decks(source, "text")
    _, db, findings = converter.sheets(raws)
    written = None if is_broken(findings) else format_text(text, raws, db)
    if written is not None:
        after = judge.check_file(DeckText(path, written))
        again = converter.read_decks(DeckText(path, written), "text")
        assert format_text(written, again, db) == written, text
        assert [report.legal for report in after] == verdicts, text
        pairs = [(r, old) for r, old in zip(after, before, strict=True) if old.deck]
        assert [cards_of(r) for r, _ in pairs] == [cards_of(r) for _, r in pairs], text
    fixed = judge.check_file(DeckText(path, fix_text(text, raws, db)))
    assert len(fixed) == len(before), text
    for old, new in zip(before, fixed, strict=True):
        if new.legal and not old.legal:
            names = {"unknown-card", "unknown-leader"}
            assert set(errors(old)) <= names, text
        if old.deck is not None and new.deck is not None:
            assert Counter(cards_of(old)) <= Counter(cards_of(new)), text
    return written


def comments(text: str) -> Counter[str]:
    return Counter(comment.text.strip() for comment in read_comments(text))


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_rewriting_keeps_the_verdict_of_every_list(file: Path) -> None:
    source = decode_deck(file.read_bytes(), file.name)
    if source.finding is None:
        written = check_rewriting(source.text, file.name)
        assert written is None or comments(written) == comments(source.text)


def made_up(seed: int) -> str:
    """A list with up to four things in it that may not be meant."""
    draw = random.Random(seed)
    base = draw.choice([HEADS + CARDS, HEADS + UNITS, HEADS + CARDS[1:], CARDS])
    blocks = [[line] for line in base]
    names = ["Decoy", "Scorch", "Ballista", "Nekker", "Thaler", "Ballsta", "Nobody"]
    for _ in range(draw.randint(1, 4)):
        case = draw.choice([
            *CASES, ["Engines:", "2 Decoy"], ["- 2 Decoy", "+ 2 Decoy"],
            ["# Cut", "2 Decoy", "# Deck"], ["2 Decoy, 1 Scorch"],
            ["Leader:", "Foltest"], ["2 Decoy  # cut"], ["Specials", "2 Decoy"],
            ["Faction: Northern Realms"], ["2 Decoy\u20282 Scorch"], ["---"],
            ["# 2 Decoy"], ["2 Decoy // 2 Scorch"],
        ])  # fmt: skip
        name, count = draw.choice(names), str(draw.randint(1, 3))
        block = [
            line.replace("Decoy", name).replace("2 ", f"{count} ") for line in case
        ]
        blocks.insert(draw.randint(0, len(blocks)), block)
    return "".join(f"{line}\n" for block in blocks for line in block)


def test_rewriting_keeps_the_verdict_of_lists_that_are_made_up() -> None:
    lists = map(made_up, range(300))
    written = [check_rewriting(text, "a.deck", "gwent") for text in lists]

    assert {text is None for text in written} == {False, True}


@pytest.mark.slow
def test_rewriting_keeps_the_verdict_of_very_many_lists() -> None:
    for seed in range(5_000):
        check_rewriting(made_up(seed), "a.deck", "gwent")
