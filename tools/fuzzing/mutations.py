"""Damage to texts, as fuzzing does it: every input is made from a seed and a number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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

Mutation = Callable[[Random, bytes, Sequence[bytes]], bytes]


def _place(random: Random, data: bytes) -> int:
    return random.randrange(len(data) + 1)


def _stretch(random: Random, data: bytes) -> tuple[int, int]:
    start = _place(random, data)
    return start, min(len(data), start + random.choice((1, 1, 2, 4, 16, 64, 400)))


def _cut_off(random: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    return data[: _place(random, data)]


def _leave_out(random: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    start, end = _stretch(random, data)
    return data[:start] + data[end:]


def _repeat(random: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    start, end = _stretch(random, data)
    times = random.choice((1, 1, 1, 2, 3, 60))
    return data[:end] + data[start:end] * times + data[end:]


def _insert(random: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    at = _place(random, data)
    token = random.choice(TOKENS).encode("utf-8", errors="surrogateescape")
    return data[:at] + token + data[at:]


def _flip(random: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    if not data:
        return data
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]


def _swap_lines(random: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    one, other = (random.randrange(len(lines)) for _ in "ab")
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def _splice(random: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    other = random.choice(seeds)
    return data[: _place(random, data)] + other[_place(random, other) :]


def _change_number(random: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    digits = [at for at, byte in enumerate(data) if 48 <= byte < 58]
    if not digits:
        return data
    at = random.choice(digits)
    number = random.choice((b"0", b"-1", b"2", b"1.5", b"9" * 20, b"1" * 5000))
    return data[:at] + number + data[at + 1 :]


def _edit_digit(random: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    digits = [at for at, byte in enumerate(data) if 48 <= byte < 58]
    if not digits:
        return data
    at = random.choice(digits)
    return data[:at] + random.choice(b"0123456789").to_bytes() + data[at + 1 :]


def _repeat_line(random: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    lines.insert(random.randrange(len(lines)), random.choice(lines))
    return b"\n".join(lines)


def _leave_out_line(random: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    del lines[random.randrange(len(lines))]
    return b"\n".join(lines)


def _nest(random: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    at = _place(random, data)
    mark = random.choice((b"[", b"{", b"[{", b'{"a":', b"- ", b"((", b"a: "))
    return data[:at] + mark * random.choice((3, 60, 2000)) + data[at:]


def _random_bytes(random: Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    return random.randbytes(random.choice((1, 8, 100, 1000)))


# The common ones several times: a text that is damaged too much is refused at once.
MUTATIONS: tuple[Mutation, ...] = (
    *(_cut_off, _leave_out, _leave_out, _repeat, _repeat, _swap_lines, _splice),
    *(_insert, _insert, _insert, _insert, _flip, _flip, _change_number, _nest),
    _random_bytes,
)


def damaged(random: Random, seeds: Sequence[bytes]) -> bytes:
    """One of the seeds, with up to six kinds of damage one upon the other."""
    data = random.choice(seeds)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 6))):
        data = random.choice(MUTATIONS)(random, data, seeds)[:LONGEST]
    return data


OF_FILES: tuple[Mutation, ...] = (
    *(_flip, _flip, _flip, _edit_digit, _edit_digit, _swap_lines, _repeat_line),
    *(_cut_off, _leave_out_line, _leave_out),
)
"""What disks, copies and editors do to a file."""


def damaged_file(random: Random, seeds: Sequence[bytes]) -> bytes:
    """The first of the seeds, with one to three kinds of damage, so that it differs."""
    found = seeds[0]
    while found == seeds[0]:
        for _ in range(random.choice((1, 1, 1, 1, 2, 3))):
            found = random.choice(OF_FILES)(random, found, seeds)
    return found
