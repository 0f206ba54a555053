"""A limit that is added in one place is judged, told, explained and kept to."""

import subprocess
import sys
from pathlib import Path

LIMIT = """
import sys
from deckcheck.findings import Rule
from deckcheck.formats.rules import VOCABULARY
from deckcheck.formats.rules.case import Legality, weigh_lines


def letters(constraint, card):
    return len(card.name)


def check(case):
    total = sum(weight for _, weight in weigh_lines(case, letters))
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
COMMANDS = f"""{LIMIT}
import json, shlex
from deckcheck.cli import main
sys.path.append({str(Path(__file__).parents[2])!r})
from tools.schemas import format_schema
for command in sys.argv[1:]:
    main(shlex.split(command))
    print("===")
print(json.dumps(format_schema()))
"""
LEAGUE = """\
title: Short names
extends: gwent/standard
constraints:
  names: {rule: letters, max: 260}
"""
DECK = "Leader: Foltest, The Siegemaster\n\n3 Crinfrid Reavers Dragon Hunter\n"


def test_a_limit_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "league.yaml").write_text(LEAGUE)
    (tmp_path / "long.deck").write_text(DECK)
    commands = (
        "validate --format league.yaml long.deck",
        "validate --format league.yaml --rule 'max names 20' long.deck",
        "formats show league.yaml",
        "rule too-many-letters",
        "generate league.yaml --seed 1 -o random.deck",
        "validate --format league.yaml random.deck",
    )
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS, *commands],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    parts = done.stdout.split("===\n")
    allowed, refused, told, explained, _, random, schema = parts

    assert "too-many-letters" not in allowed
    assert "90 letters, at most 20 allowed" in refused
    assert "letters, max 260" in told
    assert "Lists have to fit on a card." in explained
    assert '"title": "letters"' in schema
    # Of decks drawn without regard to it, none of twenty is so short.
    deck = (tmp_path / "random.deck").read_text()
    assert deck.startswith("Name: Random 1-1\n")
    assert "too-many-letters" not in random
    assert "1 deck checked" in random
