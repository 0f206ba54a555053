"""The errors a user can cause: each ends in one sentence on stderr and exit code 2.

    UsageError            misuse: option, configuration, missing file, unknown format
        DatabaseError     a defect in a card database (deckcheck.cards)
        FormatError       a defect in a format file (deckcheck.formats)
        ScenarioError     a defect in a scenario file (deckcheck.scenarios)

A broken deck is no error: it is a list of findings.
"""

from __future__ import annotations


class UsageError(Exception):
    """Misuse of the tool: what is wrong, and in `help` what to do about it.

    `message` is one sentence without a full stop; `help` is the remedy or None. The
    command line shows both on stderr and ends with exit code 2.
    """

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.help = help

    def __str__(self) -> str:
        """The message and the remedy, as a traceback shows them."""
        return self.message if self.help is None else f"{self.message}. {self.help}"

    def __reduce__(self) -> tuple[type[UsageError], tuple[str, str | None]]:
        return type(self), (self.message, self.help)
