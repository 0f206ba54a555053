"""Every deck of `decks/` gets the findings that its comments expect, and no others."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from deckcheck.rules import LEGALITY_RULES
from deckcheck.validation import validate_files

HERE = Path(__file__).parent
DECKS = sorted((HERE / "decks").glob("*.deck"))

_EXPECTED = re.compile(r"# expect: (?P<names>.+)$")


def expected_findings(deck: Path) -> Counter[tuple[int, str]]:
    """How often each finding is expected, by line and name."""
    found: Counter[tuple[int, str]] = Counter()
    for number, line in enumerate(deck.read_text("utf-8").splitlines(), start=1):
        match = _EXPECTED.search(line)
        if match is not None:
            found.update((number, name) for name in match["names"].split(", "))
    return found


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.stem)
def test_a_deck_gets_the_findings_it_expects(deck: Path) -> None:
    run = validate_files([deck], root=HERE / "card_db")

    assert expected_findings(deck) == Counter(
        (finding.span.start.line, finding.name) for finding in run.findings
    )


def test_every_legality_rule_has_a_deck() -> None:
    shown = {name for deck in DECKS for _, name in expected_findings(deck)}

    assert {rule.name for rule in LEGALITY_RULES} <= shown
