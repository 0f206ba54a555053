"""The limits of a format in sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckcheck.formats import database_of, format_ids, load_format
from deckcheck.formats.wording import limits

LEAGUE = """\
title: League
extends: gwent/standard
snapshot: 2026-01
constraints:
  units: {min: 24, max: 24}
  specials: {min: 2}
  few: {rule: restricted, cards: [decoy, scorch], max: 1}
  none: {rule: banned, cards: [villentretenmerth], leaders: [eredin_bringer_of_death]}
  far: {rule: count, rows: [siege, ranged], factions: [neutral], max: 3}
"""


def in_words(id: str) -> list[str]:
    fmt = load_format(id)
    return limits(fmt, database_of(fmt))


@pytest.mark.parametrize("id", format_ids())
def test_every_format_of_ours_can_be_told(id: str) -> None:
    told = in_words(id)

    assert len(told) == len(load_format(id).constraints)
    assert not any(line.endswith(".") or "_" in line for line in told)


def test_the_tournament() -> None:
    assert in_words("gwent/tournament") == [
        "Cards of one faction and neutral cards only",
        "1 leader of the same faction",
        "At least 22 unit and hero cards",
        "At most 5 special and weather cards",
        "No more copies of a card than the game has",
        "No card that only other cards bring into play",
        "At most 2 cards with spy",
        "At most 2 cards with medic",
        "Total strength of unit and hero cards: at most 130",
        "3 decks in one lineup",
        "Every deck of a lineup of another faction",
        "No two decks of a lineup share hero cards",
    ]


def test_a_single_deck_of_a_team_is_said() -> None:
    assert "2 decks in one team, or a single deck" in in_words("gwent/two_vs_two")


def test_a_league_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "league.yaml"
    file.write_text(LEAGUE, encoding="utf-8")
    told = in_words(str(file))

    assert "Exactly 24 unit and hero cards" in told
    assert "2 to 10 special and weather cards" in told
    assert "At most 1 copy of each of these: Decoy and Scorch" in told
    assert "Banned: Villentretenmerth; Eredin, Bringer of Death" in told
    assert "At most 3 Neutral cards for siege or ranged" in told
