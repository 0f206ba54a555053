"""Collecting again: lists that were edited, moved, removed or sealed stay so."""

import itertools
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.events import make_mail

from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[2]
DECK = (ROOT / "decks/gwent/standard/nr_siege_masters.deck").read_text(encoding="utf-8")
EDITED = DECK.replace("3 Decoy", "2 Decoy")
OTHER = DECK.replace("3 Decoy", "1 Decoy")
LAST = DECK.replace("Scorch", "Biting Frost")
EVENT = """\
name = "Spring cup"
date = "2026-03-14"
deadline = "2026-03-12, 20:00 UTC"
late = "accept-with-note"
format = "gwent/standard"
lists = "lists"
players = ["Anna Nowak", "Ben Ito", "Cleo Rossi"]
"""


def write_mail(name: str, sender: str, day: int, deck: str) -> None:
    date = f"{day} Mar 2026 08:00:00 +0000"
    mail = make_mail(f"{sender} <x@example.org>", f"Hi,\n\n{deck}\nBye\n", date=date)
    Path("inbox", name).write_bytes(mail)


@pytest.fixture
def inbox(here: Path) -> Path:
    """An event with a late mail of Anna, and a list whose file does not name Cleo."""
    Path("event.toml").write_text(EVENT, encoding="utf-8")
    Path("inbox").mkdir()
    write_mail("1.eml", "Anna Nowak", 13, DECK)
    Path("inbox/final.txt").write_text(OTHER, encoding="utf-8")
    return here


def collect() -> None:
    assert main(["collect", "inbox", "event.toml"]) in (0, 1)


def all_files() -> dict[str, bytes]:
    files = [file for file in Path().rglob("*") if file.is_file()]
    return {file.as_posix(): file.read_bytes() for file in files}


def list_files() -> dict[str, str]:
    return {
        file.relative_to("lists").as_posix(): file.read_text(encoding="utf-8")
        for file in Path("lists").rglob("*")
        if file.is_file()
    }


def edit_list() -> None:
    Path("lists/anna_nowak.deck").write_text(EDITED, encoding="utf-8")


def seal_lists() -> None:
    """Seal the lists of those who have one, whatever else is wrong with the event."""
    text = EVENT.replace(', "Ben Ito", "Cleo Rossi"', "")
    Path("event.toml").write_text(text, encoding="utf-8")
    stray = Path("lists/unknown")
    is_moved = stray.exists()
    if is_moved:
        stray.rename("away")
    others = list(Path("lists").glob("[bc]*"))
    for path in others:
        path.rename(path.name)
    Path("seal.json").unlink(missing_ok=True)
    words = ("-qq", "--seal", "seal.json", "--salts", "salts.json")
    assert main(["event", "event.toml", *words]) == 0
    for path in others:
        Path(path.name).rename(path)
    if is_moved:
        Path("away").rename(stray)
    Path("event.toml").write_text(EVENT, encoding="utf-8")


def receive_mail() -> None:
    write_mail("2.eml", "Ben Ito", 11, LAST)


def rename_source() -> None:
    Path("inbox/final.txt").rename("inbox/cleo_rossi.txt")


def name_list() -> None:
    """Name the list of nobody after its player, if that was not done by its source."""
    unknown = Path("lists/unknown/final_unknown.deck")
    if unknown.exists():
        unknown.rename("lists/cleo_rossi.deck")


STEPS: tuple[Callable[[], None], ...] = (
    edit_list,
    seal_lists,
    receive_mail,
    rename_source,
    name_list,
)


ORDERS = [*itertools.permutations(STEPS, 2), STEPS, STEPS[::-1]]
LONGER = [
    pytest.param(steps, marks=pytest.mark.slow)
    for steps in itertools.permutations(STEPS, 3)
]


@pytest.mark.parametrize(
    "steps",
    [*ORDERS, *LONGER],
    ids=lambda steps: " ".join(step.__name__.partition("_")[0] for step in steps),
)
def test_collect_keeps_lists_in_every_order_of_events(
    inbox: Path, steps: tuple[Callable[[], None], ...], capsys: Captured
) -> None:
    """Nothing is written that is not new, and twice is as once."""
    collect()
    for step in steps:
        step()
        before = list_files()
        collect()
        after = all_files()
        collect()
        assert all_files() == after
        changed = {
            name: text
            for name, text in list_files().items()
            if text != before.get(name)
        }
        assert set(changed) <= {"ben_ito.deck", "cleo_rossi.deck"}

    lists = list_files()
    anna = EDITED if edit_list in steps else DECK
    assert lists["anna_nowak.deck"] == anna
    is_named = rename_source in steps or name_list in steps
    cleo = "cleo_rossi.deck" if is_named else "unknown/final_unknown.deck"
    expected = {"anna_nowak.deck", cleo}
    if receive_mail in steps:
        expected.add("ben_ito.deck")
    assert set(lists) == expected
    capsys.readouterr()
    main(["event", "event.toml", "--output-format", "concise"])
    [late] = [x for x in capsys.readouterr().out.splitlines() if "late-list" in x]
    assert late.startswith("lists/anna_nowak.deck:1:1: note[DE110]")


def test_a_list_that_was_removed_stays_away(inbox: Path, capsys: Captured) -> None:
    collect()
    Path("lists/unknown/final_unknown.deck").unlink()
    capsys.readouterr()
    collect()

    assert set(list_files()) == {"anna_nowak.deck"}
    assert "left out, since you have removed it" in capsys.readouterr().out
    shutil.rmtree("lists")
    collect()
    assert set(list_files()) == {"anna_nowak.deck", "unknown/final_unknown.deck"}


def test_a_list_that_was_edited_moves_to_its_player(inbox: Path) -> None:
    collect()
    Path("lists/unknown/final_unknown.deck").write_text(EDITED, encoding="utf-8")
    rename_source()
    collect()

    assert list_files() == {"anna_nowak.deck": DECK, "cleo_rossi.deck": EDITED}


def test_a_list_that_took_the_place_of_another_stays(inbox: Path) -> None:
    collect()
    write_mail("2.eml", "Anna Nowak", 11, LAST)
    collect()
    Path("lists/2/anna_nowak.deck").rename("lists/anna_nowak.deck")
    shutil.rmtree("lists/2")
    collect()

    assert list_files()["anna_nowak.deck"] == LAST
    assert set(list_files()) == {"anna_nowak.deck", "unknown/final_unknown.deck"}


def test_a_list_that_was_mailed_as_it_was_edited_is_the_same(inbox: Path) -> None:
    collect()
    edit_list()
    write_mail("2.eml", "Anna Nowak", 11, EDITED)
    collect()

    assert set(list_files()) == {"anna_nowak.deck", "unknown/final_unknown.deck"}
