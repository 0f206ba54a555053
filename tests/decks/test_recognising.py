"""Which notation a text is in, and which files are no decks."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.commands import stderr_of

from deckcheck.cli import main
from deckcheck.cli.application import load_command
from deckcheck.cli.commands import COMMANDS
from deckcheck.decks import DeckText, LeftOut, find_deck_files
from deckcheck.decks.generated_files import (
    DATA_KIND,
    HEAD_BYTES,
    LETTER_KIND,
    LETTER_SIGN,
    OUTPUT_KIND,
    find_generated_kind,
)
from deckcheck.decks.reader import find_other_format, guess_by_content
from deckcheck.validation import Validator

# Files of deckcheck's own among decks: left out where they say so, else no decks.

pytestmark = pytest.mark.usefixtures("folder")
Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[2]
GOOD = ROOT / "decks" / "gwent" / "standard" / "mo_swarm.deck"
EXAMPLES = ROOT / "examples"
BAD = ROOT / "examples" / "broken" / "gwent" / "misspelt-card.deck"


@pytest.fixture
def folder(here: Path) -> Path:
    """A folder with two decks."""
    shutil.copy(GOOD, "a.deck")
    shutil.copy(BAD, "b.deck")
    return here


def printed(capsys: Captured, *arguments: str) -> str:
    main(list(arguments))
    return capsys.readouterr().out


SCENARIO = "tests/scenarios/gwent/medics.yaml"
EVENT = f"{EXAMPLES}/troubled-tournament/event.toml"
PRINTED = (
    *(
        f"validate a.deck b.deck --output-format {name}"
        for name in (
            *("full", "concise", "line", "json", "jsonl", "github", "gitlab", "sarif"),
            *("junit", "markdown", "rdjson"),
        )
    ),
    *(
        f"event {EVENT} --output-format {name}"
        for name in (
            *("full", "concise", "json", "jsonl", "github", "gitlab", "sarif"),
            *("junit", "markdown", "html", "rdjson"),
        )
    ),
    *(
        f"diff a.deck late.deck --output-format {name}"
        for name in ("table", "json", "markdown")
    ),
    "validate b.deck --statistics --output-format json",
    *("validate b.deck --color always", "validate a.deck b.deck --show-files"),
    *("validate --show-settings", "validate late.deck --diff", "validate --help"),
    *("cards list --output-format table", "cards list --output-format json"),
    *("cards list --game deckmaster", "cards list --game gwen_t"),
    *("cards find francesca", "cards show kambi", "cards show siegemaster"),
    *("cards show kambi --color always", "formats --output-format table"),
    *("formats --output-format json", "formats show gwent/standard"),
    *("formats show deckmaster/standard", "formats --for a.deck"),
    *("formats diff gwent/standard gwent/advanced", "formats --for b.deck"),
    *("stats a.deck --output-format table", "stats a.deck --output-format json"),
    *("rule", "rule DL103", "schema deck", "fmt loose.deck --check"),
    "fmt loose.deck --diff",
)
"""All that commands print which is no deck, but for what takes its time."""


MARKED_OUTPUTS = ("json", "jsonl", "gitlab", "sarif", "rdjson")


def is_marked(arguments: str) -> bool:
    """Whether an output has a place to say whose it is."""
    words = arguments.split()
    return words[0] == "schema" or words[-1] in MARKED_OUTPUTS


@pytest.mark.parametrize("arguments", PRINTED)
def test_what_is_printed_says_so_or_is_no_legal_deck(
    arguments: str, capsys: Captured
) -> None:
    Path("late.deck").write_text("2 Ghoul\nFormat: gwent/standard\n")
    Path("loose.deck").write_text("Format: gwent/standard\n2x Ballista\nDecoy x1\n")
    text = printed(capsys, *arguments.split())
    assert text

    judge = Validator("gwent/standard")
    for name in ("x.txt", "x.json", "x.yaml", "x.deck", "x.csv"):
        kind = find_generated_kind(text[:HEAD_BYTES], name)
        assert (kind == OUTPUT_KIND) == is_marked(arguments), name
        assert not any(
            report.legal for report in judge.check_file(DeckText(name, text))
        )


def play(arguments: str) -> None:
    """Run a command in all its outputs: JSON says whose it is, none is a legal deck."""
    command, *words = arguments.split()
    for each in PLAYED[command]:
        words += ["--output-format", f"{each}:{command}.{each}"]
    if command == "scenario":
        # It is uncompiled, and so cannot run in this process.
        subprocess.run([sys.executable, "-m", "deckcheck", command, *words], check=True)
    else:
        assert main([command, *words]) == 0
    judge = Validator("gwent/standard")
    for each in PLAYED[command]:
        data = Path(f"{command}.{each}").read_bytes()
        text = data.decode("utf-8", errors="replace")
        kind = find_generated_kind(text[:HEAD_BYTES], f"{command}.txt")
        is_output = kind == OUTPUT_KIND
        assert is_output == (each in MARKED_OUTPUTS), (command, each, text[:300])
        for report in judge.check_file(DeckText(f"{command}.txt", text)):
            assert not report.legal, (command, each)


def test_what_is_played_is_no_deck() -> None:
    shutil.copy(GOOD.with_name("nr_siege_masters.deck"), "c.deck")

    play(f"simulate a.deck c.deck -n 20 {FEW} --run run")
    play("meta run")
    play(f"compare a.deck c.deck --against a.deck -n 2 {FEW}")
    play(f"impact a.deck --against a.deck -n 2 {FEW}")
    play(f"impact a.deck --redraws --against a.deck -n 2 {FEW}")
    Path("plan.toml").write_text(PLAN)
    play("expect plan.toml -q -j 1")
    play("replay a.deck c.deck --policy random")
    play(f"scenario {ROOT / SCENARIO}")


PLAN = """\
[experiments.few]
decks = ["a.deck", "c.deck"]
games = 2
policies = ["random"]
expect = ["win_rate(*) < 55%"]
"""


def test_a_search_is_no_deck() -> None:
    play(f"tune a.deck --against a.deck -n 400 {FEW}")
    play(f"build gwent/standard --faction monsters --against a.deck -n 400 {FEW}")


@pytest.mark.slow
def test_a_mix_and_a_balanced_field_are_no_decks() -> None:
    play(f"solve gwent/standard --faction monsters -n 400 --rounds 1 {FEW}")
    shutil.copy(GOOD.with_name("nr_siege_masters.deck"), "c.deck")
    Path("plan.toml").write_text(
        'decks = ["a.deck", "c.deck"]\npolicy = "random"\ngames = 2\n'
        "[targets]\ndeck = 50.001\n[bounds]\nstrength = 1\n"
    )
    play("balance plan.toml -q -j 1")


FEW = "-q --policy random -j 1"
TABLES = ("table", "json", "csv", "markdown")
RESULTS = (*TABLES, "line", "html", "parquet")
RUNS = (*RESULTS, "standings", "matrix")
PLAYED = {
    "simulate": RUNS,
    "meta": RESULTS,
    "compare": RESULTS,
    "impact": RESULTS,
    "expect": (*TABLES, "html", "parquet", "junit", "github", "gitlab"),
    "tune": RESULTS,
    "build": RESULTS,
    "solve": RESULTS,
    "balance": (*RESULTS, "set"),
    "replay": ("text", "line", "json", "markdown", "html"),
    "scenario": ("text", "json"),
}


def test_every_output_is_tried() -> None:
    tried = {
        (words[0], words[words.index("--output-format") + 1])
        for words in map(str.split, PRINTED)
        if "--output-format" in words
    }
    tried |= {(name, each) for name, outputs in PLAYED.items() for each in outputs}
    # These write as `simulate` does.
    tried |= {(name, each) for name in ("resume", "report") for each in RUNS}

    known = {
        (command.name, word)
        for command in COMMANDS
        for setting in load_command(command.name).settings
        if setting.name == "output_format"
        for word in setting.words or ()
    }
    assert known <= tried
    assert {name for name, _ in known} >= {"validate", "simulate", "scenario", "event"}


def test_outputs_that_say_so_are_left_out_with_a_note(capsys: Captured) -> None:
    for file, encoding, arguments in (
        ("json.json", "utf-8", "validate a.deck b.deck --output-format json"),
        ("schema.json", "utf-8", "schema deck"),
        ("event.yaml", "utf-8", f"event {EVENT} --output-format json"),
        # As `>` of PowerShell writes them.
        ("cards.txt", "utf-16-le", "cards list --output-format json"),
        ("clean.json", "utf-16-be", "validate a.deck --output-format sarif"),
    ):
        mark = "" if encoding == "utf-8" else "\ufeff"
        text = mark + printed(capsys, *arguments.split())
        Path(file).write_text(text, encoding=encoding)
        assert main(["validate", ".", "--show-files"]) == 0, file
        note = f"note: `{file}` is left out: {OUTPUT_KIND}\n"
        assert capsys.readouterr() == ("a.deck\nb.deck\n", note), file
        Path(file).unlink()


@pytest.fixture
def letter() -> str:
    """A letter of deckcheck to a player."""
    event = str(EXAMPLES / "tournament" / "event.toml")
    assert main(["event", event, "--letters", "letters", "-qq"]) == 0
    return Path("letters/ben_ito.txt").read_text(encoding="utf-8")


def test_letters_of_an_event_are_left_out(letter: str, capsys: Captured) -> None:
    assert main(["validate", ".", "--show-files"]) == 0

    captured = capsys.readouterr()
    assert captured.out == "a.deck\nb.deck\n"
    assert captured.err.count(f"is left out: {LETTER_KIND}\n") == 3
    # A letter that somebody changed is none.
    assert find_generated_kind(letter, "ben.txt") == LETTER_KIND
    changed = letter.replace("Ben Ito", "Ben Otto")
    assert find_generated_kind(changed, "ben.txt") is None
    unsigned = f"3 Scorch\n{LETTER_SIGN}0123456789abcdef\n"
    assert find_generated_kind(unsigned, "ben.txt") is None


def test_a_list_that_quotes_a_letter_is_a_finding(letter: str) -> None:
    """As in a reply by mail: neither may hide the list."""
    deck = GOOD.read_text(encoding="utf-8")
    quoted = "".join(f"> {line}\n" for line in letter.splitlines())
    message = "Cannot be read as a deck: it contains a letter of deckcheck"
    help = "Keep the lines of the list alone, or take the file away"
    for text in (letter + deck, deck + letter, deck + quoted, quoted + deck):
        assert find_generated_kind(text, "ben.txt") is None
        [report] = Validator().check_file(DeckText("ben.txt", text))
        [finding] = report.findings
        assert (finding.message, finding.help) == (message, help), text


DATA = (
    *("card_db/gwent/formats/standard.yaml", "card_db/gwen_t/formats/one_round.yaml"),
    *("card_db/gwent/cards.yaml", "card_db/gwent/leaders.yaml", SCENARIO),
    *("examples/sg_gwint/club.yaml", "examples/sg_gwint/club_cards.yaml"),
    *("examples/what_if/catapult.yaml", "examples/what_if/what_if.yaml"),
    *("examples/balance/heavy_longships.yaml", "examples/balance/league.yaml"),
)


def test_data_in_a_folder_are_left_out_with_a_note() -> None:
    for source in DATA:
        shutil.copy(ROOT / source, "data.yaml")
        left_out = LeftOut()
        files = find_deck_files(["."], left_out=left_out)
        assert [file.path for file in files] == ["a.deck", "b.deck"], source
        assert left_out.notes == [f"`data.yaml` is left out: {DATA_KIND}"], source
        assert left_out.recognised == 1, source


DECKS = {
    "a.yaml": (
        "name: X\nnote: the rules\ncards: {Ballista: 2}\n",
        "format: gwent/standard\nleader: X\n",
        "title: X\nleader: Y\ncards: {Ballista: 2}\n",
        "cards:\n  - Ballista\n  - Catapult: 2\n",
        "crads: {Ballista: 2}\n",
        # Keys that are none of a deck hide none.
        "language: de\nleader: X\ncards: {Ballista: 2}\n",
        "language: de\ncards: {Ballista: 2}\n",
        "title: X\nplayers: [Ben]\ncards: {Ballista: 2}\n",
        "extends: gwent/standard\ncards: {Ballista: 2}\n",
        "leader: X\nremove: [Scorch]\nhistory: none\n",
        "cards:\n  - id: 5\n    name: Ballista\n    count: 2\n",
        "cards: [{id: ballista, name: Ballista, count: 2}]\n",
        *("language: de\n", "title: League\n"),
    ),
    "a.json": (
        *('{"name": "X", "cards": {"Ballista": 2}}', '{"crads": {"Ballista": 2}}'),
        '{"schema_version": 3, "deck": {"cards": {"Ballista": 2}}}',
        '{"tool": {"name": "deckcheck"}, "cards": {"Ballista": 2}}',
    ),
    "a.txt": (
        *("Name: 3 decks checked\n2 Ballista\n", "- 3x Ballista\n- 2 Catapult\n"),
        "[x] 3 Ballista\n[ ] 2 Catapult\n",
        "# configuration of mine\n# with two lines\n3 Ballista\n",
        *("# fingerprint 4421874f26ec\n3 Ballista\n", "Ballista  Catapult  Decoy\n"),
        *("count  card  strength\n3  Ballista  6\n", "deck: x.deck\n3 Ballista\n"),
        "Format: gwent/standard (2025-10)\n3 Ballista\n",
        # A table of decks whose file is called by another name.
        "name,format,leader,count,card\nSiege,gwent/standard,x,1,Roach\n",
    ),
    "a.deck": ("error[DL102] too-many-cards: 2\n",),
    "<stdin>": ("constraints: {}\n",),
}


def test_a_deck_is_taken_for_one() -> None:
    for name, texts in DECKS.items():
        for text in texts:
            assert find_generated_kind(text, name) is None, text
    for file in sorted((ROOT / "examples" / "broken").rglob("*.[jyt]*")):
        text = file.read_text(encoding="utf-8", errors="replace")
        assert find_generated_kind(text, str(file)) is None, file


@pytest.mark.parametrize("part", ["/", "a.deck ", ":1", "- a", ", ", "a  ", "{,", "\n"])
def test_long_files_are_looked_at_in_little_time(part: str) -> None:
    """Each would take for ever if the time grew with the square of the length."""
    text = part * (2**20 // len(part))

    for name in ("a.txt", "a.yaml", "a.json"):
        for start in ("", "# ", "{", "a/"):
            assert find_generated_kind(start + text, name) is None
            find_other_format(start + text, name, "text")


def test_strange_files_in_a_folder_are_findings(capsys: Captured) -> None:
    Path("b.deck").unlink()
    os.mkfifo("pipe.csv")
    os.symlink("nowhere", "link.deck")

    assert main(["validate", ".", "--output-format", "concise"]) == 1

    captured = capsys.readouterr()
    start = ":1:1: error[DP113] not-a-deck: Cannot be read as a deck: "
    assert captured.out == (
        f"link.deck{start}it does not exist\n"
        f"pipe.csv{start}it is a named pipe, not a file\n"
        "3 decks checked, 1 legal, 2 illegal (2 errors)\n"
    )
    assert captured.err == ""


def test_who_wants_quiet_is_not_told_what_is_left_out(
    letter: str, capsys: Captured
) -> None:
    Path("lists").mkdir()
    shutil.copy("a.deck", "lists/anna.deck")
    shutil.copy("letters/ben_ito.txt", "lists/letter.txt")
    Path("event.toml").write_text(
        'name = "Cup"\ndate = "2026-01-01"\nformat = "gwent/standard"\n'
        'lists = "lists"\nplayers = ["anna"]\n'
    )
    for arguments in ("validate .", "validate a.deck --fix", "event event.toml"):
        for quiet in ("-q", "-qq"):
            main([*arguments.split(), quiet])
            assert capsys.readouterr().err == "", (arguments, quiet)
    main(["event", "event.toml"])
    note = f"note: `lists/letter.txt` is left out: {LETTER_KIND}\n"
    assert capsys.readouterr().err == note


def test_a_folder_of_outputs_alone_holds_no_deck(capsys: Captured) -> None:
    Path("out").mkdir()
    main(["validate", "a.deck", "--output-format", "json:out/found.json"])
    error = stderr_of(capsys, "validate", "out")

    left_out = "`out/found.json` is left out: an output of deckcheck"
    assert error == f"error: Nothing is left to read: {left_out}\nhelp: Name a deck\n"


@pytest.mark.parametrize("target", [".", "*.*", "all"])
def test_what_this_run_writes_is_not_read(folder: Path, target: str) -> None:
    # From an earlier run, so that it is there when the shell spreads the pattern.
    Path("rr.json").touch()
    named = sorted(os.listdir(folder)) if target == "all" else [target]
    command = ["-m", "deckcheck", "validate", *named, "--output-format", "json"]
    with open("rr.json", "w", encoding="utf-8") as stream:
        done = subprocess.run(
            [sys.executable, *command],
            stdout=stream,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    written = Path("rr.json").read_text(encoding="utf-8")

    assert done.returncode == 1
    assert '"decks": 2' in written
    assert "rr.json" not in written
    assert done.stderr == "note: `rr.json` is an output of this run\n"


def test_a_named_pipe_does_not_hang(capsys: Captured) -> None:
    for name in ("pipe.deck", "pipe.csv"):
        os.mkfifo(name)
        error = stderr_of(capsys, "validate", name)
        assert f"Cannot read `{name}`: a named pipe, not a file\n" in error
        assert "help: Pass `-` and feed it on standard input\n" in error
    main(["validate", ".", "--output-format", "concise"])
    assert "it is a named pipe, not a file" in capsys.readouterr().out


def test_no_command_reads_a_device(capsys: Captured) -> None:
    for command in (
        *("fmt", "convert --to json", "formats --for", "validate --files-from"),
    ):
        error = stderr_of(capsys, *command.split(), "/dev/zero")
        assert "a device, not a file" in error, command


def test_a_process_substitution_is_read(capsys: Captured) -> None:
    end, start = os.pipe()
    os.write(start, Path("a.deck").read_bytes())
    os.close(start)

    assert main(["validate", f"/dev/fd/{end}", "-q"]) == 0
    os.close(end)


# How a text without a suffix is written.


CONTENTS = {
    "text": (
        *("", "Leader: X\n\n2 Ballista\n", "Cards:\n3 Ballista\n- 2x Catapult\n"),
        *("cards:\n- 3 Ballista\n", "[ ] 3 Ballista\n[x] 2 Catapult\n"),
        *("Ballista, card of cards\n", "card\nBallista\n"),
    ),
    "yaml": (
        *("name: X\ncards:\n  Ballista: 2\n", "cards: {Ballista: 2}\n"),
        "cards:\n- Blue Stripes Commando: 3\n",
        "decks:\n- name: X\n  cards: [Ballista]\n",
    ),
    "json": (
        *('\ufeff {"cards": ["Ballista"]}', '[{"cards": ["Ballista"]}]'),
        "[" * 100_000,
    ),
    "csv": (
        *("count,card\n2,Ballista\n", '"Card";"Count"\r\nBallista;2\r\n'),
        *("deck\tcount\tcard\nA\t2\tBallista\n", "Sep=;\ncard;count\nBallista;2\n"),
    ),
}


def test_content_tells() -> None:
    for way, texts in CONTENTS.items():
        for text in texts:
            assert guess_by_content(text) == way, text[:80]
