"""Advice for a deck without a format."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from deckcheck.cards import Root, game_ids, load_database
from deckcheck.decks import Deck, RawDeck, counted, resolve
from deckcheck.findings import Finding, Severity, UsageError, in_order
from deckcheck.findings.options import option
from deckcheck.findings.words import choice, printable, quote
from deckcheck.formats import format_ids


class _Reading(NamedTuple):
    """A deck as one game knows its names."""

    game: str
    known_cards: int
    findings: tuple[Finding, ...]


def known_names(deck: Deck) -> int:
    """How many cards and leaders of a deck its game knows."""
    cards = {entry.card for entry in deck.entries}
    return len(cards) + (deck.leader is not None)


def without_format(raw: RawDeck, root: Root) -> UsageError:
    """The error about a deck without a format: its formats, and its misspelt names.

    It offers the formats of the game that knows most of the names. Names that are not
    known there are reported already, for no format will know them.
    """
    readings = list(_readings(raw, root))
    most = max((reading.known_cards for reading in readings), default=0)
    likely = [reading for reading in readings if reading.known_cards == most]
    games = tuple(f"{reading.game}/" for reading in likely)
    formats = [id for id in format_ids(root) if not games or id.startswith(games)]
    path = raw.source.path
    help = f"Pass {option('format')} or write a `Format` line: {choice(formats)}"
    if most and not path.startswith("<"):
        help += f"; `deckcheck formats --for {printable(path)}` says where it is legal"
    lines = [f"{quote(path)} names no format"]
    if most and len(likely) == 1:
        lines += (line for finding in likely[0].findings for line in _lines(finding))
    return UsageError("\n".join(lines), help)


def _readings(raw: RawDeck, root: Root) -> Iterator[_Reading]:
    """The deck as each game reads it; what cannot be loaded knows none of it."""
    for game in game_ids(root):
        with suppress(UsageError):
            db = load_database(game, root)
            read = counted(raw, db)
            deck, unresolved = resolve(read, db)
            errors = (f for f in unresolved if f.severity is Severity.ERROR)
            findings = in_order([*read.findings, *errors])
            yield _Reading(game, known_names(deck), findings)


def _lines(finding: Finding) -> Iterator[str]:
    start = finding.span.start
    yield (f"{printable(finding.path)}:{start.line}:{start.column}: {finding.message}")
    if finding.help:
        yield f"  {finding.help}"
