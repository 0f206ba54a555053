"""Decks as share codes."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.cards import CardDatabase
from deckcheck.decks.sharecode import MAX_LENGTH, ShareCode, encode
from deckcheck.decks.writers.documents import single_value
from deckcheck.decks.writers.sheet import Sheet, Written, lost_headers
from deckcheck.findings.errors import UsageError


def write_code(sheets: Sequence[Sheet], db: CardDatabase) -> Written:
    """One share code for each deck, one a line.

    A deck that names no format has that of the deck before it, as in a file.
    """
    codes, format = [], db.game.id
    for sheet in sheets:
        format = single_value(sheet, "format", "A share code") or format
        codes.append(_code(sheet, format, db))
    kept = ["format", "leader"]
    if all(_leader_tells_faction(sheet, db) for sheet in sheets):
        kept.append("faction")
    return Written("".join(f"{code}\n" for code in codes), lost_headers(sheets, kept))


def _leader_tells_faction(sheet: Sheet, db: CardDatabase) -> bool:
    if sheet.leader is None:
        return sheet.faction is None
    return db.leaders[sheet.leader].faction == sheet.faction


def _code(sheet: Sheet, format: str, db: CardDatabase) -> str:
    single_value(sheet, "leader", "A share code")
    leader = db.leaders[sheet.leader].number if sheet.leader else 0
    cards = {db.cards[id].number: count for id, count in sheet.cards.items()}
    # Which of our sets a format brings, its id says.
    sets = db.sets_of(
        [*sheet.cards, *filter(None, [sheet.leader])], only_own=format != db.game.id
    )
    code = encode(ShareCode(format, leader, cards, sets))
    if len(code) > MAX_LENGTH:
        raise UsageError(f"The deck is too large for a share code of {MAX_LENGTH:,}")
    return code
