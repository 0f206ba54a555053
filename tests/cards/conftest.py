"""A tiny game to break."""

from collections.abc import Callable
from pathlib import Path

import pytest

from deckcheck.cards import DatabaseError, load_database

GAME = """\
id: tiny
name: Tiny
edition: test
factions:
  - {id: north, name: North, aliases: [Realms]}
  - {id: south, name: South}
  - {id: neutral, name: Neutral}
neutral: neutral
kinds: [unit, special]
unit_kinds: [unit]
rows: [close, ranged]
abilities: [muster, horn, summon]
provenances: [rulebook]
options:
  - {name: gems, minimum: 1, maximum: 5, statement: tiny 1}
  - {name: starter, values: [winner, loser], statement: tiny 2}
parameters:
  - {ability: muster, may: [group, target, row]}
  - {ability: summon, must: [target]}
"""
CARDS = """\
- id: archer
  number: 1
  name: Archer
  faction: north
  kind: unit
  rows: [ranged]
  strength: 4
  copies: 2
  aliases: [Bowman]
  provenance: rulebook

- id: horn
  number: 2
  name: War Horn
  faction: neutral
  kind: special
  abilities: [horn]
  copies: 3
  provenance: rulebook
"""
LEADERS = """\
- id: king_bold
  number: 1
  name: King
  title: The Bold
  faction: north
  ability: muster
  passive: false
  provenance: rulebook

- id: king_wise
  number: 2
  name: King
  title: The Wise
  faction: north
  ability: muster
  passive: true
  provenance: rulebook
"""

Tiny = Callable[..., Path]


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    """Write the tiny game, some of its files replaced, and return its root."""

    def write(game: str = GAME, cards: str = CARDS, leaders: str = LEADERS) -> Path:
        folder = tmp_path / "db" / "tiny"
        folder.mkdir(parents=True)
        (folder / "game.yaml").write_text(game, encoding="utf-8")
        (folder / "cards.yaml").write_text(cards, encoding="utf-8")
        (folder / "leaders.yaml").write_text(leaders, encoding="utf-8")
        return tmp_path / "db"

    return write


@pytest.fixture
def defects(tiny: Tiny) -> Callable[..., list[str]]:
    """The defects of the tiny game with some texts replaced, one line each.

    Each replacement is a file, the old text and the new one.
    """

    def find(*changes: str) -> list[str]:
        texts = {"game": GAME, "cards": CARDS, "leaders": LEADERS}
        for file, old, new in zip(*[iter(changes)] * 3, strict=True):
            assert old in texts[file]
            texts[file] = texts[file].replace(old, new, 1)
        with pytest.raises(DatabaseError) as caught:
            load_database("tiny", tiny(**texts))
        head, *lines = caught.value.message.splitlines()
        assert head.startswith("card database `tiny` has ")
        return [line.removeprefix("db/tiny/") for line in lines]

    return find
