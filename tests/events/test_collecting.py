"""Arrivals turned into lists, also those of an attacker."""

import csv
import hmac
import io
import itertools
import json
import os
import random
import re
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from helpers.hostile import attachments

from deckcheck.cli import main
from deckcheck.events import EventFile, read_salts
from deckcheck.events.collecting import find_owner
from deckcheck.events.records import describe_lateness
from deckcheck.events.unpacking import (
    BY_ADDRESS,
    ArchiveError,
    Budget,
    Hint,
    Piece,
    decode_page,
    members,
    read_page_text,
    unpack,
)

# An attacker who plays: what is public, a letter of their own, a dictionary.

DECKS = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
PAGES = ("--output-format", "html:page.html", "--output-format", "markdown:page.md")
SEALS = re.compile(r"\b[0-9a-f]{64}\b")
SHORT = 1 << 12
"""How many salts of three digits there are: one so short would be found."""


def run(*words: str) -> None:
    assert main(["event", "event.toml", "-q", *words]) == 0


def read(name: str) -> str:
    return Path(name).read_text(encoding="utf-8")


@pytest.fixture
def cup_of_four(cup: Path) -> Path:
    """Ben, who attacks, plays the deck of Carla; Dora's is one that all know."""
    shutil.copy("lists/ben_ito.deck", "lists/carla_rossi.deck")
    shutil.copy(DECKS / "sk_longships.deck", "lists/dora.deck")
    text = read("event.toml").replace('"Ben Ito"', '"Ben Ito", "Carla Rossi", "Dora"')
    Path("event.toml").write_text(text, encoding="utf-8")
    return cup


@pytest.fixture
def seals(cup_of_four: Path) -> dict[str, str]:
    """The seals that are published, by the name of the list; none equals another."""
    run("--seal", "seal.json", "--salts", "salts.json", "--letters", "letters", *PAGES)
    [seal] = json.loads(read("seal.json"))["seals"]
    assert len({*seal["lists"].values(), *seal["decks"].values()}) == 8
    found: dict[str, str] = seal["lists"]
    return found


def known_decks() -> Iterator[bytes]:
    """Every deck that is known, and each with one card more or fewer."""
    for file in sorted(DECKS.glob("*.deck")):
        data = file.read_bytes()
        yield data
        lines = data.splitlines(keepends=True)
        for at in range(len(lines)):
            yield b"".join(lines[:at] + lines[at + 1 :])


def hits(seals: set[str], salts: list[str], decks: list[bytes]) -> set[str]:
    """The seals of these decks with these salts, as far as they were published."""
    found = set()
    for salt in salts:
        begun = sha256(salt.encode("ascii"))
        for deck in decks:
            tried = begun.copy()
            tried.update(deck)
            found.add(tried.hexdigest())
    return found & seals


def test_a_dictionary_of_known_decks_finds_none(seals: dict[str, str]) -> None:
    """Without a salt, with those of Ben's letter, and with what follows from it."""
    own = re.search("^Salt: (.*)$", read("letters/ben_ito.txt"), re.MULTILINE)[1]
    names = ["ben_ito", "carla_rossi", "dora", "benito", "carlarossi", "anna-nowak"]
    public = list(json.loads(read("seal.json"))["seals"][0].values())
    guesses = ["", own, *names, *(str(word) for word in public if word is not None)]
    for name in names:
        for text in (name, f"salt {name}"):
            made = hmac.new(bytes.fromhex(own), text.encode(), sha256).hexdigest()
            guesses += [made, made[:32]]
    others = {seal for name, seal in seals.items() if name != "ben_ito.deck"}

    ascii_guesses = [guess for guess in guesses if guess.isascii()]
    assert hits(others, ascii_guesses, list(known_decks())) == set()
    mine = {seals["ben_ito.deck"]}
    assert hits(mine, [own], [Path("lists/ben_ito.deck").read_bytes()]) == mine


def test_the_attack_would_find_a_salt_that_is_short(seals: dict[str, str]) -> None:
    """The dictionary works: it is the length of the salts that defeats it."""
    salts = [f"{number:03x}" for number in range(SHORT)]
    decks = [Path("lists/dora.deck").read_bytes()]
    weak = sha256(b"bee" + decks[0]).hexdigest()

    assert hits({weak}, salts, decks) == {weak}
    assert hits(set(seals.values()), salts, decks) == set()
    true = read_salts(Path("salts.json")).of("dora.deck", "Winter cup")
    assert len(true) == 32
    assert hits(set(seals.values()), [true], decks) == {seals["dora.deck"]}


def test_pages_are_the_same_whatever_the_decks_are(cup_of_four: Path) -> None:
    """Nothing but the seals depends on a deck: all else is equal byte by byte."""
    shown = []
    decks = sorted(DECKS.glob("*.deck"))
    for lists in itertools.islice(itertools.combinations(decks, 3), 0, 200, 40):
        for player, deck in zip(("ben_ito", "carla_rossi", "dora"), lists, strict=True):
            shutil.copy(deck, f"lists/{player}.deck")
        run("--salts", "salts.json", *PAGES)
        pages = read("page.html") + read("page.md")
        assert len(SEALS.findall(pages)) == 8
        shown.append(SEALS.sub("-", pages))

    assert len(set(shown)) == 1


# `deckcheck collect`: what comes by mail and by forms becomes a folder of lists.

Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[2]
DECK = (ROOT / "decks/gwent/standard/nr_siege_masters.deck").read_text(encoding="utf-8")
LINES = [line for line in DECK.splitlines() if line and not line.startswith("#")]
CARDS = [line for line in LINES if ":" not in line]
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


def collect(code: int = 0) -> None:
    assert main(["collect", "inbox", "event.toml"]) == code


def put(name: str, data: str | bytes) -> None:
    file = Path("inbox") / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))


def lists() -> list[str]:
    return sorted(
        file.relative_to("lists").as_posix()
        for file in Path("lists").rglob("*")
        if file.is_file()
    )


def list_of(name: str) -> str:
    return (Path("lists") / name).read_text(encoding="utf-8")


def zipped(**files: str | bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


def mail(
    sender: str, text: str = "", subject: str = "My list", **files: str | bytes
) -> bytes:
    message = EmailMessage()
    message["From"], message["Subject"] = sender, subject
    message.set_content(text or "Hello, here is my list.\n")
    for name, data in files.items():
        raw = data.encode("utf-8") if isinstance(data, str) else data
        message.add_attachment(
            raw, maintype="application", subtype="octet-stream", filename=name
        )
    return message.as_bytes()


def as_page() -> str:
    items = "".join(f"<li>{line}</li>" for line in LINES)
    head = "<head><title>Decks</title><script>var x = 1;</script></head>"
    return f"<!DOCTYPE html><html>{head}<body><ul>{items}</ul></body></html>"


def as_rows(delimiter: str) -> str:
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, lineterminator="\n").writerows(table())
    return stream.getvalue()


def as_book(rows: list[list[object]]) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    assert book.active is not None
    for row in rows:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def table() -> list[list[object]]:
    rows: list[list[object]] = [["count", "card", "leader"]]
    for line in CARDS:
        count, _, name = line.partition(" ") if line[0].isdigit() else ("1", "", line)
        rows.append([int(count), name, "Foltest, The Siegemaster"])
    return rows


def test_every_way_in_which_lists_arrive(inbox: Path, capsys: Captured) -> None:
    put("anna.eml", mail('"Anna Nowak" <a@example.org>', **{"deck.txt": DECK}))
    put("ben-ito.zip", zipped(**{"../../evil/deck.deck": DECK, "__MACOSX/x": b"1"}))
    put("cleo/liste.html", as_page())
    Path("inbox/cleo").rename("inbox/Cleo Rossi")
    put("dora_vogt.csv", as_rows(";"))
    put("ake lund.xlsx", as_book(table()))
    put("7.eml", mail("Filip Stastny <f@example.org>", f"{DECK}\n-- \nFilip\n"))

    collect()

    stems = ["ake_lund", "anna_nowak", "ben_ito", "cleo_rossi", "dora_vogt"]
    assert lists() == [f"{stem}.deck" for stem in [*stems, "filip_stastny"]]
    out = capsys.readouterr().out
    assert out.count(": legal\n") == len(PLAYERS)
    assert (
        "inbox/anna.eml: deck.txt -> lists/anna_nowak.deck, new, "
        "Anna Nowak (by the sender): legal\n"
        "  ignored the text of the mail, because a file is attached\n"
    ) in out
    assert "  read from the page `liste.html`\n" in out
    assert "  converted to text from CSV\n" in out
    assert out.endswith("\n6 lists arrived\n")
    assert list_of("anna_nowak.deck") == DECK
    assert not (inbox.parent / "evil").exists()
    kept = sorted(each.name for each in Path("originals").rglob("*") if each.is_file())
    assert kept == [
        *("7.eml", "ake lund.xlsx", "anna.eml", "ben-ito.zip", "collected.json"),
        *("dora_vogt.csv", "liste.html"),
    ]
    assert Path("originals/ben-ito.zip").read_bytes().startswith(b"PK")


def test_running_twice_changes_nothing(inbox: Path, capsys: Captured) -> None:
    put("anna_nowak.txt", DECK)
    put("x.eml", mail("Ben Ito <b@example.org>", **{"b.csv": as_rows(",")}))
    kept = []
    for _ in range(2):
        capsys.readouterr()
        collect(code=1)
        files = [file for file in inbox.rglob("*") if file.is_file()]
        kept.append({file: file.read_bytes() for file in files})

    assert kept[0] == kept[1]
    assert capsys.readouterr().out.count(", unchanged, ") == 2


def test_two_lists_of_a_player_are_a_finding(inbox: Path, capsys: Captured) -> None:
    put("1/anna_nowak.txt", DECK)
    put("2/anna_nowak.txt", DECK.replace("3 Decoy", "2 Decoy"))
    put("3/anna_nowak.txt", DECK)
    collect(code=1)

    assert lists() == ["2/anna_nowak.deck", "anna_nowak.deck"]
    out = capsys.readouterr().out
    assert (
        "lists/2/anna_nowak.deck, new, another list of this player, Anna Nowak" in out
    )
    assert "the same list again as `inbox/1/anna_nowak.txt`\n" in out
    assert main(["event", "event.toml", "--output-format", "concise"]) == 1
    assert "several-lists" in capsys.readouterr().out

    Path("inbox/1/anna_nowak.txt").unlink()
    Path("inbox/3/anna_nowak.txt").unlink()
    collect(code=1)
    assert lists() == ["anna_nowak.deck"]
    assert "2 Decoy" in list_of("anna_nowak.deck")
    assert "removed `lists/2/anna_nowak.deck`" in capsys.readouterr().out
    assert len(list(Path("originals").rglob("*.txt"))) == 3


def test_a_list_that_you_changed_stays(inbox: Path, capsys: Captured) -> None:
    """Until then a later one replaces it, and it is said what changed."""
    put("anna_nowak.txt", DECK)
    collect(code=1)
    put("anna_nowak.txt", DECK.replace("3 Decoy", "2 Decoy"))
    capsys.readouterr()
    collect(code=1)
    out = capsys.readouterr().out
    assert ", replaces an earlier list, Anna Nowak (by the file name): " in out
    assert "  `3 Decoy` became `2 Decoy`\n" in out

    file = Path("lists/anna_nowak.deck")
    file.write_text(DECK.replace("3 Decoy", "1 Decoy"), encoding="utf-8")
    collect(code=1)
    assert "1 Decoy" in file.read_text(encoding="utf-8")
    assert ", kept as you have changed it, " in capsys.readouterr().out

    put("anna_nowak.txt", DECK.replace("Scorch", "Thaler"))
    collect(code=1)
    assert lists() == ["2/anna_nowak.deck", "anna_nowak.deck"]
    assert "1 Decoy" in file.read_text(encoding="utf-8")


def test_a_list_of_nobody_and_one_of_two_players(inbox: Path, capsys: Captured) -> None:
    put("mine.txt", DECK)
    put("anna.eml", mail("Anna Nowak <a@x.org>", **{"ben_ito.txt": DECK}))
    collect(code=1)

    assert lists() == ["unknown/ben_ito_unknown.deck", "unknown/mine_unknown.deck"]
    out = capsys.readouterr().out
    assert "unknown player (nothing in it names a registered player): " in out
    assert (
        "unknown player (it could belong to `Ben Ito` by the file name, "
        "or `Anna Nowak` by the sender)"
    ) in out
    assert "2 lists arrived, 2 without a player, 6 missing\n" in out


def test_what_cannot_be_read_gets_its_verdict(inbox: Path, capsys: Captured) -> None:
    put("anna_nowak.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF")
    put("photo.jpg", b"\xff\xd8\xff\xe0\0\x10JFIF")
    put("ben_ito.zip", b"PK\x03\x04 and nothing else")
    put("cleo_rossi.xlsx", zipped(**{"x.txt": "no book"}))
    put("dora_vogt.csv", "item;price\nScorch;3\n")
    put("ake_lund.txt", DECK.replace("3 Decoy", "5 Decoy"))
    put("filip.eml", b"no mail at all")
    Path("inbox/filip.txt").symlink_to("/etc/hostname")
    collect(code=1)

    out = capsys.readouterr().out
    assert lists() == [
        *("ake_lund.deck", "anna_nowak.jpg", "ben_ito.zip", "cleo_rossi.xlsx"),
        *("dora_vogt.csv", "unknown/filip_unknown.eml", "unknown/photo_unknown.jpg"),
    ]
    assert out.count(": legal\n") == 0
    assert "names a registered player): unreadable\n" in out
    assert "ben_ito.zip, new: the archive is damaged: " in out
    assert "cleo_rossi.xlsx, new: cannot be read as xlsx: " in out
    assert "cannot be read as eml: it has no sender" in out
    assert "not taken: it is a link to another file\n" in out
    main(["event", "event.toml", "--output-format", "concise"])
    out = capsys.readouterr().out
    assert "anna_nowak.jpg:1:1: error[DP110] binary-file: File looks like a JPEG" in out
    assert "dora_vogt.csv:1:1: error[DP202] malformed-deck: The table has no" in out


def test_a_form_has_a_list_in_each_row(inbox: Path, capsys: Captured) -> None:
    quoted = DECK.replace('"', '""')
    rows = (
        f'Timestamp;Player;Deck list\n1;Anna Nowak;"{quoted}"\n2;Ben Ito;"{quoted}"\n'
    )
    put("answers.csv", rows)
    put("more.xlsx", as_book([["Player", "Decklist"], ["Cleo Rossi", DECK]]))
    collect(code=1)

    assert lists() == ["anna_nowak.deck", "ben_ito.deck", "cleo_rossi.deck"]
    out = capsys.readouterr().out
    assert "inbox/answers.csv: row 2 -> lists/anna_nowak.deck, new" in out
    assert list_of("ben_ito.deck") == DECK


def test_a_spreadsheet_without_a_heading(inbox: Path) -> None:
    rows: list[list[object]] = [["Leader", "Foltest, The Siegemaster"]]
    rows += [row[:2] for row in table()[1:]]
    put("anna_nowak.xlsx", as_book(rows))
    collect(code=1)

    assert "3\tDecoy\n" in list_of("anna_nowak.deck")
    assert main(["validate", "lists", "--format", "gwent/standard", "-qq"]) == 0


@pytest.mark.parametrize("heads", [["Qty", "Card"], ["Karte", "Anzahl"], ["#", "Name"]])
def test_a_spreadsheet_with_a_column_of_counts(inbox: Path, heads: list[str]) -> None:
    cards = [row[:2] if heads[0] != "Karte" else row[1::-1] for row in table()[1:]]
    put("anna_nowak.xlsx", as_book([[*heads], *cards]))
    collect(code=1)

    assert "3 Decoy\n" in list_of("anna_nowak.deck")


def test_without_openpyxl(
    inbox: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    put("anna_nowak.xlsx", as_book(table()))
    put("ben_ito.txt", DECK)
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    collect(code=1)

    assert "is not installed: `pip install openpyxl`" in capsys.readouterr().out
    assert lists() == ["anna_nowak.xlsx", "ben_ito.deck"]


def test_an_archive_that_is_too_much(inbox: Path, capsys: Captured) -> None:
    zeros = zipped(**{"a.txt": b"\0" * 5_000_000})
    nested = zeros
    for _ in range(6):
        nested = zipped(**{"inner.zip": nested})
    put("anna_nowak.zip", nested)
    put("ben_ito.zip", zipped(**{f"{n}.txt": "x" for n in range(2_001)}))
    collect(code=1)

    out = capsys.readouterr().out
    assert "archives and emails are nested deeper than 4" in out
    assert "it holds more than 2000 files" in out
    with pytest.raises(ArchiveError, match="more than 64 MiB"):
        list(members(zeros, Budget(bytes=1_000_000)))
    locked = _locked(zipped(**{"a.txt": "x"}))
    assert list(members(locked, Budget())) == [("a.txt", "it needs a password")]


def _locked(data: bytes) -> bytes:
    """The archive with the mark of a password on its only file."""
    at, end = data.index(b"PK\x01\x02") + 8, data.index(b"PK\x03\x04") + 6
    marked = bytearray(data)
    marked[at] |= 1
    marked[end] |= 1
    return bytes(marked)


def test_folders_that_lie_in_each_other(inbox: Path, capsys: Captured) -> None:
    Path("lists").mkdir()
    assert main(["collect", "lists", "event.toml"]) == 2
    assert main(["collect", ".", "event.toml"]) == 2
    assert main(["collect", "gone", "event.toml"]) == 2
    collect(code=2)
    assert "`inbox` is empty" in capsys.readouterr().err


def edit_event(old: str, new: str) -> None:
    text = Path("event.toml").read_text(encoding="utf-8")
    assert old in text
    Path("event.toml").write_text(text.replace(old, new), encoding="utf-8")


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def test_a_sealed_list_is_never_replaced(inbox: Path, capsys: Captured) -> None:
    edit_event("players = ", 'players = ["Anna Nowak"] #')
    put("anna_nowak.txt", DECK)
    collect()
    seal = ("--seal", "seal.json", "--salts", "salts.json")
    assert main(["event", "event.toml", "-q", *seal]) == 0
    put("anna_nowak.txt", DECK.replace("3 Decoy", "2 Decoy"))
    capsys.readouterr()
    collect(code=1)

    assert lists() == ["2/anna_nowak.deck", "anna_nowak.deck"]
    assert list_of("anna_nowak.deck") == DECK
    out = capsys.readouterr().out
    assert "  `3 Decoy` became `2 Decoy`\n" in out
    assert "  the sealed list stays as it is\n" in out


@pytest.mark.parametrize(
    ("late", "severity"),
    [("refuse", None), ("accept-with-note", "note"), (None, "warning")],
)
def test_a_deadline_acts(
    inbox: Path, capsys: Captured, late: str | None, severity: str | None
) -> None:
    """By the first header, that of the last server, and not by those of the sender."""
    edit_event("lists =", 'deadline = "2026-03-12, 20:00 Europe/Prague"\nlists =')
    if late is not None:
        edit_event("lists =", f'late = "{late}"\nlists =')
    dated = "Received: from x by y; Thu, 12 Mar 2026 {}:00 +0000\n"
    for name, time in (("Anna Nowak", "18:59"), ("Ben Ito", "19:01")):
        head = dated.format(time) + dated.format("08:00")
        put(f"{name}.eml", head.encode() + mail(f"{name} <x@example.org>", DECK))
    form = "time,player,list\n2026-03-12 19:59,Cleo Rossi,{0}\n{1},Dora Vogt,{0}\n"
    put("answers.csv", form.format(quoted(DECK), "2026/03/12 8:01:00 PM GMT+1"))
    put("ake_lund.txt", DECK)
    collect(code=1)

    late_ones = ["ben_ito", "dora_vogt"] if severity else []
    names = sorted(["ake_lund", "anna_nowak", "cleo_rossi", *late_ones])
    assert lists() == [f"{name}.deck" for name in names]
    out = capsys.readouterr().out
    assert out.count("it arrived on 2026-03-12 at 20:01, after the deadline") == 2
    assert ", 1 of unknown time, not compared with the deadline\n" in out
    main(["event", "event.toml", "--output-format", "concise"])
    out = capsys.readouterr().out
    found = re.findall(r"lists/(\w+).deck:1:1: (\w+)\[DE110\]", out)
    assert sorted(found) == [(name, severity) for name in late_ones]


def test_a_lineup_is_collected_by_parts(inbox: Path, capsys: Captured) -> None:
    edit_event("gwent/standard", "gwent/tournament")
    decks = ["nr_siege_masters", "sk_longships", "mo_swarm"]
    texts = [(DECKS / f"{deck}.deck").read_text(encoding="utf-8") for deck in decks]
    for number, text in enumerate(texts, start=1):
        put(f"{number}/anna_nowak.txt", text)
    put("again/anna_nowak.txt", texts[0])
    form = "Player,Deck 1,Deck 2,Deck 3\nBen Ito,{},{},\n"
    put("answers.csv", form.format(*map(quoted, texts[:2])))
    put("cleo_rossi.txt", "---\n".join(texts))
    put("x/cleo_rossi.txt", texts[0])
    collect(code=1)

    cleo = ["2/cleo_rossi.deck", "cleo_rossi.deck"]
    assert lists() == sorted(["anna_nowak.deck", "ben_ito.deck", *cleo])
    assert list_of("anna_nowak.deck").count("\n---\n") == 2
    out = capsys.readouterr().out
    assert "  2 of 3 decks of the lineup, 1 missing\n" in out
    assert "inbox/1/anna_nowak.txt + inbox/2/anna_nowak.txt + inbox/3/anna_no" in out


@pytest.mark.parametrize("many", [36, pytest.param(300, marks=pytest.mark.slow)])
def test_no_attachment_ends_the_run(inbox: Path, capsys: Captured, many: int) -> None:
    """Attachments that are damaged, or made to harm: each is a finding."""
    for number, (name, data) in enumerate(attachments(random.Random(1), many, DECK)):
        put(f"{number:03}.eml", mail("M <m@x.org>", "See there", **{name: data}))
    put("anna_nowak.txt", DECK)
    Path("inbox/link.deck").symlink_to("/etc/hostname")
    Path("inbox/folder").symlink_to("/etc")
    os.mkfifo("inbox/pipe.deck")
    collect(code=1)

    out = capsys.readouterr().out.splitlines()
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


@pytest.mark.parametrize(
    ("text", "player"),
    [
        ("anna_nowak", "Anna Nowak"),
        ("Nowak, Anna (Kraków)", "Anna Nowak"),
        ("final deck anna nowak v2", "Anna Nowak"),
        ("Re: Spring cup, deck of Anna Nowak", "Anna Nowak"),
        ("Anna Nowak Kowalska", None),
        ("Peter Muster", None),
        ("Max", "Max"),
        ("joergen mueller", "Jørgen Müller"),
        ("Yilmaz, Cagla", "Çağla Yılmaz"),
        ("max-decklist", "Max"),
        ("deck 2 player 1", None),
        ("a17", "Anna Nowak"),
        ("Anna", None),
        ("deck", None),
        ("", None),
        ("!!", None),
    ],
)
def test_whose_a_list_is(text: str, player: str | None) -> None:
    assert find_owner([Hint("the file name", text)], REGISTERED).player == player


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


@pytest.mark.parametrize(
    ("sender", "address", "player"),
    [
        ("Peter Muster", "max@example.org", None),
        ("Max", "max@example.org", "Max"),
        ("B. I.", "Ben@example.org", "Ben Ito"),
        ("Ben Ito", "ben@elsewhere.org", None),
        ("Max", "ben@example.org", None),
    ],
)
def test_whose_a_mail_is(sender: str, address: str, player: str | None) -> None:
    hints = [Hint("the sender", sender), Hint(BY_ADDRESS, address)]
    assert find_owner(hints, REGISTERED).player == player


SENT = "Thu, 12 Mar 2026 18:59:00 +0000"
FROM = {"From": "Anna <a@x.org>", "Subject": "My list", "Date": SENT}
TOLD = (("the sender", "Anna"), (BY_ADDRESS, "a@x.org"), ("the subject", "My list"))
INSIDE = (("the name of out.eml", "out"), *TOLD)
TEXT = (("the file name", "out"), *TOLD)


def message(text: str = "", kind: str = "plain", **headers: str) -> EmailMessage:
    made = EmailMessage()
    for key, value in (FROM | headers).items():
        made[key] = value
    if text:
        made.set_content(text, subtype=kind)
    return made


def with_files(*names: str, inline: bool = False) -> EmailMessage:
    made = message("Hello")
    for name in names:
        kind = "image" if name.endswith(".png") else "application"
        disposition = "inline" if inline else "attachment"
        about = {"maintype": kind, "subtype": "x-any", "disposition": disposition}
        made.add_attachment(name.encode(), filename=name, **about)
    return made


def forwarding() -> EmailMessage:
    made = message("See below")
    made.add_attachment(message("1 Decoy", From="Ben <b@x.org>", Date=""))
    return made


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (message("1 Decoy"), [("out.deck", b"1 Decoy\n", (), ())]),
        (message(), [("out.deck", b"", (), ())]),
        (
            message("<p>1 Decoy</p>", "html"),
            [("out.deck", b"1 Decoy\n", ("read from the page in the mail",), ())],
        ),
        (
            with_files("a.txt", "b.png"),
            [
                ("a.txt", b"a.txt", (), (("the file name", "a"), *INSIDE)),
                ("b.png", b"b.png", (), (("the file name", "b"), *INSIDE)),
                ("out.deck", b"Hello\n", (), TEXT),
            ],
        ),
        (
            with_files("a.txt", "b.png", inline=True),
            [
                ("a.txt", b"a.txt", (), (("the file name", "a"), *INSIDE)),
                ("out.deck", b"Hello\n", (), TEXT),
            ],
        ),
        (
            forwarding(),
            [
                (
                    *("forwarded.deck", b"1 Decoy\n", ()),
                    (
                        *(("the file name", "forwarded"), *INSIDE),
                        *(("the sender", "Ben"), (BY_ADDRESS, "b@x.org"), TOLD[2]),
                    ),
                ),
                ("out.deck", b"See below\n", (), TEXT),
            ],
        ),
    ],
    ids=["text", "nothing", "page", "files", "pictures of the text", "forwarded"],
)
def test_what_a_mail_brings(sent: EmailMessage, expected: list[Any]) -> None:
    name = Hint("the file name", "out")
    piece = Piece("in/out.eml", "out.eml", sent.as_bytes(), (name,))
    pieces = [*unpack(piece, Budget())]

    found = [(p.name, p.data, p.remarks, p.hints) for p in pieces]
    if not sent.is_multipart():
        expected = [(*own, (name, *TOLD)) for *own, _ in expected]
    assert found == expected
    assert {p.time for p in pieces} == {datetime(2026, 3, 12, 18, 59, tzinfo=UTC)}
    assert all(p.fault is None and p.origin.startswith("in/out.eml") for p in pieces)


@pytest.mark.parametrize(
    ("budget", "fault"),
    [
        ({"pieces": 2, "bytes": 10}, None),
        ({"pieces": 1}, "it holds too much"),
        ({"bytes": 9}, "it holds too much"),
        ({"depth": 0}, "archives and emails are nested deeper than 0"),
        ({"depth": 1}, None),
    ],
)
def test_so_much_is_unpacked_and_no_more(
    budget: dict[str, int], fault: str | None
) -> None:
    data = with_files("a.txt", "b.txt").as_bytes()
    archive = zipped(**{"a.txt": "12345", "b.txt": "12345"})

    for name, content in (("x.eml", data), ("x.zip", archive)):
        pieces = [*unpack(Piece(name, name, content), Budget(**budget))]
        faults = {piece.fault for piece in pieces} - {None}
        assert len(pieces) == (3 if name == "x.eml" else 2) or fault is not None
        assert bool(faults) == (fault is not None)
        assert not fault or name == "x.zip" or fault in faults


@pytest.mark.parametrize(
    ("arrived", "late"),
    [
        (datetime(2026, 3, 12, 20, 0), None),
        (datetime(2026, 3, 12, 20, 0, 1), "2026-03-12 at 20:00"),
        (datetime(2026, 3, 12, 19, 0, tzinfo=UTC), None),
        (datetime(2026, 3, 12, 19, 1, tzinfo=UTC), "2026-03-12 at 20:01"),
        (datetime(2026, 3, 13, 1, 0, tzinfo=timezone(timedelta(hours=9))), None),
        (None, None),
    ],
)
def test_a_list_in_the_last_second_is_in_time(
    arrived: datetime | None, late: str | None
) -> None:
    event = replace(REGISTERED, deadline="2026-03-12, 20:00 Europe/Prague")
    said = f"it arrived on {late}, after the deadline" if late else None
    assert describe_lateness(arrived, event) == said
    assert describe_lateness(arrived, REGISTERED) is None


def test_a_page_as_its_reader_sees_it() -> None:
    page = (
        "<style>x</style><h1>My&nbsp;deck</h1><p>3 Ballista<br>2 <b>Decoy</b></p>"
        "<table><tr><td>1</td><td>Scorch</td></tr></table><script>1 Thaler</script>"
    )
    assert read_page_text(page) == "My deck\n3 Ballista\n2 Decoy\n1\tScorch\n"


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        (
            "<div hidden><p>2 Decoy<b> or</div><p>2 Nekker",
            ["<!-- 2 Decoy or -->", "2 Nekker"],
        ),
        (
            "<s><b>2 Decoy</s> 3 Ghoul</b><p>1 Foglet",
            ["~~2 Decoy~~ 3 Ghoul", "1 Foglet"],
        ),
        ("<p>1 Foglet</i></b><p>2 Decoy", ["1 Foglet", "2 Decoy"]),
    ],
    ids=["hidden", "crossed out", "never opened"],
)
def test_the_end_of_an_element_ends_those_within_it(
    page: str, lines: list[str]
) -> None:
    assert decode_page(page.encode()).splitlines() == lines


@pytest.mark.parametrize("charset", ["cp1252", "utf-8"])
def test_a_page_is_read_in_the_encoding_that_it_declares(charset: str) -> None:
    page = f"<meta charset={charset}><p>1 Maître d’Hôtel"

    assert decode_page(page.encode(charset)) == "1 Maître d’Hôtel\n"
