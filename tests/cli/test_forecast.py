"""What is said before a long run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deckcheck.cli.progress import Forecast
from deckcheck.playing.table import Table
from deckcheck.sim.jobs import Job
from deckcheck.sim.scheduler import Progress

JOB = Job(1, "a against b", Table("gwent", "two", ()), ("learned", "heuristic"), 99)
BEGUN = Progress(100, 1_000_000, 1.0, JOB, None, workers=2, ready=2)


def said(*progress: Progress, games: int | None = 9_000, least: int = 2) -> list[str]:
    sentences: list[str] = []
    passed: list[Progress] = []
    forecast = Forecast(passed.append, sentences.append, games, least)
    for each in progress:
        forecast(each)
    assert passed == list(progress)
    return sentences


def after(seconds: float, games: int) -> Progress:
    return replace(BEGUN, seconds=1.0 + seconds, games=100 + games)


def test_a_long_run_says_once_how_long_it_takes() -> None:
    """A million games of a thousand a second; a minute has 60,000 of them."""
    once = [BEGUN, after(1, 1_000), after(6, 6_000), after(9, 3_000)]

    assert said(*once) == [
        "About 17 min here (learned 1 plays 1,000 games/s); `--games 500` takes one "
        "minute"
    ]


def test_a_number_that_would_be_refused_is_not_named() -> None:
    run = [BEGUN, after(6, 6_000)]

    assert said(*run, least=600) == said(*run, games=None)
    assert said(*run, games=None) == [
        "About 17 min here (learned 1 plays 1,000 games/s)"
    ]


def test_hours() -> None:
    [sentence] = said(BEGUN, after(6, 60), games=None)

    assert sentence.startswith("About 28 h here ")


@pytest.mark.parametrize(
    "changed",
    [
        {"games_total": 50_000},
        {"ready": 1},
        {"until": "look 3"},
    ],
)
def test_where_it_is_short_or_unknown_nothing_is_said(
    changed: dict[str, object],
) -> None:
    run = [replace(each, **changed) for each in (BEGUN, after(6, 6_000))]  # type: ignore[arg-type]

    assert said(*run) == []
