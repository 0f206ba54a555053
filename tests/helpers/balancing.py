"""A field of four decks that are alike, in one of which a card is too strong."""

from __future__ import annotations

from pathlib import Path

import deckcheck
from deckcheck.studies.balance.result import BalanceResult

LETTERS = "abcdefghijklmnopqrstuv"
ROWS = ("close", "ranged", "siege")
STRENGTHS = (5, 6, 4)
DECKS = ("north", "east", "south", "west")
LEADER = "Foltest, Lord Commander of the North"

STRONG = 20
"""The strength of the planted card, which is 5 otherwise."""


def write_field(folder: Path, planted: str | None, games: int, seed: int) -> Path:
    """Write a format, its decks and a plan; returns the plan.

    The first card of the deck `planted` is the strong one.
    """
    cards = []
    for deck in DECKS:
        lines = [f"Name: The {deck}", f"Leader: {LEADER}", ""]
        for number, letter in enumerate(LETTERS):
            is_strong = deck == planted and number == 0
            strength = STRONG if is_strong else STRENGTHS[number % len(STRENGTHS)]
            cards.append(
                f"- id: plain_{deck}_{letter}\n  name: Plain {deck} {letter}\n"
                "  faction: northern_realms\n  kind: unit\n"
                f"  rows: [{ROWS[number % 3]}]\n  strength: {strength}\n"
                "  abilities: []\n  copies: 1\n"
            )
            lines.append(f"plain_{deck}_{letter}")
        (folder / f"{deck}.deck").write_text("\n".join(lines) + "\n")
    (folder / "plain.yaml").write_text("".join(cards))
    (folder / "league.yaml").write_text(
        "title: Plain\nextends: gwent/standard\nsets: [plain.yaml]\n"
    )
    plan = folder / "plan.toml"
    plan.write_text(
        f"decks = {[f'{deck}.deck' for deck in DECKS]!r}\n"
        f'format = "league.yaml"\npolicy = "heuristic-1"\ngames = {games}\n'
        f"seed = {seed}\n[targets]\ndeck = [45, 55]\n"
        f"[bounds]\nstrength = {STRONG - 1}\n"
    )
    return plan


def planted_in(seed: int) -> str:
    """The deck in which a seed plants its card."""
    return DECKS[seed % len(DECKS)]


def balance_planted(folder: Path, seed: int, games: int) -> BalanceResult:
    """Balance a field with a planted card."""
    plan = write_field(folder, planted_in(seed), games, seed)
    return deckcheck.balance(plan, cross_check=None)
