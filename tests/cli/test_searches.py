"""The commands that search: `balance`, `build`, `solve` and `tune`."""

import json
from pathlib import Path

import pytest
from helpers.balancing import write_field
from helpers.commands import stderr_of, stdout_of
from helpers.outputs import assert_tidy, check_document

import deckcheck
from deckcheck.cli import main
from deckcheck.formats import load_format

# `deckcheck balance` as it is typed.

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def plan(here: Path) -> None:
    """A plan in the working folder, in which a card of the north is too strong."""
    plan = write_field(here, "north", 20, 1)
    text = plan.read_text().replace('"heuristic-1"', '"sane_random"')
    plan.write_text(text.replace(", 'south.deck', 'west.deck'", ""))


@pytest.mark.usefixtures("plan")
def test_a_run_of_balance_again_and_what_it_sets(capsys: Captured) -> None:
    """The set is one for a format."""
    outputs = ["json:a.json", "csv:a.csv", "set:a-cards.yaml", "markdown"]
    asked = [f"--output-format={each}" for each in outputs]
    text = stdout_of(capsys, "balance", "plan.toml", "--run", "run", "-j1", *asked)
    document = json.loads(Path("a.json").read_text())
    again = [each.replace(":a", ":b") for each in asked]
    assert stdout_of(capsys, "resume", "run", "-j", "1", *again) == text
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


def test_the_field_comes_by_its_weights(capsys: Captured, here: Path) -> None:
    """A name with a comma needs no quotes, and a wrong one is said with its line."""
    text = Path(SHIPS).read_text("utf-8")
    text = text.replace("Name: Longships of Skellige", "Name: Skellige, built")
    Path("built.deck").write_text(text)
    weights = Path("weights.csv")
    for command in (
        ["build", "gwent/standard", "--faction", "Monsters"],
        ["tune", SWARM],
    ):
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


# `deckcheck solve` as it is typed.


@pytest.mark.usefixtures("here")
def test_a_run_of_solve_again_and_in_python(capsys: Captured) -> None:
    few = ["--games", "600", "--rounds", "1", "--policy", "random", "-j", "1"]
    more = ["--faction", "Monsters", "--against", SWARM, "--start", SWARM]
    asked = ["--output-format", "json", "--output-format", "decks:a.txt"]
    words = ["solve", "gwent/standard", *few, *more, "--run", "run", *asked]
    text = stdout_of(capsys, *words)
    assert deckcheck.validate("a.txt").legal
    # In Python options are arguments.
    again = deckcheck.report_of("run", output_format="json")
    assert again.replace("games=", "--games ") == text

    document = json.loads(text)
    found = deckcheck.solve(
        "gwent/standard",
        factions="Monsters",
        against=SWARM,
        start=SWARM,
        games=600,
        rounds=1,
        policy="random",
        run="run",
    )
    assert found.checksum == document["checksum"]
    frame = assert_tidy(found, "share")
    names = [each["name"] for each in document["field"]]
    assert frame.loc[frame["metric"] == "share", "deck"].tolist() == names


@pytest.mark.usefixtures("here")
def test_lineups_in_python() -> None:
    """In a format of matches a lineup is chosen."""
    lineups = DECKS / "gwent" / "tournament"
    found = deckcheck.solve(
        "gwent/tournament", start=lineups, games=3000, policy="random"
    )
    assert isinstance(found, deckcheck.LineupsResult)
    document = found.to_dict()
    check_document("solve-lineups", document)
    assert document["field"] == document["openings"] == []
    frame = assert_tidy(found, "match_win_rate_in_selection")
    shares = [each["share"] for each in document["lineups"] if each["share"]]
    assert frame.loc[frame["metric"] == "share", "value"].tolist() == shares


# `deckcheck tune` as it is typed.

TUNE_FAST = ["--against", SWARM, "--against", SHIPS, "--policy", "sane_random"]
TUNE_FEW = [*TUNE_FAST, "-n", "4000", "-j", "1"]


@pytest.mark.usefixtures("here")
def test_half_a_run_of_tune_again(capsys: Captured) -> None:
    """The deck keeps what it is told to, changes no more cards, and is legal."""
    words = ["--keep", "Decoy", "--changes", "3", "--deck", "tuned.deck", "--run=run"]
    outputs = ["--output-format=json:a.json", "--output-format=csv:a.csv"]
    assert main(["tune", SIEGE, *TUNE_FEW, *words, *outputs]) == 0
    document = json.loads(Path("a.json").read_text())
    changed = [each["copies"] for each in document["swaps"]]
    assert 0 < sum(n for n in changed if n > 0) <= 3
    assert -3 <= sum(n for n in changed if n < 0) < 0
    assert document["validation"]["field"]["difference"]["difference"] > 0
    assert "3 Decoy" in Path("tuned.deck").read_text(encoding="utf-8")
    assert main(["validate", "tuned.deck"]) == 0

    # Lose the second half of the games, and play it again.
    blocks = Path("run", "blocks.jsonl")
    kept = blocks.read_bytes().splitlines(keepends=True)
    blocks.write_bytes(b"".join(kept[: len(kept) // 2]))
    again = ["--output-format=json:b.json", "--output-format=csv:b.csv", "-q"]
    assert main(["resume", "run", *again]) == 0
    for name in ("json", "csv"):
        assert Path(f"a.{name}").read_bytes() == Path(f"b.{name}").read_bytes()
