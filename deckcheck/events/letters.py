"""Letters: a plain text for each player, which an organiser can mail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import wrap

from deckcheck.decks.recognising import SIGN, checksum
from deckcheck.events.addressing import to_the_player
from deckcheck.events.event import Event, Group, ListFile
from deckcheck.events.matching import START
from deckcheck.events.names import file_stem
from deckcheck.events.page import allowed, format_line
from deckcheck.events.verdicts import is_of_another
from deckcheck.findings import Finding, Severity
from deckcheck.findings.words import plural, printable
from deckcheck.reporters.snippet import split_lines
from deckcheck.rules.event_rules import IDENTICAL_LISTS, REPEATED_PLAYER
from deckcheck.version import __version__

__all__ = ["is_untouched", "letters"]

WIDTH = 76
_SECRET = (
    "The seal is public, and is the SHA-256 of the salt followed by your list. "
    "Keep the salt to yourself until the event: with it anybody could find out which "
    "list you play."
)
# Of another player, and of the event file: no business of whom the letter is for.
_NOT_TOLD = (IDENTICAL_LISTS.code, REPEATED_PLAYER.code)


def letters(event: Event) -> dict[str, str]:
    """The letter of each player, by the name of a file.

    A letter tells nothing of other players. Its last line is a hash of those above.
    """
    found: dict[str, str] = {}
    for player in event.players:
        stem = file_stem(player.title)
        while f"{stem}.txt" in found:
            stem += "_"
        text = "\n".join(_lines(event, player)) + "\n"
        found[f"{stem}.txt"] = f"{text}{SIGN}{checksum(text)}\n"
    return found


def is_untouched(text: str) -> bool:
    """Whether a text is a letter as `letters` made it."""
    above, sign, last = text.rpartition(SIGN)
    return bool(sign) and last == f"{checksum(above)}\n"


def _lines(event: Event, player: Group) -> Iterator[str]:
    yield f"{printable(event.file.name)}, {printable(event.file.date)}"
    yield printable(player.title)
    yield ""
    yield from _text(f"Format: {format_line(event)}")
    yield f"Digest of rules and cards: {event.format.digest}"
    yield f"Checked by deckcheck {__version__}"
    files = {file.path: file for file in event.files}
    is_swapped = any(is_of_another(finding) for finding in player.findings)
    for path in player.paths if not is_swapped else ():
        if path in files:
            yield from _about(event, files[path])
    told = (f for f in player.findings if f.code not in _NOT_TOLD)
    if is_swapped:
        # All else is about the list of somebody else, and shows lines of it.
        told = (replace(f, span=START) for f in told if is_of_another(f))
    findings = [to_the_player(f) for f in told]
    yield ""
    yield from _text(_verdict(player, findings))
    for number, finding in enumerate(findings, start=1):
        yield ""
        yield from _finding(number, finding, player)
    if findings:
        yield from ("", "What is legal:")
        for line in allowed(event):
            yield from _text(line, "- ", "  ")
    yield ""


def _about(event: Event, file: ListFile) -> Iterator[str]:
    """A list with its hash, and what proves later that it is the one sealed."""
    yield from _text(f"List: {file.name}")
    yield f"SHA-256: {file.sha256}"
    if event.salts is not None:
        yield f"Salt: {event.salts.of(file.name)}"
        yield f"Seal: {event.seal(file)}"
        yield from _text(_SECRET)


def _verdict(player: Group, findings: Sequence[Finding]) -> str:
    if not player.lists:
        return "No list has arrived."
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    others = len(findings) - errors
    remarks = f", with {plural(others, 'remark')}" if others else ""
    if errors:
        problems = plural(errors, "problem")
        return f"Your list is not accepted: {problems}{remarks}."
    return f"Your list is accepted{remarks}."


def _finding(number: int, finding: Finding, player: Group) -> Iterator[str]:
    """A finding with the line it is about, what is wrong there, and what to do."""
    remark = "" if finding.severity is Severity.ERROR else f" ({finding.severity})"
    head = f"{number}. "
    indent = " " * len(head)
    place, shown = _place(finding, player)
    yield from _text(f"{place}{finding.message}{remark}", head, indent)
    if shown:
        yield f"{indent}> {printable(shown)[:WIDTH]}"
    for note in finding.notes:
        yield from _text(note, indent, indent)
    if finding.help:
        yield from _text(f"What to do: {finding.help}", indent, indent)


def _place(finding: Finding, player: Group) -> tuple[str, str]:
    """Where a list has a finding, to begin a sentence with, and that line of it."""
    if finding.path not in player.paths or finding.span == START:
        return "", ""
    text = next(d.text for d in player.decks if d.source.path == finding.path)
    line = finding.span.start.line
    file = f"{finding.path}, line" if len(player.paths) > 1 else "Line"
    lines = split_lines(text)
    return f"{file} {line}: ", lines[line - 1].strip() if line <= len(lines) else ""


def _text(text: str, first: str = "", later: str = "  ") -> list[str]:
    """Lines that mail programs leave as they are."""
    return wrap(
        printable(text),
        WIDTH,
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )
