"""A checked event: its players with their lists, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import groupby

from deckcheck.cards import Root
from deckcheck.cards.names import normalise
from deckcheck.decks import LeftOut
from deckcheck.events.file import EventFile
from deckcheck.events.names import list_keys
from deckcheck.events.salts import Salts, sealed_hash
from deckcheck.findings import Finding, Severity
from deckcheck.findings.documents import Source
from deckcheck.formats.models import Format
from deckcheck.validation import DeckReport, FileReport, Validation


@dataclass(frozen=True, slots=True)
class ListFile:
    """A file of the folder of lists: its name in there, its path, its bytes.

    `data` are the very bytes that were judged.
    """

    name: str
    path: str
    data: bytes = field(repr=False)

    @property
    def sha256(self) -> str:
        """The hash of the list alone: it tells who plays a deck that is known."""
        return sha256(self.data).hexdigest()


@dataclass(frozen=True, slots=True)
class Group:
    """A player, or what else findings are put together under, and what belongs there.

    `decks` are those of all lists, in the order of the files. `reports` say what is
    wrong beyond the decks themselves.
    """

    title: str
    decks: tuple[DeckReport, ...] = ()
    reports: tuple[FileReport, ...] = ()

    @property
    def run(self) -> Validation:
        """The group as a run that reporters can write."""
        return Validation(self.decks, self.reports)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All that is wrong."""
        return self.run.findings

    @property
    def lists(self) -> tuple[tuple[DeckReport, ...], ...]:
        """The decks of each file."""
        files = groupby(self.decks, lambda report: report.source.path)
        return tuple(tuple(decks) for _, decks in files)

    @property
    def paths(self) -> tuple[str, ...]:
        """The path of each file, as findings show it."""
        return tuple(decks[0].source.path for decks in self.lists)

    def owns(self, report: FileReport) -> bool:
        """Whether something is about a list of this player, there or gone."""
        is_named = normalise(self.title) in list_keys(report.name)
        return report.source.path in self.paths or is_named


@dataclass(frozen=True, slots=True)
class Event:
    """A checked event.

    `players` are all who are registered, each once, in the order of their names;
    `others` are the lists of nobody, and what is wrong with no player. `source` is the
    event file with its positions, `left_out` counts files that are no lists, `root` is
    the folder of card databases. `salts` hide lists behind their seals; pages to
    publish show nothing of decks unless the event `is_revealed`.
    """

    file: EventFile
    source: Source
    format: Format
    players: tuple[Group, ...]
    others: tuple[Group, ...]
    files: tuple[ListFile, ...]
    root: Root = None
    left_out: LeftOut = field(default_factory=LeftOut)
    salts: Salts | None = None
    is_revealed: bool = False

    @property
    def groups(self) -> tuple[Group, ...]:
        """All groups, players first."""
        return (*self.players, *self.others)

    @property
    def run(self) -> Validation:
        """The whole event as a run that reporters can write."""
        decks = tuple(deck for group in self.groups for deck in group.decks)
        reports = tuple(report for group in self.groups for report in group.reports)
        return Validation(decks, reports, self.left_out)

    def seal(self, file: ListFile) -> str | None:
        """What a seal says of a list, if there are salts to hide it."""
        if self.salts is None:
            return None
        return sealed_hash(self.salts.of(file.name), file.data)

    @property
    def is_sound(self) -> bool:
        """Whether no finding is an error."""
        findings = self.run.findings
        return not any(finding.severity is Severity.ERROR for finding in findings)

    def adding(self, reports: Iterable[FileReport], title: str) -> Event:
        """The event with more findings: at their list's player, else below `title`."""
        left = list(reports)
        players = []
        for player in self.players:
            own = [one for one in left if player.owns(one)]
            left = [one for one in left if one not in own]
            named = tuple(replace(one, name=player.title) for one in own)
            players.append(replace(player, reports=(*player.reports, *named)))
        others = (
            (*self.others, Group(title, reports=tuple(left))) if left else self.others
        )
        return replace(self, players=tuple(players), others=others)
