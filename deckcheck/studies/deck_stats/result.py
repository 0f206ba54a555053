"""A deck in figures, without playing: composition, first hand, odds, exposure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deckcheck.cards import Card, CardDatabase, Root
from deckcheck.findings import UsageError
from deckcheck.findings.words import choice, quote
from deckcheck.formats import database_of
from deckcheck.studies.deck_stats.composition import Composition, Exposure, Part
from deckcheck.studies.deck_stats.document import (
    DeckStatsDocument,
    ExposureDocument,
    OddsDocument,
    OpeningDocument,
    PartDocument,
)
from deckcheck.studies.deck_stats.hand_odds import (
    Group,
    Odds,
    Opening,
    odds_of,
    opening_of,
    usual_groups,
)
from deckcheck.validation import DeckReport


@dataclass(frozen=True, slots=True)
class DeckStats:
    """What can be said of one deck; `opening` is None in games without hands."""

    report: DeckReport
    composition: Composition
    opening: Opening | None
    odds: tuple[Odds, ...]

    def to_dict(self) -> DeckStatsDocument:
        """The figures as `deckcheck schema stats` describes them."""
        report, parts = self.report, self.composition
        assert report.deck is not None
        assert report.format is not None
        return {
            "path": report.source.path,
            "index": report.source.index,
            "name": report.deck.name,
            "format": report.format.id,
            "snapshot": report.format.snapshot,
            "digest": report.format.digest,
            "legal": report.legal,
            "faction": report.deck.faction,
            "leader": report.deck.leader,
            "cards": parts.cards,
            "units": _part(parts.all_units),
            "kinds": parts.kinds,
            "factions": parts.factions,
            "rows": {name: _part(part) for name, part in parts.rows.items()},
            "abilities": parts.abilities,
            "copies": {str(n): cards for n, cards in parts.copies.items()},
            "weather": [_exposure(weather) for weather in parts.weather],
            "scorch": _part(parts.strongest),
            "opening": None if self.opening is None else _opening(self.opening),
            "odds": [_odds_document(hand_odds) for hand_odds in self.odds],
        }


def stats_of(
    report: DeckReport,
    groups: Sequence[str] = (),
    number: int = 1,
    root: Root = None,
) -> DeckStats:
    """The figures of a deck that could be read.

    The odds are those of at least `number` cards of each of `groups`, see `group_of`;
    without any of the usual ones: each kind, ability and card of the deck. `root` is
    the folder of card databases. Raises UsageError for a group that no card of the
    game belongs to.
    """
    deck, fmt = report.deck, report.format
    assert deck is not None
    assert fmt is not None
    db = database_of(fmt, root)
    counts = {db.cards[id]: n for id, n in deck.counts().items()}
    parts = Composition(db, counts)
    hand = opening_of(parts, fmt, db.leaders.get(deck.leader or ""))
    if hand is None:
        return DeckStats(report, parts, None, ())
    wanted = [group_of(text, db) for text in groups] or usual_groups(parts)
    odds = tuple(odds_of(parts, hand, group, number) for group in wanted)
    return DeckStats(report, parts, hand, odds)


def group_of(text: str, db: CardDatabase) -> Group:
    """The cards that a user names: `Scorch`, `medic`, or several, `Scorch, hero`.

    Each part is the name of a card, or a kind, ability or row of the game.
    """
    cards: set[Card] = set()
    for part in filter(None, (word.strip() for word in text.split(","))):
        cards |= _cards_of(part, db)
    if not cards:
        raise UsageError("A group names no card", "Name cards, a kind or an ability")
    return Group(text.strip(), frozenset(cards))


def _cards_of(text: str, db: CardDatabase) -> set[Card]:
    lookup = db.find_card(text)
    if lookup.id is not None:
        return {db.cards[lookup.id]}
    word = text.lower().replace(" ", "_").replace("-", "_")
    game = db.game
    if word in (*game.kinds, *game.abilities, *game.rows):
        return {
            card
            for card in db.cards.values()
            if card.kind == word or card.has(word) or word in card.rows
        }
    near = [db.cards[id].name for id in lookup.candidates] or list(lookup.suggestions)
    help = f"Did you mean {choice(near)}?" if near else None
    help = help or f"Name cards, or a kind or ability: {choice(game.kinds, 'and')}"
    raise UsageError(f"No card, kind, ability or row is called {quote(text)}", help)


def _part(part: Part) -> PartDocument:
    return {"cards": part.cards, "strength": part.strength}


def _exposure(exposure: Exposure) -> ExposureDocument:
    return {
        "weather": exposure.weather,
        "rows": list(exposure.rows),
        "cards": exposure.cards,
        "strength": exposure.strength,
        "movable": exposure.movable,
    }


def _opening(opening: Opening) -> OpeningDocument:
    return {
        "size": opening.size,
        "redraws": opening.redraws,
        "strength": opening.strength,
        "spread": opening.spread,
    }


def _odds_document(odds: Odds) -> OddsDocument:
    return {
        "group": odds.group.name,
        "ids": sorted(card.id for card in odds.group.cards),
        "copies": odds.copies,
        "mean": odds.mean,
        "opening": odds.opening,
        "redrawn": odds.redrawn,
        "drawn": odds.drawn,
    }
