"""The findings of suppression comments (family DS)."""

from __future__ import annotations

from deckcheck.findings import Rule, Severity

SIGN = "deckcheck"
"""The word without which a file holds no suppression."""

_HEAD = "Leader: Foltest, The Siegemaster\n\n"

UNUSED_SUPPRESSION = Rule(
    code="DS101",
    name="unused-suppression",
    severity=Severity.WARNING,
    summary="A suppression comment suppresses nothing",
    what="""\
A comment names a finding that its line, or its file, does not have. A comment after
other text is about that line, one above the first line about the whole file.""",
    why="""\
A comment that is no longer needed would hide the next mistake of that kind.""",
    bad=_HEAD + "2 Ballista  # deckcheck: ignore[too-many-copies]\n",
    good=_HEAD + "3 Ballista  # deckcheck: ignore[too-many-copies]\n",
)

UNKNOWN_SUPPRESSION = Rule(
    code="DS102",
    name="unknown-suppression",
    severity=Severity.WARNING,
    summary="A suppression comment names an unknown finding",
    what="""\
The brackets hold names or codes of findings, separated by commas:
`too-many-copies`, `DL103`.""",
    why="A misspelt name suppresses nothing, although it looks as if it did.",
    bad=_HEAD + "3 Ballista  # deckcheck: ignore[too-many-copeis]\n",
    good=_HEAD + "3 Ballista  # deckcheck: ignore[too-many-copies]\n",
)

MALFORMED_SUPPRESSION = Rule(
    code="DS103",
    name="malformed-suppression",
    severity=Severity.WARNING,
    summary="A comment looks like a suppression but cannot be read as one",
    what="""\
A suppression, `# deckcheck: ignore[name]`, always says what it ignores.""",
    why="""\
A comment without a name would hide everything, even findings that nobody has seen yet.
It suppresses nothing.""",
    bad=_HEAD + "2 Ballista  # deckcheck: ignore\n",
    good=_HEAD + "3 Ballista  # deckcheck: ignore[too-many-copies]\n",
)

SUPPRESSION_RULES: tuple[Rule, ...] = (
    UNUSED_SUPPRESSION,
    UNKNOWN_SUPPRESSION,
    MALFORMED_SUPPRESSION,
)
