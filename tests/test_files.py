"""Files of users and our own, on every system."""

import ctypes
import io
import os
import re
import socket
import stat
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

import pytest
from helpers.commands import stderr_of

from deckcheck import cli as crash
from deckcheck.cards.storage import Sources
from deckcheck.cli import main
from deckcheck.engine import cache, compiling
from deckcheck.files import (
    expand_patterns,
    is_own_folder,
    make_own_folder,
    only_one,
    open_file,
    path_fault,
    read_own,
    relative_path,
    short_digest,
    write_own,
)
from deckcheck.findings import Position, UsageError
from deckcheck.formats import load_format
from deckcheck.formats.model import own_id
from deckcheck.scenarios.files import ScenarioFile
from deckcheck.sim import workers as executors
from deckcheck.sim.interrupts import interrupts_held_back

# Fingerprints tell data apart, and nothing else.


def test_is_the_same_everywhere() -> None:
    """Whatever the order of keys, and records count by their fields."""
    one, other = {"a": 1, "b": [2]}, MappingProxyType({"b": (2,), "a": 1})

    assert short_digest(["Eithné", 1, True, None]) == "c9b5188b43ed"
    assert short_digest(one) == short_digest(other)
    assert short_digest(Position(1, 2)) == short_digest([1, 2])


@pytest.mark.parametrize(
    ("one", "other"),
    [([1], ["1"]), ([1], [True]), ([[], 1], [[1]]), ({"a": 1}, {"a": 2}), ("", None)],
)
def test_tells_data_apart(one: object, other: object) -> None:
    assert short_digest(one) != short_digest(other)


# Opening what the user names: files, and pipes that the shell hands over.


def test_a_named_pipe_and_a_socket_are_refused(here: Path) -> None:
    os.mkfifo("pipe")
    with pytest.raises(OSError, match="a named pipe, not a file"):
        open_file("pipe")
    # The path of a socket may not be long.
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        with pytest.raises(OSError, match="a socket, not a file"):
            open_file("socket")


def test_what_is_no_file_says_why() -> None:
    for path, reason in (
        ("/dev/zero", "a device, not a file"),
        ("/", "a folder, not a file"),
        ("/nowhere/at/all", "No such file"),
        ("a\0b", "no path can be called so"),
        ("a" * 300, "File name too long"),
    ):
        with pytest.raises(OSError, match=reason) as error:
            open_file(path)

        assert error.value.strerror, path


def test_a_pipe_that_the_shell_hands_over_is_read() -> None:
    end, start = os.pipe()
    os.write(start, b"3 Ballista")
    os.close(start)

    with open_file(f"/dev/fd/{end}") as stream:
        assert stream.read() == b"3 Ballista"
    os.close(end)


def test_what_no_path_can_be() -> None:
    for text, fault in (
        ("./league.yaml", None),
        ("x" * 255, None),
        ("a\0b", r"`a\x00b` holds `\x00`, which no path can"),
        ("\u00e9" * 128, f"`{'é' * 57}...` has a name of 256 bytes, 255 allowed"),
        ("x/" * 3_000, f"`{'x/' * 28}x...` is a path of 6,000 bytes, 4,095 allowed"),
    ):
        assert path_fault(text) == fault, text


# What is kept for the next run is believed only if nobody else can have written it.

needs_posix = pytest.mark.skipif(os.name != "posix", reason="users and permissions")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_own_folder(tmp_path / "above" / "own")
    return tmp_path / "above" / "own"


@needs_posix
def test_a_folder_that_was_made_is_the_users_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_own(folder / "a.bin", b"1")

    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert is_own_folder(folder, is_secret=True)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert not is_own_folder(folder)
    with pytest.raises(PermissionError, match="not a file of this user alone"):
        read_own(folder / "a.bin")


@needs_posix
def test_others_may_not_write_or_in_a_secret_folder_do_anything(folder: Path) -> None:
    for mode, is_own, is_secret in (
        (0o755, True, False),
        (0o711, True, False),
        (0o775, False, False),
        (0o702, False, False),
    ):
        folder.chmod(mode)

        assert is_own_folder(folder) == is_own, mode
        assert is_own_folder(folder, is_secret=True) == is_secret, mode


@needs_posix
def test_a_link_to_an_own_folder_is_not_own_nor_is_a_file(folder: Path) -> None:
    (folder / "link").symlink_to(folder)
    (folder / "file").touch(mode=0o600)

    assert not is_own_folder(folder / "link")
    assert not is_own_folder(folder / "file")


@needs_posix
def test_what_is_written_is_read_and_nothing_else_is_left(folder: Path) -> None:
    write_own(folder / "a.bin", b"1")
    write_own(folder / "a.bin", b"\x00\r\n2")

    assert read_own(folder / "a.bin") == b"\x00\r\n2"
    assert stat.S_IMODE((folder / "a.bin").stat().st_mode) == 0o600
    assert os.listdir(folder) == ["a.bin"]


@needs_posix
def test_a_write_that_fails_leaves_what_was_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_own(folder / "a.bin", b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write_own(folder / "a.bin", b"new")

    assert os.listdir(folder) == ["a.bin"]
    assert read_own(folder / "a.bin") == b"old"


def let_others_write(file: Path) -> None:
    file.chmod(0o620)


def link(file: Path) -> None:
    file.rename(file.with_name("elsewhere"))
    file.symlink_to(file.with_name("elsewhere"))


def make_a_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def make_a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


@needs_posix
@pytest.mark.parametrize("change", [let_others_write, link, make_a_pipe, make_a_folder])
def test_what_others_may_have_written_is_not_read(
    folder: Path, change: Callable[[Path], None]
) -> None:
    write_own(folder / "a.bin", b"1")
    change(folder / "a.bin")

    with pytest.raises(OSError, match=r"not a file of this user|symbolic link"):
        read_own(folder / "a.bin")


# What Windows, containers and read-only systems do differently, forced here.

ROOT = Path(__file__).parents[1]
DECK = ROOT / "decks" / "gwent" / "standard" / "mo_swarm.deck"
LEAGUE = """\
title: League
extends: gwent/standard
snapshot: 2025-11
constraints:
  bans: {rule: banned, cards: [Ballista]}
"""


@pytest.fixture
def other_drive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on another drive: no relative path leads there."""
    relpath = os.path.relpath

    def within_a_drive(path: str, start: str = os.curdir) -> str:
        drives = [
            Path(os.path.realpath(place)).is_relative_to(tmp_path / "other")
            for place in (path, start)
        ]
        if drives[0] != drives[1]:
            raise ValueError("path is on mount 'D:', start on mount 'C:'")
        return relpath(path, start)

    (tmp_path / "here").mkdir()
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(os.path, "relpath", within_a_drive)
    return tmp_path / "other"


def test_a_path_on_another_drive_stays_absolute(other_drive: Path) -> None:
    assert relative_path(other_drive / "a.yaml") == str(other_drive / "a.yaml")
    assert own_id(other_drive / "a.yaml") == (other_drive / "a.yaml").as_posix()


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("validate D:a.deck --format D:own.yaml", 0),
        (
            "validate D:a.deck --output-format json:D:b -o D:c --output-format concise",
            0,
        ),
        ("validate D:a.deck --output-format json:D:b --output-format junit:D:b", 2),
        ("simulate --plan D:plan.toml", 2),
        ("fmt D:a.deck --check", 0),
        ("convert D:a.deck --to yaml", 0),
        ("event D:event.toml", 2),
    ],
)
def test_commands_work_on_another_drive(
    command: str, code: int, other_drive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (other_drive / "a.deck").write_bytes(DECK.read_bytes())
    (other_drive / "own.yaml").write_text(LEAGUE)
    for name in ("plan.toml", "event.toml"):
        (other_drive / name).touch()

    words = command.replace("D:", f"{other_drive}{os.sep}").split()
    assert main(words) == code, capsys.readouterr().err
    assert "internal error" not in capsys.readouterr().err


def test_a_scenario_on_another_drive_finds_the_format_next_to_it(
    other_drive: Path,
) -> None:
    (other_drive / "own.yaml").write_text(LEAGUE)
    scenario = other_drive / "a.yml"
    scenario.write_text("format: ./own.yaml\nplayers: {A: {hand: [ves]}}\n")

    file = ScenarioFile(scenario, str(scenario))
    format, _ = file._load_named_format(file.sources[0])
    assert format.id == (other_drive / "own.yaml").as_posix()


def test_patterns_are_expanded_where_no_shell_does(here: Path) -> None:
    for name in ("b", "a", "[c]"):
        Path(name).mkdir()

    assert expand_patterns([Path("[ab]"), Path("[c]"), Path("z"), Path("b")]) == [
        *(Path("a"), Path("b"), Path("[c]"), Path("z"), Path("b"))
    ]
    assert only_one(Path("b*")) == Path("b")
    with pytest.raises(UsageError, match=r"^`\[ab\]` matches 2 files") as info:
        only_one(Path("[ab]"))
    assert info.value.help == "Name one of them, such as `a`"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["merge", "s*", "--run", "all"], "`s1` is not a run"),
        (["report", "s*"], "`s1` is not a run"),
        (["resume", "s*"], "`s1` is not a run"),
        (["meta", "s*"], "`s1` is not a run"),
        (["event", "e*.toml"], "`e1.toml` has 5 defects"),
        (["expect", "e*.toml"], "e1.toml"),
    ],
)
def test_commands_expand_patterns(
    command: list[str], said: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("s1").mkdir()
    Path("e1.toml").write_text("", encoding="utf-8")

    assert said in stderr_of(capsys, *command)


def redirected(
    monkeypatch: pytest.MonkeyPatch, *words: str, given: bytes = b""
) -> bytes:
    """What a command writes to a file under code page 1252 of Windows."""
    written = io.BytesIO()
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="cp1252"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    assert main([*words]) == 0
    sys.stdout.flush()
    return written.getvalue()


@pytest.fixture
def polish(tmp_path: Path) -> Path:
    """A legal deck whose name has letters that few encodings have."""
    deck = tmp_path / "polish.deck"
    text = DECK.read_text("utf-8").replace("The swarm", "Łódź Größe")
    deck.write_text(text, encoding="utf-8")
    return deck


@pytest.mark.parametrize(
    "command",
    [
        *("validate --output-format json", "convert --to sheet", "convert --to yaml"),
        *(
            f"validate --exit-zero --output-format {name}"
            for name in ("sarif", "junit")
        ),
    ],
)
def test_redirected_output_is_utf_8_whatever_the_code_page(
    command: str, polish: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "--exit-zero" in command:
        polish.write_text("Format: gwent/standard\n\n3 Łódź Größe\n", encoding="utf-8")
    written = redirected(monkeypatch, *command.split(), str(polish))

    assert "Łódź Größe" in written.decode("utf-8")


def test_what_was_redirected_is_read_again(
    polish: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = [polish.with_name(name) for name in ("b.yaml", "c.deck")]
    deck, text = str(polish), polish.read_bytes()
    copies[0].write_bytes(redirected(monkeypatch, "convert", deck, "--to", "yaml"))
    copies[1].write_bytes(redirected(monkeypatch, "fmt", "-", given=text))

    said = redirected(monkeypatch, "validate", *map(str, copies))
    assert b"2 decks checked, 2 legal" in said
    assert all("Łódź Größe" in copy.read_text("utf-8") for copy in copies)


def test_a_checkout_with_other_line_ends_is_the_same_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "PACKAGE_FOLDER", tmp_path)
    (tmp_path / "engine").mkdir()
    source = tmp_path / "engine" / "rules.py"
    source.write_bytes(b"a = 1\nb = 2\n")
    unix = cache.code_hash()
    source.write_bytes(b"a = 1\r\nb = 2\r\n")

    assert cache.code_hash() == unix
    source.write_bytes(b"a = 1\nb = 3\n")
    assert cache.code_hash() != unix


def test_cards_with_other_line_ends_are_the_same_cards(tmp_path: Path) -> None:
    """And so is their fingerprint, by which the shards of two machines are merged."""
    for name, end in (("unix", b"\n"), ("windows", b"\r\n")):
        for path in (ROOT / "card_db").rglob("*.yaml"):
            copy = tmp_path / name / path.relative_to(ROOT / "card_db")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes().replace(b"\n", end))
    formats = [
        load_format("deckmaster/standard", tmp_path / name)
        for name in ("unix", "windows")
    ]

    assert formats[0].fingerprint == formats[1].fingerprint
    assert Sources.below(tmp_path / "unix").state == (
        Sources.below(tmp_path / "windows").state
    )


def test_checkouts_and_types_are_those_of_every_system() -> None:
    checks = (ROOT / ".ci" / "run").read_text("utf-8")
    at_night = (ROOT / ".ci" / "nightly").read_text("utf-8")

    assert "* text=auto eol=lf" in (ROOT / ".gitattributes").read_text("utf-8")
    assert '/mypy" --cache-dir' in checks
    assert "for platform in darwin win32; do" in at_night
    assert '/mypy --platform "$platform"' in at_night


def test_windows_has_no_modes_that_keep_others_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There every file seems open to all, and caches lie in folders of the user."""
    kept = tmp_path / "kept"
    kept.write_bytes(b"1")
    kept.chmod(0o666)
    with pytest.raises(PermissionError):
        read_own(kept)
    monkeypatch.delattr(os, "geteuid")

    assert read_own(kept) == b"1"


def test_no_more_workers_are_started_than_windows_waits_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def pool(workers: int, **_: object) -> None:
        asked.append(workers)

    monkeypatch.setattr(executors, "ProcessPoolExecutor", pool)
    monkeypatch.setattr(executors, "MOST_WORKERS", 61)
    executors.WorkerProcesses(100)
    executors.WorkerProcesses(4)

    assert asked == [61, 4]


@pytest.mark.parametrize(
    ("files", "cores"),
    [
        ({"cpu.max": "150000 100000\n"}, 2),
        ({"cpu.max": "50000 100000\n"}, 1),
        ({"cpu.max": "max 100000\n"}, 8),
        ({"cpu/cpu.cfs_quota_us": "300000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 3),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, 8),
        ({"cpu.max": "nonsense\n"}, 8),
        ({}, 8),
    ],
)
def test_a_container_uses_the_cores_whose_time_it_gets(
    files: dict[str, str], cores: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cpu").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="ascii")
    monkeypatch.setattr(executors, "CONTROL_GROUP", tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)

    assert executors.usable_cores() == cores


@pytest.mark.parametrize(("seen", "cores"), [(3, 3), (None, 1)])
def test_a_system_says_how_many_cores_there_are(
    seen: int | None, cores: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "CONTROL_GROUP", tmp_path)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: seen)

    assert executors.usable_cores() == cores


@pytest.fixture
def no_temporary_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that is read-only has none."""

    def gettempdir() -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", gettempdir)
    monkeypatch.setattr(tempfile, "mkdtemp", lambda *_, **__: gettempdir())
    monkeypatch.setenv("HOME", "/proc/none")
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, "/proc/none")


@pytest.mark.usefixtures("no_temporary_folder")
def test_a_system_without_a_temporary_folder_plays_and_tells_of_crashes() -> None:
    assert cache.choose_cache_folder()[0] is None
    assert not compiling.trial_succeeds()
    assert crash.write_log(ValueError("x"), ["simulate"]) is None


@pytest.mark.usefixtures("no_temporary_folder")
def test_a_read_only_system_validates_and_ends_with_the_right_code(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """1 means findings: a traceback would have ended with it."""
    broken = ROOT / "examples" / "broken" / "gwent" / "too-few-units.deck"

    assert main(["validate", str(DECK)]) == 0
    assert main(["validate", str(broken)]) == 1
    assert "Traceback" not in stderr_of(capsys, "validate", "none.deck")

    def fail() -> None:
        raise KeyError("x")

    monkeypatch.setattr("deckcheck.cli.validate.rule", fail)
    assert "internal error" in stderr_of(capsys, "rule", code=3)


@pytest.mark.parametrize(
    ("variable", "has_codes"), [("TERM", False), ("NO_COLOR", False), ("X", True)]
)
def test_what_is_no_screen_gets_no_codes_of_one(
    variable: str, has_codes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`TERM=dumb` and `NO_COLOR=1` hold for standard error, too."""

    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    for name in ("FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(variable, "dumb")
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    broken = ROOT / "examples" / "broken" / "gwent" / "unknown-card.deck"

    assert main(["convert", str(broken), "--to", "yaml"]) == 1
    assert "unknown-card" in screen.getvalue()
    assert ("\x1b" in screen.getvalue()) == has_codes


DIFFERS = re.compile(
    r"\\$|&&|\.venv/bin|^source |^[A-Z_]+=\S+ \w|(?<![<-]) [|>] |\bsha256sum\b",
    re.MULTILINE,
)
"""What PowerShell has another form for."""


def test_pages_have_the_form_of_powershell_where_it_differs() -> None:
    pages = [
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "docs").rglob("*.md"),
    ]
    shells = re.compile(r"^```(?:sh|bash|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
    lacking = []
    for page in pages:
        text = page.read_text("utf-8")
        typed = [
            line if block[0] != "$" else line.removeprefix("$ ")
            for block in shells.findall(text)
            # A script of a cluster names its own shell.
            if not block.startswith("#!")
            for line in block.splitlines()
            if block[0] != "$" or line.startswith("$ ")
        ]
        if DIFFERS.search("\n".join(typed)) and "PowerShell" not in text:
            lacking.append(page.relative_to(ROOT).as_posix())

    assert lacking == []


def test_workers_of_windows_are_born_deaf_to_ctrl_c(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They take over that the console's Ctrl-C is ignored, and only they."""
    calls: list[tuple[object, bool]] = []

    class Kernel:
        class kernel32:
            @staticmethod
            def SetConsoleCtrlHandler(handler: object, ignored: bool) -> None:
                calls.append((handler, ignored))

    monkeypatch.setattr(ctypes, "windll", Kernel, raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    with interrupts_held_back():
        assert calls == [(None, True)]

    assert calls == [(None, True), (None, False)]
