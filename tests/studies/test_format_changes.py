"""The same decks under two formats: paired, looked at, kept, and as a command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from closed_schema import closed_schema
from tidy_frames import assert_tidy

import deckcheck
from deckcheck.cli import main
from deckcheck.sim.run_directory import open_run
from deckcheck.studies import changes as play
from deckcheck.studies.changes import Changes, changes_between

ROOT = Path(__file__).parents[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"
DECKS = [
    str(STANDARD / f"{name}.deck")
    for name in ("nr_siege_masters", "mo_swarm", "sk_berserkers")
]
WHAT_IF = str(ROOT / "examples" / "what_if" / "what_if.yaml")
Captured = pytest.CaptureFixture[str]


def changes_of(*decks: str, **settings: Any) -> Changes:
    settings = {"policies": "sane_random", "new_format": WHAT_IF, **settings}
    return deckcheck.compare_formats(*decks, **settings)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("changes") / "run"


@pytest.fixture(scope="module")
def changes(folder: Path) -> Changes:
    """Three decks that all meet, kept in a folder."""
    return changes_of(*DECKS, games=80, run=folder)


def test_the_changed_card_is_named_first(changes: Changes) -> None:
    assert changes.cards == ("`Catapult`: strength 10, not 8",)
    assert changes.answer.startswith("Changed: `Catapult`: strength 10, not 8. ")
    assert (
        changes.settings[-1] == f"format is {changes.after.format}, not gwent/standard"
    )


def test_both_runs_have_the_same_shuffles(changes: Changes) -> None:
    names = {change.name for change in changes.rates if change.is_same}

    assert names == {"The swarm against Berserkers"}
    assert all(change.is_paired for change in changes.rates)


def test_standings_and_mix_before_and_after(changes: Changes) -> None:
    before = deckcheck.simulate(*DECKS, games=80, policies="sane_random")
    places = [s.deck for s in sorted(changes.standings, key=lambda s: s.place_before)]

    assert [s.deck for s in before.standings()] == places
    assert [s.place_after for s in changes.standings] == [1, 2, 3]
    for shares in zip(
        *((s.share_before, s.share_after) for s in changes.standings), strict=True
    ):
        assert sum(shares) == pytest.approx(1)
    text = deckcheck.report_of(changes, output_format="table")
    assert text.index("Standings\n") < text.index("Mean win rates of decks")
    assert "in the best mix" in text
    assert "games     480 in all, 80 games each" in text


def test_it_is_what_report_says_of_the_two_runs(changes: Changes, folder: Path) -> None:
    runs = [open_run(folder / name) for name in (play.BEFORE, play.AFTER)]
    reported = changes_between(*runs)

    assert reported.rates == changes.rates
    assert reported.decks == changes.decks
    assert reported.standings == changes.standings


def test_its_outputs_fit_what_is_promised(changes: Changes) -> None:
    jsonschema.validate(changes.to_dict(), closed_schema("changes"))
    frame = assert_tidy(changes, "difference")
    page = deckcheck.report_of(changes)

    assert len(frame) == 3 * (3 + 3)
    assert "<h1>Catapult: strength 10, not 8</h1>" in page


def test_games_end_when_the_change_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "FIRST_GAMES", 20)
    monkeypatch.setattr(play, "LOOKS", 2)
    early = changes_of(DECKS[0], against=DECKS[1], margin=100)
    late = changes_of(DECKS[0], against=DECKS[1], margin=0.01)
    fixed = changes_of(DECKS[0], against=DECKS[1], games=80)

    assert (early.after.games, late.after.games) == (20, 80)
    assert late.after.checksum == fixed.after.checksum
    assert late.before.tables == fixed.before.tables
    [looked], [unlooked] = late.rates, fixed.rates
    assert looked.by.value == unlooked.by.value
    low, high = looked.by.interval
    assert high - low > unlooked.by.interval.high - unlooked.by.interval.low


def test_a_field_alone_plays_itself(capsys: Captured, tmp_path: Path) -> None:
    few = ["--policy", "sane_random", "-n", "20", "-q", "-j", "1"]
    field = [word for deck in DECKS for word in ("--against", deck)]
    words = [
        "compare",
        "--new-format",
        WHAT_IF,
        *field,
        *few,
        "--output-format",
        "json",
    ]
    words += ["--run", str(tmp_path / "run")]
    assert main(words) == 0
    first = capsys.readouterr().out
    document = json.loads(first)

    assert len(document["standings"]) == 3
    assert document["cards"] == ["`Catapult`: strength 10, not 8"]
    lines = (tmp_path / "run" / "after" / "blocks.jsonl").read_bytes()
    assert main(words) == 0
    assert capsys.readouterr().out == first
    assert (tmp_path / "run" / "after" / "blocks.jsonl").read_bytes() == lines


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--new-format", WHAT_IF], 2, "No decks given"),
        (
            [*DECKS, "--new-format", "gwent/free_for_all"],
            2,
            "different numbers of players",
        ),
        ([*DECKS, "--new-format", "gwent/standrad"], 2, "nknown format"),
        ([*DECKS, "--new-format", "gwent/standard"], 2, "Nothing differs between"),
        ([*DECKS, "--new-format", WHAT_IF, "--shard", "1/2"], 2, "`--shard` does not"),
        ([*DECKS, "--new-format", "gwent/advanced"], 1, "No game was played"),
    ],
)
def test_what_cannot_be_compared(
    capsys: Captured, words: list[str], code: int, message: str
) -> None:
    assert main(["compare", *words, "-n", "2"]) == code
    assert message in capsys.readouterr().err
