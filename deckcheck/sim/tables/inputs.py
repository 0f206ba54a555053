"""Gathers the decks that may meet: read, judged, and of one format."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace

from deckcheck.cards import Root
from deckcheck.decks import Deck, DeckFile, LeftOut, find_deck_files, read_found
from deckcheck.decks.naming import UNKNOWN_CARD
from deckcheck.findings import Severity, UsageError, in_order
from deckcheck.findings.options import option
from deckcheck.findings.words import choice, plural, quote
from deckcheck.formats import Format, database_of
from deckcheck.formats.ids import is_file_name, split_id
from deckcheck.rules import JOINT_LEGALITIES, judge
from deckcheck.sim.tables.entrants import (
    Entrant,
    assign_policies,
    distinct_names,
    file_numbers,
)
from deckcheck.validation import DeckReport, Validator


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

    `rules` and `as_of` change the formats, `fallback` has those of a configuration, see
    `Validator`. What is left out is counted in `left_out`, see `find_deck_files`.
    Returns the reports, and the paths of files that were named again and left out:
    only when there is no other file does naming one again let it meet itself. Raises
    UsageError for what has to be mended before any deck can be judged.
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
    return list(reports), [] if meets_itself else _named_again(targets, once)


def judge_again(
    deck: Deck, validator: Validator, format: str | None = None
) -> DeckReport:
    """Return the report of a deck that was read before.

    It is judged by the format of `validator`, else by `format`, else by its own.
    What could not be read or resolved then is known by number only. Raises UsageError
    when there is no format.
    """
    id = deck.format if format is None else format
    fmt = validator.format
    if fmt is None:
        if id is None:
            message = f"Deck {quote(deck.name)} names no format"
            raise UsageError(message, "Pass `format`")
        name = id.strip()
        fmt = validator.load(name if is_file_name(split_id(name)[0]) else name.lower())
    findings = judge(deck, fmt, database_of(fmt, validator.root))
    if deck.unread:
        message = f"{plural(deck.unread, 'card')} could not be read or resolved"
        findings = (UNKNOWN_CARD.at(deck.source.path, deck.span, message), *findings)
    return DeckReport(deck.source, deck, fmt, in_order(findings), "")


def common_format(reports: Sequence[DeckReport]) -> Format:
    """Return the one format of all decks; raises UsageError when there are several."""
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
    """Return the decks that were named before those of a field, and how many they are.

    A deck of the field that is named too is no opponent. Raises UsageError when none
    is left.
    """
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
    """Return how many decks are of the first file; UsageError if there is no other."""
    numbers = file_numbers([report.source for report in reports])
    if not numbers or max(numbers) == 0:
        raise UsageError(
            f"{option('gauntlet')} needs decks to meet",
            f"Name another deck behind the first, or a field with {option('against')}",
        )
    return numbers.count(0)


def enter(reports: Sequence[DeckReport], policies: Sequence[str]) -> list[Entrant]:
    """Return the decks with their players, each under a name of its own.

    Raises UsageError when the number of policies does not fit, and for a deck of which
    nothing could be read.
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
            Entrant(report.deck, report.deck.name, player, errors_of(report))
        )
    return distinct_names(entrants)


def judged_alone(reports: Sequence[DeckReport]) -> list[DeckReport]:
    """Return the reports of decks that stand for themselves, whatever their file holds.

    What is wrong with the decks of a file together is left out.
    """
    joint = {legality.rule.name for legality in JOINT_LEGALITIES}
    return [
        replace(
            report, findings=tuple(f for f in report.findings if f.name not in joint)
        )
        for report in reports
    ]


def errors_of(report: DeckReport) -> int:
    """Return how many findings make the deck illegal."""
    return sum(f.severity is Severity.ERROR for f in report.findings)


def _named_again(targets: Sequence[str], once: Sequence[DeckFile]) -> list[str]:
    """Files that the user wrote out more than once, or that a folder holds as well."""
    named = [os.path.abspath(t) for t in targets if os.path.isfile(t)]
    again = {path for path in named if named.count(path) > 1}
    return [f.path for f in once if f.file and os.path.abspath(f.file) in again]
