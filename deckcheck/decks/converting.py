"""Converts a deck from one notation to another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import starmap

from deckcheck.cards import CardDatabase, Lookup, Root, load_database
from deckcheck.cards.root import some_game_ids
from deckcheck.decks.counting import counted
from deckcheck.decks.files import DeckText
from deckcheck.decks.model import Header, RawDeck
from deckcheck.decks.reader import format_headers, parse_decks
from deckcheck.decks.resolve import resolve
from deckcheck.decks.writers import Sheet, sheet_of
from deckcheck.findings import Finding, Severity, UsageError, in_order
from deckcheck.findings.options import option
from deckcheck.findings.words import choice, quote


class Converter:
    """Reads decks of one game, or of the game that each names, and writes them.

    `game` is an id or None, `root` the folder of card databases. `own` is a database
    that counts instead, with the cards of a league's own. `of_format` gives the cards
    of a format that has sets, None for what is no format.
    """

    def __init__(
        self,
        game: str | None = None,
        root: Root = None,
        own: CardDatabase | None = None,
        of_format: Callable[[str], CardDatabase | None] | None = None,
    ) -> None:
        """Raises UsageError for an unknown game, and where there is none."""
        self.games = some_game_ids(root)
        self.game = game if game is None else load_database(game, root).game.id
        self.root = root
        self.own = own
        self.of_format = of_format

    def read(self, source: DeckText, way: str | None = None) -> list[RawDeck]:
        """Every deck of a text; without `way` its suffix and its content decide."""
        return parse_decks(source, way, lambda format: [self.database(format)])

    def sheets(
        self, raws: Sequence[RawDeck]
    ) -> tuple[list[Sheet], CardDatabase, tuple[Finding, ...]]:
        """The decks in canonical spelling, their database, and what is wrong.

        Where an error is among the findings, cards may be missing from the decks.
        Raises UsageError for decks of two games.
        """
        db = self._database_of_all(raws)
        raws = [counted(raw, db) for raw in raws]
        findings = [finding for raw in raws for finding in raw.findings]
        sheets = []
        for raw in raws:
            deck, named = resolve(raw, db)
            findings += named
            sheets.append(sheet_of(deck, db))
        return sheets, db, in_order(findings)

    def _database_of_all(self, raws: Sequence[RawDeck]) -> CardDatabase:
        pairs = zip(raws, format_headers(raws), strict=True)
        readable = [pair for pair in pairs if not _is_unreadable(pair[0])]
        if not readable:
            # Any game does: nothing is written of what nobody can read.
            return self.own or self.database(self.games[0])
        databases = {db.game.id: db for db in starmap(self._database_of, readable)}
        if len(databases) != 1:
            path = quote(raws[0].source.path)
            message = (
                f"The decks of {path} are for several games: {choice([*databases])}"
            )
            raise UsageError(message)
        return next(iter(databases.values()))

    def _database_of(self, raw: RawDeck, format: Header | None) -> CardDatabase:
        if format or self.game or self.own:
            return self.database(format.value.strip().lower() if format else "")
        return self._database_by_cards(raw)

    def _database_by_cards(self, raw: RawDeck) -> CardDatabase:
        """The game that alone knows most of the names, for a deck without a format."""
        databases = [load_database(id, self.root) for id in self.games]
        counts = [_known_names(raw, db) for db in databases]
        best = max(counts, default=0)
        if best == 0 or counts.count(best) > 1:
            return self.database("", raw.source.path)
        return databases[counts.index(best)]

    def database(self, format: str, path: str | None = None) -> CardDatabase:
        """The card database for a format, an id of a game, or nothing known."""
        if self.own is not None:
            return self.own
        games = self.games
        game = self.game or format.partition("/")[0]
        if self.game is None and game not in games:
            if len(games) != 1:
                help = f"Write a `Format` line, or pass {option('format')}"
                deck = "The deck" if path is None else quote(path)
                raise UsageError(f"{deck} does not say which game it is for", help)
            game = games[0]
        database_of_format = (
            self.of_format(format) if self.of_format and not self.game else None
        )
        return database_of_format or load_database(game, self.root)


def _is_unreadable(raw: RawDeck) -> bool:
    """Whether nothing of a deck could be read."""
    is_empty = not (raw.headers or raw.entries or raw.texts)
    return is_empty and is_broken(raw.findings)


def _known_names(raw: RawDeck, db: CardDatabase) -> int:
    """How well a game knows the cards and leaders of a deck."""
    cards = [db.find_card(entry.name) for entry in counted(raw, db).entries]
    leaders = [db.find_leader(leader.value) for leader in raw.headers.get("leader", ())]
    unknown = {record.id for record in db.cards.values() if not record.known}
    unknown |= {record.id for record in db.leaders.values() if not record.known}
    return sum(_likeness(lookup, unknown) for lookup in cards + leaders)


def _likeness(lookup: Lookup, unknown: Collection[str]) -> int:
    """3 for a name of the game, 2 for one without values, 1 for what is like a name."""
    if lookup.id in unknown:
        return 2
    return 3 if lookup.id or lookup.candidates else int(bool(lookup.suggestions))


def is_broken(findings: Sequence[Finding]) -> bool:
    """Whether a deck written from what was read would lose something."""
    return any(
        finding.severity is Severity.ERROR or finding.name == "unknown-header"
        for finding in findings
    )
