"""A hand as it is typed: the names of its cards, or a file that has them."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.decks.cardlines import Defect, parse_card_line
from deckcheck.findings import UsageError
from deckcheck.findings.options import option
from deckcheck.findings.words import choice, plural, quote


def read_hand(
    hand: str | PathLike[str] | Sequence[str],
    deck: Deck,
    database: CardDatabase,
    size: int,
) -> tuple[str, ...]:
    """The ids of the cards of a hand, in the order of the deck.

    Names are separated by commas or lines, and in quotes where they have a comma; a
    count may stand with each. A file has the same. Raises UsageError for a hand that
    the deck cannot be dealt: it takes `size` cards.
    """
    names = _names(fspath(hand)) if isinstance(hand, str | PathLike) else hand
    counts: Counter[str] = Counter()
    for name in names:
        line = parse_card_line(name)
        if isinstance(line, Defect):
            raise UsageError(f"{option('hand')}: {line.message}", line.help)
        counts[_card(line.name, deck, database)] += line.count
    _check(counts, deck, database, size)
    return tuple(card for card in deck.counts() for _ in range(counts[card]))


def _names(text: str) -> list[str]:
    path = Path(text)
    if "," not in text and path.suffix and not path.suffix[1:2].isspace():
        if not path.is_file():
            raise UsageError(
                f"{option('hand')}: no such file {quote(text)}",
                "Name the cards of the hand, with commas, or a file with one on a line",
            )
        text = path.read_text("utf-8-sig", errors="replace")
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    rows = csv.reader(lines, skipinitialspace=True)
    return [name.strip() for row in rows for name in row if name.strip()]


def _card(name: str, deck: Deck, database: CardDatabase) -> str:
    lookup = database.find_card(name)
    own = deck.counts()
    ids = [id for id in (lookup.id, *lookup.candidates) if id in own]
    if len(ids) == 1:
        return str(ids[0])
    if len(ids) > 1:
        names = [database.cards[id].name for id in ids if id]
        raise UsageError(
            f"{option('hand')}: {quote(name)} may be {choice(names)}",
            "Write the whole name",
        )
    if lookup.id is not None:
        raise UsageError(
            f"{option('hand')}: {quote(deck.name)} does not have "
            f"{quote(database.cards[lookup.id].name)}",
            "Name cards of the deck",
        )
    meant = lookup.suggestions
    raise UsageError(
        f"{option('hand')}: no card is called {quote(name)}",
        f"Did you mean {choice(meant)}?" if meant else "Name cards of the deck",
    )


def _check(
    counts: Mapping[str, int], deck: Deck, database: CardDatabase, size: int
) -> None:
    own = deck.counts()
    for card, copies in counts.items():
        if copies > own[card]:
            raise UsageError(
                f"{option('hand')}: {plural(copies, 'copy')} of "
                f"{quote(database.cards[card].name)}, the deck has {own[card]}",
                "Name cards of the deck",
            )
    if sum(counts.values()) != size:
        raise UsageError(
            f"{option('hand')} has {plural(sum(counts.values()), 'card')}, "
            f"{quote(deck.name)} is dealt {size}",
            "Name the whole hand, before redraws",
        )
