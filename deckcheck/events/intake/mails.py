"""Mails as files: their attachments, or else what they say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr
from typing import NamedTuple

from deckcheck.events.intake.pieces import Hint
from deckcheck.events.intake.web_pages import text_of

_SIGNATURE = re.compile(r"^-- ?\r?\n.*", re.MULTILINE | re.DOTALL)
_IMAGE = "image"


class Attachment(NamedTuple):
    """A file of a mail; a mail that was forwarded has the suffix `.eml`."""

    name: str
    data: bytes


class Mail(NamedTuple):
    """What a mail holds: who sent it, its files, its own text, what was left out."""

    hints: tuple[Hint, ...]
    attachments: tuple[Attachment, ...]
    text: str
    remarks: tuple[str, ...]


def read_mail(data: bytes) -> Mail:
    """Read a mail; ValueError, LookupError or RecursionError if it is none."""
    message = message_from_bytes(data, policy=default)
    if not isinstance(message, EmailMessage) or message.get("From") is None:
        raise ValueError("it has no sender")
    name, address = parseaddr(str(message["From"]))
    said = (
        ("the sender", name),
        ("the address", address.partition("@")[0]),
        ("the subject", str(message.get("Subject", ""))),
    )
    hints = tuple(Hint(by, text) for by, text in said if text)
    attachments = tuple(_attachments(message))
    text, remarks = _text(message)
    return Mail(hints, attachments, text, remarks)


def _attachments(message: EmailMessage) -> Iterator[Attachment]:
    """The files of a mail, without the pictures that its text shows."""
    for part in message.iter_attachments():
        is_file = part.get_content_disposition() == "attachment"
        if part.get_content_type() == "message/rfc822":
            inner = part.get_payload(0)
            yield Attachment("forwarded.eml", inner.as_bytes())  # type: ignore[union-attr]
        elif part.get_content_maintype() != _IMAGE or is_file:
            content = part.get_payload(decode=True)
            name = part.get_filename() or f"attachment{_suffix(part)}"
            yield Attachment(name, content if isinstance(content, bytes) else b"")


def _suffix(part: EmailMessage) -> str:
    kinds = {"text/plain": ".txt", "text/csv": ".csv", "text/html": ".html"}
    return kinds.get(part.get_content_type(), "")


def _text(message: EmailMessage) -> tuple[str, tuple[str, ...]]:
    body = message.get_body(("plain", "html"))
    if body is None:
        return "", ()
    text = body.get_content()
    if body.get_content_type() == "text/html":
        return text_of(text), ("read from the page in the mail",)
    kept = _SIGNATURE.sub("", text)
    return kept, ("left out the signature below `--`",) if kept != text else ()
