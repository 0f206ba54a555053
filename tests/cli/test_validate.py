"""The command `validate`: verdicts, formats, repairs, and files that are watched."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from helpers.commands import stderr_of, stdout_of
from helpers.decks import UNITS

from deckcheck.cli import main
from deckcheck.cli import validate as watching
from deckcheck.cli.validate import keep_checking
from deckcheck.findings import UsageError

# `deckcheck validate`: inputs, outputs, exit codes.

Captured = pytest.CaptureFixture[str]

LEGAL = f"""\
Name: Legal
Format: gwent/standard
Leader: Foltest, The Siegemaster

{UNITS}"""
ILLEGAL = LEGAL.replace("2 Ballista", "3 Ballista").replace("Legal", "Illegal")
WARNED = "Colour: blue\n" + LEGAL


@pytest.fixture
def folder(here: Path) -> Path:
    """A working folder with a legal deck, an illegal one and one with a warning."""
    for name, text in (("b", LEGAL), ("a", ILLEGAL), ("w", WARNED)):
        (here / f"{name}.deck").write_text(text)
    return here


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["b.deck"], 0),
        (["a.deck"], 1),
        (["."], 1),
        (["w.deck"], 0),
        (["w.deck", "--fail-on", "warning"], 1),
        (["b.deck", "--fail-on", "warning"], 0),
        ([".", "--exit-zero"], 0),
        (["nowhere.deck"], 2),
        (["*.yaml"], 2),
        (["b.deck", "--format", "gwent/standart"], 2),
        (["b.deck", "--card-db", "nowhere"], 2),
        ([], 2),
    ],
)
def test_exit_codes(capsys: Captured, args: list[str], code: int) -> None:
    assert main(["validate", *args]) == code


@pytest.mark.usefixtures("folder")
def test_misuse_is_told_on_standard_error_alone(capsys: Captured) -> None:
    for words in (["nowhere.deck"], ["nowhere.deck", "--watch"]):
        assert main(["validate", *words]) == 2
        missing = "error: `nowhere.deck` does not exist\nhelp: Check the path\n"
        assert capsys.readouterr() == ("", missing)


@pytest.mark.usefixtures("folder")
def test_full_output_is_the_default(capsys: Captured) -> None:
    main(["validate", "a.deck", "b.deck"])

    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out.startswith(
        "error[DL103] too-many-copies: 3 copies of `Ballista`, at most 2 allowed\n"
        " --> a.deck:8:3\n"
        "  |\n"
        "8 | 3 Ballista\n"
        "  |   ^^^^^^^^\n"
        "  |\n"
        "  = note: Rule `copies` of gwent/standard (2025-10), gwent 1.1.5, from "
    )
    assert "2 decks checked, 1 legal, 1 illegal (1 error)\n" in captured.out


@pytest.mark.usefixtures("folder")
def test_decks_are_sorted_by_path(capsys: Captured) -> None:
    main(["validate", "w.deck", "b.deck", "a.deck", "--output-format", "json"])

    decks = json.loads(capsys.readouterr().out)["decks"]
    assert [deck["path"] for deck in decks] == ["a.deck", "b.deck", "w.deck"]
    assert [deck["legal"] for deck in decks] == [False, True, True]


@pytest.mark.usefixtures("folder")
def test_quiet_shows_findings_only_and_twice_nothing(capsys: Captured) -> None:
    assert main(["validate", ".", "-q", "--output-format", "concise"]) == 1
    names = [line.split()[2] for line in capsys.readouterr().out.splitlines()]
    assert names == ["too-many-copies:", "unknown-header:", "same-cards:"]
    assert stdout_of(capsys, "validate", ".", "-qq", code=1) == ""


@pytest.mark.usefixtures("folder")
def test_verbose_says_how_formats_were_chosen(capsys: Captured) -> None:
    main(["validate", "b.deck", "-v"])
    shown = capsys.readouterr().err
    assert shown == "1 deck in 1 file\nb.deck: format gwent/standard from its header\n"

    main(["validate", "b.deck", "-v", "-f", "gwent/advanced"])
    assert "b.deck: format gwent/advanced from the option\n" in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("name", "data", "found"),
    [
        ("x.deck", ILLEGAL.encode(), " --> x.deck:8:3\n"),
        ("x.yaml", b"cards: [\n", "malformed-document"),
    ],
)
def test_standard_input(
    capsys: Captured,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    data: bytes,
    found: str,
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))

    assert found in stdout_of(capsys, "validate", "-", "--stdin-filename", name, code=1)


BAD_FILES = {
    "empty.deck": (b"", "empty-deck"),
    "blank.json": (b"  \n", "empty-deck"),
    "binary.deck": (bytes(range(256)), "binary-file"),
    "image.txt": (b"\x89PNG\r\n\x1a\n\0", "binary-file"),
    "utf16.deck": (LEGAL.encode("utf-16-le"), "binary-file"),
    "latin.deck": (LEGAL.encode() + b"Eithn\xe9\n", "undecodable-file"),
    "long.deck": (b"x" * 10_000, "unreadable-line"),
    "many.deck": (b"2 Ballista\n" * 20_000, "oversized-file"),
    "twice.yaml": (b"cards:\n  Ballista: 1\n  Ballista: 1\n", "malformed-document"),
    "deep.json": (b"[" * 100_000, "malformed-document"),
    "list.yaml": (b"- Ballista\n", "malformed-deck"),
    "minus.deck": (LEGAL.replace("2 Bal", "-2 Bal").encode(), "impossible-count"),
    "huge.deck": (
        LEGAL.replace("2 Bal", "2147483648x Bal").encode(),
        "impossible-count",
    ),
    "card.deck": (LEGAL.replace("2 Ballista", "2 Ballsta").encode(), "unknown-card"),
    "format.deck": (LEGAL.replace("standard", "standrad").encode(), "unknown-format"),
    "leader.deck": (
        LEGAL.replace("Foltest, The Siegemaster", "Eredin, Bringer of Death").replace(
            "Format", "Faction: Northern Realms\nFormat"
        ),
        "foreign-leader",
    ),
    "leaders.deck": (
        LEGAL.replace("Leader", "Leader: Foltest, Son of Medell\nLeader"),
        "too-many-leaders",
    ),
}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_input_is_a_finding(capsys: Captured, folder: Path, name: str) -> None:
    data, finding = BAD_FILES[name]
    (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)

    assert main(["validate", name, "--output-format", "json"]) == 1

    [deck] = json.loads(capsys.readouterr().out)["decks"]
    assert [found["name"] for found in deck["findings"]] == [finding]


@pytest.mark.usefixtures("folder")
def test_a_reader_that_leaves_early_does_not_change_the_verdict(folder: Path) -> None:
    (folder / "all.deck").write_text("\n---\n".join([ILLEGAL] * 500))
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as pipe:
        done = subprocess.run(
            [sys.executable, "-m", "deckcheck", "validate", "all.deck"],
            stdout=pipe,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert done.returncode == 1
    assert done.stderr == b""


@pytest.mark.usefixtures("folder")
def test_a_name_that_the_stream_cannot_spell(folder: Path) -> None:
    (folder / "\u5e0c.deck").write_text(LEGAL + "Eithn\u00e9\n")

    done = subprocess.run(
        [sys.executable, "-m", "deckcheck", "validate", "\u5e0c.deck"],
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"},
        capture_output=True,
        check=False,
    )

    assert done.returncode == 1
    assert b"\\u5e0c.deck" in done.stdout


@pytest.mark.usefixtures("folder")
def test_an_interrupted_run_says_so() -> None:
    running = subprocess.Popen(
        [sys.executable, "-m", "deckcheck", "validate", "-"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    # More than a pipe holds: writing waits until the program reads.
    assert running.stdin is not None
    running.stdin.write(b"# slow\n" * 50_000)
    running.stdin.flush()
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=30)

    assert running.returncode == 130
    assert errors == b"interrupted\n"


# `deckcheck validate --fix` and `--diff`.

SAMPLE = (
    Path(__file__).parents[2] / "decks" / "gwent" / "standard" / "nr_siege_masters.deck"
)


@pytest.fixture
def deck(here: Path) -> Path:
    text = SAMPLE.read_text(encoding="utf-8")
    assert "Trebuchet" in text
    (here / "a.deck").write_text(
        text.replace("Trebuchet", "Trebuchett"), encoding="utf-8"
    )
    return here / "a.deck"


def test_a_fixed_deck_is_checked_as_it_is_then(deck: Path, capsys: Captured) -> None:
    assert main(["validate", "a.deck", "-qq"]) == 1

    err = stderr_of(capsys, "validate", "a.deck", "--fix", code=0)
    assert "\n-2 Trebuchett\n+2 Trebuchet\n" in err
    assert err.endswith("\n1 file fixed\n")
    assert deck.read_bytes() == SAMPLE.read_bytes()
    # Other files are passed over.
    text = '{"format": "gwent/standard", "cards": {"Trebuchett": 1}}'
    Path("a.json").write_text(text)
    assert main(["validate", "a.json", "--fix"]) == 1
    assert Path("a.json").read_text() == text
    assert capsys.readouterr().err == "0 files fixed\n"


@pytest.mark.parametrize("args", [["--diff"], ["--fix", "--diff"]])
def test_diff_only_shows(deck: Path, capsys: Captured, args: list[str]) -> None:
    before = deck.read_bytes()

    out = stdout_of(capsys, "validate", "a.deck", *args, code=1)
    assert "Trebuchett\n" in out
    assert "Trebuchet\n" in out
    assert main(["validate", str(SAMPLE), "--diff"]) == 0
    # Misuse is told before anything is written.
    assert main(["validate", "a.deck", "--fix", "--output-format", "pdf"]) == 2
    assert deck.read_bytes() == before


# `deckcheck validate` by formats of one's own, by dates, with rules for one run.

DECK = "Format: gwent/standard\nLeader: The Siegemaster\n\nScorch\n"


@pytest.fixture
def league(here: Path) -> Path:
    (here / "a.deck").write_text(DECK, encoding="utf-8")
    league = (
        "title: League\nextends: gwent/standard\nconstraints:\n"
        "  units:\n  bans: {rule: banned, cards: [Scorch]}\n"
    )
    (here / "league.yaml").write_text(league, encoding="utf-8")
    return here


@pytest.mark.usefixtures("league")
def test_a_format_of_ones_own(capsys: Captured) -> None:
    args = ["a.deck", "--format", "./league.yaml", "--output-format", "concise"]
    line, *_ = stdout_of(capsys, "validate", *args, code=1).splitlines()
    assert line == (
        "a.deck:4:1: error[DB101] banned-card: 1 copy of `Scorch`, which is banned"
    )


@pytest.mark.usefixtures("league")
def test_rules_are_added_to_the_format_of_the_deck(capsys: Captured) -> None:
    rules = ["--rule", "min units 0", "--rule", "ban scorch"]
    out = stdout_of(capsys, "validate", "a.deck", *rules, "-q", code=1)
    assert "from --rule `ban scorch`\n" in out
    assert "too-few-cards" not in out


@pytest.mark.usefixtures("league")
@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["--as-of", "2025-10-31"], 1),
        (["--as-of", "2025-09"], 2),
        (["--as-of", "yesterday"], 2),
        (["--format", "gwent/standard@2025-10"], 1),
        (["--format", "gwent/standard@2025-11"], 2),
        (["--format", "league.yaml@2025-10"], 1),
    ],
)
def test_dates_and_snapshots(args: list[str], code: int) -> None:
    assert main(["validate", "a.deck", *args]) == code


# `deckcheck validate` reads share codes, gwent-classic's files and tables.

STANDARD = ("--format", "gwent/standard")


def written(way: str, capsys: Captured) -> str:
    swarm = SAMPLE.with_name("mo_swarm.deck")
    return stdout_of(capsys, "convert", str(swarm), "--to", way)


@pytest.mark.usefixtures("here")
def test_a_code_as_an_argument(capsys: Captured) -> None:
    code = written("code", capsys).strip()

    said = stdout_of(capsys, "validate", code)
    assert said.startswith("1 deck checked, 1 legal\ngwent/standard")
    concise = ("--output-format", "concise")
    assert stdout_of(capsys, "validate", code[:-1], *concise, code=1).startswith(
        f"DC1_…{code[-7:-1]}:1:{len(code)}: error[DP201] "
        "malformed-document: Share code is damaged"
    )


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", ["codes.code", "codes.txt", "codes"])
def test_codes_in_a_file(capsys: Captured, name: str) -> None:
    Path(name).write_text(written("code", capsys) * 2)

    assert stdout_of(capsys, "validate", name).startswith("2 decks checked, 2 legal")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("way", "name"), [("gwent-classic", "a.json"), ("csv", "a.csv")]
)
def test_other_files_of_a_folder(capsys: Captured, way: str, name: str) -> None:
    Path(name).write_text(written(way, capsys), encoding="utf-8")

    said = stdout_of(capsys, "validate", ".", *STANDARD)
    assert said.startswith("1 deck checked, 1 legal\n")
    assert "gwent/standard" in stdout_of(capsys, "formats", "--for", name)


@pytest.mark.usefixtures("here")
def test_a_table_that_is_no_deck_is_a_finding(capsys: Captured) -> None:
    Path("prices.csv").write_text("item,price\n1,2\n")

    out = stdout_of(capsys, "validate", ".", *STANDARD, code=1)
    assert "error[DP202] malformed-deck: The table has no column `card`\n" in out
    assert "`--exclude` leaves out a table that is not a deck\n" in out

    Path("a.deck").write_text("Leader: The Siegemaster\n")
    words = ("validate", ".", *STANDARD, "--exclude", "*.csv")
    assert "\nLeft out: 1 excluded\n" in stdout_of(capsys, *words, code=1)


# `validate --watch`: what is watched, what is told, how it ends.


def play_changes(
    monkeypatch: pytest.MonkeyPatch, *steps: Sequence[str]
) -> dict[str, object]:
    """Let those files change, step by step, then Ctrl-C; returns what was asked for."""
    asked: dict[str, object] = {}

    def watch(
        *folders: str, watch_filter: Callable[[object, str], bool]
    ) -> Iterator[set[tuple[int, str]]]:
        asked["folders"], asked["filter"] = folders, watch_filter
        for paths in steps:
            yield {(1, path) for path in paths}
        raise KeyboardInterrupt

    monkeypatch.setattr(watching, "_watcher", lambda: watch)
    return asked


def test_checks_again_after_each_change_until_interrupted(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    here = str(tmp_path)
    play_changes(
        monkeypatch,
        [f"{here}/b.deck", f"{here}/a.deck"],
        [f"{here}/{name}.deck" for name in "abcd"],
    )
    runs: list[int] = []

    code = keep_checking(lambda: runs.append(1) or 1, ["."])

    assert (code, len(runs)) == (130, 3)
    assert capsys.readouterr().err == (
        "Watching for changes, Ctrl-C stops\n"
        "\n`a.deck` and `b.deck` changed\n"
        "\n4 files changed\n"
    )


def test_a_later_misuse_is_told_and_waited_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Captured
) -> None:
    play_changes(monkeypatch, ["a.deck"], ["a.deck"])
    results = iter([0, UsageError("`a.deck` does not exist", "look"), 0])

    def check() -> int:
        result = next(results)
        if isinstance(result, UsageError):
            raise result
        return result

    assert keep_checking(check, [str(tmp_path)]) == 130
    assert "error: `a.deck` does not exist\nhelp: Look" in capsys.readouterr().err
    assert list(results) == []


def test_what_is_watched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("lists", "other", "cups/a"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("other/mine.txt", "other/not.txt", "league.yaml"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    asked = play_changes(monkeypatch)

    targets = ["lists", "other/mine.txt", "cups/*/*.deck"]
    keep_checking(lambda: 0, targets, "league.yaml")

    here = str(tmp_path)
    assert asked["folders"] == tuple(
        sorted([here, f"{here}/cups", f"{here}/lists", f"{here}/other"])
    )
    matters = asked["filter"]
    assert callable(matters)
    wanted = ["lists/a.deck", "lists/b/c.JSON", "other/mine.txt", "league.yaml"]
    for name in [*wanted, "cups/b/new.deck"]:
        assert matters(1, f"{here}/{name}"), name
    for name in ["lists/a.md", "lists/.a.deck.swp", "other/not.txt", "x.deck"]:
        assert not matters(1, f"{here}/{name}"), name


def test_standard_input_is_not_watched(capsys: Captured) -> None:
    assert main(["validate", "-", "--watch"]) == 2
    assert "Standard input cannot be watched" in capsys.readouterr().err


def test_without_the_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Captured
) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)

    assert main(["validate", str(tmp_path), "--watch"]) == 2
    assert capsys.readouterr().err == (
        "error: `--watch` needs the package `watchfiles`\n"
        "help: Install it: pip install watchfiles\n"
    )


PROGRAM = """
import sys
from deckcheck.cli import main
sys.exit(main(["validate", ".", "--watch", "-q"]))
"""


@pytest.mark.slow
def test_a_process_sees_changes_and_ends_quietly(tmp_path: Path) -> None:
    deck = tmp_path / "a.deck"
    deck.write_text("Format: gwent/standard\n1 Ballista\n")
    seen = threading.Event()

    def keep_changing() -> None:
        while not seen.wait(0.3):
            deck.write_text("Format: gwent/standard\n99 Ballista\n")

    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "Watching for changes, Ctrl-C stops\n"
        threading.Thread(target=keep_changing).start()
        told = [process.stderr.readline(), process.stderr.readline()]
        seen.set()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)

    assert told == ["\n", "`a.deck` changed\n"]
    assert process.returncode == 130
    assert "error" not in err
    assert "interrupted" not in err
    assert "missing-leader" in out
