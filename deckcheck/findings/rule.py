"""A kind of finding: its name, and its explanation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from deckcheck.findings.finding import Finding, Related, Severity, Span


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of finding, with the text that `deckcheck rule` shows.

    `name` is read after the word "allow": allow `too-many-copies`. `what` says what is
    reported, `why` gives the reason with its source. `bad` and `good` are decks as a
    player would write them, in the format `gwent/standard` unless they name another:
    `bad` has this finding, `good` has not (a test checks both). With `about` `event`
    they are event files, and comments below say which lists there are; with `plan` they
    are plans.
    """

    code: str
    name: str
    summary: str
    what: str
    why: str
    bad: str
    good: str
    severity: Severity = Severity.ERROR
    about: Literal["deck", "event", "plan"] = "deck"

    @property
    def example(self) -> str:
        """What its examples are, to begin a sentence with: `A deck`."""
        return {"deck": "A deck", "event": "An event", "plan": "A plan"}[self.about]

    def at(
        self,
        path: str,
        span: Span,
        message: str,
        *,
        notes: Iterable[str] = (),
        help: str | None = None,
        related: Iterable[Related] = (),
    ) -> Finding:
        """A finding of this kind at one place."""
        return Finding(
            code=self.code,
            name=self.name,
            severity=self.severity,
            message=message,
            path=path,
            span=span,
            notes=tuple(notes),
            help=help,
            related=tuple(related),
        )
