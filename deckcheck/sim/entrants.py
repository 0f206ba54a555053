"""Entrants: reading, checking and naming decks, and the reference field."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path, PurePath
from typing import NamedTuple, TypeAlias, TypeVar

from deckcheck.cards import Root
from deckcheck.decks import (
    Deck,
    DeckFile,
    DeckSource,
    LeftOut,
    find_deck_files,
    read_deck_file,
    read_found,
)
from deckcheck.decks.findings import UNKNOWN_CARD
from deckcheck.findings import Severity, UsageError, in_order
from deckcheck.formats import Format, database_of
from deckcheck.formats.model import format_files, is_file_name, split_id
from deckcheck.messages import choice, option, plural, quote
from deckcheck.rules import JOINT_RULES, judge
from deckcheck.sim import REFERENCE
from deckcheck.sim.figures import ALL
from deckcheck.sim.standings import SimulatedDeck
from deckcheck.validation import DeckReport, Validator

# The decks of a run, each with a policy and a unique name.


@dataclass(frozen=True, slots=True)
class Entrant:
    """A deck that takes part: its name in the run, its player, its errors."""

    deck: Deck
    name: str
    policy: str
    findings: int = 0

    @property
    def simulated(self) -> SimulatedDeck:
        """The deck in the form of a result."""
        return SimulatedDeck(
            name=self.name,
            path=self.deck.source.path,
            index=self.deck.source.index,
            faction=self.deck.faction,
            leader=self.deck.leader,
            policy=self.policy,
            findings=self.findings,
        )


def assign_policies(
    policies: Sequence[str], number: int, noun: str = "deck"
) -> list[str]:
    """Return a policy for each deck, or player: the same for all, or each its own.

    Raises UsageError if the numbers do not fit.
    """
    if len(policies) == 1:
        return [*policies] * number
    if len(policies) == number:
        return [*policies]
    help = f"Name one policy for all {noun}s, or one for each {noun} in order"
    if noun == "deck":
        help += f"; with {option('every-policy')} each of them plays each deck"
    raise UsageError(
        f"{plural(len(policies), 'policy')} given for {plural(number, noun)}", help
    )


def by_file(entrants: Sequence[Entrant]) -> list[list[Entrant]]:
    """Return the entrants of each file, in order. A file named twice is two."""
    numbers = file_numbers([entrant.deck.source for entrant in entrants])
    files: list[list[Entrant]] = [[] for _ in range(max(numbers, default=-1) + 1)]
    for entrant, number in zip(entrants, numbers, strict=True):
        files[number].append(entrant)
    return files


def file_numbers(sources: Sequence[DeckSource]) -> list[int]:
    """Return the number of each deck's file, counted from 0, see `by_file`."""
    numbers: list[int] = []
    for i, source in enumerate(sources):
        begins = i == 0 or source.index == 0 or source.path != sources[i - 1].path
        numbers.append((numbers[-1] if numbers else -1) + begins)
    return numbers


def distinct_names(entrants: Sequence[Entrant]) -> list[Entrant]:
    """Return the entrants with distinct names.

    Decks of the same name get their file added, decks of a file their place in it, and
    a deck with several players the policy, see `unique_names`.
    """
    names = [" ".join(entrant.name.split()) or "deck" for entrant in entrants]
    sources = [entrant.deck.source for entrant in entrants]
    names_told = unique_names(
        names,
        [source.path for source in sources],
        (
            [f"deck {source.index + 1}" for source in sources],
            [entrant.policy for entrant in entrants],
        ),
    )
    return [replace(e, name=n) for e, n in zip(entrants, names_told, strict=True)]


Source: TypeAlias = tuple[str, int, str]
"""The file of a deck, its place there, and the policy that plays it."""


def is_crossed(sources: Sequence[Source]) -> bool:
    """Report whether there are several decks and policies, and all pairs of them."""
    decks = {(path, index) for path, index, _ in sources}
    policies = {policy for _, _, policy in sources}
    if min(len(decks), len(policies)) < 2:
        return False
    return len(set(sources)) == len(sources) == len(decks) * len(policies)


def without_policy(name: str, policy: str) -> str:
    """Return the name of a deck that several play without the policy's."""
    for mark in (f" ({policy})", f", {policy})"):
        if name.endswith(mark):
            return name.removesuffix(mark) + (")" if mark[0] == "," else "")
    return name


def unique_names(
    names: Sequence[str], paths: Sequence[str], marks: Sequence[Sequence[str]]
) -> list[str]:
    """Return the names, with additions to names that are the same.

    The addition is the end of the path of the file, then each of the `marks` that
    helps: `Siege (anna.deck)`. Names that are still equal get a number, in order. The
    name `(all)`, which tables use as a word, gets its file, too.
    """
    repeated = _find_repeated(names)
    result = list(names)
    for index, name in enumerate(names):
        if name.strip().lower() == ALL:
            result[index] = f"{name} ({PurePath(paths[index]).name})"
    for name in repeated:
        places = [i for i, entrant_name in enumerate(names) if entrant_name == name]
        files = short_paths([paths[i] for i in places])
        columns = [files, *([mark[i] for i in places] for mark in marks)]
        for i, columns_told in zip(places, _pick_distinguishing(columns), strict=True):
            result[i] = f"{name} ({', '.join(columns_told)})" if columns_told else name
    return _number_repeated(result)


def _pick_distinguishing(columns: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return the rows, without columns that distinguish no more rows."""
    rows: list[tuple[str, ...]] = [()] * len(columns[0])
    for column in columns:
        longer = [(*row, cell) for row, cell in zip(rows, column, strict=True)]
        if len(set(longer)) > len(set(rows)):
            rows = longer
    return rows


def short_paths(paths: Sequence[str]) -> list[str]:
    """Return the ends of the paths, just long enough to differ where the paths do."""
    parts = [PurePath(path).parts for path in paths]
    for length in range(1, max(map(len, parts)) + 1):
        ends = [str(PurePath(*part[-length:]).as_posix()) for part in parts]
        if len(set(ends)) == len(set(paths)):
            return ends
    return list(paths)


def _find_repeated(names: Sequence[str]) -> list[str]:
    return [name for name, times in Counter(names).items() if times > 1]


def _number_repeated(names: Sequence[str]) -> list[str]:
    repeated = _find_repeated(names)
    taken = set(names)
    result = []
    for name in names:
        unique_name = name
        if name in repeated:
            numbered = (f"{name} ({number})" for number in count(1))
            unique_name = next(free for free in numbered if free not in taken)
        taken.add(unique_name)
        result.append(unique_name)
    return result


# Gathers the decks that may meet: read, judged, and of one format.


def gather(
    targets: Sequence[str],
    format: str | None = None,
    root: Root = None,
    *,
    rules: Sequence[str] = (),
    as_of: str | None = None,
    left_out: LeftOut | None = None,
    fallback: Callable[[str], tuple[str, str] | None] | None = None,
) -> tuple[list[DeckReport], list[str]]:
    """Read and judge every deck of `targets`: files, folders, globs, `-`.

    `rules` and `as_of` change the formats, `fallback` has the formats of a
    configuration, see `Validator`. Files left out are counted in `left_out`, see
    `find_deck_files`. Returns the reports, and the paths of files that were named again
    and left out: a file meets itself only if no other file is named.
    Raises UsageError for errors that prevent the judging of any deck.
    """
    once = find_deck_files(targets, left_out=left_out)
    can_meet = len(once) == 1 and (once[0].file or once[0].text) is not None
    asked = targets if can_meet else ()
    deck_files = [file for target in asked for file in find_deck_files([target])]
    meets_itself = len(deck_files) > 1
    files = deck_files if meets_itself else once
    texts = [read_found(file) for file in files]
    validator = Validator(
        format,
        root,
        suppressions=False,
        fallback=fallback,
        rules=rules,
        as_of=as_of,
    )
    reports = validator.check_all(texts).reports
    return list(reports), [] if meets_itself else _find_named_again(targets, once)


def judge_again(
    deck: Deck, validator: Validator, format: str | None = None
) -> DeckReport:
    """Judge a deck again, and return its report.

    It is judged by the format of `validator`, else by `format`, else by its own. Of
    its unreadable lines only how many cards they may mean is known. Raises UsageError
    without a format.
    """
    id = deck.format if format is None else format
    fmt = validator.format
    if validator.named is not None:
        game = id.partition("/")[0] if id is not None else None
        fmt = validator.set_game(game, deck.source.path)
    if fmt is None:
        if id is None:
            message = f"Deck {quote(deck.name)} names no format"
            raise UsageError(message, "Pass `format`")
        name = id.strip()
        fmt = validator.load(name if is_file_name(split_id(name)[0]) else name.lower())
    findings = judge(deck, fmt, database_of(fmt, validator.root))
    if deck.unread:
        bound = "" if deck.unread == 1 else "Up to "
        cards = plural(deck.unread, "card")
        message = f"{bound}{cards} could not be read or resolved"
        findings = (UNKNOWN_CARD.at(deck.source.path, deck.span, message), *findings)
    return DeckReport(deck.source, deck, fmt, in_order(findings), "")


def common_format(reports: Sequence[DeckReport]) -> Format:
    """Return the only format of all decks. Raises UsageError if there are several."""
    own_formats = (r.format for r in reports if r.format is not None)
    formats = {f"{fmt.id}@{fmt.snapshot}": fmt for fmt in own_formats}
    if len(formats) == 1:
        return next(iter(formats.values()))
    if not formats:
        raise UsageError("No deck has a format", f"Pass {option('format')}")
    names = choice(sorted(formats), "and")
    raise UsageError(
        f"Decks are of {len(formats)} formats: {names}",
        f"Pass {option('format')} to choose the one to play by",
    )


def facing(
    named: Sequence[DeckReport], field: Sequence[DeckReport]
) -> tuple[list[DeckReport], int]:
    """Return the named decks, then the decks of the field, and the number of the
    former.

    A named deck is not an opponent, even if it belongs to the field. Raises UsageError
    if no deck was named or no opponent is left.
    """
    if not named:
        raise UsageError(
            "No deck is named that could meet the field", "Name one or more decks"
        )
    places = {(os.path.abspath(r.source.path), r.source.index) for r in named}
    rest = [
        report
        for report in field
        if (os.path.abspath(report.source.path), report.source.index) not in places
    ]
    if not rest:
        raise UsageError("The field has no deck but those that are to meet it")
    return [*named, *rest], len(named)


def first_file(reports: Sequence[DeckReport]) -> int:
    """Return how many decks are of the first file. Raises UsageError without a
    second.
    """
    numbers = file_numbers([report.source for report in reports])
    if not numbers or max(numbers) == 0:
        raise UsageError(
            f"{option('gauntlet')} needs decks to meet",
            f"Name another deck after the first, or a field with {option('against')}",
        )
    return numbers.count(0)


def enter(reports: Sequence[DeckReport], policies: Sequence[str]) -> list[Entrant]:
    """Return the decks with their players, each with a unique name.

    Raises UsageError if the number of policies does not fit, and for a deck that could
    not be read at all.
    """
    players = assign_policies(policies, len(reports))
    entrants = []
    for report, player in zip(reports, players, strict=True):
        if report.deck is None:
            raise UsageError(
                f"{quote(report.source.path)} holds no deck that could be read",
                "`deckcheck validate` says why",
            )
        entrants.append(
            Entrant(report.deck, report.deck.name, player, count_errors(report))
        )
    return distinct_names(entrants)


def judged_alone(reports: Sequence[DeckReport]) -> list[DeckReport]:
    """Return the reports of single decks, whatever else is in their file.

    Findings about the decks of a file together are left out.
    """
    joint = {rule.name for rule in JOINT_RULES}
    judged = []
    for report in reports:
        findings = tuple(f for f in report.findings if f.name not in joint)
        judged.append(replace(report, findings=findings))
    return judged


def count_errors(report: DeckReport) -> int:
    """Return how many findings make the deck illegal."""
    return sum(f.severity is Severity.ERROR for f in report.findings)


def _find_named_again(targets: Sequence[str], once: Sequence[DeckFile]) -> list[str]:
    """Return the files that the user named more than once.

    A file that is named once, and found in a named folder too, is not among them.
    """
    named = [os.path.abspath(t) for t in targets if os.path.isfile(t)]
    repeated = {path for path in named if named.count(path) > 1}
    return [f.path for f in once if f.file and os.path.abspath(f.file) in repeated]


# The reference field: the decks that a format comes with, to measure others against.
#
# It is one file of several decks, `card_db/<game>/fields/<format>.deck`, made by
# `python -m tools.reference_field`. A format without one has that of the format it
# extends, less the decks that its own rules forbid.

T = TypeVar("T")


class ReferenceField(NamedTuple):
    """The decks of a field that a format allows."""

    format: str
    """The id of the format that has the field."""
    decks: tuple[DeckReport, ...]
    forbidden: tuple[str, ...]
    """The names of decks of the field that the format does not allow."""

    @property
    def note(self) -> str:
        """The decks it has, and those that it lacks here."""
        has = f"The field is the reference field of {quote(self.format)}"
        if not self.forbidden:
            return f"{has}, {plural(len(self.decks), 'deck')}"
        missing = choice(self.forbidden, "and")
        return f"{has} without {missing}, which the rules here forbid"


def without_reference(targets: Sequence[T]) -> tuple[list[T], bool]:
    """Return the targets that are decks, and whether the reference field was named.

    Raises UsageError if the word may mean a file as well.
    """
    files = [target for target in targets if target != REFERENCE]
    is_named = len(files) < len(targets)
    if is_named:
        check_no_other(Path(REFERENCE))
    return files, is_named


def check_no_other(path: Path) -> None:
    """Refuse the word where a file or folder of that name may be meant."""
    if os.path.lexists(path):
        raise UsageError(
            f"{quote(REFERENCE)} is the field that comes with deckcheck, and here is "
            "a file or folder of that name",
            f"Write {quote(f'./{REFERENCE}')} for yours; rename it to use the other",
        )


def reference_field(fmt: Format, root: Root = None) -> ReferenceField:
    """Return the reference field of a format, else of the format that it extends.

    Raises UsageError if there is none, and if all its decks are forbidden.
    """
    is_of_duels = fmt.seating.play in ("duel", "table") and fmt.seating.holds == "deck"
    for id in fmt.lineage if is_of_duels else ():
        file = _find_field_file(id, root)
        if file is not None:
            return _read_reference(file, id, fmt, root)
    raise UsageError(
        f"{quote(fmt.id)} has no reference field",
        f"Name opponents with {option('against')}",
    )


def _find_field_file(id: str, root: Root) -> Path | None:
    """Return the file with the field of a format, if there is one."""
    format_file = format_files(root).get(id)
    if format_file is None:
        return None
    file = format_file.parent.parent / "fields" / f"{format_file.stem}.deck"
    return file if file.is_file() else None


def _read_reference(file: Path, id: str, fmt: Format, root: Root) -> ReferenceField:
    text = read_deck_file(file, f"{REFERENCE}:{id}")
    database = database_of(fmt, root)
    allowed, forbidden = [], []
    for report in Validator(id, root).check_all([text]).reports:
        if report.deck is None:
            raise UsageError(f"The reference field cannot be read: {quote(str(file))}")
        findings = judge(report.deck, fmt, database)
        checked = DeckReport(report.source, report.deck, fmt, findings, report.text)
        if checked.legal:
            allowed.append(checked)
        else:
            forbidden.append(report.deck.name)
    if not allowed:
        raise UsageError(
            f"{quote(fmt.id)} forbids all {plural(len(forbidden), 'deck')} of the "
            f"reference field of {quote(id)}",
            f"Name opponents with {option('against')}",
        )
    return ReferenceField(id, tuple(allowed), tuple(forbidden))
