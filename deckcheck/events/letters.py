"""Letters: a plain text for each player, which an organiser can mail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from textwrap import wrap

from deckcheck.decks import Deck
from deckcheck.decks.findings import SURROUNDING_PROSE, UNKNOWN_CARD, UNKNOWN_HEADER
from deckcheck.decks.generated_files import LETTER_SIGN, hash_letter
from deckcheck.decks.model import sections
from deckcheck.events.event import Event, ListFile, PlayerGroup, file_stem
from deckcheck.events.pages import format_line, list_limits, names_other_player
from deckcheck.events.seals import proof_line
from deckcheck.events.wording import ENGLISH_CODE, Wording, catalogue
from deckcheck.findings import START, Finding, Severity, split_lines
from deckcheck.formats import database_of
from deckcheck.messages import plural, printable
from deckcheck.rules import (
    CHANGED_LIST,
    IDENTICAL_LISTS,
    LATE_LIST,
    MISSING_LIST,
    NEW_LIST,
    OTHER_PLAYER,
    REMOVED_LIST,
    REPEATED_PLAYER,
    SEVERAL_DECKS,
    SEVERAL_LISTS,
)
from deckcheck.version import __version__

# Findings of an event in the words of a letter: for a player, who runs no command

_SAID_OTHERWISE = frozenset(
    rule.code
    for rule in (
        MISSING_LIST,
        SEVERAL_LISTS,
        SEVERAL_DECKS,
        OTHER_PLAYER,
        CHANGED_LIST,
        NEW_LIST,
        REMOVED_LIST,
        LATE_LIST,
    )
)
"""Findings for the organiser, with other sentences for players."""


_UNKNOWN_LINES = (UNKNOWN_CARD.code, UNKNOWN_HEADER.code)
_GUESS_START = "Write "


def address_finding(finding: Finding) -> Finding:
    """Return a finding in words for the player, with the remedy of the player.

    The line of an unknown card may be anything, a greeting too: a letter asks whether
    a card is meant, and else advises nothing but to correct the line.
    """
    sentences = catalogue(ENGLISH_CODE).sentences
    is_guess = (finding.help or _GUESS_START).startswith(_GUESS_START)
    if finding.code == SURROUNDING_PROSE.code:
        return replace(finding, help=None)
    if finding.code in _UNKNOWN_LINES and is_guess:
        return replace(finding, help=sentences["unknown-card-help"])
    if finding.code not in _SAID_OTHERWISE:
        return finding
    message_text = sentences[finding.name]
    help = sentences[f"{finding.name}-help"]
    # With places to be filled it is the message itself, as it is recognised.
    message = finding.message if "{" in message_text else message_text
    return replace(finding, message=message, help=help)


# Letters: a plain text for each player, which an organiser can mail

LETTER_WIDTH = 76
# Findings about other players and the event file do not concern the reader.
_NOT_TOLD = (IDENTICAL_LISTS.code, REPEATED_PLAYER.code)


def letters(event: Event) -> dict[str, str]:
    """Write the letter of each player, by the name of a file.

    A letter contains nothing about other players. Its last line is a hash of the rest.
    """
    texts: dict[str, str] = {}
    database = database_of(event.format, event.root)
    wordings: dict[str, Wording] = {}
    for player in (player for player in event.players if player.departure is None):
        stem = file_stem(player.title)
        while f"{stem}.txt" in texts:
            stem += "_"
        code = event.file.find_language(player.title)
        wording = wordings.setdefault(code, Wording(code, database))
        text = "\n".join(_Letter(event, player, wording).lines()) + "\n"
        texts[f"{stem}.txt"] = f"{text}{LETTER_SIGN}{hash_letter(text)}\n"
    return texts


def is_untouched(text: str) -> bool:
    """Report whether a text is a letter as `letters` made it."""
    above, sign, last = text.rpartition(LETTER_SIGN)
    return bool(sign) and last == f"{hash_letter(above)}\n"


class _Letter:
    """The letter to a player."""

    def __init__(self, event: Event, player: PlayerGroup, wording: Wording) -> None:
        self.event = event
        self.player = player
        self.words = wording
        self.is_swapped = any(map(names_other_player, player.findings))
        self.findings: list[Finding] = []
        for finding in player.findings:
            if finding.code in _NOT_TOLD:
                continue
            if not self.is_swapped:
                self.findings.append(address_finding(finding))
            elif names_other_player(finding):
                # Others are about the list of another player, and show its lines.
                self.findings.append(address_finding(replace(finding, span=START)))

    @property
    def is_accepted(self) -> bool:
        """Whether there is a list, and nothing wrong with it."""
        errors = (f.severity is Severity.ERROR for f in self.findings)
        return bool(self.player.lists) and not any(errors)

    def lines(self) -> Iterator[str]:
        """Yield all lines but the last."""
        yield from self._write_head()
        yield ""
        yield from _wrap_text(self._write_verdict())
        for number, finding in enumerate(self.findings, start=1):
            yield ""
            yield from self._write_finding(number, finding)
        yield from ("", *self._say("letter-next"))
        for step in self._write_steps():
            yield from _wrap_text(step, "- ", "  ")
        if not self.is_swapped:
            yield from self._write_decks()
        if self.findings:
            yield from ("", *self._say("letter-legal"))
            for line in list_limits(self.event):
                yield from _wrap_text(self.words.translate(line), "- ", "  ")
        yield ""

    def _say(self, id: str, **values: object) -> list[str]:
        return _wrap_text(self.words.say(id, **values))

    def _write_head(self) -> Iterator[str]:
        event = self.event
        yield f"{printable(event.file.name)}, {printable(event.file.date)}"
        yield printable(self.player.title)
        yield ""
        yield from self._say("letter-format", format=format_line(event.format))
        yield from self._say("letter-fingerprint", fingerprint=event.format.fingerprint)
        yield from self._say("letter-tool", version=__version__)
        if self.is_swapped:
            return
        files = {file.path: file for file in event.files}
        for path in self.player.paths:
            if path in files:
                yield from self._write_proof(files[path])

    def _write_proof(self, file: ListFile) -> Iterator[str]:
        """Yield a list with its hash and the command that proves its seal."""
        yield from self._say("letter-list", file=file.name)
        yield f"SHA-256: {file.sha256}"
        if self.event.salts is not None:
            yield self.words.say("letter-salt", salt=self.event.salt(file))
            yield self.words.say("letter-seal", seal=self.event.seal(file))
            yield from self._say("letter-secret")
            yield from self._say("letter-verify")
            line = proof_line(self.event, file)
            yield f'  deckcheck event --verify-list LIST "{line}"'

    def _write_verdict(self) -> str:
        if not self.player.lists:
            return self.words.say("letter-missing")
        errors = sum(finding.severity is Severity.ERROR for finding in self.findings)
        remarks = len(self.findings) - errors
        id = "letter-refused" if errors else "letter-accepted"
        if remarks:
            id += "-with-remarks"
        return self.words.say(
            id,
            problems=plural(errors, "problem"),
            problem_number=errors,
            remarks=plural(remarks, "remark"),
            remark_number=remarks,
        )

    def _write_steps(self) -> Iterator[str]:
        """Yield the next steps of the player, with the deadline."""
        file = self.event.file
        if not self.player.lists:
            id = "next-send"
        elif self.is_accepted:
            id = "next-replace"
        else:
            id = "next-correct"
        if file.deadline is not None:
            id += "-by"
        yield self.words.say(id, deadline=file.deadline)
        yield self.words.say(f"late-{file.late or 'unknown'}")
        if self.is_accepted:
            yield self.words.say("next-compare")

    def _write_finding(self, number: int, finding: Finding) -> Iterator[str]:
        """Yield a finding with its line in the list, and the remedy."""
        head = f"{number}. "
        indent = " " * len(head)
        message = self.words.translate(finding.message)
        if finding.severity is not Severity.ERROR:
            message = self.words.say(f"letter-{finding.severity}", message=message)
        message, shown = self._place_finding(finding, message)
        yield from _wrap_text(message, head, indent)
        if shown:
            yield f"{indent}> {printable(shown)[:LETTER_WIDTH]}"
        for note in finding.notes:
            yield from _wrap_text(self.words.translate(note), indent, indent)
        if finding.help:
            help = self.words.translate(finding.help)
            to_do = self.words.say("letter-what-to-do", help=help)
            yield from _wrap_text(to_do, indent, indent)

    def _place_finding(self, finding: Finding, message: str) -> tuple[str, str]:
        """Return a message with the number of its line, and the line."""
        player = self.player
        if finding.path not in player.paths or finding.span == START:
            return message, ""
        text = next(d.text for d in player.decks if d.source.path == finding.path)
        line = finding.span.start.line
        id = "letter-line-of-file" if len(player.paths) > 1 else "letter-line"
        placed = self.words.say(id, file=finding.path, line=line, message=message)
        lines = split_lines(text)
        if line > len(lines):
            return placed, ""
        return placed, lines[line - 1].strip()

    def _write_decks(self) -> Iterator[str]:
        """Yield the decks of all lists as they were read, with their counts."""
        for report in self.player.decks:
            deck = report.deck
            if deck is None or not (deck.entries or deck.leader):
                continue
            total = sum(deck.counts().values())
            cards = plural(total, "card")
            yield ""
            yield from self._say("letter-deck", cards=cards, card_number=total)
            if len(self.player.decks) > 1:
                yield from _wrap_text(f"{report.source.path}", "  ")
            yield from self._write_deck(deck, report.name)
            if deck.unread:
                yield from self._say("letter-unread")

    def _write_deck(self, deck: Deck, name: str | None) -> Iterator[str]:
        words = self.words
        database = self.words.database
        heads = {"name": name}
        if deck.faction:
            heads["faction"] = words.name(database.factions[deck.faction])
        if deck.leader:
            heads["leader"] = words.name(database.leaders[deck.leader])
        for key, value in heads.items():
            if value:
                yield from _wrap_text(
                    words.say(f"deck-{key}", **{key: value}), "  ", "    "
                )
        deck_parts = sections(deck.counts(), database)
        beside = sections(deck.reserve_counts(), database)
        reserve = f"{words.say('letter-reserves')}, "
        for number, section in enumerate((*deck_parts, *beside)):
            head = reserve if number >= len(deck_parts) else ""
            yield f"  {head}{words.value(section.title)} ({section.total})"
            for id, count in section.cards:
                card = words.name(database.cards[id])
                yield from _wrap_text(f"{count} {card}", "    ", "      ")


def _wrap_text(text: str, first: str = "", later: str = "  ") -> list[str]:
    """Break a text into lines that mail programs leave as they are."""
    return wrap(
        printable(text),
        LETTER_WIDTH,
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )
