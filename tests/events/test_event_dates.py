"""The date of an event chooses the snapshot of its format, or it is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]
LEAGUE = """\
title: League
extends: gwent/standard
snapshot: 2025-11
history:
  - snapshot: 2025-12-07
    constraints: {bans: {rule: banned, cards: [Ballista]}}
"""


@pytest.fixture(autouse=True)
def league(cup: Path) -> Path:
    """The event of 2025-12-06 by a format that bans a card of Ben's the day after."""
    (cup / "league.yaml").write_text(LEAGUE, encoding="utf-8")
    edit("gwent/standard", "./league.yaml")
    return cup


def edit(old: str, new: str) -> None:
    file = Path("event.toml")
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def found(*words: str, code: int = 0) -> list[str]:
    output = ("--output-format", "concise:found", "-qq")
    assert main(["event", "event.toml", *output, *words]) == code
    return Path("found").read_text(encoding="utf-8").splitlines()


BANNED = "error[DB101] banned-card: 2 copies of `Ballista`, which is banned"


def test_the_day_of_the_event_chooses() -> None:
    assert found() == []
    edit("2025-12-06", "2025-12-07")
    [line] = found(code=1)
    assert line.endswith(BANNED)


def test_of_several_days_the_first_does() -> None:
    edit("2025-12-06", "2025-12-06 to 2025-12-07")
    assert found() == []


def test_a_day_before_the_first_snapshot_is_an_error(capsys: Captured) -> None:
    edit("2025-12-06", "2025-10-31")

    assert main(["event", "event.toml"]) == 2
    assert capsys.readouterr().err == (
        "error: event.toml:2:8: format `league.yaml` has no snapshot as early as "
        "`2025-10-31`\nhelp: The first is `2025-11`\n"
    )


def test_another_date_is_told() -> None:
    *lines, note = found("--as-of", "2026-01", code=1)

    assert [line.partition(": ")[2] for line in lines] == [BANNED]
    assert note == (
        "event.toml:2:8: note[DE109] other-date: "
        "Lists are judged as of 2026-01, not of `2025-12-06`"
    )
    assert found("--as-of", "2025-12-06") == []


def test_another_date_too_early_is_misuse(capsys: Captured) -> None:
    assert main(["event", "event.toml", "--as-of", "2025-10"]) == 2
    assert capsys.readouterr().err == (
        "error: Format `league.yaml` has no snapshot as early as `2025-10`\n"
        "help: The first is `2025-11`\n"
    )


def test_a_date_in_words_is_told() -> None:
    edit("2025-12-06", "6 and 7 December")
    *lines, note = found(code=1)

    assert [line.partition(": ")[2] for line in lines] == [BANNED]
    assert note.startswith(
        "event.toml:2:8: note[DE109] other-date: `6 and 7 December` names no day, "
        "so that the last snapshot counts: 2025-12-07"
    )
    assert len(found("--as-of", "2025-12-06")) == 1


@pytest.mark.parametrize(
    ("snapshot", "notes"), [("2025-11", 0), ("2025-12-07", 1)], ids=["own", "other"]
)
def test_a_snapshot_that_the_event_names_counts(snapshot: str, notes: int) -> None:
    edit("league.yaml", f"league.yaml@{snapshot}")
    lines = found(code=notes)

    assert sum("other-date" in line for line in lines) == notes
    assert (len(lines) == 2) == bool(notes)


def test_it_cannot_be_named_twice(capsys: Captured) -> None:
    edit("league.yaml", "league.yaml@2025-11")

    assert main(["event", "event.toml", "--as-of", "2025-11"]) == 2
    assert capsys.readouterr().err == (
        "error: `--as-of` changes nothing: the event names `@2025-11`\n"
        "help: Leave one of the two out\n"
    )
