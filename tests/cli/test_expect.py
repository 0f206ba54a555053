"""`deckcheck expect`: a plan with expectations, as it is typed."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import jsonschema
import junitparser
import pytest
from closed_schema import closed_schema
from plain_values import other_types
from tidy_frames import check_columns

import deckcheck
from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]

STANDARD = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
NAMES = ("nr_siege_masters", "mo_swarm", "sk_longships")
PLAN = """\
[defaults]
games = 200
policies = ["random"]

[experiments.field]
decks = ["*.deck"]
expect = [
  "win_rate(siege masters, mo_swarm) < 90%",
  'win_rate(*) < 0.95',
  "win_rate(Siege masters) > 0.99",
  "win_rate(mo_swarm, sk_longships) < EDGE",
]

[experiments.silent]
decks = ["*.deck"]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three decks and a plan whose last expectation stays open."""
    for name in NAMES:
        shutil.copy(STANDARD / f"{name}.deck", tmp_path)
    monkeypatch.chdir(tmp_path)
    write(PLAN.replace("EDGE", "0.001"))
    main(["expect", "plan.toml", "-qq", "--output-format", "json:first.json"])
    rates = json.loads(Path("first.json").read_text())["expectations"][3]["rates"]
    write(PLAN.replace("EDGE", f"{rates[0]['win_rate']:.3f}"))
    return tmp_path


def write(text: str) -> None:
    Path("plan.toml").write_text(text)


def output(capsys: Captured, name: str, code: int = 1) -> str:
    assert main(["expect", "plan.toml", "-q", "--output-format", name]) == code
    return capsys.readouterr().out


def refused(capsys: Captured, *words: str) -> str:
    assert main(["expect", "plan.toml", *words]) == 2
    return capsys.readouterr().err


def test_the_table(capsys: Captured) -> None:
    assert main(["expect", "plan.toml", "--progress", "none"]) == 1
    out, err = capsys.readouterr()

    assert out.startswith("Of 4 expectations 1 fails, 1 is open, 2 hold.\n\nfield\n")
    assert "win_rate(*) < 0.95: " in out
    assert "(3 of 3)" in out
    assert "policies  random 1" in out
    assert "note: Not played, since nothing is expected: `silent`" in err


def test_json_fits_its_schema(capsys: Captured) -> None:
    document = json.loads(output(capsys, "json"))

    jsonschema.validate(document, closed_schema("expect"))
    assert document["summary"] == {"holds": 2, "fails": 1, "open": 1}
    outcomes = [each["outcome"] for each in document["expectations"]]
    assert outcomes == ["holds", "holds", "fails", "open"]
    assert [e["line"] for e in document["expectations"]] == [8, 9, 10, 11]
    assert len(document["expectations"][1]["rates"]) == 3
    [rate] = document["expectations"][0]["rates"]
    assert (rate["deck"], rate["opponent"]) == ("Siege masters", "The swarm")
    [experiment] = document["experiments"]
    assert experiment["result"]["games"] == 200


def test_csv_has_a_row_for_each_rate(capsys: Captured) -> None:
    rows = list(csv.DictReader(io.StringIO(output(capsys, "csv"))))

    assert len(rows) == 6
    assert {row["expectation"] for row in rows[1:4]} == {"win_rate(*) < 0.95"}
    assert all(row["low"] <= row["value"] <= row["high"] for row in rows)
    assert {row["outcome"] for row in rows} == {"holds", "fails", "open"}


def test_junit_has_a_case_for_each_expectation(folder: Path, capsys: Captured) -> None:
    (folder / "report.xml").write_text(output(capsys, "junit"))
    suites = list(junitparser.JUnitXml.fromfile("report.xml"))
    cases = list(suites[0])

    assert [case.name for case in cases][2] == "field: win_rate(Siege masters) > 0.99"
    assert [len(case.result) for case in cases] == [0, 0, 1, 0]
    assert "does not hold: Siege masters won" in cases[2].result[0].message
    assert "plan.toml:11:3: warning[DW102] open-expectation" in cases[3].system_out


def test_annotations_stand_at_the_line(capsys: Captured) -> None:
    error, warning = output(capsys, "github").splitlines()
    issues = json.loads(output(capsys, "gitlab"))

    assert error.startswith("::error file=plan.toml,line=10,endLine=10,col=3,")
    assert "title=DW101 failed-expectation::" in error
    assert warning.startswith("::warning file=plan.toml,line=11,")
    assert [issue["location"]["lines"]["begin"] for issue in issues] == [10, 11]
    assert [issue["severity"] for issue in issues] == ["major", "minor"]


def test_the_page_of_a_job(
    folder: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "page.md"))
    output(capsys, "github")

    page = (folder / "page.md").read_text()
    assert page.startswith("Of 4 expectations 1 fails, 1 is open, 2 hold.")
    assert "| fails |" in page


def test_what_fails_the_check(capsys: Captured) -> None:
    write(
        PLAN.replace('  "win_rate(Siege masters) > 0.99",\n', "")
        .replace("EDGE", "0.5")
        .replace("games = 200", "games = 2")
    )

    assert main(["expect", "plan.toml", "-qq"]) == 0
    assert main(["expect", "plan.toml", "-qq", "--fail-on", "warning"]) == 1


def test_all_mistakes_at_once_each_at_its_place(capsys: Captured) -> None:
    write(
        """\
[defaults]
confidence = 95
policies = ["random"]

[experiments.field]
decks = ["*.deck"]
expect = ["win_rate(siege, The swarn) < 0.65", "winrate(siege) < 0.5"]

[experiments.other]
decks = ["mo_swarm.deck"]
against = ["nr_*.deck", "sk_*.deck"]
confidence = 1.0
expect = [
  "win_rate(sk_longships, siege masters) < 65",
  "win_rate(sk_longships, siege masters) < 0.65",
  'win_rate("mo_swarm") < 0.4 or more',
  "win_rate(\\"mo_swarn\\") < 0.4",
]
"""
    )
    lines = refused(capsys).splitlines()

    assert lines == [
        "error: Plan `plan.toml` has 9 defects",
        "plan.toml:2:14: confidence is 95, must be 0.5 or more and less than 1",
        "plan.toml:7:21: No deck is called `siege`: did you mean `Siege masters`?",
        "plan.toml:7:28: No deck is called `The swarn`: did you mean `The swarm`?",
        "plan.toml:7:49: Unknown figure `winrate`: did you mean `win_rate`?",
        "plan.toml:12:14: confidence is 1, must be 0.5 or more and less than 1",
        "plan.toml:14:44: A bound lies between 0 and 1, not at 65: write `0.65` or "
        "`65%`",
        "plan.toml:15:13: `sk_longships` and `siege masters` do not meet in a game "
        "of two here",
        "plan.toml:16:31: Expected the end, got `or`",
        "plan.toml:17:3: No deck is called `mo_swarn`: did you mean `The swarm`?",
    ]


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (
            '[experiments.a]\ndecks = ["*.deck"]\nuntil_decided = true\n',
            "plan.toml:3:1: `until_decided` goes with `expect`",
        ),
        (
            '[experiments.a]\ndecks = ["*.deck"]\n',
            "Nothing is expected in `plan.toml`",
        ),
        (
            '[experiments.a]\ndecks = ["*.deck"]\nuntil_decided = true\n'
            'until_width = "2%"\nexpect = ["win_rate(*) < 0.9"]\n',
            "`until_decided` and another rule that stops games",
        ),
        (
            '[experiments.a]\ndecks = ["*.deck"]\nexpect = "win_rate(*) < 0.9"\n',
            "plan.toml:3:10: ",
        ),
    ],
)
def test_plans_that_make_no_sense(plan: str, said: str, capsys: Captured) -> None:
    write(plan)

    assert said in refused(capsys)


def test_simulate_plays_the_same_plan(capsys: Captured) -> None:
    checked = json.loads(output(capsys, "json"))
    main(["simulate", "--plan", "plan.toml", "-q", "--output-format", "json"])
    played = json.loads(capsys.readouterr().out)

    checksum = checked["experiments"][0]["result"]["checksum"]
    assert played["experiments"][0]["result"]["checksum"] == checksum


DECIDING = """\
[experiments.field]
decks = ["*.deck"]
policies = ["random"]
games = 20000
until_decided = true
confidence = 0.99
expect = ["win_rate(siege masters, mo_swarm) < 95%", "win_rate(mo_swarm) > 5%"]
"""


def test_games_go_on_until_all_is_decided(capsys: Captured) -> None:
    write(DECIDING)
    document = json.loads(output(capsys, "json", 0))

    assert document["summary"] == {"holds": 2, "fails": 0, "open": 0}
    result = document["experiments"][0]["result"]
    assert result["games_played"] < 3_000
    assert result["stopping"]["rule"] == "once every expectation is decided"


def test_kept_in_a_folder_it_is_not_played_again(capsys: Captured) -> None:
    write(DECIDING)
    kept = ["expect", "plan.toml", "-q", "--run", "run", "--output-format", "json"]
    assert main(kept) == 0
    first = capsys.readouterr().out
    blocks = Path("run", "field", "blocks.jsonl").read_bytes()
    assert main([*kept, "--jobs", "1"]) == 0

    assert capsys.readouterr().out == first
    assert Path("run", "field", "blocks.jsonl").read_bytes() == blocks
    assert main(["resume", "run", "-q"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["resume", "run", "--progress", "none"]) == 0
    command = "`deckcheck expect plan.toml --run run`"
    note = f"note: {command} says whether what the plan expects holds\n"
    assert capsys.readouterr().err.endswith(note)
    assert main(["report", "run"]) == 0
    assert capsys.readouterr().err == note
    capsys.readouterr()
    write(DECIDING.replace("0.99", "0.9"))
    assert main(["expect", "plan.toml", "--run", "run"]) == 2
    assert "holds another run" in capsys.readouterr().err


def test_tables_of_several_and_an_automa(capsys: Captured) -> None:
    games = STANDARD.parents[1]
    solo = games / "gwent" / "solo" / "mo_full_moon.deck"
    pool = games / "gwen_t" / "pool"
    write(
        f"""\
[defaults]
games = 20
policies = ["random"]

[experiments.solo]
decks = ["{solo}"]
expect = ["win_rate(*) < 0.99"]

[experiments.table]
decks = ["{pool}"]
expect = ["win_rate(*) < 0.99", "win_rate(*, *) < 0.9"]
"""
    )
    said = refused(capsys)
    assert "plan.toml:11:43: `*` and `*` do not meet in a game of two here" in said
    write(Path("plan.toml").read_text().replace(', "win_rate(*, *) < 0.9"', ""))
    main(["expect", "plan.toml", "-q", "--output-format", "json"])
    alone, table = json.loads(capsys.readouterr().out)["expectations"]

    assert [rate["deck"] for rate in alone["rates"]] == ["Full moon"]
    assert sum(rate["win_rate"] for rate in table["rates"]) == pytest.approx(1)


def test_in_python(folder: Path, capsys: Captured) -> None:
    printed = json.loads(output(capsys, "json"))
    found = deckcheck.expect("plan.toml", run="kept")
    document = found.to_dict()

    assert document["expectations"] == printed["expectations"]
    assert document["summary"] == printed["summary"]
    assert other_types(document) == set()
    assert found.outcomes["fails"] == 1
    assert [f.name for f in found.validation.findings] == [
        "failed-expectation",
        "open-expectation",
    ]
    again = deckcheck.expect(folder / "plan.toml", run="kept")
    assert again.experiments == found.experiments
    write(PLAN.replace("EDGE", "2"))
    with pytest.raises(deckcheck.UsageError, match=r"plan.toml:11:\d+: A bound lies"):
        deckcheck.expect("plan.toml")
    write('[experiments.a]\ndecks = ["*.deck"]\n')
    with pytest.raises(deckcheck.UsageError, match="Nothing is expected"):
        deckcheck.expect("plan.toml")


def test_an_illegal_deck_stops_it(capsys: Captured) -> None:
    Path("bad.deck").write_text("Format: gwent/standard\n3 Ballista\n")

    assert main(["expect", "plan.toml"]) == 1
    err = capsys.readouterr().err
    with pytest.raises(deckcheck.IllegalDeckError):
        deckcheck.expect("plan.toml")
    assert "Experiment `field`: `allow_illegal = true` lets illegal decks play" in err


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["expect"], "a plan"),
        (["balance"], "a plan"),
        (["simulate", "--plan"], "a plan"),
        (["event"], "an event file"),
        (["report"], "a run"),
        (["resume"], "a run"),
        (["merge", "--run", "whole"], "a run"),
        (["meta"], "a run, nor the JSON of one"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_deck_in_the_wrong_place_is_led_to_validate(
    words: list[str], wanted: str, capsys: Captured
) -> None:
    assert main([*words, "mo_swarm.deck"]) == 2
    err = capsys.readouterr().err
    assert f"error: `mo_swarm.deck` is a deck, not {wanted}\n" in err
    assert "`deckcheck validate` judges decks" in err


def test_the_old_name_says_where_it_went(capsys: Captured) -> None:
    assert main(["check", "plan.toml"]) == 2
    assert (
        "`deckcheck expect PLAN` tests what a plan expects" in capsys.readouterr().err
    )
    with pytest.raises(AttributeError, match=r"`deckcheck\.expect` now"):
        deckcheck.check  # noqa: B018


CHANGE = f"""\
[defaults]
games = 40
policies = ["random"]

[experiments.now]
decks = ["*.deck"]

[experiments.new]
before = "now"
format = "{STANDARD.parents[2] / "examples" / "what_if" / "what_if.yaml"}"
decks = ["*.deck"]
expect = [
  "-0.9 < change(Siege masters) < 90 points",
  "change(mo_swarm, sk_longships) > 1 point",
  "win_rate(*) < 99%",
]
"""


def test_a_change_is_expected(capsys: Captured) -> None:
    write(CHANGE)
    document = json.loads(output(capsys, "json"))
    table = output(capsys, "table")
    holds, fails, _ = document["expectations"]
    [experiment] = document["experiments"]

    jsonschema.validate(document, closed_schema("expect"))
    assert document["summary"] == {"holds": 2, "fails": 1, "open": 0}
    assert holds["before"] == fails["before"] == "now"
    assert experiment["name"] == "new"
    # The change is that of the means, and no game changes without a Catapult.
    own = deckcheck.compare_formats(
        *(f"{name}.deck" for name in sorted(NAMES)),
        new_format=experiment["result"]["format"],
        games=40,
        policies="random",
    )
    [change] = [c for c in own.decks if c.deck == "Siege masters"]
    assert holds["rates"][0]["change"] == pytest.approx(change.by.value, abs=1e-6)
    assert fails["rates"][0]["change_interval"] == [0, 0]
    assert "Not played" not in table
    assert " ".join(table.split()).count("expectation change 95 % interval") == 1
    check_columns(deckcheck.expect("plan.toml").to_frame())


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('before = "now"\n', "", "A change is from another experiment: name it by"),
        ('= "now"', '= "old"', "There is no experiment `old`: name one of this plan"),
        ('= "now"', '= "new"', "There is no experiment `new`"),
        (
            '[experiments.now]\ndecks = ["*.deck"]\n',
            '[experiments.now]\ndecks = ["mo_swarm.deck", "sk_longships.deck"]\n',
            "`now` and `new` have other decks",
        ),
        ('= "now"', '= "now"\nuntil_decided = true', "have no fixed number of"),
    ],
)
def test_what_a_change_cannot_be_from(
    capsys: Captured, old: str, new: str, message: str
) -> None:
    write(CHANGE.replace(old, new))

    assert message in refused(capsys)
