"""Emails, archives and pages taken apart: what comes out, and how much at most."""

import io
import stat
import zipfile
from datetime import UTC, datetime
from email.message import EmailMessage
from typing import Any

import pytest
from helpers.events import make_zip

from deckcheck.events.pieces import (
    BY_ADDRESS,
    ArchiveError,
    Budget,
    Hint,
    Piece,
    read_archive,
)
from deckcheck.events.unpacking import unpack
from deckcheck.events.web_pages import decode_page, read_page_text

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


def with_page(text: str) -> EmailMessage:
    """Return a mail with a list in its page, and with plain text."""
    made = message(text)
    items = "".join(f"<li>{number} Decoy</li>" for number in range(1, 7))
    made.add_alternative(f"<ul>{items}</ul>", subtype="html")
    return made


PLAIN = "".join(f"{number} Ballista\n" for number in range(1, 6))
IN_PAGE = b"".join(b"%d Decoy\n" % number for number in range(1, 7))
A_FILE = ("a.txt", b"a.txt", (), (("the file name", "a"), *INSIDE))
A_PICTURE = ("b.png", b"b.png", (), (("the file name", "b"), *INSIDE))
FORWARDED = (
    *(("the file name", "forwarded"), *INSIDE),
    *(("the sender", "Ben"), (BY_ADDRESS, "b@x.org"), TOLD[2]),
)
HELLO = ("out.deck", b"Hello\n", (), TEXT)


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (message("1 Decoy"), [("out.deck", b"1 Decoy\n", (), TEXT)]),
        (message(), [("out.deck", b"", (), TEXT)]),
        (
            message("<p>1 Decoy</p>", "html"),
            [("out.deck", b"1 Decoy\n", ("read from the page in the mail",), TEXT)],
        ),
        (
            with_page("Your program shows no pages."),
            [("out.deck", IN_PAGE, ("read from the page in the mail",), TEXT)],
        ),
        (with_page(PLAIN), [("out.deck", PLAIN.encode(), (), TEXT)]),
        (with_files("a.txt", "b.png"), [A_FILE, A_PICTURE, HELLO]),
        (with_files("a.txt", "b.png", inline=True), [A_FILE, HELLO]),
        (
            forwarding(),
            [
                ("forwarded.deck", b"1 Decoy\n", (), FORWARDED),
                ("out.deck", b"See below\n", (), TEXT),
            ],
        ),
    ],
    ids=[
        *("text", "nothing", "page", "page behind plain text", "plain list and page"),
        *("files", "pictures of the text", "forwarded"),
    ],
)
def test_unpack_a_mail(sent: EmailMessage, expected: list[Any]) -> None:
    name = Hint("the file name", "out")
    piece = Piece("in/out.eml", "out.eml", sent.as_bytes(), (name,))
    pieces = [*unpack(piece, Budget())]

    assert [(p.name, p.data, p.remarks, p.hints) for p in pieces] == expected
    assert {p.time for p in pieces} == {datetime(2026, 3, 12, 18, 59, tzinfo=UTC)}
    assert all(p.fault is None and p.origin.startswith("in/out.eml") for p in pieces)


def test_the_time_of_a_mail_is_when_it_arrived_or_else_when_it_was_sent() -> None:
    arrival = "Thu, 12 Mar 2026 19:30:00 +0100"
    arrived = datetime(2026, 3, 12, 18, 30, tzinfo=UTC)
    sent = datetime(2026, 3, 12, 18, 59, tzinfo=UTC)
    far = "Thu, 12 Mar 2026 20:30:00 +99999999999999"
    for headers, expected in (
        ({"Received": f"from home by mx.example.org; {arrival}"}, arrived),
        ({"Received": "from home by mx.example.org"}, sent),
        ({"Received": f"from home by mx.example.org; {far}"}, sent),
        ({"Received": "from home by mx.example.org", "Date": "today"}, None),
    ):
        mail = message("1 Decoy", **headers).as_bytes()
        [piece] = unpack(Piece("in/out.eml", "out.eml", mail), Budget())
        assert (piece.time, piece.fault) == (expected, None), headers


def test_unpack_stays_within_its_budget() -> None:
    mail = with_files("a.txt", "b.txt").as_bytes()
    archive = make_zip(**{"a.txt": "12345", "b.txt": "12345"})
    for budget, fault in (
        ({"pieces": 2, "bytes": 10}, None),
        ({"pieces": 1}, "it holds too much"),
        ({"bytes": 9}, "it holds too much"),
        ({"depth": 0}, "archives and emails are nested deeper than 0"),
        ({"depth": 1}, None),
    ):
        for name, content, whole in (("x.eml", mail, 3), ("x.zip", archive, 2)):
            pieces = [*unpack(Piece(name, name, content), Budget(**budget))]
            faults = {piece.fault for piece in pieces} - {None}
            assert len(pieces) == whole or fault is not None, budget
            assert bool(faults) == (fault is not None), budget
            assert not fault or name == "x.zip" or fault in faults, budget


def test_read_archive_that_is_large_locked_or_has_links() -> None:
    zeros = make_zip(**{"a.txt": b"\0" * 5_000_000})
    with pytest.raises(ArchiveError, match="more than 64 MiB"):
        list(read_archive(zeros, Budget(bytes=1_000_000)))
    locked = bytearray(make_zip(**{"a.txt": "x"}))
    # The mark of a password, in both heads of the file.
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    locked[locked.index(b"PK\x03\x04") + 6] |= 1
    assert [*read_archive(bytes(locked), Budget())] == [
        ("a.txt", "it needs a password")
    ]
    link = zipfile.ZipInfo("a.txt")
    link.external_attr = stat.S_IFLNK << 16
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(link, "/etc/hostname")
    found = [*read_archive(stream.getvalue(), Budget())]
    assert found == [("a.txt", "it is a link to another file")]


PAGES = {
    "<div hidden><p>2 Decoy<b> or</div><p>2 Nekker": "<!-- 2 Decoy or -->\n2 Nekker\n",
    "<s><b>2 Decoy</s> 3 Ghoul</b><p>1 Foglet": "~~2 Decoy~~ 3 Ghoul\n1 Foglet\n",
    "1 Foglet<blockquote>2 Decoy</blockquote>": "1 Foglet\n> 2 Decoy\n",
    "<p>1 Foglet</i></b><p>2 Decoy": "1 Foglet\n2 Decoy\n",
    "<style>x</style><h1>My&nbsp;deck</h1><p>3 Ballista<br>2 <b>Decoy</b></p><table>"
    "<tr><td>1</td><td>Scorch</td></tr></table><script>1 Thaler</script>": (
        "My deck\n3 Ballista\n2 Decoy\n1\tScorch\n"
    ),
}
"""Pages, and the text that their readers see."""


def test_read_a_page() -> None:
    for page, text in PAGES.items():
        assert read_page_text(page) == text, page
    for charset in ("cp1252", "utf-8"):
        page = f"<meta charset={charset}><p>1 Maître d’Hôtel"
        assert decode_page(page.encode(charset)) == "1 Maître d’Hôtel\n", charset
