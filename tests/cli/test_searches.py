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


@pytest.fixture
def plan(here: Path) -> None:
    """A plan in the working folder, in which a card of the north is too strong."""
    plan = write_field(here, "north", 20, 1)
    text = plan.read_text().replace('"heuristic-1"', '"sane_random"')
    plan.write_text(text.replace(", 'south.deck', 'west.deck'", ""))


@pytest.mark.usefixtures("plan")
def test_every_output_of_a_run_and_again(capsys: Captured) -> None:
    """And the set is one for a format."""
    files = ["json:a.json", "csv:a.csv", "set:a-cards.yaml", "markdown"]
    outputs = [f"--output-format={each}" for each in files]
    text = stdout_of(capsys, "balance", "plan.toml", "--run", "run", "-j1", *outputs)
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
    for name in (".csv", ".json", "-cards.yaml"):
        assert Path(f"a{name}").read_bytes() == Path(f"b{name}").read_bytes()

    league = "title: Next\nextends: ./league.yaml\nsets: [a-cards.yaml]\n"
    Path("next.yaml").write_text(league)
    fmt = load_format("./next.yaml")
    changed = {
        c.record.id: c.now for c in fmt.changes if c.set.endswith("a-cards.yaml")
    }
    assert set(changed) == {each["id"] for each in document["balanced"]} != set()
    for each in document["balanced"]:
        for key, value in each["now"].items():
            assert getattr(changed[each["id"]], key) == value


@pytest.mark.usefixtures("plan")
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


@pytest.mark.usefixtures("plan")
def test_another_player_plays_the_proof_again(capsys: Captured) -> None:
    words = ["balance", "plan.toml", "-q"]
    alone = json.loads(stdout_of(capsys, *words, "--output-format", "json"))
    confirm = ["--confirm", "random", "--confirm-games", "2"]
    files = ["--output-format=json:a.json", "--output-format=csv:a.csv"]
    assert main([*words, "--full", "--output-format=table", *files, *confirm]) == 0
    found = json.loads(Path("a.json").read_text())

    jsonschema.validate(found, closed_schema("balance"))
    assert found["confirm"] == "random"
    assert found["balanced"] == alone["balanced"]
    assert found["games_played"] == alone["games_played"] + 2
    weaker = "the weaker player `random 1`"
    assert found["answer"].startswith(f"{alone['answer']}. Played by {weaker}: ")
    for seen, usual in zip(found["targets"], alone["targets"], strict=True):
        assert seen["confirmed"]["games"] == 2
        assert seen["confirmed"] != seen["after"] == usual["after"]
        assert (seen["confirmed_verdict"] is None) == (seen["verdict"] is None)
        assert usual["confirmed"] is usual["confirmed_verdict"] is None
    table = capsys.readouterr().out
    assert "Win rate in % after the changes, played by `random`\n" in table
    rows = list(csv.DictReader(io.StringIO(Path("a.csv").read_text())))
    [confirmed, _] = [r for r in rows if r["metric"] == "win_rate_confirmed"]
    assert float(confirmed["value"]) == found["targets"][0]["confirmed"]["win_rate"]


@pytest.mark.usefixtures("plan")
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


@pytest.mark.usefixtures("plan")
def test_an_illegal_deck_stops_it(capsys: Captured) -> None:
    with open("north.deck", "a") as deck:
        deck.write("2 plain_north_a\n")

    assert main(["balance", "plan.toml"]) == 1
    said = capsys.readouterr()
    assert "too-many-copies" in said.out
    assert "No game was played" in said.err


# `deckcheck build` as it is typed.

DECKS = Path(__file__).parents[2] / "decks"
SIEGE, SWARM, SHIPS = (
    str(DECKS / "gwent" / "standard" / f"{name}.deck")
    for name in ("nr_siege_masters", "mo_swarm", "sk_longships")
)
FEW = ["--against", SWARM, "--policy", "sane_random", "-j", "1"]
STANDARD = ["build", "gwent/standard", *FEW]


def test_json_fits_its_schema_and_the_deck_is_legal(
    capsys: Captured, here: Path
) -> None:
    words = ["--faction", "Skellige", "-n", "2500", "--deck", "built.deck"]
    outputs = ["--output-format", "json:a.json", "--output-format", "table", "--full"]
    lines = stdout_of(capsys, *STANDARD, *words, *outputs).splitlines()
    document = json.loads(Path("a.json").read_text())
    jsonschema.validate(document, closed_schema("build"))
    assert document["faction"] == "skellige"
    assert document["base"] is None
    assert document["deck"] == "Skellige, built"
    assert document["text"] == Path("built.deck").read_text(encoding="utf-8")
    assert document["proof"]["field"]["win_rate"]["win_rate"] > 0.5
    assert "`Skellige, built` wins " in lines[0]
    assert any(line.startswith("searched  ") for line in lines)
    assert main(["validate", "built.deck"]) == 0


@pytest.mark.parametrize(
    "command", [["build", "gwent/standard", "--faction", "Monsters"], ["tune", SWARM]]
)
def test_the_field_comes_by_its_weights(
    capsys: Captured, command: list[str], here: Path
) -> None:
    """A name with a comma needs no quotes, and a wrong one is said with its line."""
    text = Path(SHIPS).read_text("utf-8")
    text = text.replace("Name: Longships of Skellige", "Name: Skellige, built")
    Path("built.deck").write_text(text)
    weights = Path("weights.csv")
    weights.write_text("Skellige, built,3\nThe swarm,1\n")
    words = [*command, "-n", "800", *FEW[2:], "--weights", "weights.csv"]
    words += ["--against", SWARM, "built.deck", "--output-format", "json"]
    shares = json.loads(stdout_of(capsys, *words))["shares"]
    assert shares == {"The swarm": 0.25, "Skellige, built": 0.75}
    weights.write_text("Skellige, built,3\nThe swamp,1\n")
    said = stderr_of(capsys, *words)
    assert "weights.csv:2: no deck of this field is called `The swamp`" in said
    assert "Did you mean `The swarm`?" in said


def test_a_game_without_factions(capsys: Captured) -> None:
    field = str(next((DECKS / "gwen_t" / "pool").glob("*.deck")))
    words = ["--against", field, "--policy", "sane_random", "-n", "800", "-j", "1"]
    assert stdout_of(capsys, "build", "gwen_t/pool", *words).startswith("`Built` wins ")


def test_what_is_missing_or_wrong(capsys: Captured) -> None:
    assert "No format given" in stderr_of(capsys, "build", *FEW)
    assert "no reference field" in stderr_of(capsys, "build", "deckmaster/standard")
    shared = str(next((DECKS / "deckmaster" / "standard").glob("*.deck")))
    said = stderr_of(capsys, "build", "deckmaster/standard", "--against", shared)
    assert "no two meet there" in said
    assert "1,999 games are too few" in stderr_of(capsys, *STANDARD, "-n", "1999")
    said = stderr_of(capsys, *STANDARD, "--faction", "elves")
    assert "No decks of the faction `elves` in `gwent/standard`" in said
    said = stderr_of(capsys, *STANDARD, "-f", "gwent/advanced")
    assert "Two formats given: `gwent/standard` and `gwent/advanced`" in said
    said = stderr_of(capsys, "build", "monsters", "-f", "gwent/standard")
    assert "`monsters` is a faction, not a format" in said


# `deckcheck solve` as it is typed.

FAST = ["--games", "2000", "--rounds", "1", "--policy", "sane_random", "-j", "1"]


@pytest.mark.usefixtures("here")
def test_every_output_of_solve_and_again(capsys: Captured) -> None:
    """And in Python, with a deck to begin with."""
    outputs = ["json:a.json", "csv:a.csv", "table"]
    asked = [word for each in outputs for word in ("--output-format", each)]
    more = ["--faction", "Monsters", "--against", SWARM, "--start", SWARM]
    more += ["--decks", "a.txt", "--run", "run"]
    text = stdout_of(capsys, "solve", "gwent/standard", *FAST, *more, *asked)

    assert text.startswith(("Bring `", "It is not clear whether a", "The best mix so"))
    document = json.loads(Path("a.json").read_text())
    jsonschema.validate(document, closed_schema("solve"))
    assert document["factions"] == ["monsters"]
    assert not document["solved"]
    rows = list(csv.DictReader(io.StringIO(Path("a.csv").read_text())))
    names = [each["name"] for each in document["field"]]
    assert (rows[0]["deck"], rows[0]["metric"]) == (names[0], "share")
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

    assert document["rounds"][0]["decks"] == 1
    found = deckcheck.solve(
        "gwent/standard",
        factions="Monsters",
        against=SWARM,
        start=SWARM,
        games=2000,
        rounds=1,
        policy="sane_random",
    )
    assert found.checksum == document["checksum"]
    frame = assert_tidy(found, "share")
    assert frame.loc[frame["metric"] == "share", "deck"].tolist() == names


@pytest.mark.usefixtures("here")
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


@pytest.mark.usefixtures("here")
class TestLineups:
    """In a format of matches a lineup is chosen."""

    LINEUPS = DECKS / "gwent" / "tournament"
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
        page = Path("a.html").read_text("utf-8")
        assert "<h1>" in page
        assert "15 legal ones of 9 decks" in page
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
        assert deckcheck.validate("a.txt").legal
        again = [word.replace(":a", ":b") for word in asked]
        again += ["--output-format", "decks:b.txt"]
        assert stdout_of(capsys, "resume", "run", "-j", "1", *again) == text
        for name in ("json", "csv", "txt"):
            assert Path(f"a.{name}").read_bytes() == Path(f"b.{name}").read_bytes()

    def test_in_python(self) -> None:
        found = deckcheck.solve(
            "gwent/tournament", start=self.LINEUPS, games=3000, policy="random"
        )
        assert isinstance(found, deckcheck.LineupsResult)
        document = found.to_dict()
        jsonschema.validate(document, closed_schema("solve-lineups"))
        assert document["field"] == document["openings"] == []
        frame = assert_tidy(found, "match_win_rate_promised")
        shares = [each["share"] for each in document["lineups"] if each["share"]]
        assert frame.loc[frame["metric"] == "share", "value"].tolist() == shares

    @pytest.mark.parametrize(
        ("arguments", "code", "message"),
        [
            ([], 2, "No decks to choose from"),
            (["--against", str(LINEUPS)], 2, "No decks to choose from"),
            ([*START, "--against", "reference"], 2, "has no reference field"),
            ([*START, "--against", SWARM], 1, "at most 130 allowed"),
            (["--start", SWARM], 1, "at most 130 allowed"),
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

TUNE_FAST = ["--against", SWARM, "--against", SHIPS, "--policy", "sane_random"]
TUNE_FEW = [*TUNE_FAST, "-n", "4000", "-j", "1"]


@pytest.mark.usefixtures("here")
def test_every_output_of_tune_and_again(capsys: Captured) -> None:
    """The deck keeps what it is told to, changes no more cards, and is legal."""
    keep = ["--keep", "Decoy", "--changes", "3", "--confirm", "random"]
    outputs = ["--output-format=json:a.json", "--output-format=csv:a.csv"]
    deck = ["--output-format=table", "--full", "--deck", "tuned.deck"]
    words = [*TUNE_FEW, *keep, *outputs, *deck]
    lines = stdout_of(capsys, "tune", SIEGE, *words, "--run", "run").splitlines()
    assert lines[0].startswith("`Siege masters, tuned` wins ")
    assert "Siege masters: what to change, in this order" in lines
    assert ["policies", "sane_random", "1"] in [line.split() for line in lines]

    document = json.loads(Path("a.json").read_text())
    jsonschema.validate(document, closed_schema("tune"))
    changed = [each["copies"] for each in document["swaps"]]
    assert 0 < sum(n for n in changed if n > 0) <= 3
    assert -3 <= sum(n for n in changed if n < 0) < 0
    assert document["proof"]["field"]["difference"]["difference"] > 0
    assert document["confirmed"]["policy"] == "random"
    assert document["base"] == "Siege masters"
    assert document["deck"] == "Siege masters, tuned"
    assert document["search"]["games"] + 800 <= document["games_played"]
    assert document["confirmed"]["field"]["win_rate"]["games"] == 160
    assert all(step["gain"] and step["confirmed_gain"] for step in document["steps"])

    rows = list(csv.DictReader(io.StringIO(Path("a.csv").read_text())))
    differences = [row for row in rows if row["metric"] == "difference"]
    opponents = ["(all)", "The swarm", "Longships of Skellige"]
    assert [row["opponent"] for row in differences] == 2 * opponents
    gains = {
        each["name"]: each["difference"]["difference"]
        for each in document["proof"]["opponents"]
    }
    shown = [name for line in lines for name in gains if line.startswith(name[:9])]
    assert shown == sorted(gains, key=lambda name: -gains[name])
    text = Path("tuned.deck").read_text(encoding="utf-8")
    assert text.startswith("Name: Siege masters, tuned\nFormat: gwent/standard\n")
    assert "3 Decoy" in text
    assert "Leader: Foltest, The Siegemaster" in text
    assert main(["validate", "tuned.deck"]) == 0

    # Lose the second half of the games, and play it again.
    blocks = Path("run", "blocks.jsonl")
    kept = blocks.read_bytes().splitlines(keepends=True)
    blocks.write_bytes(b"".join(kept[: len(kept) // 2]))
    again = ["--output-format=json:b.json", "--output-format=csv:b.csv", "-q"]
    assert main(["resume", "run", *again]) == 0
    for name in ("json", "csv"):
        assert Path(f"a.{name}").read_bytes() == Path(f"b.{name}").read_bytes()


LINEUPS = DECKS / "gwent" / "tournament"
SOLO = str(next((DECKS / "gwent" / "solo_built").glob("*.deck")))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([SIEGE, *TUNE_FAST, "-n", "600"], "600 games are too few"),
        (
            [SIEGE, *TUNE_FEW, "--keep", "Decoi"],
            "Unknown card or leader `Decoi`\nhelp: D",
        ),
        ([SIEGE, *TUNE_FEW, "--keep", "Nekker"], "`Nekker` is not in `Siege masters`"),
        ([SIEGE, *TUNE_FEW, "--changes", "0"], "changes"),
        ([SIEGE, *TUNE_FEW, "--confirm-games", "5"], "goes with `--confirm` only"),
        ([str(Path(SIEGE).parent), *TUNE_FEW], "Found 15 decks, expected one"),
        ([SOLO, "--against", SOLO], "Decks cannot be measured in `gwent/solo_built`"),
        (
            [str(LINEUPS / "kin_of_the_coast.deck"), "--against", str(LINEUPS)],
            "Lineups play matches in `gwent/tournament`",
        ),
    ],
)
def test_what_tune_misses_or_finds_wrong(
    capsys: Captured, words: list[str], message: str
) -> None:
    assert message in stderr_of(capsys, "tune", *words)
