"""An attacker who plays: what is public, a letter of their own, a dictionary."""

from __future__ import annotations

import hmac
import itertools
import json
import re
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from deckcheck.cli import main
from deckcheck.events import read_salts

DECKS = Path(__file__).resolve().parents[2] / "decks" / "gwent" / "standard"
PAGES = ("--output-format", "html:page.html", "--output-format", "markdown:page.md")
SEALS = re.compile(r"\b[0-9a-f]{64}\b")
SHORT = 1 << 16
"""How many salts of four digits there are: one so short would be found."""


def run(*words: str) -> None:
    assert main(["event", "event.toml", "-q", *words]) == 0


def read(name: str) -> str:
    return Path(name).read_text(encoding="utf-8")


@pytest.fixture
def cup_of_four(cup: Path) -> Path:
    """Ben, who attacks, plays the deck of Carla; Dora's is one that all know."""
    shutil.copy("lists/ben_ito.deck", "lists/carla_rossi.deck")
    shutil.copy(DECKS / "sk_longships.deck", "lists/dora.deck")
    text = read("event.toml").replace('"Ben Ito"', '"Ben Ito", "Carla Rossi", "Dora"')
    Path("event.toml").write_text(text, encoding="utf-8")
    return cup


@pytest.fixture
def seals(cup_of_four: Path) -> dict[str, str]:
    """The seals that are published, by the name of the list."""
    run("--seal", "seal.json", "--salts", "salts.json", "--letters", "letters", *PAGES)
    [seal] = json.loads(read("seal.json"))["seals"]
    found = seal["lists"]
    assert isinstance(found, dict)
    return found


def known_decks() -> Iterator[bytes]:
    """Every deck that is known, and each with one card more or fewer."""
    for file in sorted(DECKS.glob("*.deck")):
        data = file.read_bytes()
        yield data
        lines = data.splitlines(keepends=True)
        for at in range(len(lines)):
            yield b"".join(lines[:at] + lines[at + 1 :])


def hits(seals: set[str], salts: list[str], decks: list[bytes]) -> set[str]:
    """The seals of these decks with these salts, as far as they were published."""
    found = set()
    for salt in salts:
        begun = sha256(salt.encode("ascii"))
        for deck in decks:
            tried = begun.copy()
            tried.update(deck)
            found.add(tried.hexdigest())
    return found & seals


def test_equal_lists_have_seals_that_do_not_show_it(seals: dict[str, str]) -> None:
    ben, carla = (Path(f"lists/{name}.deck") for name in ("ben_ito", "carla_rossi"))

    assert ben.read_bytes() == carla.read_bytes()
    assert len(set(seals.values())) == len(seals) == 4


def test_a_dictionary_of_known_decks_finds_none(seals: dict[str, str]) -> None:
    """Without a salt, with those of Ben's letter, and with what follows from it."""
    own = re.search("^Salt: (.*)$", read("letters/ben_ito.txt"), re.MULTILINE)
    assert own is not None
    names = ["ben_ito", "carla_rossi", "dora", "benito", "carlarossi", "anna-nowak"]
    public = list(json.loads(read("seal.json"))["seals"][0].values())
    guesses = ["", own[1], *names, *(str(word) for word in public if word is not None)]
    for name in names:
        for text in (name, f"salt {name}"):
            made = hmac.new(bytes.fromhex(own[1]), text.encode(), sha256).hexdigest()
            guesses += [made, made[:32]]
    others = {seal for name, seal in seals.items() if name != "ben_ito.deck"}

    ascii_guesses = [guess for guess in guesses if guess.isascii()]
    assert hits(others, ascii_guesses, list(known_decks())) == set()
    mine = {seals["ben_ito.deck"]}
    assert hits(mine, [own[1]], [Path("lists/ben_ito.deck").read_bytes()]) == mine


def test_the_attack_would_find_a_salt_that_is_short(seals: dict[str, str]) -> None:
    """The dictionary works: it is the length of the salts that defeats it."""
    salts = [f"{number:04x}" for number in range(SHORT)]
    decks = [Path("lists/dora.deck").read_bytes()]
    weak = sha256(b"beef" + decks[0]).hexdigest()

    assert hits({weak}, salts, decks) == {weak}
    assert hits(set(seals.values()), salts, decks) == set()
    true = read_salts(Path("salts.json")).of("dora.deck")
    assert len(true) == 32
    assert hits(set(seals.values()), [true], decks) == {seals["dora.deck"]}


def test_pages_are_the_same_whatever_the_decks_are(cup_of_four: Path) -> None:
    """Nothing but the seals depends on a deck: all else is equal byte by byte."""
    shown = []
    decks = sorted(DECKS.glob("*.deck"))
    for lists in itertools.islice(itertools.combinations(decks, 3), 0, 200, 40):
        for player, deck in zip(("ben_ito", "carla_rossi", "dora"), lists, strict=True):
            shutil.copy(deck, f"lists/{player}.deck")
        run("--salts", "salts.json", *PAGES)
        pages = read("page.html") + read("page.md")
        assert len(SEALS.findall(pages)) == 8
        shown.append(SEALS.sub("-", pages))

    assert len(set(shown)) == 1


def test_a_second_seal_tells_who_changed_and_nothing_more(
    seals: dict[str, str],
) -> None:
    shutil.copy(DECKS / "mo_wild_hunt.deck", "lists/dora.deck")
    run("--seal", "seal.json", "--salts", "salts.json", "--reseal")
    _, after = json.loads(read("seal.json"))["seals"]

    changed = {name for name in seals if after["lists"][name] != seals[name]}
    assert changed == {"dora.deck"}
    assert hits(set(after["lists"].values()), [""], list(known_decks())) == set()


def test_what_is_for_the_organiser_lies_apart(seals: dict[str, str]) -> None:
    run("--salts", "salts.json", "--sheets", "sheets.html")
    public = read("page.html") + read("page.md") + read("seal.json")

    assert "Ballista" in read("sheets.html")
    assert "Ballista" not in public
    for name in ("ben_ito", "carla_rossi", "dora"):
        for secret in re.findall("^Salt: (.*)$", read(f"letters/{name}.txt"), re.M):
            assert secret not in public
