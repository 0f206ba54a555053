"""Text about findings: what `deckcheck rule` shows and `docs/` holds."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings import Rule
from deckcheck.findings.words import printable
from deckcheck.rules.registry import ALL_RULES

__all__ = ["FAMILIES", "reference_page", "shown_deck"]

FAMILIES: tuple[tuple[str, str], ...] = (
    ("DP", "Reading a deck"),
    ("DC", "Cards and names"),
    ("DL", "Sizes and limits"),
    ("DF", "Faction and leader"),
    ("DB", "Banned and restricted cards, banned leaders"),
    ("DX", "Across the decks of a file"),
    ("DS", "Suppression comments"),
)

_LONGEST = 20

_HEAD = """\
# Findings

Every kind of finding that `deckcheck validate` reports. Codes and names stay what they
are: none is ever used again for something else. `deckcheck rule NAME` shows the same
text on the command line.

A name is read after the word "allow". An error makes a deck illegal; a warning or a
note does not. This page is written by `python -m deckcheck.rules.docs`.
"""


def shown_deck(text: str) -> str:
    """A deck as an example shows it: cut when it is long, every character printable."""
    lines = text.splitlines()
    if len(lines) > _LONGEST:
        lines = [*lines[:2], f"... {len(lines) - 2:,} more lines"]
    return "\n".join(map(printable, lines))


def reference_page() -> str:
    """The page `docs/rules-reference.md`."""
    parts = [_HEAD]
    for family, title in FAMILIES:
        parts.append(f"## {title}\n")
        for rule in ALL_RULES:
            if rule.code.startswith(family):
                parts.extend(_section(rule))
    return "\n".join(parts)


def _section(rule: Rule) -> Iterator[str]:
    yield f"### {rule.name} ({rule.code})\n"
    yield f"*{rule.severity.value.capitalize()}.* {rule.summary}.\n"
    yield f"{rule.what}\n"
    yield f"**Why:** {rule.why}\n"
    yield f"A deck with this finding:\n\n```\n{shown_deck(rule.bad)}\n```\n"
    yield f"A deck without it:\n\n```\n{shown_deck(rule.good)}\n```\n"


if __name__ == "__main__":
    print(reference_page(), end="")
