"""`deckcheck collect` with archives, spreadsheets and links, as no transcript has."""

import csv
import io
import json
import os
import random
import re
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from helpers.commands import stdout_of
from helpers.events import edit, make_book, make_mail, make_zip, read
from helpers.hostile import attachments

from deckcheck.events import EventFile
from deckcheck.events.collecting import _join_parts, find_owner
from deckcheck.events.pieces import BY_ADDRESS, Hint, Piece
from deckcheck.events.records import describe_lateness

Captured = pytest.CaptureFixture[str]
DECKS = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
DECK = read(str(DECKS / "nr_siege_masters.deck"))
LINES = [line for line in DECK.splitlines() if line and not line.startswith("#")]
PLAYERS = ["Anna Nowak", "Ben Ito", "Cleo Rossi", "Dora Vogt"]
PLAYERS += ["Åke Lund", "Filip Šťastný"]
EVENT = """\
name = "Spring cup"
date = "2026-03-14"
format = "gwent/standard"
lists = "lists"
players = {}
"""


@pytest.fixture
def inbox(here: Path) -> Path:
    """The folder of an event, with an empty inbox."""
    players = json.dumps(PLAYERS, ensure_ascii=False)
    Path("event.toml").write_text(EVENT.format(players), encoding="utf-8")
    Path("inbox").mkdir()
    return here


def collect(capsys: Captured, code: int = 1) -> str:
    """Collect the inbox, and return the printed report."""
    return stdout_of(capsys, "collect", "inbox", "event.toml", code=code)


def put(name: str, data: str | bytes) -> None:
    """Put a file into the inbox."""
    file = Path("inbox") / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))


def collected() -> list[str]:
    """Return the files in the folder of lists."""
    files = (file for file in Path("lists").rglob("*") if file.is_file())
    return sorted(file.relative_to("lists").as_posix() for file in files)


def as_page() -> str:
    items = "".join(f"<li>{line}</li>" for line in LINES)
    head = "<head><title>Decks</title><script>var x = 1;</script></head>"
    return f"<!DOCTYPE html><html>{head}<body><ul>{items}</ul></body></html>"


def as_rows(delimiter: str) -> str:
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, lineterminator="\n").writerows(table())
    return stream.getvalue()


def table() -> list[tuple[object, ...]]:
    """Return the rows of a table of the deck: counts, cards and the leader."""
    rows: list[tuple[object, ...]] = [("count", "card", "leader")]
    for line in LINES:
        count, _, name = line.partition(" ") if line[0].isdigit() else ("1", "", line)
        if ":" not in line:
            rows.append((int(count), name, "Foltest, The Siegemaster"))
    return rows


def test_every_way_in_which_lists_arrive(inbox: Path, capsys: Captured) -> None:
    put("anna.eml", make_mail('"Anna Nowak" <a@example.org>', **{"deck.txt": DECK}))
    put("ben-ito.zip", make_zip(**{"../../evil/deck.deck": DECK, "__MACOSX/x": b"1"}))
    put("Cleo Rossi/liste.html", as_page())
    put("dora_vogt.csv", as_rows(";"))
    put("ake lund.xlsx", make_book(*table()))
    put("7.eml", make_mail("Filip Stastny <f@example.org>", f"{DECK}\n-- \nFilip\n"))

    out = collect(capsys, code=0)
    stems = ["ake_lund", "anna_nowak", "ben_ito", "cleo_rossi", "dora_vogt"]
    assert collected() == [f"{stem}.deck" for stem in [*stems, "filip_stastny"]]
    assert out.count(": legal\n") == len(PLAYERS)
    assert read("lists/anna_nowak.deck") == DECK
    assert not (inbox.parent / "evil").exists()
    kept = sorted(each.name for each in Path("originals").rglob("*") if each.is_file())
    assert kept == [
        *("7.eml", "ake lund.xlsx", "anna.eml", "ben-ito.zip", "collected.json"),
        *("dora_vogt.csv", "liste.html"),
    ]
    assert Path("originals/ben-ito.zip").read_bytes().startswith(b"PK")
    # A second time nothing changes.
    files = [file for file in inbox.rglob("*") if file.is_file()]
    before = {file: file.read_bytes() for file in files}
    assert collect(capsys, code=0).count(", unchanged, ") == len(PLAYERS)
    assert {file: file.read_bytes() for file in files} == before


def test_unreadable_files_get_their_verdict(inbox: Path, capsys: Captured) -> None:
    put("anna_nowak.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF")
    put("photo.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF")
    put("ben_ito.zip", b"PK\x03\x04 and nothing else")
    put("cleo_rossi.xlsx", make_zip(**{"x.txt": "no book"}))
    put("dora_vogt.csv", "item;price\nScorch;3\n")

    out = collect(capsys)
    assert collected() == [
        *("anna_nowak.jpg", "ben_ito.zip", "cleo_rossi.xlsx", "dora_vogt.csv"),
        "unknown/photo_unknown.jpg",
    ]
    assert ": legal\n" not in out
    assert "names a registered player): unreadable\n" in out
    assert "ben_ito.zip, new: the archive is damaged: " in out
    assert "cleo_rossi.xlsx, new: cannot be read as xlsx: " in out


@pytest.mark.parametrize("heads", ["", "Qty Card", "Karte Anzahl", "# Name", "Player"])
def test_a_spreadsheet_is_a_list_or_a_form(
    inbox: Path, capsys: Captured, heads: str
) -> None:
    cards = [row[1::-1] if "Karte" in heads else row[:2] for row in table()[1:]]
    first: tuple[object, ...] = (*heads.split(),)
    rows = [first or ("Leader", "Foltest, The Siegemaster"), *cards]
    if heads == "Player":
        rows = [("Player", "Decklist"), ("Anna Nowak", DECK)]
    put("anna_nowak.xlsx", make_book(*rows))
    collect(capsys)

    assert re.search(r"(?m)^3\sDecoy$", read("lists/anna_nowak.deck"))


def test_without_openpyxl_spreadsheets_stay(
    inbox: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("anna_nowak.xlsx", make_book(*table()))
    put("ben_ito.txt", DECK)
    monkeypatch.setitem(sys.modules, "openpyxl", None)

    assert "is not installed: `pip install openpyxl`" in collect(capsys)
    assert collected() == ["anna_nowak.xlsx", "ben_ito.deck"]


def test_an_archive_that_is_too_much(inbox: Path, capsys: Captured) -> None:
    nested = make_zip(**{"a.txt": b"\0" * 5_000_000})
    for _ in range(6):
        nested = make_zip(**{"inner.zip": nested})
    put("anna_nowak.zip", nested)
    put("ben_ito.zip", make_zip(**{f"{n}.txt": "x" for n in range(2_001)}))

    out = collect(capsys)
    assert "archives and emails are nested deeper than 4" in out
    assert "it holds more than 2000 files" in out


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def test_a_lineup_is_collected_by_parts(inbox: Path, capsys: Captured) -> None:
    edit("event.toml", "gwent/standard", "gwent/tournament")
    decks = ["nr_siege_masters", "sk_longships", "mo_swarm"]
    texts = [read(str(DECKS / f"{deck}.deck")) for deck in decks]
    for number, text in enumerate(texts, start=1):
        put(f"{number}/anna_nowak.txt", text)
    put("again/anna_nowak.txt", texts[0])
    form = "Player,Deck 1,Deck 2,Deck 3\nBen Ito,{},{},\n"
    put("answers.csv", form.format(*map(quoted, texts[:2])))
    put("cleo_rossi.txt", "---\n".join(texts))
    put("x/cleo_rossi.txt", texts[0])

    out = collect(capsys)
    cleo = ["2/cleo_rossi.deck", "cleo_rossi.deck"]
    assert collected() == sorted(["anna_nowak.deck", "ben_ito.deck", *cleo])
    assert read("lists/anna_nowak.deck").count("\n---\n") == 2
    assert "  2 of 3 decks of the lineup, 1 missing\n" in out
    assert "inbox/1/anna_nowak.txt + inbox/2/anna_nowak.txt + inbox/3/anna_no" in out


def test_a_mail_named_crow_is_not_a_row(inbox: Path, capsys: Captured) -> None:
    """A letter without a list leaves an attachment that cannot be read a list."""
    picture = {"list.jpg": b"\xff\xd8\xff\xe0\0\x10JFIF"}
    put(
        "crow.eml",
        make_mail("Anna Nowak <a@example.org>", "See the file.\n", **picture),
    )
    put("cow.eml", make_mail("Ben Ito <b@example.org>", "See the file.\n", **picture))

    out = collect(capsys)
    assert "inbox/crow.eml: list.jpg -> lists/anna_nowak.jpg, new, " in out
    assert "inbox/cow.eml: list.jpg -> lists/ben_ito.jpg, new, " in out


def test_a_lineup_arrived_with_its_last_deck() -> None:
    first, last = (datetime(2026, 3, day, tzinfo=UTC) for day in (11, 12))
    for times in ((first, last), (last, first), (last, first.replace(tzinfo=None))):
        parts = [Piece("a", "a.deck", b"1 Decoy", time=time) for time in times]
        assert _join_parts(parts, 2).time == last, times


@pytest.mark.parametrize("many", [36, pytest.param(300, marks=pytest.mark.slow)])
def test_no_attachment_ends_the_run(inbox: Path, capsys: Captured, many: int) -> None:
    """Attachments that are damaged, or made to harm: each is a finding."""
    for number, (name, data) in enumerate(attachments(random.Random(1), many, DECK)):
        put(f"{number:03}.eml", make_mail("M <m@x.org>", "See there", **{name: data}))
    put("anna_nowak.txt", DECK)
    Path("inbox/link.deck").symlink_to("/etc/hostname")
    Path("inbox/folder").symlink_to("/etc")
    os.mkfifo("inbox/pipe.deck")

    out = collect(capsys).splitlines()
    told = {line[6:9] for line in out if line.startswith("inbox/")}
    assert told >= {f"{number:03}" for number in range(many)}
    legal = [line for line in out if line.endswith(": legal")]
    assert [line.partition(" ")[0] for line in legal] == ["inbox/anna_nowak.txt"]
    for name, why in (
        ("link.deck", "not taken: it is a link to another file"),
        ("folder", "not taken: it is a link to another file"),
        ("pipe.deck", "not taken: it cannot be read: a named pipe, not a file"),
    ):
        assert [line for line in out if f"inbox/{name}: " in line and why in line]
    assert not Path("originals/link.deck").exists()


# The player of a list, and its time.

REGISTERED = EventFile(
    "Spring cup",
    *("2026-03-14", "gwent/standard", "lists"),
    (
        *("Anna Nowak", "Anna Berg", "Ben Ito", "Peter", "Max", "Player 1", "Player 2"),
        *("Jørgen Müller", "Çağla Yılmaz"),
    ),
    ids={"Anna Nowak": "A17"},
    addresses={"Ben Ito": "ben@example.org"},
)
OWNERS = {
    "Anna Nowak": "anna_nowak|Nowak, Anna (Kraków)|final deck anna nowak v2|"
    "Re: Spring cup, deck of Anna Nowak|a17",
    "Max": "Max|max-decklist",
    "Jørgen Müller": "joergen mueller",
    "Çağla Yılmaz": "Yilmaz, Cagla",
    None: "Anna Nowak Kowalska|Peter Muster|deck 2 player 1|Anna|deck||!!",
}
"""Players, and the names of files of each."""
SENDERS = {
    "Peter Muster <max@example.org>": None,
    "Max <max@example.org>": "Max",
    "B. I. <Ben@example.org>": "Ben Ito",
    "Ben Ito <ben@elsewhere.org>": None,
    "Max <ben@example.org>": None,
}


def test_find_owner() -> None:
    for player, texts in OWNERS.items():
        for text in texts.split("|"):
            found = find_owner([Hint("the file name", text)], REGISTERED)
            assert found.player == player, text
    for sender, player in SENDERS.items():
        name, _, address = sender.removesuffix(">").partition(" <")
        hints = [Hint("the sender", name), Hint(BY_ADDRESS, address)]
        assert find_owner(hints, REGISTERED).player == player, sender


def test_describe_lateness() -> None:
    event = replace(REGISTERED, deadline="2026-03-12, 20:00 Europe/Prague")
    japan = timezone(timedelta(hours=9))
    for arrived, late in (
        (datetime(2026, 3, 12, 20, 0), None),
        (datetime(2026, 3, 12, 20, 0, 1), "2026-03-12 at 20:00"),
        (datetime(2026, 3, 12, 19, 0, tzinfo=UTC), None),
        (datetime(2026, 3, 12, 19, 1, tzinfo=UTC), "2026-03-12 at 20:01"),
        (datetime(2026, 3, 13, 1, 0, tzinfo=japan), None),
        (None, None),
    ):
        said = f"it arrived on {late}, after the deadline" if late else None
        assert describe_lateness(arrived, event) == said, arrived
        assert describe_lateness(arrived, REGISTERED) is None
