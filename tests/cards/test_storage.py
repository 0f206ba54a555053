"""Where card databases are, and what is kept of those that were checked."""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import pytest

from deckcheck.cards import (
    CardDatabase,
    DatabaseError,
    card_db_folders,
    card_db_root,
    game_ids,
    load_database,
    models,
    storage,
)
from deckcheck.cards.database import _load
from deckcheck.cards.models import CARD_RECORDS
from deckcheck.cards.storage import CacheEntry, Sources
from deckcheck.findings import UsageError
from deckcheck.formats import format_ids, load_format
from deckcheck.formats.loading import _load as _load_format

# What is kept of checked cards and formats, and when it counts.

Tiny = Callable[..., Path]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The empty folder of entries."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "deckcheck" / "checked"


def load(root: Path) -> CardDatabase:
    """What a new process loads."""
    _load.cache_clear()
    return load_database("tiny", root)


def are_read(monkeypatch: pytest.MonkeyPatch, root: Path) -> bool:
    """Whether loading reads the sources."""
    from deckcheck.cards import reading

    calls = []
    read = reading.read_game
    monkeypatch.setattr(
        reading, "read_game", lambda *args: calls.append(1) or read(*args)
    )
    load(root)
    monkeypatch.setattr(reading, "read_game", read)
    return bool(calls)


def entry_of(folder: Path) -> Path:
    [entry] = folder.iterdir()
    return entry


def test_the_same_comes_back(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tiny()
    first, again = load(root), load(root)

    assert (again.game, again.cards, again.leaders) == (
        first.game,
        first.cards,
        first.leaders,
    )
    assert again.fingerprint == first.fingerprint
    assert not are_read(monkeypatch, root)


def test_every_record_can_be_kept() -> None:
    records = {each for each in vars(models).values() if is_dataclass(each)}

    # These are kept with a format.
    assert records - {models.CardChange, models.Condition} == set(CARD_RECORDS)


def test_every_database_and_format_comes_back() -> None:
    from deckcheck.formats import format_ids

    for id in format_ids():
        first = load_format(id)
        _load_format.cache_clear()
        assert load_format(id) == first
        assert repr(load_format(id)) == repr(first)


@pytest.mark.parametrize("name", ["cards.yaml", "game.yaml"])
def test_a_changed_source_counts_whatever_its_size_and_date(
    tiny: Tiny, name: str
) -> None:
    root = tiny()
    load(root)
    file = root / "tiny" / name
    before = file.stat()
    file.write_text(file.read_text("utf-8").replace("unit", "unti", 1), "utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert file.stat().st_size == before.st_size
    with pytest.raises(DatabaseError):
        load(root)


def test_a_new_source_counts(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tiny()
    load(root)
    (root / "tiny" / "names").mkdir()
    (root / "tiny" / "names" / "it.yaml").write_text("language: Italian\n")

    assert are_read(monkeypatch, root)


def test_other_code_reads_again(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tiny()
    load(root)

    monkeypatch.setattr(storage, "_hash_code", lambda: "another")

    assert are_read(monkeypatch, root)
    assert not are_read(monkeypatch, root)


def test_the_code_is_known_by_its_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(Path(storage.__file__).parent.parent, tmp_path / "deckcheck")
    monkeypatch.setattr(
        storage, "__file__", str(tmp_path / "deckcheck/cards/storage.py")
    )
    before = storage._hash_code.__wrapped__()

    with (tmp_path / "deckcheck/cards/models.py").open("a") as stream:
        stream.write("# edited\n")

    assert storage._hash_code.__wrapped__() != before


def test_rebuild_returns_equal_records() -> None:
    cards = tuple(load_database("gwent").cards.values())
    text = json.dumps(storage.to_plain(cards))

    assert storage.rebuild(json.loads(text), CARD_RECORDS) == cards


def rewrite(entry: Path, change: Callable[[str], str]) -> None:
    """Write another body with a header that fits."""
    head, _, body = entry.read_text().partition("\n")
    body = change(body)
    about: dict[str, Any] = json.loads(head) | {"sum": storage._hash_text(body)}
    entry.write_text(f"{json.dumps(about)}\n{body}")


def leave_a_field_out(body: str) -> str:
    data = json.loads(body)
    data[1][0]["Card"].pop()
    return json.dumps(data)


def rename_a_card(entry: Path) -> None:
    entry.write_text(entry.read_text().replace('"Archer", "unit"', '"Arrow", "unit"'))


DAMAGES: dict[str, Callable[[Path], object]] = {
    "gone": Path.unlink,
    "cut": lambda entry: entry.write_bytes(entry.read_bytes()[:-20]),
    "another name": rename_a_card,
    "others may write": lambda entry: entry.chmod(0o666),
    "nested": lambda entry: rewrite(entry, lambda _: "[" * 100_000),
    "a field less": lambda entry: rewrite(entry, leave_a_field_out),
    "another class": lambda entry: rewrite(
        entry, lambda body: body.replace('"Card"', '"Path"')
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_an_odd_entry_is_passed_over(
    tiny: Tiny,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    damage: str,
) -> None:
    root = tiny()
    cards = load(root).cards
    DAMAGES[damage](entry_of(folder))

    assert are_read(monkeypatch, root)
    assert load(root).cards == cards
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("home", ["file", "/proc/nowhere", "/dev/null/x"])
def test_a_folder_that_cannot_be_written_is_no_problem(
    tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / home))

    root = tiny()
    assert load(root).cards == load(root).cards


def test_without_a_home_nothing_is_kept(
    tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_: "~/.cache/deckcheck")
    root = tiny()

    assert load(root).cards == load(root).cards
    assert [file.name for file in tmp_path.iterdir()] == ["db"]


def test_a_write_that_fails_leaves_nothing(
    tiny: Tiny, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    load(tiny())

    assert list(folder.iterdir()) == []


def test_the_entries_that_were_not_used_for_longest_go(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "MAX_ENTRIES", 3)
    sources = Sources.below(tmp_path)
    entries = [CacheEntry(f"number {number}", CARD_RECORDS) for number in range(5)]
    for number, entry in enumerate(entries):
        entry.keep((number,), sources)
        newest = max(folder.iterdir(), key=lambda file: file.stat().st_mtime_ns)
        os.utime(newest, (number, number))
        if number == 2:
            assert entries[0].recall() == (0,)

    assert [entry.recall() for entry in entries] == [(0,), None, None, (3,), (4,)]


def test_the_entries_have_a_largest_size(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "MAX_CACHE_BYTES", 1000)

    CacheEntry("large", CARD_RECORDS).keep(("x" * 2000,), Sources.below(tmp_path))

    assert list(folder.iterdir()) == []


class TestFormatsOfOnesOwn:
    """A format file counts with the files that it builds on."""

    @pytest.fixture(autouse=True)
    def files(self, here: Path) -> None:
        Path("base.yaml").write_text(
            "title: Base\nextends: gwent/standard\noptions: {gems: 3}\nsets: [set.yaml]"
        )
        Path("league.yaml").write_text(
            "title: League\nextends: base.yaml\nconstraints: {units: {min: 20}}\n"
        )
        Path("set.yaml").write_text(
            "- {id: yak, name: Yak, faction: neutral, kind: unit, rows: [siege], "
            "strength: 4, copies: 1}\n"
        )

    def test_each_file_counts(self) -> None:
        for name, old, new in (
            ("league.yaml", "min: 20", "min: 21"),
            ("base.yaml", "gems: 3", "gems: 4"),
            ("set.yaml", "strength: 4", "strength: 5"),
        ):
            first = load_format("league.yaml")
            assert load_format("league.yaml") == first, name
            text = Path(name).read_text()
            assert old in text
            Path(name).write_text(text.replace(old, new))
            assert load_format("league.yaml").fingerprint != first.fingerprint, name

    def test_a_defect_is_told_each_time(self) -> None:
        load_format("league.yaml")
        Path("set.yaml").unlink()

        for _ in range(2):
            with pytest.raises(Exception, match=r"`set\.yaml` does not exist"):
                load_format("league.yaml")

    def test_it_is_called_as_seen_from_the_folder(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Path("below").mkdir()
        assert load_format("league.yaml").id == "league.yaml"

        monkeypatch.chdir("below")

        assert load_format("../league.yaml").id.endswith("/league.yaml")


# Where card databases are found, and what is said when they are not.


def test_folders_of_the_variable(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tiny()
    monkeypatch.setenv("DECKCHECK_CARD_DB", "/nowhere")
    assert card_db_folders(root) == (root,)
    monkeypatch.setenv("DECKCHECK_CARD_DB", str(root))
    assert game_ids() == ["tiny"]
    assert load_database("tiny").game.name == "Tiny"
    monkeypatch.setenv("DECKCHECK_CARD_DB", f"{root}; built-in;")
    assert {"gwent", "tiny"} < set(game_ids())
    # A folder given twice counts once.
    monkeypatch.chdir(root.parent)
    folders = card_db_folders([root, Path(root.name), Path("built-in")])
    assert folders == (root, card_db_root())


def test_each_game_comes_from_the_folder_that_holds_it(tiny: Tiny) -> None:
    root = tiny()
    both = [Path("built-in"), root]

    assert set(game_ids(both)) == {"tiny", *game_ids()}
    assert load_database("tiny", both) is load_database("tiny", root)
    assert load_database("gwent", both) is load_database("gwent")
    assert "gwent/standard" in format_ids(both)
    assert load_format("gwent/standard", both) == load_format("gwent/standard")


def test_a_game_in_two_folders(tiny: Tiny, tmp_path: Path) -> None:
    first = tiny()
    other = tmp_path / "other"
    (other / "tiny" / "formats").mkdir(parents=True)

    with pytest.raises(DatabaseError) as caught:
        load_database("tiny", (first, other))

    message = f"the game `tiny` is in two folders, `{first}` and `{other}`"
    assert caught.value.message == message
    assert caught.value.help == "Leave one of them out"


def test_no_format_of_any_folder(tiny: Tiny, tmp_path: Path) -> None:
    root = tiny()
    empty = tmp_path / "empty"
    empty.mkdir()

    with pytest.raises(UsageError) as caught:
        load_format("tiny/a", [root, empty])

    assert caught.value.help == f"No folder has formats: `{root}` and `{empty}`"


def test_missing_folder_and_game(tiny: Tiny, tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="does not exist"):
        card_db_folders(tmp_path / "none")
    with pytest.raises(DatabaseError) as caught:
        load_database("gwnt")
    assert caught.value.message == "unknown game `gwnt`"
    assert caught.value.help == "Did you mean `gwent`?"
    with pytest.raises(DatabaseError, match="unknown game"):
        load_database("../db/tiny", tiny())


def test_paths_are_relative_below_the_working_directory(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tiny(cards="- 3")
    monkeypatch.chdir(root)

    with pytest.raises(DatabaseError, match=r"(?m)^tiny/cards\.yaml:1:3: "):
        load_database("tiny", root)
