"""Decks as a table: one row for each card, the headers of the deck in every row."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from deckcheck.cards import CardDatabase
from deckcheck.decks.headers import HEADERS
from deckcheck.decks.sections import card_order
from deckcheck.decks.writers.documents import single_value
from deckcheck.decks.writers.sheet import Sheet, Written, lost_reserves
from deckcheck.findings.csv_text import guarded
from deckcheck.findings.errors import UsageError

_ALWAYS = ("name", "format", "faction", "leader")


def write_csv(sheets: Sequence[Sheet], db: CardDatabase) -> Written:
    """Decks as comma-separated values with a line of column names."""
    used = {key for sheet in sheets for key in sheet.headers}
    keys = [key for key in HEADERS if key in _ALWAYS or key in used]
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["deck", *keys, "count", "card"])
    for number, sheet in enumerate(sheets, start=1):
        if not sheet.cards:
            raise UsageError(
                "A CSV deck has one row per card, and this deck has no cards"
            )
        values = [guarded(single_value(sheet, key, "A CSV deck")) for key in keys]
        for card in sorted(sheet.cards, key=lambda id: card_order(id, db)):
            count, name = sheet.cards[card], db.cards[card].name
            table.writerow([number, *values, count, guarded(name)])
    return Written(out.getvalue(), lost_reserves(sheets))
