"""Validate files: read, resolve, choose the format, judge. Formats of legal decks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from deckcheck.cards import CardDatabase, Root, game_ids, load_database
from deckcheck.decks import (
    Deck,
    DeckFile,
    DeckText,
    Header,
    LeftOut,
    RawDeck,
    Reading,
    find_deck_files,
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
from deckcheck.findings import START, Finding, Severity, UsageError, in_order
from deckcheck.formats import (
    SnapshotError,
    database_of,
    format_ids,
    load_format,
    load_formats,
    notes_on_dates,
    suggest_formats,
)
from deckcheck.formats.model import Format, find_by_name, some_format_ids, split_id
from deckcheck.messages import choice, option, plural, printable, quote, sentence
from deckcheck.rules import judge, judge_together
from deckcheck.validation.verdicts import DeckReport, Validation, position_data

if TYPE_CHECKING:
    from deckcheck.validation.documents import (
        DeckLegalityDocument,
        FormatVerdict,
        LegalityFinding,
    )


class _Judging(NamedTuple):
    """A deck to judge, and the format and cards to judge it by."""

    reading: Reading
    format: Format | None
    unknown: tuple[Finding, ...]
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
            found = in_order([*reading.findings, *self.unknown])
            return DeckReport(reading.source, None, None, found, text)
        deck, named = resolve(reading, database)
        fmt = self.format
        judged = judge(deck, fmt, database) if fmt is not None else ()
        found = in_order([*reading.findings, *self.unknown, *named, *judged])
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
        self.named: str | None = None
        """A format by its name alone, `standard`: the cards of decks show its game."""
        self.format: Format | None = None
        if format is not None and find_by_name(format, root):
            self.named = format
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
        run = self.check_all((read_found(file) for file in files), notes_twins=True)
        return run if left_out is None else replace(run, left_out=left_out)

    def check_all(
        self, texts: Iterable[DeckText], *, notes_twins: bool = False
    ) -> Validation:
        """Check every deck of every text. `notes_twins` notes equal decks."""
        reports: Iterable[DeckReport] = chain.from_iterable(map(self.check_file, texts))
        if notes_twins:
            reports = _with_twins(reports)
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
            return self._check_file(source)
        except UsageError:
            raise
        except Exception as error:
            reason = sentence(f"{type(error).__name__} {error}".strip())
            message = f"Reading the file failed: {reason[:200]}"
            help = "Please report it as a defect, with the file"
            finding = FAILED_READING.at(source.path, START, message, help=help)
            deck = DeckSource(source.path)
            return [DeckReport(deck, None, None, (finding,), source.text)]

    def _check_file(self, source: DeckText) -> list[DeckReport]:
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
        fmt, unknown = self._choose(raw, header)
        game = fmt.game if fmt is not None else self._find_game(header, raw)
        database = self._open_database(game, fmt) if game is not None else None
        return _Judging(read_deck(raw, database), fmt, unknown, database)

    def _check_together(self, deck_reports: Sequence[DeckReport]) -> list[DeckReport]:
        """Return the reports of a file, with the findings about its decks together."""
        reports = list(deck_reports)
        unread = sum(report.deck is None for report in reports)
        groups: dict[str, list[int]] = defaultdict(list)
        for index, report in enumerate(reports):
            if report.deck is not None and report.format is not None:
                groups[report.format.fingerprint].append(index)
        for group in groups.values():
            fmt = reports[group[0]].format
            if fmt is None or fmt.seating.holds == "deck":
                continue
            decks: list[Deck] = []
            for index in group:
                deck = reports[index].deck
                if deck is not None:
                    decks.append(deck)
            others = len(reports) - unread - len(group)
            database = self._open_database(fmt.game, fmt)
            judged = judge_together(decks, fmt, database, unread=unread, others=others)
            for index, finding in judged:
                reports[group[index]] = reports[group[index]].with_finding(finding)
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
        judge = self.format if self.format and self.format.game == game else None
        return [self._open_database(game, fmt) for fmt in (named, judge)]

    def _open_database(self, game: str, fmt: Format | None) -> CardDatabase:
        key = f"{game} {fmt.id}" if fmt is not None else game
        if key not in self._databases:
            database = load_database(game, self.root)
            if fmt is not None:
                database = database.with_changes(fmt.changes)
            self._databases[key] = database
        return self._databases[key]

    def _choose(
        self, raw: RawDeck, header: Header | None
    ) -> tuple[Format | None, tuple[Finding, ...]]:
        """Return the format of a deck: by option, header or configuration.

        Without any of these the finding is `missing-format`.
        """
        if self.named is not None and raw.lines:
            self.take_game(self._guess_game(raw), raw.source.path)
        if self.named is not None or self.format is not None:
            return self.format, ()
        if header is None:
            fmt = self._load_fallback(raw)
            return fmt, () if fmt is not None else (self._without_format(raw),)
        id = header.value.strip().lower()
        message, help = f"Unknown format {quote(header.value)}", None
        if id not in self._known:
            if id.partition("@")[0] in format_ids(self.root):
                try:
                    self._known[id] = self.load(id)
                except SnapshotError as error:
                    if "@" not in id:
                        raise
                    message, help = sentence(error.message), error.help
            else:
                help = suggest_formats(id.partition("@")[0], format_ids(self.root))
        if id in self._known:
            return self._known[id], ()
        path = raw.source.path
        return None, (UNKNOWN_FORMAT.at(path, header.span, message, help=help),)

    def take_game(self, game: str | None, path: str) -> Format:
        """Return the format with the name of this validator in the game of a deck.

        Raises UsageError where the game is not known, where it has no such format, and
        for decks of two games.
        """
        name, _, snapshot = (self.named or "").strip().lower().partition("@")
        ids = find_by_name(name, self.root)
        id = f"{game}/{name}"
        deck = quote(path)
        shown = quote(name)
        help = f"Pass {option('format')}: {choice(ids)}"
        chosen = self.format
        if chosen is not None and game in (None, chosen.game):
            return chosen
        if chosen is not None:
            games = f"`{chosen.game}` and `{game}`"
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

    def _without_format(self, raw: RawDeck) -> Finding:
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
        """Return the only game that knows most of the names, or None.

        A game that cannot be loaded knows no name.
        """
        known = {}
        for game in game_ids(self.root):
            with suppress(UsageError):
                database = self._open_database(game, None)
                deck, _ = resolve(read_deck(raw, database), database)
                known[game] = known_names(deck)
        most = max(known.values(), default=0)
        likely = [game for game, number in known.items() if number == most]
        return likely[0] if most and len(likely) == 1 else None


def known_names(deck: Deck) -> int:
    """Count the cards and leaders of a deck that its game knows."""
    cards = {entry.card for entry in deck.entries}
    return len(cards) + (deck.leader is not None)


def _with_twins(reports: Iterable[DeckReport]) -> Iterator[DeckReport]:
    """Yield the reports, with a note for each deck equal to an earlier deck."""
    first: dict[object, DeckReport] = {}
    for report in reports:
        deck = report.deck
        if deck is None or not deck.entries:
            yield report
            continue
        # Unreadable lines may be other cards.
        unread = set()
        for error in _list_errors(report):
            if error.code.startswith(("DP10", "DC10")):
                unread.add(error.message)
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


# The formats in which decks are legal, and the findings of other formats


@dataclass(frozen=True, slots=True)
class DeckLegality:
    """The verdicts of every format on a deck by the format's id, likely games first."""

    path: str
    index: int
    name: str | None
    reports: dict[str, DeckReport]
    strange: frozenset[str] = frozenset()
    """The formats of games that know none of the deck's cards while other games do."""

    @property
    def legal(self) -> tuple[str, ...]:
        """The formats that the deck is legal in."""
        return tuple(id for id, report in self.reports.items() if report.legal)

    def as_text(self) -> str:
        """Return the formats on a line each, with the findings below."""
        deck = f" deck {self.index + 1}" if self.index else ""
        name = f": {self.name}" if self.name not in (None, self.path) else ""
        lines = list(self._write_lines()) or ["  no format of its game existed then"]
        return "\n".join([printable(f"{self.path}{deck}{name}"), *lines])

    def _write_lines(self) -> Iterator[str]:
        """Yield the verdict of each format, below the errors of all formats."""
        width = max(map(len, self.reports), default=0)
        judged = [r for id, r in self.reports.items() if id not in self.strange]
        shared = _find_shared_errors(judged)
        if shared:
            yield f"  {'every format':{width}}  {plural(len(shared), 'error')}"
            yield from _write_errors(shared)
        for id, report in self.reports.items():
            if id in self.strange:
                yield f"  {id:{width}}  of another game"
                continue
            errors = _list_errors(report)
            verdict = plural(len(errors), "error") if errors else "legal"
            yield f"  {id:{width}}  {verdict}"
            known = {(error.span, error.message) for error in shared}
            rest = [
                error for error in errors if (error.span, error.message) not in known
            ]
            yield from _write_errors(rest)

    def as_data(self) -> DeckLegalityDocument:
        """Return the verdicts as plain data for JSON."""
        formats: list[FormatVerdict] = []
        for id, report in self.reports.items():
            findings: list[LegalityFinding] = []
            for finding in report.findings:
                findings.append(
                    {
                        "code": finding.code,
                        "name": finding.name,
                        "severity": finding.severity.value,
                        "message": finding.message,
                        "start": position_data(finding.span.start),
                        "help": finding.help,
                    }
                )
            formats.append({"format": id, "legal": report.legal, "findings": findings})
        return {
            "path": self.path,
            "index": self.index,
            "name": self.name,
            "legal": list(self.legal),
            "formats": formats,
        }


def _list_errors(report: DeckReport) -> list[Finding]:
    """Return the errors of a report."""
    return [each for each in report.findings if each.severity is Severity.ERROR]


def _find_shared_errors(reports: Sequence[DeckReport]) -> list[Finding]:
    """Return the errors that all of several reports share."""
    if len(reports) < 2:
        return []
    shared = _list_errors(reports[0])
    for report in reports[1:]:
        known = {(error.span, error.message) for error in _list_errors(report)}
        shared = [error for error in shared if (error.span, error.message) in known]
    return shared


def _write_errors(errors: Iterable[Finding]) -> Iterator[str]:
    """Yield each error with its place and its remedy."""
    for error in errors:
        start = error.span.start
        yield f"    {start.line}:{start.column} {error.message}"
        if error.help:
            yield f"      {error.help}"


def where_legal(
    path: str,
    root: Root = None,
    as_of: str | None = None,
    left_out: LeftOut | None = None,
) -> list[DeckLegality]:
    """Judge each deck of a file, folder or glob by every format of its game.

    The game is the game of the deck's `Format` header. Without a header, every format
    judges, with the formats of the games that know most of the cards first. `as_of` is
    the date whose snapshots count. A format without a snapshot on that date is left
    out. Files that are not decks are counted in `left_out`. Raises UsageError for a
    file that does not exist.
    """
    judges = {
        fmt.id: Validator(fmt.id, root, as_of=as_of, suppressions=False)
        for fmt in load_formats(root, as_of)
    }
    games = {id.partition("/")[0] for id in format_ids(root)}
    decks: list[DeckLegality] = []
    for deck_file in find_deck_files([path], left_out=left_out):
        decks += _judge(read_found(deck_file), judges, games)
    return decks


def _judge(
    source: DeckText, judges: dict[str, Validator], games: set[str]
) -> Iterator[DeckLegality]:
    """Judge the decks of a file, alone and together."""
    by_format = {id: judge.check_file(source) for id, judge in judges.items()}
    raws = next(iter(judges.values())).read_decks(source)
    for index, header in enumerate(format_headers(raws)):
        game = header.value.strip().lower().partition("/")[0] if header else ""
        all = game not in games
        judgements = [id for id in judges if all or id.startswith(f"{game}/")]
        known = _count_known_names({id: by_format[id][index] for id in judgements})
        judgements.sort(key=lambda id: -known[_cut_game(id)])
        reports = {id: by_format[id][index] for id in judgements}
        strange = set()
        if any(known.values()):
            strange = {id for id in judgements if not known[_cut_game(id)]}
        name = next((report.name for report in reports.values() if report.name), None)
        yield DeckLegality(source.path, index, name, reports, frozenset(strange))


def _cut_game(id: str) -> str:
    return id.partition("/")[0]


def _count_known_names(reports: Mapping[str, DeckReport]) -> Counter[str]:
    """Count the cards and leaders of a deck that each game knows."""
    counts: Counter[str] = Counter()
    for id, report in reports.items():
        if report.deck is not None:
            counts[_cut_game(id)] = known_names(report.deck)
    return counts
