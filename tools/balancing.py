"""A planted card that is too strong: does `balance` name it, and mend the field?

    python -m tools.balancing --seeds 10
    python -m tools.balancing --example --seeds 20

A set has cards for four decks that are alike, each with cards of its own. In one of the
decks, another one for each seed, one card is many times as strong. Printed is in how
many seeds `balance` names that card first, and in how many it makes the field
as flat as is asked for, proved on games that nothing was chosen by. `--example` plays
the plan of the documentation, in which one card of a sample deck was made stronger, and
prints in how many seeds that card is changed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import deckcheck
from deckcheck.studies.balance.result import BalanceResult
from deckcheck.studies.balance.targets import TargetVerdict

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "balance" / "plan.toml"
HEAVY = "war_longship"
"""The card that the set of the example made stronger."""

LETTERS = "abcdefghijklmnopqrstuv"
ROWS = ("close", "ranged", "siege")
STRENGTHS = (5, 6, 4)
DECKS = ("north", "east", "south", "west")
LEADER = "Foltest, Lord Commander of the North"

STRONG = 20
"""The strength of the planted card, which is 5 otherwise."""


@dataclass(frozen=True, slots=True)
class Found:
    """In how many of `seeds` the planted card was named first, changed, and enough."""

    first: int
    changed: int
    met: int
    seeds: int


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
    return deckcheck.balance(plan, confirm=None)


def mend_planted(folder: Path, seeds: Sequence[int], games: int) -> Found:
    """Balance fields with a planted card, once for each seed."""
    first = changed = met = 0
    for seed in seeds:
        result = balance_planted(folder, seed, games)
        card = f"plain_{planted_in(seed)}_a"
        first += result.cards[0].id == card
        changed += [each.was.id for each in result.balanced] == [card]
        met += result.verdict is TargetVerdict.MET
    return Found(first, changed, met, len(seeds))


def balance_example(folder: Path, seed: int) -> BalanceResult:
    """Balance the field of the example with other games."""
    text = EXAMPLE.read_text(encoding="utf-8")
    text = text.replace("../../decks", (EXAMPLE.parents[2] / "decks").as_posix())
    text = text.replace("league.yaml", EXAMPLE.with_name("league.yaml").as_posix())
    plan = folder / f"example_{seed}.toml"
    plan.write_text(f"seed = {seed}\n{text}", encoding="utf-8")
    return deckcheck.balance(plan, confirm=None)


def mend_example(folder: Path, seeds: Sequence[int]) -> tuple[int, int, int]:
    """In how many seeds the heavy card is changed, it alone, and targets are met."""
    changed = alone = met = 0
    for seed in seeds:
        result = balance_example(folder, seed)
        cards = [each.was.id for each in result.balanced]
        changed += HEAVY in cards
        alone += cards == [HEAVY]
        met += result.verdict is TargetVerdict.MET
    return changed, alone, met


def main() -> None:
    """Print what some seeds find."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--example", action="store_true", help="the plan of the docs")
    given = parser.parse_args()
    for line in _lines(given):
        print(line, flush=True)


def _lines(given: argparse.Namespace) -> Iterator[str]:
    seeds = range(1, given.seeds + 1)
    with TemporaryDirectory() as name:
        if given.example:
            changed, alone, met = mend_example(Path(name), seeds)
            yield f"changed in {changed} of {given.seeds} seeds, alone in {alone}"
            yield f"all targets met in {met} of {given.seeds}"
            return
        found = mend_planted(Path(name), seeds, given.games)
        yield f"named first in {found.first} of {found.seeds} seeds"
        yield f"alone changed in {found.changed} of {found.seeds}"
        yield f"all targets met in {found.met} of {found.seeds}"


if __name__ == "__main__":
    main()
