"""JSON objects that carry a CRC-32 of their own bytes, as every file of a run does.

It finds what disks, copies and editors do by accident, and stops nobody who means it.
"""

from __future__ import annotations

from zlib import crc32

_OF_LINE = b',"crc":"%08x"}\n'
_OF_DOCUMENT = b',\n  "crc": "%08x"\n}\n'


def with_crc(text: bytes) -> bytes:
    """The text of an object with the last key `crc`, which is over all before it.

    The object is not empty, and stands on one line or is indented by two.
    """
    end = b"\n}\n" if text.endswith(b"\n}\n") else b"}\n"
    form = _OF_DOCUMENT if end == b"\n}\n" else _OF_LINE
    body = text.removesuffix(end)
    return body + form % crc32(body)


def without_crc(text: bytes) -> bytes:
    """The text of the object without `crc`; ValueError unless it is the right one."""
    for form in (_OF_LINE, _OF_DOCUMENT):
        body = text[: -len(form % 0)]
        if text == body + form % crc32(body):
            return body + b"}"
    raise ValueError("a wrong CRC, or none")
