"""What must stay secret until the event: nothing published tells of any deck."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from deckcheck.cards import load_database
from deckcheck.cli import main
from deckcheck.events import check_event, read_salts
from deckcheck.formats import load_format
from deckcheck.formats.wording import limits

Captured = pytest.CaptureFixture[str]
DECKS = Path(__file__).resolve().parents[2] / "decks" / "gwent" / "standard"
PLAYERS = ("Anna Nowák", "Ben Ito", "Carla Rossi", "Dora")
SEALED = ("--seal", "seal.json", "--salts", "salts.json")


def run(*words: str, code: int = 0) -> None:
    assert main(["event", "event.toml", "-q", *words]) == code


def read(name: str) -> str:
    return Path(name).read_text(encoding="utf-8")


@pytest.fixture
def attacked(cup: Path) -> Path:
    """Four lists: two are the same known deck, byte by byte."""
    shutil.copy("lists/ben_ito.deck", "lists/carla_rossi.deck")
    shutil.copy(DECKS / "sk_longships.deck", "lists/dora.deck")
    text = read("event.toml").replace('"Ben Ito"', '"Ben Ito", "Carla Rossi", "Dora"')
    Path("event.toml").write_text(text, encoding="utf-8")
    return cup


def published(*words: str) -> dict[str, str]:
    """All that an organiser publishes before the event, by the name of the file."""
    pages = ("--output-format", "html:page.html", "--output-format", "markdown:page.md")
    run(*pages, *words)
    return {name: read(name) for name in ("page.html", "page.md", "seal.json")}


def secrets_of_the_game() -> set[str]:
    """Whatever could tell of a deck: names of cards, leaders, factions, decks."""
    db = load_database("gwent")
    words = {card.name for card in db.cards.values()}
    for leader in db.leaders.values():
        words |= {leader.name, leader.title, leader.full_name}
    words |= {faction.name for faction in db.factions.values()}
    words |= {re.search("Name: (.*)", read(str(file)))[1] for file in DECKS.iterdir()}  # type: ignore[index]
    legal = " ".join(limits(load_format("gwent/standard"), db))
    return {word for word in words if word and word not in legal}


def test_what_is_published_tells_nothing_of_decks(attacked: Path) -> None:
    run(*SEALED)
    words = secrets_of_the_game()
    assert {"Ballista", "Monsters", "Foltest, The Siegemaster", "The swarm"} <= words

    for name, text in published("--salts", "salts.json").items():
        assert not [
            word for word in words if re.search(rf"\b{re.escape(word)}\b", text)
        ]
        assert "identical" not in text, name
        assert "same cards" not in text, name
    page = read("page.md")
    assert [line for line in page.splitlines() if line.startswith("| D")] == [
        f"| Dora | admitted | `{seal_of('dora.deck')}` |"
    ]


def seal_of(name: str) -> str:
    [seal] = json.loads(read("seal.json"))["seals"]
    found = seal["lists"][name]
    assert isinstance(found, str)
    return found


def test_known_decks_and_equal_lists_do_not_show(attacked: Path) -> None:
    """An attacker hashes all decks there are, with whatever is public before them."""
    run(*SEALED)
    texts = "".join(published("--salts", "salts.json").values())
    [seal] = json.loads(read("seal.json"))["seals"]
    hashes = set(re.findall(r"\b[0-9a-f]{64}\b", texts))
    assert hashes == set(seal["lists"].values())
    assert len(hashes) == len(PLAYERS)

    public = {"", *PLAYERS, *seal["lists"]}
    public |= {str(value) for value in seal.values()}
    known = [file.read_bytes() for file in (*DECKS.iterdir(), *Path("lists").iterdir())]
    guesses = {
        sha256(before.encode() + data + after.encode()).hexdigest()
        for data in known
        for before in public
        for after in ("", before)
    }
    assert not hashes & guesses


def test_salts_are_told_to_nobody_but_their_player(attacked: Path) -> None:
    run(*SEALED, "--letters", "letters")
    salts = read_salts(Path("salts.json"))
    names = {player: f"{player}.deck" for player in ("ben_ito", "carla_rossi", "dora")}

    everything = "".join(published("--salts", "salts.json").values())
    assert salts.key not in everything
    for player, name in names.items():
        assert salts.of(name) not in everything
        letters = [
            f.stem for f in Path("letters").iterdir() if salts.of(name) in read(str(f))
        ]
        assert letters == [player]
        assert f"\nSeal: {seal_of(name)}\n" in read(f"letters/{player}.txt")
    assert salts.key not in "".join(read(str(f)) for f in Path("letters").iterdir())


def test_a_player_can_check_a_seal_with_common_tools(attacked: Path) -> None:
    run(*SEALED, "--letters", "letters")
    salt = re.search("^Salt: (.*)$", read("letters/ben_ito.txt"), re.MULTILINE)
    assert salt is not None

    command = f"(printf %s {salt[1]}; cat lists/ben_ito.deck) | sha256sum"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=True
    )
    assert done.stdout.split()[0] == seal_of("ben_ito.deck")


def test_runs_with_the_same_salts_give_the_same_seals(attacked: Path) -> None:
    run(*SEALED)
    key = read("salts.json")
    first = published("--salts", "salts.json")
    again = published("--salts", "salts.json")
    assert first == again
    assert read("salts.json") == key

    run("--seal", "other.json", "--salts", "others.json")
    lists = json.loads(read("other.json"))["seals"][0]["lists"]
    assert not {*lists.values()} & {seal_of(name) for name in lists}


def test_a_salt_stays_when_the_file_is_renamed_or_changed(attacked: Path) -> None:
    run(*SEALED)
    salts = read_salts(Path("salts.json"))

    assert salts.of("ben_ito.deck") == salts.of("Ben Ito.txt") == salts.of("BEN-ITO")
    assert salts.of("ben_ito.deck") != salts.of("dora.deck")


def test_salts_are_for_their_owner_alone(attacked: Path, capsys: Captured) -> None:
    assert main(["event", "event.toml", *SEALED]) == 0

    assert stat.S_IMODE(os.stat("salts.json").st_mode) == 0o600
    assert "Salts written to `salts.json`: keep them, and publish them never\n" in (
        capsys.readouterr().err
    )
    assert main(["event", "event.toml", "--salts", "salts.json"]) == 0
    assert "Salts written" not in capsys.readouterr().err


def test_a_seal_needs_salts(cup: Path, capsys: Captured) -> None:
    assert main(["event", "event.toml", "--seal", "seal.json"]) == 2
    assert capsys.readouterr().err == (
        "error: `--seal` needs `--salts FILE`, which hides the lists behind their "
        "seals\nhelp: Name a file to keep and not to publish; "
        "it is made when it is not there\n"
    )


def test_without_salts_lists_are_not_taken_for_compared(
    attacked: Path, capsys: Captured
) -> None:
    run(*SEALED)
    with open("lists/dora.deck", "a", encoding="utf-8") as deck:
        deck.write("# late\n")
    capsys.readouterr()

    assert main(["event", "event.toml", "--verify", "seal.json"]) == 0
    out, err = capsys.readouterr()
    assert "warning[DE207] unverified-lists: 4 lists of the seal of " in out
    assert re.search(
        "^4 lists not compared with the seal of .*: that needs `--salts", err
    )
    Path("lists/dora.deck").rename("lists/Dora.txt")
    run("--verify", "seal.json", "--output-format", "concise:found", code=1)
    assert re.findall(r"error\[\w+\] (\S+):", read("found")) == [
        "new-list",
        "removed-list",
    ]


def test_with_salts_they_are(attacked: Path, capsys: Captured) -> None:
    run(*SEALED)
    with open("lists/dora.deck", "a", encoding="utf-8") as deck:
        deck.write("# late\n")

    words = ("--verify", "seal.json", "--salts", "salts.json")
    run(*words, "--output-format", "jsonl:found", code=1)
    found = [json.loads(line) for line in read("found").splitlines()]
    [changed] = [each for each in found if each["name"] == "changed-list"]
    assert changed["path"] == "lists/dora.deck"
    assert changed["notes"][0] == f"Sealed {seal_of('dora.deck')}"
    assert not [each for each in found if each["name"] == "unverified-lists"]


@pytest.mark.parametrize(
    "words", [("--verify", "seal.json"), ("--seal", "seal.json", "--reseal")]
)
def test_the_salts_are_those_of_the_seal(
    attacked: Path, words: tuple[str, ...], capsys: Captured
) -> None:
    run(*SEALED)
    run("--seal", "other.json", "--salts", "others.json")
    before = read("seal.json")

    assert main(["event", "event.toml", *words, "--salts", "others.json"]) == 2
    assert capsys.readouterr().err == (
        "error: These salts are not those of `seal.json`\n"
        "help: Name the file that `--salts` made when the lists were sealed\n"
    )
    assert read("seal.json") == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "`salts.json` holds no salts: salts.json:1:"),
        ("{}", "`salts.json` holds no salts"),
        ('{"schema_version": 1, "salts_key": "ab"}', "holds no salts"),
        (json.dumps({"schema_version": 1, "salts_key": "Z" * 64}), "holds no salts"),
    ],
)
def test_salts_must_be_some(
    cup: Path, text: str, message: str, capsys: Captured
) -> None:
    Path("salts.json").write_text(text, encoding="utf-8")

    assert main(["event", "event.toml", "--salts", "salts.json"]) == 2
    assert message in capsys.readouterr().err
    assert read("salts.json") == text


def test_salts_that_are_gone_cannot_verify(attacked: Path, capsys: Captured) -> None:
    run(*SEALED)
    Path("salts.json").unlink()

    words = ("--verify", "seal.json", "--salts", "salts.json")
    assert main(["event", "event.toml", *words]) == 2
    assert "File of salts `salts.json` does not exist" in capsys.readouterr().err
    assert not Path("salts.json").exists()


def test_salts_lie_outside_of_the_lists(cup: Path, capsys: Captured) -> None:
    assert main(["event", "event.toml", "--salts", "lists/salts.json"]) == 2
    assert "`lists/salts.json` of `--salts` would be taken" in capsys.readouterr().err
    assert not Path("lists/salts.json").exists()


def test_a_page_of_a_job_is_public_too(
    troubled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", os.path.abspath("summary.md"))
    run("--output-format", "github:annotations", code=1)

    summary = read("summary.md")
    assert "| Ben Ito | not admitted |\n| Cleo | no list |\n" in summary
    assert "Ballista" not in summary


def test_reveal_shows_all_and_lets_anybody_check(attacked: Path) -> None:
    run(*SEALED)
    pages = published("--salts", "salts.json", "--reveal")
    salts = read_salts(Path("salts.json"))

    for name in ("page.html", "page.md"):
        assert "Siege masters" in pages[name]
        assert "The list has the same cards and leaders as that of" in pages[name]
        assert "Ben Ito" in pages[name]
        assert salts.of("dora.deck") in pages[name]
        assert seal_of("dora.deck") in pages[name]
        assert salts.key not in pages[name]
    assert "Foltest, The Siegemaster" in pages["page.html"]
    assert "Northern Realms" in pages["page.html"]


def test_without_salts_a_page_has_no_seals(attacked: Path) -> None:
    run("--output-format", "markdown:page.md")

    assert "\n| player | list |\n|---|---|\n| Anna Nowák | admitted |\n" in read(
        "page.md"
    )
    assert check_event(Path("event.toml")).salts is None


def test_no_file_may_say_what_is_public_or_secret() -> None:
    """A pull request that edits the configuration must not reveal anything."""
    from deckcheck.cli.settings import NOT_IN_FILES

    assert {"reveal", "salts", "sheets", "letters"} <= NOT_IN_FILES
