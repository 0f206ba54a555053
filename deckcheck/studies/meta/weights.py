"""The field that a user expects: a CSV of players and how often they come."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path

from deckcheck.findings import UsageError
from deckcheck.findings.csv_text import unguarded
from deckcheck.findings.files import open_file
from deckcheck.findings.words import choice, nearest, quote

MAX_BYTES = 2**22
TIDY = ("deck", "metric", "value")
EXAMPLE = "Write a line for each, such as `The swarm,3`"


def read_weights(file: Path, players: Sequence[str], noun: str) -> tuple[float, ...]:
    """Return how often each of `players` is expected, in any unit; 0 if not named.

    The file has a line `name,weight` for each, and may begin with a line of headings.
    Commas in a name need no quotes. A table that `meta` or `solve` wrote has its shares
    as weights.
    Raises UsageError with the line of what is wrong.
    """
    name = quote(str(file))
    try:
        with open_file(file) as stream:
            text = stream.read(MAX_BYTES).decode("utf-8-sig")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"Cannot read {name}: {reason}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{name} is no text in UTF-8", EXAMPLE) from None
    weights: dict[str, float] = {}
    for place, row in _rows(file, text):
        player, weight = _read_row(row, players, noun, place)
        if player in weights:
            raise UsageError(f"{place} {quote(player)} is named twice")
        weights[player] = weight
    if not any(weights.values()):
        raise UsageError(f"{name} expects nobody: no weight is above 0", EXAMPLE)
    return tuple(weights.get(player, 0.0) for player in players)


def weights_of(
    given: Mapping[str, float], players: Sequence[str], noun: str
) -> tuple[float, ...]:
    """Return how often each of `players` is expected, by the names in `given`.

    Raises UsageError for a name that is not among them, and for what is no weight.
    """
    weights: dict[str, float] = {}
    for name, weight in given.items():
        is_number = isinstance(weight, (int, float)) and not isinstance(weight, bool)
        if not is_number or not isfinite(weight) or weight < 0:
            message = f"The weight of {quote(str(name))} is {weight!r}"
            raise UsageError(message, "Give a number of 0 or more")
        weights[_known(str(name), players, noun, "")] = float(weight)
    if not any(weights.values()):
        raise UsageError("`weights` expects nobody: no weight is above 0")
    return tuple(weights.get(player, 0.0) for player in players)


def _rows(file: Path, text: str) -> Iterator[tuple[str, list[str]]]:
    """The rows of names and weights with their places, without headings."""
    reader = csv.reader(io.StringIO(text, newline=""))
    try:
        lines = [(f"{file}:{reader.line_num}:", row) for row in reader]
    except csv.Error as error:
        raise UsageError(f"{file}:{reader.line_num}: {error}", EXAMPLE) from None
    heading = [cell.strip().lower() for cell in lines[0][1]] if lines else []
    if set(TIDY) <= set(heading):
        yield from _shares(file, heading, lines[1:])
        return
    is_heading = len(heading) == 2 and heading[1] in ("weight", "share", "count")
    for place, row in lines[is_heading:]:
        if any(map(str.strip, row)):
            yield place, row


def _shares(
    file: Path, heading: Sequence[str], lines: Iterable[tuple[str, list[str]]]
) -> Iterator[tuple[str, list[str]]]:
    """The decks of a tidy table with their shares, without those that never come."""
    rows = [
        (place, dict(zip(heading, row, strict=False)))
        for place, row in lines
        if len(row) == len(heading)
    ]
    shares = [(place, row) for place, row in rows if row["metric"] == "share"]
    if not shares:
        raise UsageError(
            f"{quote(str(file))} is a table of figures without shares of decks",
            f"The tables of `deckcheck meta` and `solve` have shares. {EXAMPLE}",
        )
    for place, row in shares:
        if row["value"] not in ("0", "0.0"):
            yield place, [row["deck"], row["value"]]


def _read_row(
    row: Sequence[str], players: Sequence[str], noun: str, place: str
) -> tuple[str, float]:
    if len(row) < 2:
        raise UsageError(f"{place} expected a {noun} and its weight", EXAMPLE)
    # A name such as `Skellige, built` may be written without quotes.
    *name, text = row
    player = _known(",".join(name), players, noun, f"{place} ")
    text = text.strip()
    try:
        weight = float(text.removesuffix("%"))
    except ValueError:
        weight = -1.0
    if not isfinite(weight) or weight < 0:
        raise UsageError(f"{place} {quote(text)} is no number of 0 or more", EXAMPLE)
    return player, weight


def _known(name: str, players: Sequence[str], noun: str, place: str) -> str:
    """The player that is meant."""
    player = " ".join(unguarded(name).split())
    by_lower = {player.lower(): player for player in players}
    if player.lower() not in by_lower:
        near = nearest(player, players, limit=3)
        help = f"Did you mean {choice(near)}?" if near else None
        help = help or f"The {noun}s of this field are {choice(players, 'and')}"
        what = f"no {noun} of this field is called {quote(name)}"
        raise UsageError(f"{place}{what}" if place else f"N{what[1:]}", help)
    return by_lower[player.lower()]
