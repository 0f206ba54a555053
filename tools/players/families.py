"""Five families of twelve decks each, which differ in how they were built.

Bots learn from sample decks and random decks. Searches lead to decks unlike both, so a
bot is measured where they lead as well. No bot may be tuned to single decks of these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from deckcheck import parse, read
from deckcheck.decks import Deck
from deckcheck.generating import Generator
from deckcheck.validation import Validator

__all__ = ["EXCESSES", "FAMILIES", "FORMAT", "draw_decks", "read_family"]

ROOT = Path(__file__).resolve().parents[2]
FORMAT = "gwent/standard"
FAMILIES = ("samples", "random", "tuned", "lopsided", "lineups and lists")
BUILT_FAMILIES = ("samples", "lineups and lists")
"""The families of decks that people built."""
FAMILY_SIZE = 12
RANDOM_SEED, LOPSIDED_SEED = 401, 402
EXCESSES = (
    "min heroes 9",
    "min spy 4",
    "min weather 8",
    "min muster 10",
    "min tight_bond 10",
    "min medic 3",
)
"""The rules of lopsided decks: each kind has much of one thing."""
TUNED_DECKS = Path(__file__).parent / "tuned.txt"
"""Share codes of what `tune` found, with `learned-4`, from random decks: those of
`deckcheck generate gwent/standard --seed 901 --count 12`."""


def read_family(family: str) -> list[Deck]:
    """Return the twelve decks of a family. Raises ValueError for an unknown family."""
    match family:
        case "samples":
            return spread_choice(list(read(ROOT / "decks" / FORMAT)))
        case "random":
            return draw_decks((), RANDOM_SEED, FAMILY_SIZE)
        case "tuned":
            codes = TUNED_DECKS.read_text("ascii").split()
            return [
                replace(parse(code), name=f"Tuned {number}")
                for number, code in enumerate(codes, 1)
            ]
        case "lopsided":
            count = FAMILY_SIZE // len(EXCESSES)
            decks = []
            for seed, rule in enumerate(EXCESSES, LOPSIDED_SEED):
                decks += draw_decks((rule,), seed, count)
            return decks
        case "lineups and lists":
            folder = ROOT / "decks/gwent"
            return spread_choice(list(read(folder / "advanced", folder / "tournament")))
    raise ValueError(family)


def spread_choice(decks: Sequence[Deck]) -> list[Deck]:
    """Return twelve of the decks, at even distances in their order."""
    return [decks[number * len(decks) // FAMILY_SIZE] for number in range(FAMILY_SIZE)]


def draw_decks(rules: Sequence[str], seed: int, count: int) -> list[Deck]:
    """Return random decks that are legal by these rules as well."""
    validator = Validator(FORMAT, rules=rules)
    generator = Generator(validator.load(FORMAT), validator)
    return [parse(generator.draw_file(seed, number)) for number in range(count)]
