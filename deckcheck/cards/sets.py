"""Sets: what a format adds to its game, changes in it and removes from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from zlib import crc32

from deckcheck.cards.changes import Change
from deckcheck.cards.checks import check_cards, check_leaders
from deckcheck.cards.database import CardDatabase
from deckcheck.cards.models import Card, Leader
from deckcheck.cards.play_checks import check_sizes
from deckcheck.cards.reading import all_ids, records
from deckcheck.cards.set_changes import changed_records, removed_cards
from deckcheck.cards.set_checks import aims, blank, check_references, needs
from deckcheck.cards.set_file import OWN, Reading, SetFile
from deckcheck.findings.documents import Defect, Source

FIRST_NUMBER = 1_000_000
NUMBERS = 2**30


def read_set(
    source: Source, db: CardDatabase, defects: list[Defect], *, is_own: bool
) -> list[Change]:
    """What a set does to the cards and leaders of `db`; defects are added.

    Cards and leaders are written as those of the game, see `Card` and `Leader`, and may
    leave out `provenance` and `number`. A number made from the id is as permanent as
    the id. `is_own` says whether a format of a user's own names the set.
    """
    before = len(defects)
    reading = Reading(source, db, defects, is_own)
    file, cards = _parts(source, defects)
    if file is None:
        return []
    if file == SetFile() and cards is None and len(defects) == before:
        reading.wrong((), "the set changes nothing")
    removed = removed_cards(reading, file)
    changed, leaders = changed_records(reading, file, removed)
    cards_of_set = _cards(reading, cards, changed, removed)
    after = db.with_changes(cards_of_set)
    if file.leaders or leaders:
        cards_of_set += _leaders(reading._replace(db=after), file, leaders)
        after = db.with_changes(cards_of_set)
    all_cards, all_leaders = after.cards.values(), after.leaders.values()
    defects.extend(check_sizes(source, all_cards, all_leaders, reading.game))
    if len(defects) == before:
        check_references(reading, after.cards, after.leaders, removed, changed)
    return cards_of_set


def _parts(
    source: Source, defects: list[Defect]
) -> tuple[SetFile | None, Source | None]:
    """What a set says, and the list of its new cards if it has any."""
    data = source.document.data
    if isinstance(data, list) or not data:
        return SetFile(), source if data else None
    file = source.read_what_is_right(SetFile, defects, {})
    cards = data.get("cards") if isinstance(data, dict) else None
    return file, source.part("cards") if cards and isinstance(cards, list) else None


def _cards(
    reading: Reading,
    source: Source | None,
    changed: Sequence[tuple[str, Card]],
    removed: Iterable[Card],
) -> list[Change]:
    """What becomes of the cards: `source` has the new ones.

    New and changed cards are each checked against all the cards that there will be.
    """
    known_cards, game = reading.db.cards, reading.game
    new: list[tuple[int, Card]] = []
    if source is not None:
        _complete(source, known_cards if game.replaceable else {})
        new = list(records(source, Card, reading.defects))
    news = [card for _, card in new]
    after = [card for _, card in changed]
    replaced = news if game.replaceable else []
    gone = {card.id for card in (*removed, *after, *replaced)}
    rest = [card for card in known_cards.values() if card.id not in gone]
    if source is not None:
        _check(reading, source, new, [*rest, *after])
    if changed:
        _check(reading, reading.source.part("change"), changed, [*rest, *news])
    return [
        *(reading.change(card, None) for card in removed),
        *(reading.change(known_cards[card.id], card) for card in after),
        *(reading.change(known_cards.get(card.id), card) for card in news),
    ]


def _check(
    reading: Reading,
    source: Source,
    placed: Sequence[tuple[int | str, Card]],
    others: Sequence[Card],
) -> None:
    """Check the cards of a part of the file, together with all others."""
    game = reading.game
    cards = {card.id: card for card in (*others, *(card for _, card in placed))}
    reading.defects.extend(
        [
            *check_cards(source, placed, all_ids(source), game, others),
            *aims(source, placed, cards, game),
            *needs(source, placed, cards, game),
            *blank(source, placed, game),
        ]
    )


def _leaders(
    reading: Reading, file: SetFile, changed: Sequence[tuple[str, Leader]]
) -> list[Change]:
    """The leaders with the changes, each checked together with all others."""
    known_leaders, game, cards = reading.db.leaders, reading.game, reading.db.cards
    new: list[tuple[int, Leader]] = []
    source = reading.source.part("leaders") if file.leaders else None
    if source is not None:
        _complete(source, known_leaders if game.replaceable else {})
        new = list(records(source, Leader, reading.defects))
    news, after = ([leader for _, leader in placed] for placed in (new, changed))
    gone = {leader.id for leader in (*after, *(news if game.replaceable else ()))}
    rest = [leader for id, leader in known_leaders.items() if id not in gone]
    if source is not None:
        wrong = check_leaders(source, new, game, cards, [*rest, *after])
        reading.defects.extend(wrong)
    if changed:
        source = reading.source.part("change")
        wrong = check_leaders(source, changed, game, cards, [*rest, *news])
        reading.defects.extend(wrong)
    return [
        reading.change(known_leaders.get(leader.id), leader)
        for leader in (*after, *news)
    ]


def _complete(source: Source, existing: Mapping[str, Card | Leader]) -> None:
    entries = source.document.data
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            id = entry["id"]
            own = FIRST_NUMBER + crc32(id.encode()) % NUMBERS
            entry.setdefault("number", existing[id].number if id in existing else own)
            entry.setdefault("provenance", OWN)
