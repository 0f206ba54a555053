"""A deck as every writer takes it: canonical headers and counted cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from deckcheck.cards import CardDatabase
from deckcheck.decks.headers import HEADERS
from deckcheck.decks.model import Deck


@dataclass(frozen=True, slots=True)
class Sheet:
    """A resolved deck in canonical spelling.

    `headers` are by lower-case key in the usual order, `cards` count ids, `faction`
    and `leader` are ids, `reserves` count the reserve cards. `places` tell of
    ids where they stand: `siege.deck:4:1`.
    """

    headers: Mapping[str, tuple[str, ...]]
    cards: Mapping[str, int]
    faction: str | None
    leader: str | None
    reserves: Mapping[str, int] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Written:
    """The text of decks, and what of them it could not hold, in words."""

    text: str
    lost: tuple[str, ...] = ()


def sheet_of(deck: Deck, db: CardDatabase) -> Sheet:
    """A deck in canonical spelling, with the faction that its leader implies."""
    headers: dict[str, tuple[str, ...]] = {}
    for key in HEADERS:
        values = tuple(
            canonical(key, header.value, deck.faction, db)
            for header in deck.headers.get(key, ())
        )
        if key == "faction" and not values and deck.faction is not None:
            values = (db.factions[deck.faction].name,)
        if values:
            headers[key] = values
    return Sheet(
        headers,
        dict(deck.counts()),
        deck.faction,
        deck.leader,
        dict(deck.reserve_counts()),
        _places(deck),
    )


def _places(deck: Deck) -> dict[str, str]:
    """Where the cards and the leader stand, the first time."""
    spans = {entry.card: entry.span for entry in reversed(deck.entries)}
    if deck.leader is not None and "leader" in deck.headers:
        spans[deck.leader] = deck.headers["leader"][0].span
    return {
        id: f"{deck.source.path}:{span.start.line}:{span.start.column}"
        for id, span in spans.items()
    }


def canonical(key: str, value: str, faction: str | None, db: CardDatabase) -> str:
    """The value of a header as it is usually spelt."""
    if key == "leader":
        leader = db.find_leader(value, faction).id or db.find_leader(value).id
        return db.leaders[leader].full_name if leader else value
    if key == "faction":
        lookup = db.find_faction(value).id
        return db.factions[lookup].name if lookup else value
    return value.strip().lower() if key == "format" else value


def lost_headers(sheets: Sequence[Sheet], kept: Iterable[str]) -> tuple[str, ...]:
    """The headers in use that are not among `kept`, and the reserves."""
    used = {key for sheet in sheets for key in sheet.headers} - set(kept)
    lost = tuple(f"`{HEADERS[key]}`" for key in HEADERS if key in used)
    return (*lost, *lost_reserves(sheets))


def lost_reserves(sheets: Sequence[Sheet]) -> tuple[str, ...]:
    """The reserves, where a way of writing holds the cards of decks alone."""
    return ("`Reserves`",) if any(sheet.reserves for sheet in sheets) else ()
