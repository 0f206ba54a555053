"""Decks to read: of all kinds, and spoiled."""

import gzip
import html
import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deckcheck.cli import main
from deckcheck.decks import RawDeck, parse_decks, read_deck_file, shown_path
from deckcheck.decks.codes import ShareCode, decode, encode
from deckcheck.decks.generated_files import LETTER_SIGN, hash_letter

UNITS = """\
3 Blue Stripes Commando
3 Crinfrid Reavers Dragon Hunter
3 Kaedweni Siege Expert
2 Ballista
2 Catapult
2 Trebuchet
2 Redanian Foot Soldier
Siege Tower
Dethmold
Keira Metz
Ves
Vernon Roche
"""
"""The cards of a legal deck of the Northern Realms, in `gwent/standard`."""


def read_decks(path: str | Path) -> list[RawDeck]:
    """Every deck of a file."""
    return parse_decks(read_deck_file(Path(path), shown_path(path)))


# Sixty lists as organisers get them, each spoiled in one way, and how they are mended.
#
# Every list is the same legal deck before. A finding names what spoiled it, and its
# help line is followed: by `follow` where it can be read by a program, else by
# `by_hand`, what a person makes of it.

ROOT = Path(__file__).parents[2]
DECK = (
    (ROOT / "decks" / "gwent" / "standard" / "nr_siege_masters.deck")
    .read_text(encoding="utf-8")
    .partition("Name:")[2]
)
DECK = f"Name:{DECK}"


@dataclass(frozen=True, slots=True)
class Spoiled:
    """A spoiled list: its name, which is its player's too, its suffix and its bytes.

    `cause` is the finding that it must get. `by_hand` is what a person makes of it
    who follows the help line; without it `follow` does.
    """

    name: str
    suffix: str
    data: bytes
    cause: str
    by_hand: str | None = None

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.name}{self.suffix}"

    @property
    def player(self) -> str:
        """The player whose list it is."""
        return self.name.replace("_", " ").title()

    @property
    def is_deck(self) -> bool:
        """Whether it is called like a deck, and so judged in any folder."""
        return self.suffix[1:] in ("deck", "txt", "yaml", "yml", "json", "csv", "code")


def converted(way: str) -> str:
    """The deck in another way of writing."""
    import contextlib
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "a.deck"), Path(folder, "b")
        source.write_text(DECK, encoding="utf-8")
        with contextlib.redirect_stderr(io.StringIO()):
            assert main(["convert", str(source), "--to", way, "-o", str(target)]) == 0
        return target.read_text(encoding="utf-8")


YAML, JSON, CSV, CODE = map(converted, ("yaml", "json", "csv", "code"))
LINES = "".join(f"<li>{html.escape(line)}</li>\n" for line in DECK.splitlines())
ABOVE = "Spring cup, 2026-03-14\nBen Ito\n\nYour list is not accepted: 1 problem.\n\n"
LETTER = f"{ABOVE}{LETTER_SIGN}{hash_letter(ABOVE)}\n"
REPORT = (
    "error[DL103] too-many-copies: 3 copies of `Ballista`, at most 2 allowed\n"
    "  --> ben_ito.deck:22:3\n\n1 deck checked, 1 illegal (1 error)\n"
)
CONCISE = "a.deck:22:3: error[DL103] too-many-copies: 3 copies of `Ballista`\n"
XML = "<?xml version='1.0'?>\n<deck><card count='2'>Ballista</card></deck>\n"


def zipped(name: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(name, DECK)
    return stream.getvalue()


def with_line(line: str) -> str:
    """The deck with another line before its last one."""
    *lines, last = DECK.splitlines()
    return "\n".join([*lines, line, last, ""])


def more(old: str, new: str, text: str = DECK) -> str:
    assert text.count(old) == 1, (old, text)
    return text.replace(old, new)


def _code(change: Callable[[ShareCode], ShareCode]) -> str:
    return encode(change(decode(CODE.strip()))) + "\n"


def _texts() -> list[tuple[str, ...]]:
    """Spoiled texts: name, suffix, text, cause, perhaps what a person makes of it."""
    page = f"<!DOCTYPE html>\n<html><body><ul>\n{LINES}</ul></body></html>\n"
    quoted = "".join(f"> {line}\n" for line in LETTER.splitlines())
    five = more("3 Decoy", "5 Decoy")
    short = more('"Decoy": 3', '"Decoy": 5', JSON)
    loose = more("Decoy: 3", "Decoy: 5", YAML)
    wrong, copies, heading = "not-a-deck", "too-many-copies", "card-as-heading"
    unknown, malformed = "unknown-card", "malformed-deck"
    version = more('{\n  "name"', '{\n  "schema_version": 1,\n  "name"', short)
    ignored = "# deckcheck: ignore[too-many-copies]\n"
    at_line = more("5 Decoy", "5 Decoy  # deckcheck: ignore[DL103]", five)
    no_card = _code(lambda c: ShareCode(c.format, c.leader, {99999: 1}))
    other_set = _code(lambda c: ShareCode(c.format, c.leader, c.cards, ("winter",)))
    chess = _code(lambda c: ShareCode("chess/blitz", c.leader, c.cards))
    return [
        # What begins like something else, and was taken for an output of ours.
        ("page", ".txt", page, wrong),
        ("page_as_deck", ".deck", page.lower(), wrong),
        ("page_as_json", ".json", page, wrong),
        ("page_as_yaml", ".yaml", page, wrong),
        ("page_as_csv", ".csv", page, wrong),
        ("piece_of_a_page", ".txt", f"<ul>\n{LINES}</ul>\n", wrong),
        ("comment_of_a_page", ".txt", f"<!-- list -->\n{LINES}", wrong),
        ("page_behind_blanks", ".txt", f"\ufeff\n\n  {page}", wrong),
        ("xml", ".txt", XML, wrong, DECK),
        ("xml_without_head", ".deck", XML.partition("\n")[2], wrong, DECK),
        ("rich_text", ".txt", "{\\rtf1\\ansi 2 Ballista\\par}\n", wrong, DECK),
        ("reply_below_a_letter", ".txt", LETTER + DECK, wrong, DECK),
        ("reply_above_a_letter", ".txt", f"{DECK}\n{quoted}", wrong, DECK),
        ("letter_that_was_edited", ".txt", f"{LETTER}Thanks!\n", wrong, DECK),
        ("report_above_the_list", ".txt", REPORT + DECK, wrong, DECK),
        ("short_report_above", ".txt", CONCISE + DECK, wrong, DECK),
        ("json_as_text", ".txt", JSON, wrong),
        ("json_as_deck", ".deck", JSON, wrong),
        # Keys and shapes that other files have.
        ("yaml_with_language", ".yaml", f"language: en\n{loose}", copies),
        ("yaml_with_title", ".yaml", f"title: Mine\nrule: a\n{loose}", copies),
        ("yaml_with_players", ".yml", f"players: [Ben]\n{loose}", copies, YAML),
        ("yaml_with_extends", ".yaml", f"extends: gwent\n{loose}", copies),
        ("yaml_with_history", ".yaml", f"history: none\n{loose}", copies),
        ("yaml_title_alone", ".yaml", "title: My deck\n", "too-few-cards", YAML),
        ("yaml_of_ids", ".yaml", "- id: 5\n  count: 2\n", malformed, YAML),
        ("yaml_of_card_ids", ".yaml", "cards:\n- id: 5\n", malformed, YAML),
        ("json_with_version", ".json", version, copies),
        ("json_list", ".json", "[]\n", malformed, JSON),
        ("json_cut_off", ".json", JSON[:200], "malformed-document", JSON),
        ("yaml_twice", ".yaml", f"{YAML}cards: {{}}\n", "malformed-document", YAML),
        ("table_without_cards", ".csv", "item;price\nScorch;3\n", malformed, CSV),
        ("table_without_head", ".csv", CSV.partition("\n")[2], malformed, CSV),
        # A colon made a heading of a line, and its cards counted nowhere.
        ("count_and_colon", ".txt", with_line("4 Scorch:"), copies),
        ("times_and_colon", ".txt", with_line("x4 Scorch :"), copies),
        ("card_and_colon", ".txt", with_line("Scorch:"), heading),
        ("german_card_and_colon", ".deck", with_line("Klirrende Kälte:"), heading),
        ("colon_behind_the_count", ".txt", with_line("Scorch x2:"), unknown),
        ("numbered_row", ".txt", with_line("Row 1:"), unknown),
        # Comments by which a list judges itself.
        ("ignored_for_the_file", ".txt", f"{ignored}{five}", copies),
        ("ignored_at_the_line", ".deck", at_line, copies),
        ("ignored_in_yaml", ".yaml", f"{ignored}{loose}", copies),
        # Lines as they are pasted.
        ("cyrillic_letter", ".txt", more("Thaler", "\u0422haler"), unknown),
        # Share codes.
        ("code_cut_off", ".code", CODE.strip()[:-3], "malformed-document", CODE),
        ("code_mistyped", ".code", CODE.swapcase(), "malformed-document", CODE),
        ("code_of_no_card", ".code", no_card, malformed, CODE),
        ("code_of_another_set", ".code", other_set, malformed, CODE),
        ("code_of_no_format", ".txt", chess, "unknown-format", CODE),
        # Nothing, or too much.
        ("empty", ".txt", "", "empty-deck", DECK),
        ("comments_alone", ".deck", "# my deck\n", "empty-deck", DECK),
        ("endless", ".txt", f"{DECK}# x\n" * 400, "oversized-file", DECK),
    ]


def _files() -> list[Spoiled]:
    """Spoiled files that are no text, or not in UTF-8."""
    binary, text = "binary-file", "undecodable-file"
    latin = f"# Eithné\n{DECK}".encode("cp1252")
    page = f"<!DOCTYPE html>\n<html><body>{LINES}</body></html>\n".encode()
    return [
        Spoiled("latin", ".txt", latin, text),
        Spoiled("utf_without_mark", ".txt", DECK.encode("utf-16-le"), binary),
        Spoiled("picture", ".txt", b"\x89PNG\r\n\x1a\n\0\0", binary, DECK),
        Spoiled("sheet_as_table", ".csv", zipped("xl/workbook.xml"), binary, CSV),
        Spoiled("archive", ".zip", zipped("list.deck"), binary),
        Spoiled("packed", ".gz", gzip.compress(DECK.encode(), mtime=0), binary),
        Spoiled("sheet", ".xlsx", zipped("xl/workbook.xml"), binary, DECK),
        Spoiled("photo", ".jpg", b"\xff\xd8\xff\xe0\0\x10JFIF", binary, DECK),
        Spoiled("screen", ".PNG", b"\x89PNG\r\n\x1a\n\0\0", binary, DECK),
        Spoiled("printed", ".pdf", b"%PDF-1.7\n1 0 obj\n", binary, DECK),
        Spoiled("saved_page", ".html", page, "not-a-deck"),
        Spoiled("nothing", "", b"", "empty-deck", DECK),
        Spoiled(
            *("of_another", ".deck", f"Player: Page\n{DECK}".encode(), "other-player"),
            DECK,
        ),
    ]


SPOILED = [
    *(
        Spoiled(name, suffix, text.encode(), *more)
        for name, suffix, text, *more in _texts()
    ),
    *_files(),
]


DECKS_OF_TEXT = tuple(each[2] for each in _texts() if each[1] in (".deck", ".txt"))
"""The spoiled texts that are read line by line."""


def follow(spoiled: Spoiled, file: Path, finding: dict[str, Any]) -> Path:
    """Do what the help line of a finding says, and return where the list is then."""
    help = finding["help"]
    assert help, finding
    if spoiled.by_hand is not None:
        target = file if spoiled.is_deck else file.with_suffix(".deck")
        file.unlink()
        target.write_text(spoiled.by_hand, encoding="utf-8")
        return target
    if help == "Copy the text of the page, and save it as text":
        return _spoiled_text(file, _text_of_page(file.read_text(encoding="utf-8")))
    if help == "Unpack it, or save the document as text":
        return _spoiled_text(file, _unpacked(file.read_bytes()))
    if help == "Save it as UTF-8 text":
        is_wide = b"\0" in file.read_bytes()
        return _spoiled_text(
            file, file.read_bytes().decode("utf-16-le" if is_wide else "cp1252")
        )
    called = re.fullmatch("Call the file `(.+)`", help)
    if called is not None:
        return file.rename(file.with_name(called[1]))
    _edit(file, finding)
    return file


def _spoiled_text(file: Path, text: str) -> Path:
    file.unlink()
    target = file.with_suffix(".deck")
    target.write_text(text, encoding="utf-8")
    return target


def _text_of_page(page: str) -> str:
    text = re.sub("<[^>]*>", "", page)
    return html.unescape(text).lstrip("\ufeff")


def _unpacked(data: bytes) -> str:
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            [name] = archive.namelist()
            return archive.read(name).decode("utf-8")
    return gzip.decompress(data).decode("utf-8")


def _edit(file: Path, finding: dict[str, Any]) -> None:
    """Edit the line that a finding points at, as its help line says."""
    lines = file.read_text(encoding="utf-8").split("\n")
    at, help = finding["start"]["line"] - 1, finding["help"]
    start, end = finding["start"]["column"] - 1, finding["end"]["column"] - 1
    remove = re.fullmatch(r"Remove (\d+) cop(?:y|ies) of `(.+)`", help)
    fewer = re.fullmatch(r"Remove (\d+) .* cards?", help)
    if remove is not None or fewer is not None:
        number = int((remove or fewer)[1])  # type: ignore[index]
        lines[at] = re.sub(
            r"\d+", lambda found: str(int(found[0]) - number), lines[at], count=1
        )
        if re.match(r"\s*\D{0,2}0\b", lines[at]):
            del lines[at]
    elif "without the colon" in help or help.startswith("Remove the colon"):
        comment = re.search("write `(# .+?)` if", help)
        is_card = "Row" not in lines[at]
        lines[at] = lines[at].replace(":", "").rstrip() if is_card else comment[1]  # type: ignore[index]
    else:
        near = re.match("Did you mean `(.+?)`", help)
        assert near is not None, finding
        lines[at] = lines[at][:start] + near[1] + lines[at][end:]
    file.write_text("\n".join(lines), encoding="utf-8")
