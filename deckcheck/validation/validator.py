"""Validate files: read decks, resolve their cards, choose a format, and judge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from deckcheck.cards import CardDatabase, Root, game_ids, load_database
from deckcheck.decks import (
    Deck,
    DeckFile,
    DeckText,
    Header,
    LeftOut,
    RawDeck,
    Reading,
    format_headers,
    parse_decks,
    read_deck,
    read_found,
    resolve,
)
from deckcheck.decks.findings import (
    FAILED_READING,
    MISSING_FORMAT,
    SAME_CARDS,
    SUPPRESSION_SIGN,
    UNKNOWN_FORMAT,
)
from deckcheck.decks.model import DeckSource
from deckcheck.decks.resolve import guess_game
from deckcheck.findings import START, Finding, Severity, UsageError, in_order
from deckcheck.formats import (
    SnapshotError,
    database_of,
    format_ids,
    load_format,
    notes_on_dates,
    suggest_formats,
)
from deckcheck.formats.model import Format, find_by_name, some_format_ids, split_id
from deckcheck.messages import choice, option, printable, quote, sentence
from deckcheck.rules import judge, judge_together
from deckcheck.validation.verdicts import DeckReport, Validation


class _Judging(NamedTuple):
    """A deck to judge, and the format and cards to judge it by."""

    reading: Reading
    format: Format | None
    format_findings: tuple[Finding, ...]
    """The findings about its format."""
    database: CardDatabase | None

    def report(self, text: str) -> DeckReport:
        """Return the report of the deck alone. `text` is the text of its file."""
        reading = self.reading
        database = self.database
        is_broken = any(f.severity is Severity.ERROR for f in reading.findings)
        if is_broken and not (reading.headers or reading.entries or reading.aside):
            found = in_order(reading.findings)
            return DeckReport(reading.source, None, None, found, text)
        if database is None:
            found = in_order([*reading.findings, *self.format_findings])
            return DeckReport(reading.source, None, None, found, text)
        deck, name_findings = resolve(reading, database)
        fmt = self.format
        judged = judge(deck, fmt, database) if fmt is not None else ()
        findings = (reading.findings, self.format_findings, name_findings, judged)
        found = in_order(chain.from_iterable(findings))
        return DeckReport(reading.source, deck, fmt, found, text)


class Validator:
    """Checks decks by a given format, or each by its own format."""

    def __init__(
        self,
        format: str | None = None,
        root: Root = None,
        *,
        suppressions: bool = True,
        fallback: Callable[[str], tuple[str, str] | None] | None = None,
        rules: Sequence[str] = (),
        as_of: str | None = None,
        keeps_cards: bool = True,
    ) -> None:
        """Load the format. A name without a game means the game of the decks.

        `rules` are added to every format, see `deckcheck.formats.adhoc`. `as_of` is the
        date whose snapshots count, see `load_format`. `fallback` returns the format of
        a configuration and its place there, by the path of a deck without a format.
        Without `keeps_cards`, reports drop the cards, see `DeckReport.without_cards`.
        """
        self.keeps_cards = keeps_cards
        self.root = root
        self.fallback = fallback
        self.rules = rules
        self.as_of = as_of
        self.suppressions = suppressions
        some_format_ids(root)  # refuses folders with which nothing can be judged
        self.bare_name: str | None = None
        """A format by its name alone, `standard`, see `set_game`."""
        self.format: Format | None = None
        if format is not None and find_by_name(format, root):
            self.bare_name = format
        elif format is not None:
            self.format = self.load(format)
        self._known: dict[str, Format] = {}
        self._databases: dict[str, CardDatabase] = {}

    def load(self, id: str) -> Format:
        """Return the format of an id with the rules and date of this validator."""
        fmt = load_format(id, self.root, self.as_of)
        if not self.rules:
            return fmt
        from deckcheck.formats.adhoc import apply_rules

        return apply_rules(fmt, self.rules, database_of(fmt, self.root))

    def check_files(
        self, files: Iterable[DeckFile], left_out: LeftOut | None = None
    ) -> Validation:
        """Read and check every deck of every file. `left_out` were beside the files."""
        texts = (read_found(file) for file in files)
        run = self.check_all(texts, note_duplicates=True)
        return run if left_out is None else replace(run, left_out=left_out)

    def check_all(
        self, texts: Iterable[DeckText], *, note_duplicates: bool = False
    ) -> Validation:
        """Check every deck of every text, and note decks with the same cards if asked.

        A failure of one text is a finding, so that all others are checked.
        """
        reports: Iterable[DeckReport] = chain.from_iterable(map(self.check_file, texts))
        if note_duplicates:
            reports = _note_duplicates(reports)
        if not self.keeps_cards:
            reports = (report.without_cards() for report in reports)
        return self.make_validation(reports)

    def make_validation(self, reports: Iterable[DeckReport]) -> Validation:
        """Return the verdicts on decks of this validator, with notes on dates."""
        run = Validation(tuple(reports))
        dates = notes_on_dates(run.formats, self.root, self.as_of)
        return replace(run, notes=tuple(dates))

    def read_decks(self, source: DeckText) -> list[RawDeck]:
        """Return every deck of a text, with the numbers of cards of its game."""
        return parse_decks(source, open_game=self._open_game)

    def check_file(self, source: DeckText) -> list[DeckReport]:
        """Check every deck of a text, and apply its suppression comments.

        A failure to read it is a finding, so that other files are read all the same.
        """
        try:
            return self._judge_decks(source)
        except UsageError:
            raise
        except Exception as error:
            reason = sentence(f"{type(error).__name__} {error}".strip())
            message = f"Reading the file failed: {reason[:200]}"
            help = "Please report it as a defect, with the file"
            finding = FAILED_READING.at(source.path, START, message, help=help)
            deck = DeckSource(source.path)
            return [DeckReport(deck, None, None, (finding,), source.text)]

    def _judge_decks(self, source: DeckText) -> list[DeckReport]:
        raws = self.read_decks(source)
        reports = []
        for raw, header in zip(raws, format_headers(raws), strict=True):
            reports.append(self._resolve(raw, header).report(source.text))
        reports = self._check_together(reports)
        if not self.suppressions or SUPPRESSION_SIGN not in source.text:
            return reports
        from deckcheck.validation.suppression import suppress

        return suppress(reports)

    def _resolve(self, raw: RawDeck, header: Header | None) -> _Judging:
        """Return a deck with the cards of its game, as far as the game is known."""
        fmt, format_findings = self._find_format(raw, header)
        game = fmt.game if fmt is not None else self._find_game(header, raw)
        database = self._open_database(game, fmt) if game is not None else None
        return _Judging(read_deck(raw, database), fmt, format_findings, database)

    def _check_together(self, deck_reports: Sequence[DeckReport]) -> list[DeckReport]:
        """Return the reports of a file, with the findings about its decks together."""
        reports = list(deck_reports)
        unread = sum(report.deck is None for report in reports)
        groups: dict[str, list[tuple[int, Deck, Format]]] = defaultdict(list)
        for index, report in enumerate(reports):
            deck, fmt = report.deck, report.format
            if deck is not None and fmt is not None and fmt.seating.holds != "deck":
                groups[fmt.fingerprint].append((index, deck, fmt))
        for group in groups.values():
            fmt = group[0][2]
            decks = [deck for _, deck, _ in group]
            others = len(reports) - unread - len(group)
            database = self._open_database(fmt.game, fmt)
            judged = judge_together(decks, fmt, database, unread=unread, others=others)
            for place, finding in judged:
                index = group[place][0]
                reports[index] = reports[index].with_finding(finding)
        return reports

    def _open_game(self, id: str) -> list[CardDatabase]:
        """Return the databases that a share code of a format or a game may refer to.

        They are the named format's own, with its sets, and the database of the judging
        format, or none for an unknown game.
        """
        game = id.partition("/")[0]
        if game not in game_ids(self.root):
            return []
        named = None
        if split_id(id)[0] in format_ids(self.root):
            # An unknown snapshot is reported when the deck is judged.
            with suppress(SnapshotError):
                named = load_format(id, self.root, self.as_of)
        judging = None
        if self.format is not None and self.format.game == game:
            judging = self.format
        return [self._open_database(game, fmt) for fmt in (named, judging)]

    def _open_database(self, game: str, fmt: Format | None) -> CardDatabase:
        """Return the cards of a game, after the changes of a format."""
        # A snapshot of a format may have sets of its own.
        key = fmt.fingerprint if fmt is not None else game
        if key not in self._databases:
            database = load_database(game, self.root)
            if fmt is not None:
                database = database.with_changes(fmt.changes)
            self._databases[key] = database
        return self._databases[key]

    def _find_format(
        self, raw: RawDeck, header: Header | None
    ) -> tuple[Format | None, tuple[Finding, ...]]:
        """Return the format of a deck: by option, header or configuration.

        Without a format there is a finding, `missing-format` or `unknown-format`. The
        first deck sets the game of a format that is given by its name alone.
        """
        if self.bare_name is not None and raw.lines:
            self.set_game(self._guess_game(raw), raw.source.path)
        if self.bare_name is not None or self.format is not None:
            return self.format, ()
        if header is not None:
            return self._load_header(header, raw.source.path)
        fmt = self._load_fallback(raw)
        if fmt is None:
            return None, (self._make_missing_format(raw),)
        return fmt, ()

    def _load_header(
        self, header: Header, path: str
    ) -> tuple[Format | None, tuple[Finding, ...]]:
        """Return the format of a `Format` header, or a finding about an unknown id."""
        id = header.value.strip().lower()
        if id in self._known:
            return self._known[id], ()
        message = f"Unknown format {quote(header.value)}"
        name = id.partition("@")[0]
        if name in format_ids(self.root):
            try:
                self._known[id] = self.load(id)
                return self._known[id], ()
            except SnapshotError as error:
                if "@" not in id:
                    raise
                message = sentence(error.message)
                help = error.help
        else:
            help = suggest_formats(name, format_ids(self.root))
        return None, (UNKNOWN_FORMAT.at(path, header.span, message, help=help),)

    def set_game(self, game: str | None, path: str) -> Format:
        """Set the game of a format that is given by its name alone, and return it.

        `path` is the file of the deck that shows the game. Raises UsageError if it does
        not show the game, if the game has no such format, and for decks of two games.
        """
        if self.format is not None and game in (None, self.format.game):
            return self.format
        name, _, snapshot = (self.bare_name or "").strip().lower().partition("@")
        ids = find_by_name(name, self.root)
        id = f"{game}/{name}"
        deck = quote(path)
        shown = quote(name)
        help = f"Pass {option('format')}: {choice(ids)}"
        if self.format is not None:
            games = f"`{self.format.game}` and `{game}`"
            message = f"Format {shown} has a single game, the decks have {games}"
            raise UsageError(message, help)
        if game is None:
            message = f"Format {shown} needs a game, and {deck} does not show which"
            raise UsageError(message, help)
        if id not in ids:
            raise UsageError(f"`{game}`, the game of {deck}, has no {shown}", help)
        self.format = self.load(f"{id}@{snapshot}" if snapshot else id)
        return self.format

    def _load_fallback(self, raw: RawDeck) -> Format | None:
        """Return the format that the configuration has for a deck without a format."""
        path = raw.source.path
        chosen = self.fallback(path) if self.fallback is not None else None
        if chosen is None:
            return None
        name, location = chosen
        if name not in self._known:
            try:
                self._known[name] = self.load(name)
            except UsageError as error:
                message = f"{location}: {error.message}"
                raise UsageError(message, error.help) from error
        return self._known[name]

    def _make_missing_format(self, raw: RawDeck) -> Finding:
        """Return the finding about a deck without a format, with possible formats."""
        game = self._guess_game(raw)
        path = raw.source.path
        known = format_ids(self.root)
        formats = [id for id in known if game is None or id.startswith(f"{game}/")]
        help = f"Pass {option('format')} or write a `Format` line: {choice(formats)}"
        if game is not None and not path.startswith("<"):
            command = f"deckcheck formats --for {printable(path)}"
            help += f", or find a legal format by `{command}`"
        message = "The deck names no format"
        return MISSING_FORMAT.at(path, raw.span, message, help=help)

    def _find_game(self, header: Header | None, raw: RawDeck) -> str | None:
        """Return the game of a deck without a known format, if the game is known."""
        if header is None:
            return self._guess_game(raw)
        game = header.value.strip().lower().partition("/")[0]
        return game if game in game_ids(self.root) else None

    def _guess_game(self, raw: RawDeck) -> str | None:
        """Return the game that alone knows most names of a deck, or None.

        A game that cannot be loaded knows no name.
        """
        databases = []
        for game in game_ids(self.root):
            with suppress(UsageError):
                databases.append(self._open_database(game, None))
        likely = guess_game(raw, databases)
        return likely.game.id if likely is not None else None


def known_names(deck: Deck) -> int:
    """Count the cards and leaders of a deck that its game knows."""
    cards = {entry.card for entry in deck.entries}
    return len(cards) + (deck.leader is not None)


_UNREAD_CARD_CODES = ("DP10", "DC10")
"""Prefixes of the codes of findings about lines and cards that were not read."""


def _note_duplicates(reports: Iterable[DeckReport]) -> Iterator[DeckReport]:
    """Yield the reports, with a note for each deck equal to an earlier deck."""
    first: dict[object, DeckReport] = {}
    for report in reports:
        deck = report.deck
        if deck is None or not deck.entries:
            yield report
            continue
        # Unreadable lines may be other cards.
        unread = set()
        for finding in report.findings:
            is_error = finding.severity is Severity.ERROR
            if is_error and finding.code.startswith(_UNREAD_CARD_CODES):
                unread.add(finding.message)
        cards = (
            deck.leader,
            frozenset(deck.counts().items()),
            frozenset(deck.reserve_counts().items()),
            frozenset(unread),
        )
        old = first.setdefault(cards, report)
        if old.source.path == report.source.path:
            # Only the names of earlier decks are needed.
            first[cards] = old.without_cards()
            yield report
            continue
        titles = f"{sentence(_name_deck(old))} and {_name_deck(report)}"
        message = f"{titles} have the same cards"
        help = "Remove one, unless both are meant"
        finding = SAME_CARDS.at(report.source.path, deck.span, message, help=help)
        yield report.with_finding(finding)


def _name_deck(report: DeckReport) -> str:
    file = quote(report.source.path)
    index = report.source.index
    return f"deck {index + 1} of {file}" if index else file
