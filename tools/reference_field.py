"""Makes the reference field of a format: the decks of `--against reference`.

    python -m tools.reference_field gwent/standard --month 2026-11

1. `solve` looks for the mix of decks that `heuristic` cannot beat.
2. `build` looks for the best deck of each faction against the decks of that mix.
3. `build` looks for the best deck of each faction against the decks of step 2.

The decks of the last two steps are the field. Where decks have no faction, it has those
of the mix with at least a twentieth of the games, and two that `build` finds against
them. The file goes to `card_db/<game>/fields/`.

Step 1 begins with the sample decks; every figure depends on fixed seeds.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import deckcheck
from deckcheck.cards import card_db_root, load_database
from deckcheck.decks import Deck
from deckcheck.decks.model import make_sheet
from deckcheck.decks.rewriting import write_decks
from deckcheck.formats import database_of, load_format

ROOT = Path(__file__).resolve().parent.parent
LEAST_SHARE = 0.05
SEEDS = (1, 2)


def find_best_mix(format: str, games: int, rounds: int) -> list[Deck]:
    """The decks of the mix that `solve` finds, without the rare ones."""
    samples = ROOT / "decks" / format
    result = deckcheck.solve(format, start=[samples], games=games, rounds=rounds)
    print(result.answer, flush=True)
    names = {deck.name for deck in result.field if deck.share.value >= LEAST_SHARE}
    with TemporaryDirectory() as folder:
        file = Path(folder, "mix.deck")
        file.write_text(result.text, "utf-8")
        return [deck for deck in deckcheck.read(file) if deck.name in names]


def best_decks(
    format: str, factions: Sequence[str], field: Sequence[Deck], games: int, seed: int
) -> list[Deck]:
    """The best deck of each faction against the field."""
    decks = []
    for faction in factions:
        found = deckcheck.build(
            format, factions=[faction], against=list(field), games=games, seed=seed
        )
        print(found.answer, flush=True)
        decks.append(deckcheck.parse(found.text, format=format))
    return decks


def field_of(format: str, games: int, rounds: int) -> list[Deck]:
    """The decks of the field, named by faction and step."""
    fmt = load_format(format)
    game = load_database(fmt.game).game
    names = {faction.id: faction.name for faction in game.factions}
    factions = [id for id in names if any(d.faction == id for d in samples(format))]
    mix = find_best_mix(format, games // 10, rounds)
    if not factions:
        answers = [
            deckcheck.build(format, against=mix, games=games, seed=seed)
            for seed in SEEDS
        ]
        decks = [*mix, *(deckcheck.parse(a.text, format=format) for a in answers)]
        return [replace(d, name=f"Reference {i}") for i, d in enumerate(decks, 1)]
    first = best_decks(format, factions, mix, games, SEEDS[0])
    second = best_decks(format, factions, first, games, SEEDS[1])
    return [
        replace(deck, name=f"{names[faction]} {step}")
        for faction, pair in zip(factions, zip(first, second, strict=True), strict=True)
        for step, deck in enumerate(pair, 1)
    ]


def samples(format: str) -> list[Deck]:
    """The sample decks of the format."""
    return deckcheck.read(ROOT / "decks" / format)


def text_of(format: str, decks: Sequence[Deck], month: str, games: int) -> str:
    """The file of the field, with the command that makes it again."""
    database = database_of(load_format(format))
    head = (
        f"# The reference field of {format}, {month}: see docs/reference/formats.md.\n"
        "# Made by `python -m tools.reference_field "
        f"{format} --month {month} --games {games}`.\n"
    )
    sheets = [
        replace(sheet, headers={**sheet.headers, "name": (deck.name,)})
        for deck in decks
        for sheet in [make_sheet(deck, database)]
    ]
    return head + write_decks("text", sheets, database).text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("format", help="such as gwent/standard")
    parser.add_argument("--month", required=True, help="when the field is made")
    parser.add_argument("--games", type=int, default=1_000_000, help="of each deck")
    parser.add_argument("--rounds", type=int, default=12, help="searches of the mix")
    options = parser.parse_args()
    game, _, name = options.format.partition("/")
    file = card_db_root() / game / "fields" / f"{name}.deck"
    decks = field_of(options.format, options.games, options.rounds)
    file.parent.mkdir(exist_ok=True)
    text = text_of(options.format, decks, options.month, options.games)
    file.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
