"""A limit that is added in one place is judged, told, explained and kept to."""

import subprocess
import sys
from pathlib import Path

import pytest

LIMIT = """
import sys
from deckcheck.findings import Rule
from deckcheck.formats.rules import VOCABULARY
from deckcheck.formats.rules.case import Legality, weighed


def letters(constraint, card):
    return len(card.name)


def check(case):
    total = sum(weight for _, weight in weighed(case, letters))
    most = case.constraint.number("max")
    if total > most:
        message = f"{total} letters, at most {most} allowed"
        yield case.report(TOO_MANY_LETTERS, case.place, message, "Remove some")


TOO_MANY_LETTERS = Rule(
    "DL199", "too-many-letters", "The names of a deck's cards are too long"
)
VOCABULARY["letters"] = Legality(
    word="letters",
    meaning="The letters in the names of all cards.",
    any_of=("min", "max"),
    sentence=lambda clause: f"Letters of all names: {clause.range}",
    checks={TOO_MANY_LETTERS: check},
    weigh=letters,
)

from deckcheck.rules import explanations

explanations("DL")["too-many-letters"] = {
    "what": "Every copy counts.",
    "why": "Lists have to fit on a card.",
    "bad": "3 Decoy",
    "good": "1 Decoy",
}
"""
COMMAND = LIMIT + "from deckcheck.cli import main; sys.exit(main(sys.argv[1:]))"
SCHEMA = f"""{LIMIT}
import json
from deckcheck.formats.schemas import format_schema
print(json.dumps(format_schema()))
"""
LEAGUE = """\
title: Short names
extends: gwent/standard
constraints:
  names: {rule: letters, max: 260}
"""
DECK = "Leader: Foltest, The Siegemaster\n\n3 Crinfrid Reavers Dragon Hunter\n"


@pytest.fixture(name="league")
def written_league(tmp_path: Path) -> str:
    (tmp_path / "league.yaml").write_text(LEAGUE)
    return str(tmp_path / "league.yaml")


def run(*args: str, program: str = COMMAND) -> str:
    command = [sys.executable, "-c", program, *args]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def test_a_deck_is_judged_by_it(tmp_path: Path, league: str) -> None:
    deck = tmp_path / "long.deck"
    deck.write_text(DECK)

    allowed = run("validate", "--format", league, str(deck))
    refused = run("validate", "--format", league, "--rule", "max names 20", str(deck))
    assert "too-many-letters" not in allowed
    assert "90 letters, at most 20 allowed" in refused


def test_it_is_told_and_explained(league: str) -> None:
    assert "letters, max 260" in run("formats", "show", league)
    assert "Lists have to fit on a card." in run("rule", "too-many-letters")
    assert '"title": "letters"' in run(program=SCHEMA)


def test_random_decks_keep_to_it(tmp_path: Path, league: str) -> None:
    # Of decks drawn without regard to it, none of twenty is so short.
    text = run("generate", league, "--seed", "1")
    assert text.startswith("Name: Random 1-1\n")

    deck = tmp_path / "random.deck"
    deck.write_text(text)
    assert "too-many-letters" not in run("validate", "--format", league, str(deck))
