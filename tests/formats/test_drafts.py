"""Format files that extend others, and that change over time."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from helpers.findings import validate_text

import deckcheck
from deckcheck.findings import UsageError
from deckcheck.formats import Format, FormatError, load_format

# Formats over time: snapshots, dates, and files whose history is wrong.

BASE = """\
title: League
extends: gwent/standard
snapshot: 2025-11
constraints:
  specials: {max: 6}
history:
  - snapshot: 2026-01
    constraints:
      bans: {rule: banned, cards: [Scorch]}
  - snapshot: 2026-04
    constraints:
      specials: {max: 8}
      bans:
    options: {gems: 3}
"""


@pytest.fixture(autouse=True)
def league(here: Path) -> Path:
    file = here / "league.yaml"
    file.write_text(BASE, encoding="utf-8")
    return file


_CHANGES = (
    "Snapshot 2026-04 changes constraint `specials` from (count, kinds special or "
    "weather, max 6) to (count, kinds special or weather, max 8), removes constraint "
    "`bans` (banned, cards scorch) and changes option `gems` from (2) to (3). "
    "Judge by it with `as_of='latest'`"
)
IN_FORCE = (
    f"`league.yaml` is judged by its snapshot 2026-01, which is in force today. "
    f"{_CHANGES}"
)
AS_OF = f"`league.yaml` is judged by its snapshot 2026-01. {_CHANGES}"
NOT_YET = "`league.yaml` is judged by its snapshot 2026-04, which is not in force yet"


def summary(fmt: Format) -> tuple[str, object, bool, object]:
    constraints = {c.name: c for c in fmt.constraints}
    limit = constraints["specials"].settings["max"]
    return fmt.snapshot, limit, "bans" in constraints, fmt.options["gems"]


SNAPSHOTS = {
    "2025-11": ("2025-11", 6, False, 2),
    "2026-01": ("2026-01", 6, True, 2),
    "2026-04": ("2026-04", 8, False, 3),
}


def test_the_snapshot_that_counts() -> None:
    for id, as_of, expected in (
        ("league.yaml", None, "2026-04"),
        ("league.yaml@2025-11", None, "2025-11"),
        ("league.yaml@2026-01", None, "2026-01"),
        ("league.yaml@2026-01", "2030-01", "2026-01"),
        ("league.yaml", "2025-11", "2025-11"),
        ("league.yaml", "2025-12-31", "2025-11"),
        ("league.yaml", "2026-01-01", "2026-01"),
        ("league.yaml", "2026-03", "2026-01"),
        ("league.yaml", "2099-12", "2026-04"),
    ):
        found = summary(load_format(id, as_of=as_of))
        assert found == SNAPSHOTS[expected], (id, as_of)
    ids = [f"league.yaml@{month}" for month in SNAPSHOTS]
    assert len({load_format(id).fingerprint for id in ids}) == len(ids)


DAYS = """\
title: League
extends: gwent/standard
snapshot: 2026-01
history:
  - snapshot: 2026-02-10
    constraints: {bans: {rule: banned, cards: [Scorch]}}
  - snapshot: 2026-02-20
    constraints: {bans: }
  - snapshot: 2026-03
    options: {gems: 3}
"""


def test_snapshots_by_day(league: Path) -> None:
    league.write_text(DAYS, encoding="utf-8")
    for date, expected in {
        "2026-02-09": ("2026-01", False, 2),
        "2026-02-10": ("2026-02-10", True, 2),
        "2026-02-19": ("2026-02-10", True, 2),
        "2026-02-20": ("2026-02-20", False, 2),
        # A month is all of its days.
        "2026-02": ("2026-02-20", False, 2),
        "2026-03-01": ("2026-03", False, 3),
    }.items():
        fmt = load_format("league.yaml", as_of=date)
        snapshot, _, bans, gems = summary(fmt)
        assert (snapshot, bans, gems) == expected, date
        assert load_format(f"league.yaml@{snapshot}").fingerprint == fmt.fingerprint, (
            date
        )


def test_no_such_day() -> None:
    for day in ("2026-02-30", "2026-04-31", "2026-00-01", "2026-1-1"):
        with pytest.raises(FormatError, match=f"`{day}` is not a date"):
            load_format("league.yaml", as_of=day)


def test_a_child_has_the_snapshots_of_its_parent(tmp_path: Path) -> None:
    cup = "title: Cup\nextends: league.yaml\noptions: {gems: 1}\n"
    (tmp_path / "cup.yaml").write_text(cup, encoding="utf-8")

    assert summary(load_format("cup.yaml@2026-01")) == ("2026-01", 6, True, 1)
    assert summary(load_format("cup.yaml")) == ("2026-04", 8, False, 1)


def test_a_deck_may_name_a_snapshot() -> None:
    text = "Format: gwent/standard@{}\nLeader: The Siegemaster\n\nScorch\n"
    known = validate_text(text.format("2025-10"), "a.deck")
    unknown = validate_text(text.format("2024-01"), "a.deck")

    assert known.formats[0].snapshot == "2025-10"
    (finding,) = [f for f in unknown.findings if f.name == "unknown-format"]
    assert finding.message == "Format `gwent/standard` has no snapshot `2024-01`"
    assert finding.help == "Snapshots are `2025-10`"


# What a format file may say about the one it extends.

Formats = Callable[..., Path]
HEAD = "title: Sunday league\nextends: advanced\n"


def test_settings_and_options_of_a_format(formats: Formats) -> None:
    text = HEAD + (
        "constraints:\n"
        "  strength: {max: 120}\n"
        "  units: {min: null, max: 30}\n"
        "  spies: null\n"
        "  medics: {rule: count, cards: [cow], max: 0, statement: gwent 2.5}\n"
        "  heroes: {rule: count, kinds: [hero], max: 3, statement: gwent 2.7}\n"
        "options:\n  gems: 3\n  kept_summoner_summons: true\n"
    )
    fmt = load_format("gwent/league", formats(league=text))
    found, options = {c.name: c for c in fmt.constraints}, fmt.options

    strength = found["strength"]
    assert strength.settings["max"] == 120
    assert strength.settings["kinds"] == ("unit", "hero")
    assert strength.statement == "gwent 2.6"
    assert strength.origin == "gwent/formats/league.yaml"
    assert found["units"].settings == {"kinds": ("unit", "hero"), "max": 30}
    assert "spies" not in found
    assert found["medics"].settings == {"cards": ("cow",), "max": 0}
    assert list(found)[-1] == "heroes"
    assert (options["gems"], options["kept_summoner_summons"]) == (3, True)
    assert options["redraws"] == 2


DAY = 86_400
"""Seconds of a day."""


CHOSEN = (
    # Before the first snapshot that one judges: the format is announced.
    ("2025-10-31", "league.yaml", None, "2025-11"),
    ("2025-11-01", "league.yaml", None, "2025-11"),
    ("2025-12-31", "league.yaml", None, "2025-11"),
    ("2026-01-01", "league.yaml", None, "2026-01"),
    ("2026-03-31", "league.yaml", None, "2026-01"),
    ("2026-04-01", "league.yaml", None, "2026-04"),
    ("2026-03-31", "league.yaml", "today", "2026-01"),
    ("2025-10-31", "league.yaml", "latest", "2026-04"),
    ("2026-03-31", "league.yaml", "2025-12", "2025-11"),
    ("2025-12-31", "league.yaml@2026-04", None, "2026-04"),
    ("2026-12-31", "league.yaml@2025-11", None, "2025-11"),
    ("2020-01-01", "gwent/standard", None, "2025-10"),
)


def test_today_chooses_the_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    for day, id, as_of, snapshot in CHOSEN:
        first_second = int(datetime.fromisoformat(f"{day}T00:00:00+00:00").timestamp())
        for second in (first_second, first_second + DAY - 1):
            monkeypatch.setenv("SOURCE_DATE_EPOCH", str(second))
            found = load_format(id, as_of=as_of).snapshot
            assert found == snapshot, (day, id, as_of)


def test_a_clock_that_is_not_a_number_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "noon")

    with pytest.raises(UsageError, match="is not a number of seconds: `noon`"):
        load_format("league.yaml")


def test_a_later_snapshot_never_waits_without_a_word(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for day, id, as_of, notes in (
        ("2026-04-01", "league.yaml", None, ()),
        ("2026-04-01", "league.yaml@2025-11", None, ()),
        ("2026-04-01", "gwent/standard", None, ()),
        ("2026-02-01", "league.yaml@2025-11", None, ()),
        ("2026-02-01", "league.yaml", "latest", (NOT_YET,)),
        ("2026-02-01", "league.yaml@2026-04", None, (NOT_YET,)),
        ("2026-05-01", "league.yaml", "2026-01", (AS_OF,)),
        ("2026-02-01", "league.yaml", "2026-01", (AS_OF,)),
        ("2026-02-01", "league.yaml", None, (IN_FORCE,)),
    ):
        noon = datetime.fromisoformat(f"{day}T12:00:00+00:00").timestamp()
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(noon)))
        run = deckcheck.validate(text="2 Ballista\n", format=id, as_of=as_of)
        assert run.notes == notes, (day, id, as_of)
    # Rules of the command line are no change.
    text = "2 Ballista\n"
    run = deckcheck.validate(text=text, format="league.yaml", rule="ban Decoy")
    assert run.notes == (IN_FORCE,)
