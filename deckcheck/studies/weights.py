"""The field that a user expects: its players, and how common each is."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path

from deckcheck.files import read_input
from deckcheck.findings import UsageError
from deckcheck.markup import remove_guard
from deckcheck.messages import choice, nearest, quote, suggestion

MAX_BYTES = 2**22
TIDY_COLUMNS = ("deck", "metric", "value")
LINE_EXAMPLE = "Write a line for each, such as `The swarm,3`"
WEIGHT_WORDS = tuple(
    """
    weight share count gewicht anteil anzahl peso cuota poids part quota waga udział
    váha podíl вес доля
    """.split()
)
"""Headings of a column of weights."""


def read_weights(file: Path, players: Sequence[str], noun: str) -> tuple[float, ...]:
    """Return how often each of `players` is expected, in any unit; 0 if not named.

    The file, a CSV, has a line `name,weight` for each, and may begin with a line of
    headings. Semicolons or tabs may part them, and a comma the decimals. Commas in a
    name need no quotes. A table that `meta` or `solve` wrote has its shares as weights.
    Raises UsageError with the line of the mistake.
    """
    name = quote(str(file))
    try:
        text = read_input(file, MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{name} is not text in UTF-8", LINE_EXAMPLE) from None
    weights: dict[str, float] = {}
    for location, row in _read_weight_rows(file, text):
        player, weight = _read_row(row, players, noun, location)
        if player in weights:
            raise UsageError(f"{location} {quote(player)} is named twice")
        weights[player] = weight
    if not any(weights.values()):
        raise UsageError(f"{name} expects nobody: no weight is above 0", LINE_EXAMPLE)
    return tuple(weights.get(player, 0.0) for player in players)


def match_weights(
    given: Mapping[str, float], players: Sequence[str], noun: str
) -> tuple[float, ...]:
    """Return how often each of `players` is expected, by the names in `given`.

    Raises UsageError for a name that is not among them, and for a value that is not a
    weight.
    """
    weights: dict[str, float] = {}
    for name, weight in given.items():
        is_number = isinstance(weight, (int, float)) and not isinstance(weight, bool)
        if not is_number or not isfinite(weight) or weight < 0:
            message = f"The weight of {quote(str(name))} is {weight!r}"
            raise UsageError(message, "Give a number of 0 or more")
        weights[_find_player(str(name), players, noun, "")] = float(weight)
    if not any(weights.values()):
        raise UsageError("`weights` expects nobody: no weight is above 0")
    return tuple(weights.get(player, 0.0) for player in players)


def _read_weight_rows(file: Path, text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the rows of names and weights with their places, without headings."""
    first = text.lstrip().partition("\n")[0]
    delimiter = next((mark for mark in ";\t" if mark in first), ",")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    lines = []
    try:
        for row in reader:
            if any(map(str.strip, row)):
                lines.append((f"{file}:{reader.line_num}:", row))
    except csv.Error as error:
        raise UsageError(f"{file}:{reader.line_num}: {error}", LINE_EXAMPLE) from None
    # Excel writes the separator on a line of its own.
    if first.lower().startswith("sep="):
        lines = lines[1:]
    if not lines:
        return
    heading = [cell.strip().lower() for cell in lines[0][1]]
    if set(TIDY_COLUMNS) <= set(heading):
        yield from _read_share_rows(file, heading, lines[1:])
        return
    if len(heading) == 2 and heading[1] in WEIGHT_WORDS:
        lines = lines[1:]
    yield from lines


def _read_share_rows(
    file: Path, heading: Sequence[str], lines: Iterable[tuple[str, list[str]]]
) -> Iterator[tuple[str, list[str]]]:
    """Yield the decks of a tidy table with their shares, without decks of share 0."""
    shares = []
    for location, row in lines:
        if len(row) != len(heading):
            continue
        cells = dict(zip(heading, row, strict=True))
        if cells["metric"] == "share":
            shares.append((location, cells))
    if not shares:
        raise UsageError(
            f"{quote(str(file))} is a table of numbers without shares of decks",
            f"The tables of `deckcheck meta` and `solve` have shares. {LINE_EXAMPLE}",
        )
    for location, cells in shares:
        if cells["value"] not in ("0", "0.0"):
            yield location, [cells["deck"], cells["value"]]


def _read_row(
    row: Sequence[str], players: Sequence[str], noun: str, place: str
) -> tuple[str, float]:
    if len(row) < 2:
        raise UsageError(f"{place} expected a {noun} and its weight", LINE_EXAMPLE)
    # A name such as `Skellige, built` may be written without quotes.
    *name, text = row
    player = _find_player(",".join(name), players, noun, f"{place} ")
    text = text.strip()
    try:
        # A decimal comma: any other comma would begin another cell.
        weight = float(text.removesuffix("%").replace(",", "."))
    except ValueError:
        weight = -1.0
    if not isfinite(weight) or weight < 0:
        message = f"{place} {quote(text)} is not a number of 0 or more"
        raise UsageError(message, LINE_EXAMPLE)
    return player, weight


def _find_player(name: str, players: Sequence[str], noun: str, place: str) -> str:
    """Return the player of a name."""
    player = " ".join(remove_guard(name).split())
    by_lower = {player.lower(): player for player in players}
    if player.lower() not in by_lower:
        listed = f"The {noun}s of this field are {choice(players, 'and')}"
        help = suggestion(nearest(player, players, limit=3), listed)
        called = f"{noun} of this field is called {quote(name)}"
        if not place:
            raise UsageError(f"No {called}", help)
        raise UsageError(f"{place}no {called}", help)
    return by_lower[player.lower()]
