"""Applies suppression comments to the findings of a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from deckcheck.decks.ignoring import Ignore, find_ignores
from deckcheck.decks.suppressions import (
    MALFORMED_SUPPRESSION,
    UNKNOWN_SUPPRESSION,
    UNUSED_SUPPRESSION,
)
from deckcheck.findings import Finding, in_order
from deckcheck.findings.words import choice, nearest, quote
from deckcheck.rules import DECK_RULES
from deckcheck.validation.verdicts import DeckReport

_Key = tuple[int | None, str]
"""A line, None for the whole file, and the name of a finding."""

_NAMES = {rule.code: rule.name for rule in DECK_RULES}
_UNUSED = "Remove it"
_ELSEWHERE = (
    "Write it at the end of the line it is about, or above the first line of the file"
)


def suppress(reports: Sequence[DeckReport]) -> list[DeckReport]:
    """Take out what the comments of one file ignore, and report useless comments.

    `reports` are those of all decks of the file. A deck that was not judged keeps its
    findings: no comment makes it legal.
    """
    first = reports[0]
    ignores = find_ignores(first.text, first.source.path)
    if not ignores:
        return list(reports)
    used: set[_Key] = set()
    by_place = _by_place(ignores)
    kept = [_without(report, by_place, used) for report in reports]
    is_judged = all(report.format is not None for report in reports)
    added: dict[int, list[Finding]] = defaultdict(list)
    for ignore in ignores:
        finding = _about(ignore, first.source.path)
        key = _key(ignore)
        if (
            finding is None
            and is_judged
            and not (key in used and by_place[key] is ignore)
        ):
            finding = _unused(ignore, first.source.path)
        if finding is not None:
            added[_deck_at(kept, finding.span.start.line)].append(finding)
    for at, findings in added.items():
        remaining = in_order([*kept[at].findings, *findings])
        kept[at] = replace(kept[at], findings=remaining)
    return kept


def _key(ignore: Ignore) -> _Key:
    name = ignore.name or ""
    return ignore.line, _NAMES.get(name.upper(), name.lower())


def _by_place(ignores: Iterable[Ignore]) -> dict[_Key, Ignore]:
    """The first comment of each name on each line."""
    by_place: dict[_Key, Ignore] = {}
    for ignore in ignores:
        by_place.setdefault(_key(ignore), ignore)
    return by_place


def _without(
    report: DeckReport, ignores: Container[_Key], used: set[_Key]
) -> DeckReport:
    """The report without what is ignored; adds to `used` which comments did it."""
    if report.format is None:
        return report
    kept, suppressed = [], []
    for finding in report.findings:
        # A comment on the line goes before one for the file.
        for key in ((finding.span.start.line, finding.name), (None, finding.name)):
            if key in ignores:
                used.add(key)
                suppressed.append(finding)
                break
        else:
            kept.append(finding)
    return replace(report, findings=tuple(kept), suppressed=tuple(suppressed))


def _about(ignore: Ignore, path: str) -> Finding | None:
    """What is wrong with a comment whatever the deck is like."""
    if ignore.name is None:
        message = "A suppression names what it ignores"
        help = "Write `# deckcheck: ignore[name]` with the name of a finding"
        return MALFORMED_SUPPRESSION.at(path, ignore.span, message, help=help)
    names = _NAMES.values()
    if ignore.name.lower() in names or ignore.name.upper() in _NAMES:
        return None
    near = nearest(ignore.name, names)
    help = f"Did you mean {choice(near)}?" if near else "`deckcheck rule` lists them"
    message = f"Unknown finding {quote(ignore.name)}"
    return UNKNOWN_SUPPRESSION.at(path, ignore.span, message, help=help)


def _unused(ignore: Ignore, path: str) -> Finding:
    name = quote(ignore.name or "")
    if ignore.line is None:
        message, help = f"The file has no finding {name} to suppress", _UNUSED
    else:
        message = f"The line has no finding {name} to suppress"
        help = _ELSEWHERE if ignore.is_alone else _UNUSED
    return UNUSED_SUPPRESSION.at(path, ignore.span, message, help=help)


def _deck_at(reports: Sequence[DeckReport], line: int) -> int:
    """The index of the deck that a line of the file belongs to."""
    at = 0
    for index, report in enumerate(reports):
        if report.deck is not None and report.deck.span.start.line <= line:
            at = index
    return at
