"""Planted differences: a set with cards that differ in nothing but their strength.

Two versions of a deck differ by one of the cards: one stronger, three stronger, or of
strength 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import deckcheck
from deckcheck.stats import Verdict

ROOT = Path(__file__).resolve().parents[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"
DECK = STANDARD / "nr_siege_masters.deck"
FIELD = STANDARD / "mo_swarm.deck"
PLAIN = 5
PLANTED = {"one up": PLAIN + 1, "three up": PLAIN + 3, "dead": 0}
STRONG = 15
OTHERS = tuple(f"of {letter}" for letter in "abcdefghijklmnopqrstu")
"""Cards that are all alike, for a deck that holds one strong and one dead card."""

ROWS = ("close", "ranged", "siege")
MARGIN = 0.05
PLACE = "Siege Tower\n"
"""The line of the deck in whose place a planted card stands."""


@dataclass(frozen=True, slots=True)
class Found:
    """What some seeds found: how many the right sign, mean games, mean saving."""

    right: int
    seeds: int
    games: float
    saved: float


def write_league(folder: Path) -> Path:
    """Write a format whose set has the planted cards; returns its file."""
    strengths = {"plain": PLAIN, **PLANTED, "strong": STRONG}
    strengths |= dict.fromkeys(OTHERS, PLAIN)
    cards = "".join(
        f"- id: planted_{name.replace(' ', '_')}\n"
        f"  name: Planted {name}\n"
        f"  faction: northern_realms\n  kind: unit\n  rows: [{ROWS[i % 3]}]\n"
        f"  strength: {strength}\n  abilities: []\n  copies: 1\n"
        for i, (name, strength) in enumerate(strengths.items())
    )
    (folder / "planted.yaml").write_text(cards)
    league = folder / "league.yaml"
    league.write_text("title: Planted\nextends: gwent/standard\nsets: [planted.yaml]\n")
    return league


def write_deck(folder: Path, *names: str) -> Path:
    """Write the deck with planted cards; the first one takes the place of another."""
    text = DECK.read_text(encoding="utf-8")
    text = text.replace("Format: gwent/standard\n", "").replace(
        PLACE, "".join(f"Planted {name}\n" for name in names)
    )
    deck = folder / f"{'_'.join(names).replace(' ', '_')}.deck"
    deck.write_text(text.replace("Siege masters", f"With {' and '.join(names)}", 1))
    return deck


def write_plain_deck(folder: Path) -> Path:
    """Write a deck of cards that are alike, except for a strong one and a dead one."""
    lines = ["Name: Plain", "Leader: Foltest, The Siegemaster", ""]
    lines += [f"Planted {name}" for name in ("strong", "dead", *OTHERS)]
    deck = folder / "plain_cards.deck"
    deck.write_text("\n".join(lines) + "\n")
    return deck


def compare_planted(
    folder: Path, name: str, seeds: Sequence[int], policy: str
) -> Found:
    """Compare a planted card with the plain one, once for each seed."""
    league = write_league(folder)
    old, new = write_deck(folder, "plain"), write_deck(folder, name)
    sign = 1 if PLANTED[name] > PLAIN else -1
    results = [
        deckcheck.compare(
            *(old, new),
            against=FIELD,
            format=league,
            margin=MARGIN,
            seed=seed,
            policies=policy,
        )
        for seed in seeds
    ]
    found = [result.field.differences[0] for result in results]
    wanted = Verdict.BETTER if sign > 0 else Verdict.WORSE
    return Found(
        sum(each.verdict is wanted for each in found),
        len(seeds),
        sum(result.games_played for result in results) / len(seeds),
        sum(each.saved or 0.0 for each in found) / len(seeds),
    )


def rank_planted(folder: Path, seeds: Sequence[int], policy: str, games: int) -> int:
    """How many seeds rank a planted strong card first and a dead one last."""
    league = write_league(folder)
    deck = write_plain_deck(folder)
    right = 0
    for seed in seeds:
        result = deckcheck.impact(
            deck,
            against=deck,
            format=league,
            games=games,
            seed=seed,
            policies=policy,
        )
        ranked = [card.id for card in result.cards]
        right += ranked[0] == "planted_strong" and ranked[-1] == "planted_dead"
    return right
