"""Files of deckcheck's own among decks: left out of folders, and no decks by name."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deckcheck.cli import main
from deckcheck.cli.commands import COMMANDS, load_command
from deckcheck.cli.values import has_words, words_of
from deckcheck.decks import find_deck_files
from deckcheck.decks.recognising import HEAD, not_a_deck

Captured = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[2]
GOOD = ROOT / "decks" / "gwent" / "standard" / "mo_swarm.deck"
EXAMPLES = ROOT / "examples"
BAD = ROOT / "decks" / "gwent" / "broken" / "misspelt-card.deck"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two decks."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(GOOD, "a.deck")
    shutil.copy(BAD, "b.deck")
    return tmp_path


def printed(capsys: Captured, *arguments: str) -> str:
    main(list(arguments))
    return capsys.readouterr().out


SCENARIO = "tests/scenarios/gwent/1.2/gems_option.yaml"
EVENT = f"{EXAMPLES}/troubled-tournament/event.toml"
PRINTED = [
    *(
        f"validate a.deck b.deck --output-format {name}"
        for name in (
            *("full", "concise", "json", "jsonl", "github", "gitlab", "sarif"),
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
    "validate b.deck --color always",
    "validate a.deck b.deck --show-files",
    "validate --show-settings",
    "validate late.deck --diff",
    "validate --help",
    "cards list --output-format table",
    "cards list --output-format json",
    "cards list --game deckmaster",
    "cards list --game gwen_t",
    "cards find francesca",
    "cards show kambi",
    "cards show siegemaster",
    "cards show kambi --color always",
    "formats --output-format table",
    "formats --output-format json",
    "formats show gwent/standard",
    "formats show deckmaster/standard",
    "formats diff gwent/standard gwent/advanced",
    "formats --for a.deck",
    "formats --for b.deck",
    "stats a.deck --output-format table",
    "stats a.deck --output-format json",
    "rule",
    "rule DL103",
    "schema deck",
    "fmt a.deck --check",
    "fmt a.deck --diff",
]
"""All that commands print which is no deck, but for what takes its time."""


@pytest.mark.parametrize("arguments", PRINTED)
def test_what_is_printed_is_no_deck_whatever_it_is_called(
    arguments: str, capsys: Captured
) -> None:
    Path("late.deck").write_text("2 Ghoul\nFormat: gwent/standard\n")
    text = printed(capsys, *arguments.split())
    assert text

    for name in ("x.txt", "x.json", "x.yaml", "x"):
        assert not_a_deck(text[:HEAD], name) is not None, name


def play(arguments: str) -> None:
    """Run a command in all its outputs, each of which has to be recognised."""
    command, *words = arguments.split()
    for each in PLAYED[command]:
        words += ["--output-format", f"{each}:{command}.{each}"]
    if command == "scenario":
        # It is uncompiled, and so cannot run in this process.
        subprocess.run([sys.executable, "-m", "deckcheck", command, *words], check=True)
    else:
        assert main([command, *words]) == 0
    for each in PLAYED[command]:
        text = Path(f"{command}.{each}").read_text(encoding="utf-8")
        kind = not_a_deck(text[:HEAD], f"{command}.txt")
        assert kind == "an output of deckcheck", (command, each, text[:300])


def test_what_is_played_is_no_deck() -> None:
    shutil.copy(GOOD.with_name("nr_siege_masters.deck"), "c.deck")

    play(f"simulate a.deck c.deck -n 2 {FEW} --run run")
    play("resume run -q -j 1")
    play("report run")
    play("meta run")
    play(f"compare a.deck c.deck --against a.deck -n 2 {FEW}")
    play(f"impact a.deck --against a.deck -n 2 {FEW}")
    Path("plan.toml").write_text(PLAN)
    play("check plan.toml -q -j 1")
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
def test_a_mix_is_no_deck() -> None:
    play(f"solve gwent/standard --faction monsters -n 400 --rounds 1 {FEW}")


@pytest.mark.slow
def test_a_balanced_field_is_no_deck() -> None:
    shutil.copy(GOOD.with_name("nr_siege_masters.deck"), "c.deck")
    Path("plan.toml").write_text(
        'decks = ["a.deck", "c.deck"]\npolicy = "random"\ngames = 2\n'
        "[targets]\ndeck = 50.001\n[bounds]\nstrength = 1\n"
    )
    play("balance plan.toml -q -j 1")


FEW = "-q --policy random -j 1"
TABLES = ("table", "json", "csv", "markdown")
RESULTS = (*TABLES, "html")
PLAYED = {
    "simulate": RESULTS,
    "resume": RESULTS,
    "report": RESULTS,
    "meta": RESULTS,
    "compare": RESULTS,
    "impact": RESULTS,
    "check": (*TABLES, "junit", "github", "gitlab"),
    "tune": RESULTS,
    "build": RESULTS,
    "solve": RESULTS,
    "balance": (*RESULTS, "set"),
    "replay": ("text", "json", "markdown"),
    "scenario": ("text", "json"),
}


def test_every_output_is_tried() -> None:
    tried = {
        (words[0], words[words.index("--output-format") + 1])
        for words in map(str.split, PRINTED)
        if "--output-format" in words
    }
    tried |= {(name, each) for name, outputs in PLAYED.items() for each in outputs}

    known = {
        (command.name, word)
        for command in COMMANDS
        for param in load_command(command.name).params
        if param.name == "output_format" and has_words(param)
        for word in words_of(param)
    }
    assert known <= tried
    assert {name for name, _ in known} >= {"validate", "simulate", "scenario", "event"}


@pytest.mark.parametrize(
    ("file", "arguments"),
    [
        ("json.json", "validate a.deck b.deck --output-format json"),
        ("gitlab.json", "validate b.deck --output-format gitlab"),
        ("clean.json", "validate a.deck --output-format gitlab"),
        ("sarif.json", "validate b.deck --output-format sarif"),
        ("rdjson.json", "validate b.deck --output-format rdjson"),
        ("counts.json", "validate b.deck --statistics --output-format json"),
        ("full.txt", "validate b.deck"),
        ("clean.txt", "validate a.deck"),
        ("concise.txt", "validate b.deck --output-format concise"),
        ("github.txt", "validate b.deck --output-format github"),
        ("page.txt", "validate b.deck --output-format markdown"),
        ("counts.txt", "validate b.deck --statistics"),
        ("schema.json", "schema deck"),
        ("formats.json", "formats list --output-format json"),
        ("legal.json", "formats --for a.deck --output-format json"),
        ("cards.json", "cards list --output-format json"),
        ("sound.txt", f"event {EXAMPLES}/tournament/event.toml"),
        ("event.txt", f"event {EXAMPLES}/troubled-tournament/event.toml"),
        (
            "event-page.txt",
            f"event {EXAMPLES}/tournament/event.toml --output-format markdown",
        ),
        (
            "event.json",
            f"event {EXAMPLES}/tournament/event.toml --output-format json",
        ),
    ],
)
def test_outputs_in_a_folder_are_left_out_with_a_note(
    file: str, arguments: str, capsys: Captured
) -> None:
    Path(file).write_text(printed(capsys, *arguments.split()), encoding="utf-8")

    assert main(["validate", ".", "--show-files"]) == 0

    captured = capsys.readouterr()
    assert captured.out == "a.deck\nb.deck\n"
    kind = "a JSON Schema" if file == "schema.json" else "an output of deckcheck"
    assert captured.err == f"note: `{file}` is left out: {kind}\n"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_outputs_in_utf_16_are_left_out(encoding: str, capsys: Captured) -> None:
    """As `>` of PowerShell writes them."""
    text = "\ufeff" + printed(capsys, "cards", "list")
    Path("cards.txt").write_text(text, encoding=encoding)

    assert main(["validate", ".", "--show-files"]) == 0
    note = "note: `cards.txt` is left out: an output of deckcheck\n"
    assert capsys.readouterr() == ("a.deck\nb.deck\n", note)


def test_misuse_that_was_kept_is_left_out(capsys: Captured) -> None:
    assert main(["cards", "--kind", "unti"]) == 2
    Path("log.txt").write_text(capsys.readouterr().err)

    assert main(["validate", ".", "--show-files"]) == 0
    assert capsys.readouterr().out == "a.deck\nb.deck\n"


def test_seals_and_letters_of_an_event_are_left_out(capsys: Captured) -> None:
    event = str(EXAMPLES / "tournament" / "event.toml")
    assert main(["event", event, "--seal", "seal.json", "--letters", ".", "-qq"]) == 0

    assert main(["validate", ".", "--show-files"]) == 0
    captured = capsys.readouterr()
    assert captured.out == "a.deck\nb.deck\n"
    for file in ("seal.json", "anna_nowak.txt", "ben_ito.txt", "carla_rossi.txt"):
        assert f"note: `{file}` is left out: an output of deckcheck\n" in captured.err


@pytest.mark.parametrize(
    "source",
    [
        "card_db/gwent/formats/standard.yaml",
        "card_db/gwen_t/formats/one_round.yaml",
        "card_db/gwent/cards.yaml",
        "card_db/gwent/leaders.yaml",
        "card_db/gwent/game.yaml",
        "card_db/gwent/names/de.yaml",
        SCENARIO,
        "examples/sg_gwint/club.yaml",
        "examples/sg_gwint/club_cards.yaml",
        "examples/what_if/catapult.yaml",
        "examples/what_if/what_if.yaml",
    ],
)
def test_data_in_a_folder_are_left_out_with_a_note(source: str) -> None:

    shutil.copy(ROOT / source, "data.yaml")
    notes: list[str] = []

    files = find_deck_files(["."], notes=notes)

    assert [file.path for file in files] == ["a.deck", "b.deck"]
    assert notes == ["`data.yaml` is left out: a format, a scenario or card data"]


@pytest.mark.parametrize(
    "text",
    [
        "change: {catapult: {strength: 10}}\n",
        "remove: [Scorch]\n",
        "cards:\n- name: Winter\n  id: winter\n  kind: unit\n",
        "cards: [{id: winter, name: Winter}]\n",
        "leaders:\n  - id: x\n",
        "- id: winter\n  name: Winter\n",
        "title: League\n",
    ],
)
def test_sets_are_no_decks(text: str) -> None:
    assert not_a_deck(text, "set.yaml") == "a format, a scenario or card data"


@pytest.mark.parametrize("file", sorted((ROOT / "decks").rglob("*.[jyt]*")))
def test_every_deck_of_ours_is_taken_for_one(file: Path) -> None:
    text = file.read_text(encoding="utf-8", errors="replace")

    assert not_a_deck(text, str(file)) is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "name: X\nnote: the rules\ncards: {Ballista: 2}\n"),
        ("a.yaml", "format: gwent/standard\nleader: X\n"),
        ("a.json", '{"name": "X", "cards": {"Ballista": 2}}'),
        ("a.txt", "Name: 3 decks checked\n2 Ballista\n"),
        ("a.deck", "error[DL102] too-many-cards: 2\n"),
        ("a.txt", "- 3x Ballista\n- 2 Catapult\n"),
        ("a.txt", "[x] 3 Ballista\n[ ] 2 Catapult\n"),
        ("a.txt", "# configuration of mine\n# with two lines\n3 Ballista\n"),
        ("a.txt", "# digest 4421874f26ec\n3 Ballista\n"),
        ("a.txt", "count  card  strength\n3  Ballista  6\n"),
        ("a.txt", "Ballista  Catapult  Decoy\n"),
        ("a.txt", "deck: x.deck\n3 Ballista\n"),
        ("a.txt", "Format: gwent/standard (2025-10)\n3 Ballista\n"),
        ("a.yaml", "title: X\nleader: Y\ncards: {Ballista: 2}\n"),
        ("a.yaml", "cards:\n  - Ballista\n  - Catapult: 2\n"),
        ("a.yaml", "crads: {Ballista: 2}\n"),
        ("a.json", '{"crads": {"Ballista": 2}}'),
        ("<stdin>", "cards: [{id: x}]"),
        # A table of decks whose file is called by another name.
        ("a.txt", "name,format,leader,count,card\nSiege,gwent/standard,x,1,Roach\n"),
        ("a.json", "name,format,faction,leader,card\nS,gwent/standard,x,y,Roach\n"),
    ],
)
def test_a_deck_is_taken_for_one(name: str, text: str) -> None:
    assert not_a_deck(text, name) is None


@pytest.mark.parametrize("part", ["/", "a.deck ", ":1", "- a", ", ", "a  ", "{,", "\n"])
def test_long_files_are_looked_at_in_little_time(part: str) -> None:
    """Each would take for ever if the time grew with the square of the length."""
    text = part * (2**20 // len(part))

    for name in ("a.txt", "a.yaml", "a.json"):
        for start in ("", "# ", "{", "a/"):
            assert not_a_deck(start + text, name) is None


def test_by_name_it_is_one_finding(capsys: Captured) -> None:
    report = printed(capsys, "validate", "b.deck", "--output-format", "json")
    Path("r.json").write_text(report, encoding="utf-8")

    assert main(["validate", "r.json", "--output-format", "concise"]) == 1

    assert capsys.readouterr().out.startswith(
        "r.json:1:1: error[DP202] malformed-deck: "
        "File is an output of deckcheck, not a deck\n1 deck"
    )


def test_a_configuration_by_name_is_one_finding(capsys: Captured) -> None:
    Path("deckcheck.toml").write_text('fail-on = "warning"\n', encoding="utf-8")

    assert main(["validate", "deckcheck.toml", "--output-format", "concise"]) == 1

    assert capsys.readouterr().out.startswith(
        "deckcheck.toml:1:1: error[DP202] malformed-deck: "
        "File is a configuration or an event, not a deck\n1 deck"
    )


def test_strange_files_in_a_folder_are_left_out_with_a_note(capsys: Captured) -> None:
    for name in ("pipe.deck", "pipe.csv"):
        os.mkfifo(name)
    os.symlink("nowhere", "link.deck")

    assert main(["validate", ".", "--show-files"]) == 0

    captured = capsys.readouterr()
    assert captured.out == "a.deck\nb.deck\n"
    assert captured.err == (
        "note: `link.deck` is left out: it does not exist\n"
        "note: `pipe.csv` is left out: it is a named pipe, not a file\n"
        "note: `pipe.deck` is left out: it is a named pipe, not a file\n"
    )


@pytest.mark.parametrize("quiet", ["-q", "-qq"])
def test_who_wants_quiet_is_not_told_what_is_left_out(
    quiet: str, capsys: Captured
) -> None:
    Path("r.txt").write_text("error[DL102] x\n", encoding="utf-8")
    Path("lists").mkdir()
    shutil.copy("a.deck", "lists/anna.deck")
    os.mkfifo("lists/pipe.deck")
    Path("event.toml").write_text(
        'name = "Cup"\ndate = "2026-01-01"\nformat = "gwent/standard"\n'
        'lists = "lists"\nplayers = ["anna"]\n'
    )
    for arguments in ("validate .", "validate a.deck --fix", "event event.toml"):
        main([*arguments.split(), quiet])
        assert capsys.readouterr().err == "", arguments

    main(["event", "event.toml"])
    assert capsys.readouterr().err == (
        "note: `lists/pipe.deck` is left out: it is a named pipe, not a file\n"
    )


def test_a_folder_of_outputs_alone_holds_no_deck(capsys: Captured) -> None:
    Path("out").mkdir()
    Path("out/empty.json").write_text("[]\n", encoding="utf-8")

    assert main(["validate", "out"]) == 2

    assert capsys.readouterr().err == (
        "error: Nothing is left to read: "
        "`out/empty.json` is left out: an output of deckcheck\n"
        "help: Name a deck\n"
    )


@pytest.mark.parametrize("target", [".", "*.*", "all"])
def test_what_this_run_writes_is_not_read(folder: Path, target: str) -> None:
    # The second time the file is there when the shell spreads the pattern.
    for _ in range(2):
        named = sorted(os.listdir(folder)) if target == "all" else [target]
        with open(folder / "rr.json", "w", encoding="utf-8") as stream:
            done = subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "deckcheck",
                    "validate",
                    *named,
                    "--output-format",
                    "json",
                ],
                stdout=stream,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
                cwd=folder,
            )
        written = (folder / "rr.json").read_text(encoding="utf-8")
        assert done.returncode == 1
        assert '"decks": 2' in written
        assert "rr.json" not in written
    assert done.stderr == "note: `rr.json` is what this run writes to\n"


@pytest.mark.parametrize("name", ["pipe.deck", "pipe.csv"])
def test_a_named_pipe_does_not_hang(name: str, capsys: Captured) -> None:
    os.mkfifo(name)

    assert main(["validate", name]) == 2
    assert capsys.readouterr().err == (
        f"error: Cannot read `{name}`: a named pipe, not a file\n"
        "help: Pass `-` and feed it on standard input\n"
    )
    assert main(["validate", ".", "--show-files"]) == 0
    assert capsys.readouterr().out == "a.deck\nb.deck\n"


@pytest.mark.parametrize("command", ["fmt", "convert --to json", "formats --for"])
def test_no_command_reads_a_device(command: str, capsys: Captured) -> None:
    assert main([*command.split(), "/dev/zero"]) == 2
    assert "a device, not a file" in capsys.readouterr().err


def test_a_list_of_files_is_no_device(capsys: Captured) -> None:
    assert main(["validate", "--files-from", "/dev/zero"]) == 2
    assert capsys.readouterr().err == (
        "error: Cannot read `/dev/zero`: a device, not a file\n"
    )


def test_a_process_substitution_is_read(capsys: Captured) -> None:
    end, start = os.pipe()
    os.write(start, Path("a.deck").read_bytes())
    os.close(start)

    assert main(["validate", f"/dev/fd/{end}", "-q"]) == 0
    os.close(end)
