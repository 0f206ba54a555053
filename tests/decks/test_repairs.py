"""`--fix` never changes which cards a list has: generated lists, and single lines."""

import random

import pytest

from deckcheck.cards import load_database
from deckcheck.decks import DeckText, parse_decks, read_deck, resolve
from deckcheck.decks.rewriting import fix_text

DB = load_database("gwent")
HEAD = "Faction: Northern Realms\nLeader: Foltest, The Siegemaster\n\nUnits:\n"
POOL = [
    card
    for card in DB.cards.values()
    if card.faction in ("northern_realms", "neutral") and card.deckable
]
ODD_COUNTS = (
    *("{name} *{count}", "{count};{name}", "{name},{count}", "{name} {roman}"),
    *("{name} {roman}.", "{name}{count}", "{name}x{count}", "{count}*{name}"),
    *("{name} ({count} copies)", "{name} {count} Stk.", "{name}/{count}"),
    *("{name}={count}", "1+{less} {name}", "{small} {name}", "{name} {small}"),
    *("7\t{count}\t{name}", "{word} {name}", "{name} mal {word}", "#{count} {name}"),
    "{count}: {name}",
)
"""Ways to write a count of two or three that a reader may not understand."""
USUAL_COUNTS = (
    *("{count} {name}", "{count}x {name}", "{name} x{count}", "{name} {count}"),
)
PHRASES = ("Hola!", "Best,", "Jan", "Thanks a lot", "See you, Ben", "Olaf says hi")


def mutate(name: str, rng: random.Random) -> str:
    """Misspell a name by a letter or two."""
    for _ in range(rng.choice((0, 1, 1, 2))):
        at = rng.randrange(len(name))
        change = rng.choice(("drop", "double", "swap", "other"))
        if change == "drop":
            name = name[:at] + name[at + 1 :]
        elif change == "double":
            name = name[:at] + name[at] + name[at:]
        elif change == "swap":
            name = name[:at] + name[at + 1 : at + 2] + name[at] + name[at + 2 :]
        else:
            name = name[:at] + rng.choice("aeiklmnorstxv3") + name[at + 1 :]
    return name


def write_line(rng: random.Random) -> tuple[str, tuple[str, int] | None]:
    """Return a line of a list, and the card and the count that it means."""
    if rng.random() < 0.05:
        return rng.choice(PHRASES), None
    card = rng.choice(POOL)
    count = rng.choice((1, 2, 3))
    name = mutate(card.name, rng) if rng.random() < 0.4 else card.name
    if count == 1:
        return name, (card.id, 1)
    style = rng.choice(ODD_COUNTS if rng.random() < 0.4 else USUAL_COUNTS)
    line = style.format(
        name=name,
        count=count,
        roman="I" * count,
        less=count - 1,
        small="\u00b9\u00b2\u00b3"[count - 1],
        word=("one", "two", "three")[count - 1],
    )
    return line, (card.id, count)


def repair(text: str) -> str:
    """Return a text deck as `--fix` writes it."""
    return fix_text(text, parse_decks(DeckText("a.deck", text)), DB)


def read_cards(text: str) -> dict[int, tuple[str, int]]:
    """Return the card and the count of each line."""
    [raw] = parse_decks(DeckText("a.deck", text))
    deck, _ = resolve(read_deck(raw, DB), DB)
    return {entry.span.start.line: (entry.card, entry.count) for entry in deck.entries}


def check_repairs(lists: int, seed: int) -> int:
    """Repair so many generated lists, and return how many lines were repaired."""
    rng = random.Random(seed)
    repaired = 0
    for _ in range(lists):
        lines, meanings = zip(*(write_line(rng) for _ in range(6)), strict=True)
        text = HEAD + "\n".join(lines) + "\n"
        fixed = repair(text)
        if fixed == text:
            continue
        cards = read_cards(fixed)
        first = HEAD.count("\n") + 1
        pairs = zip(fixed.splitlines()[first - 1 :], lines, strict=True)
        for number, (new, old) in enumerate(pairs, start=first):
            if new != old:
                repaired += 1
                assert cards[number] == meanings[number - first], (old, new)
    return repaired


def test_a_repair_never_changes_which_cards_are_meant() -> None:
    assert check_repairs(1_000, seed=1) > 500


@pytest.mark.slow
def test_no_repair_of_many_lists_changes_which_cards_are_meant() -> None:
    assert check_repairs(10_000, seed=2) > 5_000


def test_what_is_repaired() -> None:
    after = {
        "2 Ballsta": "2 Ballista",
        "Roachh x1": "Roach x1",
        "3 Decoi": "3 Decoy",
        "2 Blue Stripes Comando": "2 Blue Stripes Commando",
    }
    doubtful = "- 2x Katapult|Decoy III|Decoyx|2 Decoy I|2 My Decoy|2 Olav|2 Commando"
    for line in (*after, *doubtful.split("|"), "2 Rochh", "Hola!"):
        text = f"{HEAD}2 Thaler\n{line}\n2 Scorch\n"
        assert repair(text) == text.replace(line, after.get(line, line)), line
