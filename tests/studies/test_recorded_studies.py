"""Comparisons and impact whose blocks are kept: what was played is not played again."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from closed_schema import closed_schema
from plain_values import other_types
from tidy_frames import assert_tidy

from deckcheck.cards import load_database
from deckcheck.formats import load_format
from deckcheck.sim.run_directory import BlockFile
from deckcheck.sim.run_directory import RunPart as Part
from deckcheck.sim.scheduler import Progress
from deckcheck.sim.simulation import Interrupted
from deckcheck.studies.compare import comparison_of
from deckcheck.studies.impact import IMPACT, ImpactResult, impact_of
from deckcheck.studies.specs import CompareSpec, ImpactSpec
from deckcheck.validation import DeckReport, validate_files

ROOT = Path(__file__).parents[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"
OLD = STANDARD / "nr_siege_masters.deck"
NEW = ROOT / "examples" / "compare" / "third_decoy_out.deck"
FIELD = [STANDARD / "mo_swarm.deck", STANDARD / "sk_longships.deck"]
PLAYER = ("sane_random",)


def reports(*paths: Path) -> list[DeckReport]:
    return list(validate_files([str(path) for path in paths]).reports)


def a_comparison() -> Any:
    fmt, database = load_format("gwent/standard"), load_database("gwent")
    question = CompareSpec(1, PLAYER, margin=4)
    return comparison_of(fmt, database, reports(OLD, NEW), reports(*FIELD), question)


def an_impact() -> Any:
    fmt, database = load_format("gwent/standard"), load_database("gwent")
    question = ImpactSpec(1, PLAYER, 64)
    return impact_of(fmt, database, reports(OLD), reports(*FIELD), question)


def run_kept(study: Any, folder: Path, **options: Any) -> Any:
    blocks = BlockFile(folder)
    blocks.open_to_add()
    try:
        return study.run(records=lambda part: Part(blocks, part, None), **options)
    finally:
        blocks.close()


def write(result: ImpactResult) -> str:
    stream = io.StringIO()
    dict(IMPACT.writers())["table"](result, stream)
    return stream.getvalue()


class Breaking:
    """A user who presses Ctrl-C after so many calls of `watch`."""

    def __init__(self, calls: int) -> None:
        self.calls = calls

    def __call__(self, _: Progress) -> None:
        self.calls -= 1
        if not self.calls:
            raise KeyboardInterrupt


@pytest.mark.parametrize("study_of", [a_comparison, an_impact])
def test_a_study_that_is_cut_off_goes_on(study_of: Any, tmp_path: Path) -> None:
    whole = study_of().run()
    calls, broken = 3, 0
    while True:
        try:
            found = run_kept(
                study_of(), tmp_path, watch=Breaking(calls), block_sets=100
            )
            break
        except Interrupted:
            broken += 1

    assert broken > 1
    assert found == replace(whole, seconds=None, jobs=None)


@pytest.mark.parametrize("study_of", [a_comparison, an_impact])
def test_what_is_kept_is_not_played_again(study_of: Any, tmp_path: Path) -> None:
    first = run_kept(study_of(), tmp_path)
    lines = (tmp_path / "blocks.jsonl").read_bytes()
    again = run_kept(study_of(), tmp_path)

    assert again == first
    assert other_types(first.to_dict()) == set()
    assert (tmp_path / "blocks.jsonl").read_bytes() == lines


def test_progress_knows_all_games_of_an_impact_from_the_start() -> None:
    study, seen = an_impact(), []
    whole = study.run(watch=seen.append, block_sets=16)
    played = [progress.games for progress in seen]

    assert {progress.games_total for progress in seen} == {study.most_games}
    assert played == sorted(played)
    assert played[-1] == whole.games_played
    assert 0.9 * study.most_games <= whole.games_played <= study.most_games


def test_an_impact_that_is_interrupted_tells_what_it_can() -> None:
    games: list[Progress] = []
    whole = an_impact().run(watch=games.append, block_sets=16)
    first = [progress for progress in games if progress.job.number < len(FIELD)]
    told = []
    for stop_at in (1, len(first), len(games) - 1):
        with pytest.raises(Interrupted) as stop:
            an_impact().run(watch=Breaking(stop_at), block_sets=16)
        told.append(stop.value.result)

    assert told[0] is None
    early, last = told[1:]
    assert isinstance(early, ImpactResult)
    assert not early.complete
    assert not early.measured
    assert early.cut == whole.cut
    assert "may be the card to cut" in early.answer
    assert early.answer.endswith("so they speak too much against it")
    jsonschema.validate(early.to_dict(), closed_schema("impact"))
    assert isinstance(last, ImpactResult)
    assert last.measured
    assert not last.complete
    assert last.games_played < whole.games_played
    assert replace(last, complete=True).cards == whole.cards
    assert last.observed == ()
    text = write(last)
    assert "not all games were played" in text
    assert "Observed" not in text
    frame = assert_tidy(last)
    assert (frame["metric"] == "copies").sum() == len(last.cards)
    jsonschema.validate(last.to_dict(), closed_schema("impact"))
