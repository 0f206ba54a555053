"""Attachments that are damaged, or made to end the run that reads them."""

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from random import Random

from helpers.events import make_book, make_mail, make_zip

__all__ = ["attachments"]

Made = tuple[str, bytes]
_METHODS = (
    zipfile.ZIP_STORED,
    zipfile.ZIP_DEFLATED,
    zipfile.ZIP_BZIP2,
    zipfile.ZIP_LZMA,
)
_BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 40}">' for n in range(1, 12))


def attachments(random: Random, number: int, deck: str) -> Iterator[Made]:
    """The name and the bytes of `number` of them, of every kind in turn."""
    for at in range(number):
        yield KINDS[at % len(KINDS)](random, deck)


def _damaged(random: Random, data: bytes, start: int = 0) -> bytes:
    """The bytes with a few others, or without their end."""
    spoilt = bytearray(data)
    for _ in range(random.randint(3, 12)):
        spoilt[random.randrange(start, len(spoilt))] = random.randrange(256)
    return bytes(spoilt[: random.choice([None, None, random.randrange(len(spoilt))])])


def _book(deck: str) -> dict[str, bytes]:
    """The parts of a spreadsheet."""
    book = make_book(*((line,) for line in deck.splitlines()))
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _spoilt_member(random: Random, deck: str) -> Made:
    data = bytearray(make_zip(random.choice(_METHODS), **{"a.deck": deck}))
    at = data.index(b"a.deck") + 12
    for _ in range(8):
        data[at + random.randrange(60)] ^= random.randrange(1, 256)
    return "lists.zip", bytes(data)


def _spoilt_archive(random: Random, deck: str) -> Made:
    return "lists.zip", _damaged(random, make_zip(**{"a.deck": deck, "b/c.deck": deck}))


def _link(random: Random, deck: str) -> Made:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        link = zipfile.ZipInfo("anna_nowak.deck")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("empty/", "")
    return "lists.zip", stream.getvalue()


def _password(random: Random, deck: str) -> Made:
    data = bytearray(make_zip(**{"a.deck": deck}))
    data[data.index(b"PK\1\2") + 8] |= 1
    return "lists.zip", bytes(data)


def _strange_method(random: Random, deck: str) -> Made:
    data = bytearray(make_zip(**{"a.deck": deck}))
    data[data.index(b"PK\1\2") + 10] = data[8] = random.choice([1, 6, 9, 98])
    return "lists.zip", bytes(data)


def _nested(random: Random, deck: str) -> Made:
    data = make_zip(**{"a.deck": deck})
    for _ in range(random.randint(6, 60)):
        data = make_zip(**{"a.zip": data})
    return "lists.zip", data


def _zeros(random: Random, deck: str) -> Made:
    return "lists.zip", make_zip(
        **{"a.deck": b"\0" * random.choice([2**20, 70 * 2**20])}
    )


def _broken_sheet(random: Random, deck: str) -> Made:
    parts = _book(deck)
    name = random.choice(sorted(parts))
    parts[name] = _damaged(random, parts[name])
    return "list.xlsx", make_zip(**parts)


def _missing_sheet(random: Random, deck: str) -> Made:
    parts = _book(deck)
    parts.pop(random.choice(sorted(parts)))
    return "list.xlsx", make_zip(**parts)


def _entities(random: Random, deck: str) -> Made:
    parts = _book(deck)
    bomb = f'<?xml version="1.0"?><!DOCTYPE w [<!ENTITY e0 "x">{_BOMB}]><w>&e11;</w>'
    encoding = random.choice(["utf-8", "utf-16"])
    name = random.choice(["xl/workbook.xml", "xl/styles.xml", "[Content_Types].xml"])
    parts[name] = bomb.encode(encoding)
    return "list.xlsx", make_zip(**parts)


def _no_charset(random: Random, deck: str) -> Made:
    encoding = random.choice(["base64", "x-uuencode", "quoted-printable", "7bit"])
    head = "From: a@b.c\r\nContent-Type: text/plain; charset=no-such\r\n"
    text = f"{head}Content-Transfer-Encoding: {encoding}\r\n\r\n=ZZ\xff!{deck}"
    return "mail.eml", text.encode("latin-1", errors="replace")


def _broken_parts(random: Random, deck: str) -> Made:
    data = make_mail("a@b.c", "See there", **{"a.deck": deck})
    return "mail.eml", _damaged(random, data, data.index(b"MIME-Version"))


def _mails_in_mails(random: Random, deck: str) -> Made:
    message = EmailMessage()
    message["From"] = "a@b.c"
    message.set_content(deck)
    for _ in range(random.randint(6, 40)):
        outer = EmailMessage()
        outer["From"] = "a@b.c"
        outer.add_attachment(message)
        message = outer
    return "mail.eml", message.as_bytes()


def _deep(random: Random, deck: str) -> Made:
    depth = random.choice([200, 5_000, 100_000])
    return random.choice(
        [
            ("list.json", b'{"cards": ' + b"[" * depth),
            ("list.yaml", b"cards: " + b"[" * depth),
            ("list.html", b"<html><body>" + b"<div><blockquote>" * depth),
            ("list.json", json.dumps({"cards": {"Scorch": 10**400}}).encode()),
        ]
    )


def _aliases(random: Random, deck: str) -> Made:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    return "list.yaml", "\n".join([*lines, "cards: *a11", ""]).encode()


def _strange_name(random: Random, deck: str) -> Made:
    name = random.choice(
        [
            *("a." + "x" * 300, "../../../etc/cron.d/a.deck", "/etc/a.deck", ".deck"),
            *(
                "a.de\x01ck",
                "::stop-commands::x.deck",
                "-rf.deck",
                "con.deck",
                "a\\b.zip",
            ),
        ]
    )
    return name, _damaged(random, deck.encode())


def _rows(random: Random, deck: str) -> Made:
    field = random.choice(["x" * 200_000, "\0", '"', "\r", "=cmd|' /C calc'!A0"])
    return "list.csv", f'time,player,list\n{field},{field},"{field}\n'.encode()


def _no_text(random: Random, deck: str) -> Made:
    head = random.choice(
        [b"%PDF-1.7\n", b"\x89PNG\r\n\x1a\n", b"\xff\xfe", b"Rar!", b""]
    )
    body = random.randbytes(random.choice([0, 1, 500]))
    return random.choice(["list.deck", "list.pdf", "list.txt", "list"]), head + body


KINDS: tuple[Callable[[Random, str], Made], ...] = (
    *(_spoilt_member, _spoilt_archive, _link, _password, _strange_method, _nested),
    *(_zeros, _broken_sheet, _missing_sheet, _entities, _no_charset, _broken_parts),
    *(_mails_in_mails, _deep, _aliases, _strange_name, _rows, _no_text),
)
"""Each makes one attachment."""
