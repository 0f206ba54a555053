"""Damage to texts, as fuzzing does it: every input is made from a seed and a number."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

__all__ = ["damaged", "damaged_file"]

LONGEST = 20_000

TOKENS = (
    *("---", ":", ": ", "#", "//", "x", "2x ", "x2", "-1", "0", "999", "1000"),
    *("[", "]", "{", "}", "[[", '"', "'", '"""', "'''", ",", ";", "\t", "=", "|", ">"),
    *("&a", "*a", "!!str", "<<:", "%YAML 1.2", "null", "true", "1e999", "0x1F", ".5"),
    *("NaN", "-inf", "2025-13-45", "1979-05-27T07:32:00Z", "\\u0000", "\\ud800", "\\x"),
    *("Leader:", "Format: gwent/standard", "Faction: ", "cards:", "decks:", "name: "),
    *("# deckcheck: ignore[unknown-card]", "# deckcheck: ignore[", "DC1_", "DC2_AA"),
    *("\r\n", "\r", "\n", "\n\n", "\0", "\x1b[31m", "\x7f", "\x85", "\u2028"),
    *("\ufeff", "\udcff", "e\u0301", "\u200b", "\u202e", "\u0130", "\xdf", "\ufb01"),
    *("\uff12", "\u0663", "\xbd", "\U0001f43a"),
    *("extends: ", "constraints:", "sets: [a.yaml]", "max: ", "rule: banned", "../"),
    *("[tool.deckcheck]", "players = [", "lists = 3", "a.b.c = 1", "[[a]]"),
)


def _edit_bytes(
    kind: str, random: Random, data: bytes, seeds: Sequence[bytes]
) -> bytes:
    """Return bytes of which a stretch is changed, somewhere."""
    start = random.randrange(len(data) + 1)
    end = min(len(data), start + random.choice((1, 1, 2, 4, 16, 64, 400)))
    digits = [i for i, byte in enumerate(data) if 48 <= byte < 58]
    if kind.endswith("digit") and digits:
        start = random.choice(digits)
        end = start + 1
    match kind:
        case "cut off":
            return data[:start]
        case "leave out":
            new = b""
        case "repeat":
            new = data[start:end] * (1 + random.choice((1, 1, 1, 2, 3, 60)))
        case "insert":
            end, token = start, random.choice(TOKENS)
            new = token.encode("utf-8", errors="surrogateescape")
        case "flip a bit":
            end = min(len(data), start + 1)
            new = bytes(byte ^ 1 << random.randrange(8) for byte in data[start:end])
        case "splice":
            other = random.choice(seeds)
            return data[:start] + other[random.randrange(len(other) + 1) :]
        case "another digit":
            new = random.choice(b"0123456789").to_bytes()
        case "number for a digit":
            new = random.choice((b"0", b"-1", b"2", b"1.5", b"9" * 20, b"1" * 5000))
        case "nest":
            marks = (b"[", b"{", b"[{", b'{"a":', b"- ", b"((", b"a: ")
            end, new = start, random.choice(marks) * random.choice((3, 60, 2000))
        case _:
            return random.randbytes(random.choice((1, 8, 100, 1000)))
    return data[:start] + new + data[end:]


def _edit_lines(kind: str, random: Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    first, second = (random.randrange(len(lines)) for _ in "ab")
    match kind:
        case "swap lines":
            lines[first], lines[second] = lines[second], lines[first]
        case "repeat a line":
            lines.insert(first, lines[second])
        case _:
            del lines[first]
    return b"\n".join(lines)


def _edit(kind: str, random: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    if "line" in kind:
        return _edit_lines(kind, random, data)
    return _edit_bytes(kind, random, data, seeds)


# The common ones several times: a text that is damaged too much is refused at once.
OF_TEXTS = (
    *("cut off", "swap lines", "splice", "number for a digit", "nest", "random bytes"),
    *(*["leave out"] * 2, *["repeat"] * 2, *["insert"] * 4, "flip a bit"),
)
OF_FILES = (
    *(*["flip a bit"] * 3, *["another digit"] * 2, "swap lines", "repeat a line"),
    *("cut off", "leave out a line", "leave out"),
)
"""What disks, copies and editors do to a file."""


def damaged(random: Random, seeds: Sequence[bytes]) -> bytes:
    """Return one of the seeds, with up to six kinds of damage one upon the other."""
    data = random.choice(seeds)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 6))):
        data = _edit(random.choice(OF_TEXTS), random, data, seeds)[:LONGEST]
    return data


def damaged_file(random: Random, seeds: Sequence[bytes]) -> bytes:
    """Return the first of the seeds with one to three kinds of damage, and changed."""
    found = seeds[0]
    while found == seeds[0]:
        for _ in range(random.choice((1, 1, 1, 1, 2, 3))):
            found = _edit(random.choice(OF_FILES), random, found, seeds)
    return found
