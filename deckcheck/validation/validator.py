"""The pipeline: read, resolve names, choose the format, judge."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from deckcheck.cards import CardDatabase, Root, card_db_folders, game_ids, load_database
from deckcheck.cards.root import shown_folders
from deckcheck.decks import (
    DeckFile,
    DeckText,
    Header,
    LeftOut,
    RawDeck,
    counted,
    find_deck_files,
    format_headers,
    parse_decks,
    read_found,
    resolve,
)
from deckcheck.decks.reading import UNKNOWN_FORMAT
from deckcheck.decks.suppressions import SIGN
from deckcheck.findings import Finding, Severity, UsageError, in_order
from deckcheck.findings.words import quote, sentence
from deckcheck.formats import (
    SnapshotError,
    database_of,
    format_ids,
    instead_of,
    load_format,
)
from deckcheck.formats.ids import split_id
from deckcheck.formats.models import Format
from deckcheck.rules import judge, judge_together
from deckcheck.validation.verdicts import DeckReport, Validation


def validate_files(
    targets: Sequence[str | Path],
    format: str | None = None,
    root: Root = None,
    stdin_filename: str | None = None,
    *,
    suppressions: bool = True,
) -> Validation:
    """Check every deck of files, folders and globs; see `find_deck_files`.

    `format` is an id such as `gwent/standard`; without it each deck's own header
    decides. `root` is the folder of card databases. Without `suppressions`, comments
    such as `# deckcheck: ignore[too-many-copies]` change nothing. Raises UsageError for
    what the user has to mend before any deck can be judged: a missing file, an unknown
    format, a deck without any format.
    """
    validator = Validator(format, root, suppressions=suppressions)
    left_out = LeftOut()
    names = [str(target) for target in targets]
    files = find_deck_files(names, stdin_filename, left_out=left_out)
    return validator.check_files(files, left_out)


def validate_text(
    text: str,
    path: str = "<text>",
    format: str | None = None,
    root: Root = None,
) -> Validation:
    """Check every deck of a text; the suffix of `path` tells the syntax."""
    return Validator(format, root).check_all([DeckText(path, text)])


class Validator:
    """Checks decks by one format, or each by its own; loads what it needs once."""

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
        """Load the format.

        `rules` are added to every format, see `deckcheck.formats.adhoc`. `as_of` is
        the date whose snapshots count, see `load_format`.
        `fallback` tells, for the path of a deck that names no format, the format of a
        configuration and the place where it stands. Of many decks little remains
        unless this `keeps_cards`, see `DeckReport.without_cards`.
        """
        self.keeps_cards = keeps_cards
        self.root = root
        self.fallback = fallback
        self.rules = rules
        self.as_of = as_of
        self.suppressions = suppressions
        if not format_ids(root):
            folders = shown_folders(card_db_folders(root))
            raise UsageError(f"No format of any game in {folders}")
        self.format = self.load(format) if format is not None else None
        self._known: dict[str, Format] = {}
        self._databases: dict[str, CardDatabase] = {}

    def load(self, id: str) -> Format:
        """The format of an id as this validator judges by it: rules and date heeded."""
        fmt = load_format(id, self.root, self.as_of)
        if not self.rules:
            return fmt
        from deckcheck.formats.adhoc import apply_rules

        return apply_rules(fmt, self.rules, database_of(fmt, self.root))

    def check_files(
        self, files: Iterable[DeckFile], left_out: LeftOut | None = None
    ) -> Validation:
        """Read and check every deck of every file; `left_out` lay beside them."""
        run = self.check_all(read_found(file) for file in files)
        return run if left_out is None else replace(run, left_out=left_out)

    def check_all(self, texts: Iterable[DeckText]) -> Validation:
        """Check every deck of every text."""
        reports = (report for source in texts for report in self.check_file(source))
        if not self.keeps_cards:
            reports = (report.without_cards() for report in reports)
        return Validation(tuple(reports))

    def read(self, source: DeckText) -> list[RawDeck]:
        """Every deck of one text; numbers of cards are those of its game."""
        return parse_decks(source, open_game=self._open_game)

    def check_file(self, source: DeckText) -> list[DeckReport]:
        """Check every deck of one text, and heed its suppression comments."""
        raws = self.read(source)
        headers = format_headers(raws)
        reports = self._together(
            self.check(raw, source.text, header)
            for raw, header in zip(raws, headers, strict=True)
        )
        if not self.suppressions or SIGN not in source.text:
            return reports
        from deckcheck.validation.suppression import suppress

        return suppress(reports)

    def check(
        self, raw: RawDeck, text: str = "", header: Header | None = None
    ) -> DeckReport:
        """Check one deck as it was read, and alone.

        `text` is that of its file, `header` names its format.
        """
        is_unreadable = any(f.severity is Severity.ERROR for f in raw.findings)
        if is_unreadable and not raw.headers and not raw.entries:
            return DeckReport(raw.source, None, None, in_order(raw.findings), text)
        fmt, unknown = self._choose(raw, header)
        game = fmt.game if fmt is not None else self._game_of(header)
        if game is None:
            findings = in_order([*raw.findings, *unknown])
            return DeckReport(raw.source, None, None, findings, text)
        db = self._database(game, fmt)
        raw = counted(raw, db)
        deck, named = resolve(raw, db)
        judged = judge(deck, fmt, db) if fmt is not None else ()
        findings = in_order([*raw.findings, *unknown, *named, *judged])
        return DeckReport(raw.source, deck, fmt, findings, text)

    def _together(self, deck_reports: Iterable[DeckReport]) -> list[DeckReport]:
        """The reports of a file, with what is wrong with its decks together."""
        reports = list(deck_reports)
        unread = sum(report.deck is None for report in reports)
        groups: dict[str, list[int]] = defaultdict(list)
        for at, report in enumerate(reports):
            if report.deck is not None and report.format is not None:
                groups[report.format.digest].append(at)
        for group in groups.values():
            fmt = reports[group[0]].format
            if fmt is None or fmt.seating.holds == "deck":
                continue
            decks = [deck for at in group if (deck := reports[at].deck) is not None]
            others = len(reports) - unread - len(group)
            db = self._database(fmt.game, fmt)
            joint_findings = judge_together(
                decks, fmt, db, unread=unread, others=others
            )
            for at, finding in joint_findings:
                old = reports[group[at]]
                findings = in_order([*old.findings, finding])
                reports[group[at]] = replace(old, findings=findings)
        return reports

    def _open_game(self, id: str) -> list[CardDatabase]:
        """The databases that a share code of a format or a game may be of.

        That is the named format's own, with its sets, and that of the format which
        judges. None is there for an unknown game.
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
        return [self._database(game, fmt) for fmt in (named, judge)]

    def _database(self, game: str, fmt: Format | None) -> CardDatabase:
        key = f"{game} {fmt.id}" if fmt is not None else game
        if key not in self._databases:
            db = load_database(game, self.root)
            if fmt is not None:
                db = db.with_changes(fmt.changes)
            self._databases[key] = db
        return self._databases[key]

    def _choose(
        self, raw: RawDeck, header: Header | None
    ) -> tuple[Format | None, tuple[Finding, ...]]:
        """The format of a deck: option, header, configuration, else misuse."""
        if self.format is not None:
            return self.format, ()
        if header is None:
            return self._fall_back(raw), ()
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
                help = instead_of(id.partition("@")[0], format_ids(self.root))
        if id in self._known:
            return self._known[id], ()
        path = raw.source.path
        return None, (UNKNOWN_FORMAT.at(path, header.span, message, help=help),)

    def _fall_back(self, raw: RawDeck) -> Format:
        """The format that the configuration has for a deck without any."""
        path = raw.source.path
        chosen = self.fallback(path) if self.fallback is not None else None
        if chosen is None:
            from deckcheck.validation.formatless import without_format

            raise without_format(raw, self.root)
        name, place = chosen
        if name not in self._known:
            try:
                self._known[name] = self.load(name)
            except UsageError as error:
                message = f"{place}: {error.message}"
                raise UsageError(message, error.help) from error
        return self._known[name]

    def _game_of(self, header: Header | None) -> str | None:
        """The game of an unknown format, when that much is known."""
        game = header.value.strip().lower().partition("/")[0] if header else ""
        return game if game in game_ids(self.root) else None
