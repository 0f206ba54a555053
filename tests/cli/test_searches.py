"""The commands that search: `balance`, `build`, `solve` and `tune`."""

import csv
import io
import json
from pathlib import Path

import jsonschema
import pytest
from helpers.commands import stderr_of, stdout_of
from helpers.outputs import assert_tidy, closed_schema

import deckcheck
from deckcheck.cli import main
from deckcheck.formats import load_format
from deckcheck.sim.run_directory import open_study
from deckcheck.studies.registry import KINDS
from tools.balancing import write_field

# `deckcheck balance` as it is typed.

Captured = pytest.CaptureFixture[str]
PLAN = 'decks = ["north.deck", "east.deck"]\nformat = "league.yaml"\n'
TARGETS = "[targets]\ndeck = 55\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    plan = write_field(tmp_path, "north", 20, 1)
    text = plan.read_text().replace('"heuristic-1"', '"sane_random"')
    plan.write_text(text.replace(", 'south.deck', 'west.deck'", ""))
    return tmp_path


def test_every_output_of_a_run_and_again(capsys: Captured) -> None:
    outputs = [
        "--output-format=json:a.json",
        "--output-format=csv:a.csv",
        "--output-format=set:a-cards.yaml",
        "--output-format=markdown",
    ]
    assert main(["balance", "plan.toml", "--run", "run", "-j", "1", *outputs]) == 0

    text = capsys.readouterr().out
    assert text.startswith("It is not clear what to change")
    document = json.loads(Path("a.json").read_text())
    jsonschema.validate(document, closed_schema("balance"))
    rows = list(csv.DictReader(io.StringIO(Path("a.csv").read_text())))
    after = [row for row in rows if row["metric"] == "win_rate_after"]
    assert [row["deck"] for row in after] == ["The north", "The east"]
    assert float(after[0]["value"]) == document["targets"][0]["after"]["win_rate"]
    frame = assert_tidy(open_study(Path("run"), KINDS).outcome(), "win_rate_after")
    assert len(frame) == len(rows)
    again = [each.replace(":a", ":b") for each in outputs]
    assert stdout_of(capsys, "resume", "run", "-j", "1", *again) == text
    assert main(["report", "run", "--output-format", "json:c.json"]) == 0
    assert Path("c.json").read_bytes() == Path("a.json").read_bytes()
    for name in ("csv", "json"):
        assert Path(f"a.{name}").read_bytes() == Path(f"b.{name}").read_bytes()
    assert Path("a-cards.yaml").read_bytes() == Path("b-cards.yaml").read_bytes()


def test_the_set_is_one_for_a_format(capsys: Captured) -> None:
    outputs = ["--output-format", "set:new.yaml", "--output-format", "json"]
    assert main(["balance", "plan.toml", "-q", *outputs]) == 0
    found = json.loads(capsys.readouterr().out)["balanced"]
    Path("next.yaml").write_text(
        "title: Next\nextends: ./league.yaml\nsets: [new.yaml]\n"
    )
    fmt = load_format("./next.yaml")
    changed = {c.record.id: c.now for c in fmt.changes if c.set.endswith("new.yaml")}

    assert found
    assert set(changed) == {each["id"] for each in found}
    for each in found:
        for key, value in each["now"].items():
            assert getattr(changed[each["id"]], key) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (PLAN, "No target given"),
        (PLAN + TARGETS + "[bounds]\nstrength = 0\n", "Nothing may be changed"),
        (PLAN + "[targets]\ndeck = 40\n", "`deck` is 0 to 40 %, must lie around 50 %"),
        (PLAN + "[targets]\ndeck = '55'\n", "plan.toml:4:8: expected a percentage"),
        (PLAN + "gams = 3\n" + TARGETS, "plan.toml:3:1: unknown key `gams`"),
        (PLAN + "[targets]\nfaction = 55\n", "No two decks of this field are of"),
        ("decks = []\n" + TARGETS, "plan.toml:1:9: no deck is named"),
        ('decks = ["north.deck"]\nformat = "league.yaml"\n' + TARGETS, "at least 2"),
        (PLAN + 'weights = "gone.csv"\n' + TARGETS, "Cannot read `gone.csv`"),
        (PLAN + 'policy = "heuristc"\n' + TARGETS, "nknown policy `heuristc`"),
    ],
)
def test_what_is_wrong_with_a_plan(capsys: Captured, text: str, message: str) -> None:
    Path("plan.toml").write_text(text)

    assert message in stderr_of(capsys, "balance", "plan.toml")


def test_another_player_plays_the_proof_again(capsys: Captured) -> None:
    words = ["balance", "plan.toml", "-q"]
    alone = json.loads(stdout_of(capsys, *words, "--output-format", "json"))
    confirm = ["--confirm", "random", "--confirm-games", "30"]
    files = ["--output-format=json:a.json", "--output-format=csv:a.csv"]
    assert main([*words, "--full", "--output-format=table", *files, *confirm]) == 0
    found = json.loads(Path("a.json").read_text())

    jsonschema.validate(found, closed_schema("balance"))
    assert found["confirm"] == "random"
    assert found["balanced"] == alone["balanced"]
    assert found["games_played"] == alone["games_played"] + 30
    assert found["answer"].startswith(f"{alone['answer']}. Played by `random 1`: ")
    for seen, usual in zip(found["targets"], alone["targets"], strict=True):
        assert seen["confirmed"]["games"] == 30
        assert seen["confirmed"] != seen["after"] == usual["after"]
        assert (seen["confirmed_verdict"] is None) == (seen["verdict"] is None)
        assert usual["confirmed"] is usual["confirmed_verdict"] is None
    table = capsys.readouterr().out
    assert "Win rate in % after the changes, played by `random`\n" in table
    rows = list(csv.DictReader(io.StringIO(Path("a.csv").read_text())))
    [confirmed, _] = [r for r in rows if r["metric"] == "win_rate_confirmed"]
    assert float(confirmed["value"]) == found["targets"][0]["confirmed"]["win_rate"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--confirm", "heuristc"], "nknown policy `heuristc`"),
        (["--confirm-games", "9"], "`--confirm-games` goes with `--confirm` only"),
        (["--confirm", "random", "--confirm-games", "0"], "`--confirm-games` is 0"),
    ],
)
def test_a_player_who_cannot_confirm(
    capsys: Captured, options: list[str], message: str
) -> None:
    assert message in stderr_of(capsys, "balance", "plan.toml", *options)


def test_an_illegal_deck_stops_it(capsys: Captured) -> None:
    with open("north.deck", "a") as deck:
        deck.write("2 plain_north_a\n")

    assert main(["balance", "plan.toml"]) == 1
    said = capsys.readouterr()
    assert "too-many-copies" in said.out
    assert "No game was played" in said.err


# `deckcheck build` as it is typed.

DECKS = Path(__file__).parents[2] / "decks"
STANDARD_DECKS = DECKS / "gwent" / "standard"
SWARM = str(STANDARD_DECKS / "mo_swarm.deck")
FEW = ["--against", SWARM, "--policy", "sane_random", "-j", "1"]
STANDARD = ["build", "gwent/standard", *FEW]


def refused(capsys: Captured, *arguments: str) -> str:
    assert main(list(arguments)) == 2
    return capsys.readouterr().err


def test_json_fits_its_schema_and_the_deck_is_legal(
    capsys: Captured, tmp_path: Path
) -> None:
    deck = tmp_path / "built.deck"
    words = ["--faction", "Skellige", "-n", "4000", "--output-format", "json"]
    document = json.loads(stdout_of(capsys, *STANDARD, *words, "--deck", str(deck)))
    jsonschema.validate(document, closed_schema("build"))
    assert document["faction"] == "skellige"
    assert document["base"] is None
    assert document["deck"] == "Skellige, built"
    assert document["text"] == deck.read_text(encoding="utf-8")
    assert document["proof"]["field"]["win_rate"]["win_rate"] > 0.5
    assert main(["validate", str(deck)]) == 0


def test_all_factions_without_one(capsys: Captured) -> None:
    lines = stdout_of(capsys, *STANDARD, "-n", "2500", "--full").splitlines()
    assert ", built` wins " in lines[0]
    assert any(line.startswith("searched  ") for line in lines)


@pytest.mark.parametrize(
    "command", [["build", "gwent/standard", "--faction", "Monsters"], ["tune", SWARM]]
)
def test_the_field_comes_by_its_weights(
    capsys: Captured, tmp_path: Path, command: list[str]
) -> None:
    """A name with a comma needs no quotes, and a wrong one is said with its line."""
    ships = (STANDARD_DECKS / "sk_longships.deck").read_text("utf-8")
    own = tmp_path / "built.deck"
    own.write_text(
        ships.replace("Name: Longships of Skellige", "Name: Skellige, built")
    )
    weights = tmp_path / "weights.csv"
    weights.write_text("Skellige, built,3\nThe swarm,1\n")
    words = [*command, "-n", "800", *FEW[2:], "--weights", str(weights)]
    words += ["--against", SWARM, str(own), "--output-format", "json"]
    shares = json.loads(stdout_of(capsys, *words))["shares"]
    assert shares == {"The swarm": 0.25, "Skellige, built": 0.75}
    weights.write_text("Skellige, built,3\nThe swamp,1\n")
    said = refused(capsys, *words)
    assert "weights.csv:2: no deck of this field is called `The swamp`" in said
    assert "Did you mean `The swarm`?" in said


def test_a_game_without_factions(capsys: Captured) -> None:
    field = str(next((DECKS / "gwen_t" / "pool").glob("*.deck")))
    words = ["--against", field, "--policy", "sane_random", "-n", "800", "-j", "1"]
    assert stdout_of(capsys, "build", "gwen_t/pool", *words).startswith("`Built` wins ")


def test_what_is_missing_or_wrong(capsys: Captured) -> None:
    assert "No format given" in refused(capsys, "build", *FEW)
    assert "no reference field" in refused(capsys, "build", "deckmaster/standard")
    assert "1,999 games are too few" in refused(capsys, *STANDARD, "-n", "1999")
    said = refused(capsys, *STANDARD, "--faction", "elves")
    assert "No decks of the faction `elves` in `gwent/standard`" in said
    said = refused(capsys, *STANDARD, "-f", "gwent/advanced")
    assert "Two formats given: `gwent/standard` and `gwent/advanced`" in said
    said = refused(capsys, "build", "monsters", "-f", "gwent/standard")
    assert "`monsters` is a faction, not a format" in said


def test_decks_that_are_shared_are_not_built(capsys: Captured) -> None:
    shared = str(next((DECKS / "deckmaster" / "standard").glob("*.deck")))
    said = refused(capsys, "build", "deckmaster/standard", "--against", shared)

    assert "no two meet there" in said


# `deckcheck solve` as it is typed.

SOLVE_STANDARD = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
SOLVE_SWARM = str(SOLVE_STANDARD / "mo_swarm.deck")
FAST = ["--games", "2000", "--rounds", "1", "--policy", "sane_random", "-j", "1"]


@pytest.fixture
def solve_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("solve_folder")
def test_every_output_of_solve_and_again(capsys: Captured) -> None:
    outputs = ["json:a.json", "csv:a.csv", "table"]
    asked = [word for each in outputs for word in ("--output-format", each)]
    more = ["--faction", "Monsters", "--against", SOLVE_SWARM, "--decks", "a.txt"]
    assert main(["solve", "gwent/standard", "--run", "run", *FAST, *more, *asked]) == 0

    text = capsys.readouterr().out
    assert text.startswith(("Bring `M", "It is not clear whether a", "The best mix so"))
    document = json.loads(Path("a.json").read_text())
    jsonschema.validate(document, closed_schema("solve"))
    assert document["factions"] == ["monsters"]
    assert not document["solved"]
    rows = list(csv.DictReader(io.StringIO(Path("a.csv").read_text())))
    assert (rows[0]["deck"], rows[0]["metric"]) == (
        document["field"][0]["name"],
        "share",
    )
    assert (rows[-1]["opponent"], rows[-1]["metric"]) == ("The swarm", "win_rate")
    assert deckcheck.validate("a.txt").legal
    again = [word.replace(":a", ":b") for word in asked]
    again += ["--output-format", "decks:b.txt"]
    assert stdout_of(capsys, "resume", "run", "-j", "1", *again) == text
    assert main(["report", "run", "--output-format", "json:c.json"]) == 0
    assert Path("c.json").read_bytes() == Path("a.json").read_bytes()
    assert "<h1>" in deckcheck.report_of("run")
    for name in ("json", "csv", "txt"):
        assert Path(f"a.{name}").read_bytes() == Path(f"b.{name}").read_bytes()


@pytest.mark.usefixtures("solve_folder")
def test_decks_to_begin_with(capsys: Captured) -> None:
    own = ["--start", SOLVE_SWARM, "--output-format", "json"]
    document = json.loads(stdout_of(capsys, "solve", "gwent/standard", *FAST, *own))
    assert document["rounds"][0]["decks"] == 1
    assert document["against"] is None
    found = deckcheck.solve(
        "gwent/standard", start=SOLVE_SWARM, games=2000, rounds=1, policy="sane_random"
    )
    assert found.checksum == document["checksum"]
    frame = assert_tidy(found, "share")
    assert frame.loc[frame["metric"] == "share", "deck"].tolist() == [
        each["name"] for each in document["field"]
    ]


@pytest.mark.usefixtures("solve_folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "No format given"),
        (["gwent/standrad"], "nknown format `gwent/standrad`"),
        (["gwent/standard", "--faction", "Elves"], "No decks of the faction `Elves`"),
        (
            ["gwent/standard", "--policy", "random", "--policy", "random"],
            "Several policies given",
        ),
        (["gwent/solo"], "no two meet there"),
    ],
)
def test_what_is_wrong(capsys: Captured, arguments: list[str], message: str) -> None:
    assert message in stderr_of(capsys, "solve", *arguments)


@pytest.mark.usefixtures("solve_folder")
class TestLineups:
    """In a format of matches a lineup is chosen."""

    LINEUPS = SOLVE_STANDARD.parent / "tournament"
    START = ("--start", str(LINEUPS))
    FAST = ("--games", "3000", "--policy", "random", "-j", "1")

    def test_every_output_of_a_run_and_again(self, capsys: Captured) -> None:
        outputs = ["json:a.json", "csv:a.csv", "html:a.html", "table"]
        asked = [word for each in outputs for word in ("--output-format", each)]
        field = sorted(map(str, self.LINEUPS.iterdir()))[:2]
        more = ["--confirm", "sane_random", "--confirm-games", "60", "--run", "run"]
        more += ["--decks", "a.txt", "--against", *field]
        command = ["solve", "gwent/tournament", *self.START, *self.FAST, *more, *asked]
        text = stdout_of(capsys, *command)
        assert "to bring `" in text.partition("\n\n")[0]
        assert "15 legal ones of 9 decks" in Path("a.html").read_text("utf-8")
        document = json.loads(Path("a.json").read_text())
        jsonschema.validate(document, closed_schema("solve-lineups"))
        assert document["field"] == ["crowns and claws", "daggers and mead"]
        assert len(document["openings"]) == len(document["opponents"]) == 2
        rows = list(csv.DictReader(io.StringIO(Path("a.csv").read_text())))
        best = ", ".join(document["lineups"][0]["decks"])
        assert [(row["deck"], row["metric"]) for row in rows[:3]] == [
            (best, "match_win_rate_promised"),
            (best, "match_win_rate"),
            (best, "match_win_rate_confirmed"),
        ]
        assert (rows[-1]["deck"], rows[-1]["opponent"]) == (best, "daggers and mead")
        assert "<h1>" in Path("a.html").read_text()
        assert deckcheck.validate("a.txt").legal
        again = [word.replace(":a", ":b") for word in asked]
        again += ["--output-format", "decks:b.txt"]
        assert stdout_of(capsys, "resume", "run", "-j", "1", *again) == text
        for name in ("json", "csv", "txt"):
            assert Path(f"a.{name}").read_bytes() == Path(f"b.{name}").read_bytes()

    def test_python_comes_to_the_same(self, capsys: Captured) -> None:
        command = ["solve", "gwent/tournament", *self.START, *self.FAST]
        document = json.loads(stdout_of(capsys, *command, "--output-format", "json"))
        jsonschema.validate(document, closed_schema("solve-lineups"))
        assert document["field"] == document["openings"] == []
        found = deckcheck.solve(
            "gwent/tournament", start=self.LINEUPS, games=3000, policy="random"
        )
        assert isinstance(found, deckcheck.LineupsResult)
        assert found.checksum == document["checksum"]
        frame = assert_tidy(found, "match_win_rate_promised")
        shares = [each["share"] for each in document["lineups"] if each["share"]]
        assert frame.loc[frame["metric"] == "share", "value"].tolist() == shares

    @pytest.mark.parametrize(
        ("arguments", "code", "message"),
        [
            ([], 2, "No decks to choose from"),
            (["--against", str(LINEUPS)], 2, "No decks to choose from"),
            ([*START, "--against", "reference"], 2, "has no reference field"),
            ([*START, "--against", SOLVE_SWARM], 1, "at most 130 allowed"),
            (["--start", SOLVE_SWARM], 1, "at most 130 allowed"),
            ([*START, "--bound", "2"], 2, "`--bound` does not apply to"),
            ([*START, "--rounds", "2"], 2, "`--rounds` does not apply to"),
            ([*START, "--faction", "monsters"], 2, "`--faction` does not apply to"),
        ],
    )
    def test_what_is_wrong(
        self, capsys: Captured, arguments: list[str], code: int, message: str
    ) -> None:
        assert main(["solve", "gwent/tournament", *arguments]) == code
        output = capsys.readouterr()
        assert message in output.err + output.out


# `deckcheck tune` as it is typed.

TUNE_DECKS = Path(__file__).parents[2] / "decks" / "gwent"
TUNE_STANDARD = TUNE_DECKS / "standard"
SIEGE, TUNE_SWARM, SHIPS = (
    str(TUNE_STANDARD / f"{name}.deck")
    for name in ("nr_siege_masters", "mo_swarm", "sk_longships")
)
TUNE_FAST = ["--against", TUNE_SWARM, "--against", SHIPS, "--policy", "sane_random"]
TUNE_FEW = [*TUNE_FAST, "-n", "4000", "-j", "1"]


def run(*arguments: str) -> int:
    return main(["tune", SIEGE, *TUNE_FEW, *arguments])


def tune_refused(capsys: Captured, *arguments: str) -> str:
    assert main(["tune", *arguments]) == 2
    return capsys.readouterr().err


def test_json_fits_its_schema(capsys: Captured) -> None:
    assert run("--output-format", "json", "--confirm", "random") == 0

    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, closed_schema("tune"))
    changed = [each["copies"] for each in document["swaps"]]
    assert 0 < sum(n for n in changed if n > 0) <= 4
    assert -4 <= sum(n for n in changed if n < 0) < 0
    assert document["proof"]["field"]["difference"]["difference"] > 0
    assert document["confirmed"]["policy"] == "random"
    assert document["base"] == "Siege masters"
    assert document["deck"] == "Siege masters, tuned"
    assert document["search"]["games"] + 800 <= document["games_played"]
    assert document["confirmed"]["field"]["win_rate"]["games"] == 40
    assert all(step["gain"] and step["confirmed_gain"] for step in document["steps"])


def test_csv_has_a_row_for_each_opponent_and_the_field(capsys: Captured) -> None:
    assert run("--output-format", "csv") == 0

    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    differences = [row for row in rows if row["metric"] == "difference"]
    assert [row["opponent"] for row in differences] == [
        "(all)",
        "The swarm",
        "Longships of Skellige",
    ]


def test_the_answer_comes_first_and_the_deck_is_legal(
    capsys: Captured, tmp_path: Path
) -> None:
    deck = tmp_path / "tuned.deck"
    assert run("--deck", str(deck), "--keep", "Decoy", "--changes", "3") == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("`Siege masters, tuned` wins ")
    assert "Siege masters: what to change, in this order" in lines
    assert any("policies sane_random 1" in line for line in lines)
    text = deck.read_text(encoding="utf-8")
    assert text.startswith("Name: Siege masters, tuned\nFormat: gwent/standard\n")
    assert "3 Decoy" in text
    assert "Leader: Foltest, The Siegemaster" in text
    assert main(["validate", str(deck)]) == 0


def test_a_kept_run_gives_the_same_bytes(capsys: Captured, tmp_path: Path) -> None:
    folder = str(tmp_path / "run")
    json_ = ["--output-format", "json", "-q"]
    assert run(*json_, "--run", folder) == 0
    kept = capsys.readouterr().out
    assert stdout_of(capsys, "resume", folder, *json_) == kept

    # Lose the second half of the games, and play it again.
    blocks = tmp_path / "run" / "blocks.jsonl"
    lines = blocks.read_bytes().splitlines(keepends=True)
    blocks.write_bytes(b"".join(lines[: len(lines) // 2]))
    assert stdout_of(capsys, "resume", folder, *json_) == kept


def test_what_tune_misses_or_finds_wrong(capsys: Captured) -> None:
    assert "600 games are too few" in tune_refused(
        capsys, SIEGE, *TUNE_FAST, "-n", "600"
    )
    said = tune_refused(capsys, SIEGE, *TUNE_FEW, "--keep", "Decoi")
    assert "Unknown card or leader `Decoi`\nhelp: Did you mean `Decoy`?" in said
    said = tune_refused(capsys, SIEGE, *TUNE_FEW, "--keep", "Nekker")
    assert "`Nekker` is not in `Siege masters`" in said
    said = tune_refused(capsys, SIEGE, *TUNE_FEW, "--changes", "0")
    assert "changes" in said
    said = tune_refused(capsys, SIEGE, *TUNE_FEW, "--confirm-games", "5")
    assert "`--confirm-games` goes with `--confirm` only" in said
    assert "Found 15 decks, expected one" in tune_refused(
        capsys, str(TUNE_STANDARD), *TUNE_FEW
    )


def test_a_format_in_which_no_decks_meet_is_refused(capsys: Captured) -> None:
    solo = str(next((TUNE_DECKS / "solo_built").glob("*.deck")))
    said = tune_refused(capsys, solo, "--against", solo, "-n", "4000")

    assert "Decks cannot be measured in `gwent/solo_built`" in said


def test_a_lineup_is_not_tuned_as_a_whole(capsys: Captured) -> None:
    lineups = TUNE_DECKS / "tournament"
    lineup = str(lineups / "kin_of_the_coast.deck")
    said = tune_refused(capsys, lineup, "--against", str(lineups), "-n", "4000")

    assert "Lineups play matches in `gwent/tournament`" in said
    assert "`--format`: `gwent/advanced` or `gwent/standard`" in said
