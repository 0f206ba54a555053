"""Seals: changes that a transcript cannot hold, and secrets until the event."""

import hmac
import itertools
import json
import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from helpers.commands import stdout_of
from helpers.events import check_event, edit, read

from deckcheck.cards import load_database
from deckcheck.cli.configuration import NOT_IN_FILES
from deckcheck.decks import DeckText
from deckcheck.events import read_salts
from deckcheck.events.event import sealed_hash
from deckcheck.formats import load_format
from deckcheck.formats.wording import describe_limits
from deckcheck.validation import Validation, Validator

Captured = pytest.CaptureFixture[str]

CUP = "Winter cup"
DECKS = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
SALTED = ("--salts", "salts.json")
SEAL = ("--seal", "seal.json", *SALTED)
VERIFY = ("--verify", "seal.json", *SALTED)
PAGES = ("--output-format", "html:page.html", "--output-format", "markdown:page.md")
HASH = re.compile(r"\b[0-9a-f]{64}\b")


def read_hashes() -> dict[str, str]:
    """Return the seal of each list, by its file."""
    lists: dict[str, str] = json.loads(read("seal.json"))["seals"][-1]["lists"]
    return lists


# Seals, and files that change between two commands.


def test_a_change_is_named_by_a_true_copy_alone(cup: Path, capsys: Captured) -> None:
    check_event(*SEAL)
    assert stat.S_IMODE(os.stat("salts.json").st_mode) == 0o600
    edit("lists/ben_ito.deck", "2 Ballista", "3 Ballista")
    check_event(*VERIFY, code=1)
    assert "  = note: `2 Ballista` became `3 Ballista`\n" in capsys.readouterr().out

    for copy in Path("originals/sealed").iterdir():
        copy.write_bytes(copy.read_bytes().replace(b"2 Ballista", b"1 Ballista"))
    check_event(*VERIFY, code=1)
    assert "became" not in capsys.readouterr().out


def test_a_list_that_is_read_otherwise_is_a_finding(
    cup: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_event(*SEAL)
    check_all = Validator.check_all

    def read_less(self: Validator, texts: list[DeckText]) -> Validation:
        less = ("2 Ballista", "1 Ballista")
        return check_all(self, [replace(t, text=t.text.replace(*less)) for t in texts])

    monkeypatch.setattr(Validator, "check_all", read_less)
    check_event(*VERIFY, code=1)
    out = capsys.readouterr().out
    assert "changed-list: The list is not read as it was by the seal of 20" in out
    assert "  = help: Compare the deck in a new letter with the cards" in out


def test_a_list_that_changes_while_it_is_judged_is_sealed_as_judged(
    cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    list_of_ben = cup / "lists" / "ben_ito.deck"
    judged = list_of_ben.read_bytes()
    check_all = Validator.check_all

    def change_then_check(self: Validator, texts: list[DeckText]) -> Validation:
        list_of_ben.write_text("Leader: nobody\n", encoding="utf-8")
        return check_all(self, texts)

    with monkeypatch.context() as patched:
        patched.setattr(Validator, "check_all", change_then_check)
        check_event(*SEAL)

    salt = read_salts(Path("salts.json")).of("ben_ito.deck", CUP)
    assert read_hashes()["ben_ito.deck"] == sealed_hash(salt, judged)


def test_a_seal_that_was_edited_is_not_believed(cup: Path, capsys: Captured) -> None:
    check_event(*SEAL)
    key = HASH.findall(read("seal.json"))[0]
    edit("seal.json", key, key.translate(str.maketrans("0123456789", "1234567890")))

    check_event(*VERIFY, code=2)
    assert "has changed since it was written" in capsys.readouterr().err


def test_a_player_proves_a_list_by_the_line_of_a_letter(
    cup: Path, capsys: Captured
) -> None:
    check_event(*SEAL, "--letters", "letters")
    [line] = re.findall('--verify-list LIST "(.*)"\n', read("letters/ben_ito.txt"))
    shutil.copy("lists/ben_ito.deck", "mine.deck")
    edit("mine.deck", "2 Ballista", "2x ballista  # mine")

    for file, code, said in (
        ("lists/ben_ito.deck", 0, "This is the checked list, byte for byte\n"),
        ("mine.deck", 0, "The bytes differ from the checked list, but not the decks\n"),
        ("lists/anna-nowak.deck", 1, "This is not the checked list\n"),
    ):
        proof = line.replace(" ", "\n ", 2)
        words = ("event", "--verify-list", file, proof)
        assert stdout_of(capsys, *words, code=code) == said, file


# Secrets until the event: nothing published tells of any deck.


@pytest.fixture
def sealed(cup: Path) -> Path:
    """A sealed event of four: Ben plays the deck of Carla, and all know Dora's."""
    shutil.copy("lists/ben_ito.deck", "lists/carla_rossi.deck")
    shutil.copy(DECKS / "sk_longships.deck", "lists/dora.deck")
    edit("event.toml", '"Ben Ito"', '"Ben Ito", "Carla Rossi", "Dora"')
    check_event(*SEAL, "--letters", "letters")
    return cup


def publish() -> dict[str, str]:
    """Return all that is published before the event, by the name of the file."""
    check_event(*PAGES, *SALTED)
    return {name: read(name) for name in ("page.html", "page.md", "seal.json")}


def words_about_decks() -> set[str]:
    """Return names of cards, leaders, factions and decks."""
    db = load_database("gwent")
    words = {card.name for card in db.cards.values()}
    for leader in db.leaders.values():
        words |= {leader.name, leader.title, leader.full_name}
    words |= {faction.name for faction in db.factions.values()}
    words |= {re.search("Name: (.*)", read(str(file)))[1] for file in DECKS.iterdir()}  # type: ignore[index]
    legal = " ".join(describe_limits(load_format("gwent/standard"), db))
    return {word for word in words if word and word not in legal}


def test_published_pages_have_no_word_about_decks(sealed: Path) -> None:
    words = words_about_decks()
    assert {"Ballista", "Monsters", "Foltest, The Siegemaster", "The swarm"} <= words

    published = publish()
    assert publish() == published
    for name, text in published.items():
        assert not [x for x in words if re.search(rf"\b{re.escape(x)}\b", text)], name
        assert "identical" not in text, name
        assert "same cards" not in text, name


def test_a_salt_is_told_to_its_player_alone(sealed: Path) -> None:
    salts, hashes = read_salts(Path("salts.json")), read_hashes()
    everything = "".join(publish().values())
    letters = {file.stem: read(str(file)) for file in Path("letters").iterdir()}

    assert salts.key not in everything + "".join(letters.values())
    for player in ("ben_ito", "carla_rossi", "dora"):
        salt = salts.of(f"{player}.deck", CUP)
        assert salt not in everything
        assert [name for name, text in letters.items() if salt in text] == [player]
        assert f"\nSeal: {hashes[f'{player}.deck']}\n" in letters[player]
    # A salt stays when the file is renamed, and common tools show what it makes.
    for name in ("ben_ito.deck", "Ben Ito.txt", "BEN-ITO"):
        assert f"\nSalt: {salts.of(name, CUP)}\n" in letters["ben_ito"]
    command = f"(printf %s {salts.of('BEN-ITO', CUP)}; cat lists/ben_ito.deck)"
    said = subprocess.check_output(["bash", "-c", f"{command} | sha256sum"], text=True)
    assert said.split()[0] == hashes["ben_ito.deck"]


def test_other_salts_and_another_event_have_other_hashes(sealed: Path) -> None:
    first = json.loads(read("seal.json"))["seals"][0]
    assert len({*first["lists"].values(), *first["decks"].values()}) == 8
    check_event("--seal", "b.json", "--salts", "others.json")
    edit("event.toml", CUP, "Spring cup")
    check_event("--seal", "c.json", *SALTED)

    for file in ("b.json", "c.json"):
        other = json.loads(read(file))["seals"][0]
        for key in ("lists", "decks"):
            assert {*first[key].values()}.isdisjoint(other[key].values()), file


def test_pages_are_the_same_whatever_the_decks_are(sealed: Path) -> None:
    """Nothing but the seals depends on a deck: all else is equal byte by byte."""
    shown = set()
    for lists in itertools.islice(
        itertools.combinations(sorted(DECKS.glob("*.deck")), 3), 0, 120, 40
    ):
        for player, deck in zip(("ben_ito", "carla_rossi", "dora"), lists, strict=True):
            shutil.copy(deck, f"lists/{player}.deck")
        check_event(*SALTED, *PAGES)
        pages = read("page.html") + read("page.md")
        assert len(HASH.findall(pages)) == 8
        shown.add(HASH.sub("-", pages))

    assert len(shown) == 1


def known_decks() -> Iterator[bytes]:
    """Yield every deck that is known, and each with a line less."""
    for file in sorted(DECKS.glob("*.deck")):
        data = file.read_bytes()
        yield data
        lines = data.splitlines(keepends=True)
        for index in range(len(lines)):
            yield b"".join(lines[:index] + lines[index + 1 :])


def crack(hashes: set[str], salts: list[str], decks: list[bytes]) -> set[str]:
    """Return the hashes that a salt and a deck of these make."""
    return hashes & {
        sha256(s.encode("ascii") + d).hexdigest() for s in salts for d in decks
    }


def test_a_dictionary_of_known_decks_finds_no_list(sealed: Path) -> None:
    """Try known lists without a salt, with the salt of a player, and with its hashes.

    A salt of three digits would be found, so its length is the protection.
    """
    salt = re.search("^Salt: (.*)$", read("letters/ben_ito.txt"), re.MULTILINE)[1]  # type: ignore[index]
    names = ["ben_ito", "carla_rossi", "dora", "benito", "carlarossi", "anna-nowak"]
    public = json.loads(read("seal.json"))["seals"][0].values()
    guesses = ["", salt, *names, *(str(word) for word in public if word is not None)]
    for name, prefix in itertools.product(names, ("", "salt ")):
        text = f"{prefix}{name}".encode()
        made = hmac.new(bytes.fromhex(salt), text, sha256).hexdigest()
        guesses += [made, made[:32]]
    hashes = read_hashes()
    list_of_ben = Path("lists/ben_ito.deck").read_bytes()
    others = {seal for name, seal in hashes.items() if name != "ben_ito.deck"}

    ascii_guesses = [guess for guess in guesses if guess.isascii()]
    assert crack(others, ascii_guesses, [*known_decks()]) == set()
    seal_of_ben = hashes["ben_ito.deck"]
    assert crack({seal_of_ben}, [salt], [list_of_ben]) == {seal_of_ben}
    short = [f"{number:03x}" for number in range(1 << 12)]
    weak = sha256(b"bee" + list_of_ben).hexdigest()
    assert crack({weak}, short, [list_of_ben]) == {weak}
    assert crack(set(hashes.values()), short, [list_of_ben]) == set()


def test_a_page_of_a_job_is_public_too(
    troubled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without salts it has no seals, and no file may say what is public or secret."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", os.path.abspath("summary.md"))
    check_event("--output-format", "github:annotations", code=1)

    summary = read("summary.md")
    assert "\n| player | list |\n|---|---|\n| Anna Nowák | admitted |\n" in summary
    assert "| Ben Ito | not admitted |\n| Cleo | no list |\n" in summary
    assert "Ballista" not in summary
    assert {"reveal", "salts", "sheets", "letters", "verdicts"} <= NOT_IN_FILES
