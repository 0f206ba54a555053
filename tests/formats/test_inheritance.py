"""What a format file may say about the one it extends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from deckcheck.formats import Constraint, FormatError, Seating, load_format

Formats = Callable[..., Path]
HEAD = "title: Sunday league\nextends: advanced\n"


def constraints(root: Path) -> dict[str, Constraint]:
    return {c.name: c for c in load_format("gwent/league", root).constraints}


def defects(root: Path) -> list[str]:
    with pytest.raises(FormatError) as caught:
        load_format("gwent/league", root)
    head, *lines = caught.value.message.splitlines()
    assert head.startswith("format `gwent/league` has ")
    return [line.removeprefix("db/gwent/formats/league.yaml:") for line in lines]


def test_a_title_is_enough(formats: Formats) -> None:
    fmt = load_format("gwent/league", formats(league=HEAD))

    assert fmt.title == "Sunday league"
    assert fmt.snapshot == "2025-10"
    assert fmt.origin == "gwent/formats/league.yaml"
    assert fmt.digest != load_format("gwent/advanced").digest


def test_change_one_setting(formats: Formats) -> None:
    text = HEAD + "constraints:\n  strength: {max: 120}\n"
    strength = constraints(formats(league=text))["strength"]

    assert strength.settings["max"] == 120
    assert strength.settings["kinds"] == ("unit", "hero")
    assert strength.statement == "gwent 2.6"
    assert strength.origin == "gwent/formats/league.yaml"


def test_remove_one_setting(formats: Formats) -> None:
    text = HEAD + "constraints:\n  units: {min: null, max: 30}\n"

    assert constraints(formats(league=text))["units"].settings == {
        "kinds": ("unit", "hero"),
        "max": 30,
    }


def test_replace_repeal_and_add(formats: Formats) -> None:
    text = HEAD + (
        "constraints:\n"
        "  spies: null\n"
        "  medics: {rule: count, cards: [cow], max: 0, statement: gwent 2.5}\n"
        "  heroes: {rule: count, kinds: [hero], max: 3, statement: gwent 2.7}\n"
    )
    found = constraints(formats(league=text))

    assert "spies" not in found
    assert found["medics"].settings == {"cards": ("cow",), "max": 0}
    assert list(found)[-1] == "heroes"


def test_set_an_option(formats: Formats) -> None:
    text = HEAD + "options:\n  gems: 3\n  kept_summoner_summons: true\n"
    options = load_format("gwent/league", formats(league=text)).options

    assert (options["gems"], options["kept_summoner_summons"]) == (3, True)
    assert options["redraws"] == 2


def test_change_a_word_of_the_seating(formats: Formats) -> None:
    text = "title: Cup\nextends: free_for_all\nseating:\n  max_players: 4\n"
    fmt = load_format("gwent/cup", formats(cup=text))

    assert fmt.seating == Seating("table", 3, 4, "table", 3, 5, True)
    assert fmt.digest != load_format("gwent/free_for_all").digest


def test_extend_by_full_id_and_over_two_steps(formats: Formats) -> None:
    cup = "title: Cup\nextends: gwent/league\nsnapshot: 2026-01\n"
    league = HEAD + "constraints:\n  specials: {max: 4}\n"
    fmt = load_format("gwent/cup", formats(league=league, cup=cup))

    assert fmt.snapshot == "2026-01"
    assert {c.name: c.origin for c in fmt.constraints} == {
        "faction": "gwent/formats/standard.yaml",
        "leader": "gwent/formats/standard.yaml",
        "units": "gwent/formats/standard.yaml",
        "specials": "gwent/formats/league.yaml",
        "copies": "gwent/formats/standard.yaml",
        "deckable": "gwent/formats/standard.yaml",
        "spies": "gwent/formats/advanced.yaml",
        "medics": "gwent/formats/advanced.yaml",
        "strength": "gwent/formats/advanced.yaml",
    }


HAS_IT = "changes nothing, `gwent/advanced` has it already"
SPIES = "{rule: count, abilities: [spy], max: 2, statement: gwent 2.4}"


@pytest.mark.parametrize(
    ("text", "defect"),
    [
        (
            "constraints:\n  spies: {max: 2}",
            f"4:16: `max: 2` {HAS_IT}",
        ),
        (
            "constraints:\n  spies: {max: 3, statement: gwent 2.4}",
            f"4:30: `statement: gwent 2.4` {HAS_IT}",
        ),
        ("constraints:\n  spies: {}", f"4:3: `spies` {HAS_IT}"),
        (f"constraints:\n  spies: {SPIES}", f"4:3: `spies` {HAS_IT}"),
        (
            "constraints:\n  spies: {min: null}",
            "4:16: `min` is not set in `gwent/advanced`, removing it changes nothing",
        ),
        (
            "constraints:\n  dragons: null",
            "4:3: `dragons` has no `rule`, and no constraint of that name is inherited",
        ),
        ("options:\n  gems: 2", f"4:9: `gems: 2` {HAS_IT}"),
        (
            "options:\n  pirate_spares_itself: true",
            f"4:25: `pirate_spares_itself: true` {HAS_IT}",
        ),
        ("seating:\n  play: duel", f"4:9: `play: duel` {HAS_IT}"),
        ("seating:\n  single_deck: true", f"4:16: `single_deck: true` {HAS_IT}"),
        ("snapshot: 2025-10", f"3:11: `snapshot: 2025-10` {HAS_IT}"),
    ],
)
def test_what_changes_nothing_is_refused(
    formats: Formats, text: str, defect: str
) -> None:
    assert defects(formats(league=HEAD + text)) == [defect]


def test_title_of_the_parent_is_refused(formats: Formats) -> None:
    text = "title: Gwent, advanced\nextends: advanced\n"

    assert defects(formats(league=text)) == [f"1:8: `title: Gwent, advanced` {HAS_IT}"]
