"""The formats of Gwent that come with deckcheck."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckcheck.cards import load_database
from deckcheck.formats import (
    Condition,
    Format,
    FormatError,
    Seating,
    format_ids,
    load_format,
)


def summary(fmt: Format) -> dict[str, tuple[str, dict[str, object]]]:
    return {c.name: (c.rule, dict(c.settings)) for c in fmt.constraints}


def test_ids() -> None:
    assert {"gwent/standard", "gwent/advanced"} <= set(format_ids())


@pytest.mark.parametrize("id", format_ids())
def test_every_format_loads(id: str) -> None:
    fmt = load_format(id)

    assert fmt.id == f"{fmt.game}/{fmt.name}" == id
    assert fmt.origin == f"{fmt.game}/formats/{fmt.name}.yaml"


def test_standard() -> None:
    units = ("unit", "hero")
    specials = ("special", "weather")

    assert summary(load_format("gwent/standard")) == {
        "faction": ("one_faction", {}),
        "leader": ("leader", {"count": 1, "same_faction": True}),
        "units": ("count", {"kinds": units, "min": 22}),
        "specials": ("count", {"kinds": specials, "max": 10}),
        "copies": ("copies", {}),
        "deckable": ("deckable", {}),
    }


def test_advanced_adds_to_standard() -> None:
    standard = summary(load_format("gwent/standard"))
    advanced = summary(load_format("gwent/advanced"))

    assert advanced == {
        **standard,
        "specials": ("count", {"kinds": ("special", "weather"), "max": 5}),
        "spies": ("count", {"abilities": ("spy",), "max": 2}),
        "medics": ("count", {"abilities": ("medic",), "max": 2}),
        "strength": (
            "sum",
            {"attribute": "strength", "kinds": ("unit", "hero"), "max": 130},
        ),
    }


def test_constraints_know_their_file_and_statement() -> None:
    advanced = {c.name: c for c in load_format("gwent/advanced").constraints}

    assert advanced["units"].origin == "gwent/formats/standard.yaml"
    assert advanced["units"].statement == "gwent 1.1.3"
    assert advanced["specials"].origin == "gwent/formats/advanced.yaml"
    assert advanced["specials"].statement == "gwent 2.3"


@pytest.mark.parametrize(
    ("name", "seating"),
    [
        ("standard", Seating("duel", 2, 2, "deck", 1, 1, True)),
        ("advanced", Seating()),
        ("tournament", Seating("match", 2, 2, "lineup", 3, 3, False)),
        ("free_for_all", Seating("table", 3, 5, "table", 3, 5, True)),
        ("two_vs_two", Seating("teams", 4, 4, "team", 2, 2, True)),
        ("solo", Seating("solo", 1, 1, "deck", 1, 1, True)),
        ("solo_built_leader", Seating("solo", 1, 1, "deck", 1, 1, True)),
    ],
)
def test_seating(name: str, seating: Seating) -> None:
    assert load_format(f"gwent/{name}").seating == seating


def test_options_of_other_ways_to_play_are_left_out() -> None:
    assert "gems" not in load_format("gwent/free_for_all").options
    assert "white_flame" not in load_format("gwent/standard").options
    assert load_format("gwent/free_for_all").options["white_flame"] == "one"
    assert load_format("gwent/two_vs_two").options["white_flame"] == "all"


def test_options() -> None:
    fmt = load_format("gwent/advanced")
    options = load_database("gwent").game.options
    names = [x.name for x in options if not x.plays or "duel" in x.plays]

    assert list(fmt.options) == names
    assert fmt.options == load_format("gwent/standard").options
    assert fmt.options["gems"] == 2
    assert fmt.options["kept_summoner_summons"] is False


def test_options_of_one_way_to_play() -> None:
    options = load_database("gwent").game.options
    names = {x.name for x in options if x.plays == ("solo",)}

    assert "automa_leaders" in names
    assert names <= set(load_format("gwent/solo").options)
    assert not names & set(load_format("gwent/standard").options)
    assert load_format("gwent/solo").options["automa_leaders"] is False
    assert load_format("gwent/solo_built_leader").options["automa_leaders"] is True


def test_digests_tell_formats_apart() -> None:
    digests = {load_format(id).digest for id in format_ids()}

    assert len(digests) == len(format_ids())
    assert all(len(digest) == 12 for digest in digests)


@pytest.mark.parametrize(
    ("id", "help"),
    [
        ("gwent/advanecd", "Did you mean `gwent/advanced`?"),
        ("advanced", "Did you mean `gwent/advanced`?"),
        ("Gwent/Standard", "Did you mean `gwent/standard`?"),
        ("gwnet/standart", "Did you mean `gwent/standard`?"),
        ("gwent/tournamnt", "Did you mean `gwent/tournament`?"),
        ("solo_bilt", "Did you mean `gwent/solo_built`?"),
    ],
)
def test_unknown_format(id: str, help: str) -> None:
    with pytest.raises(FormatError) as caught:
        load_format(id)

    assert caught.value.message == f"unknown format `{id}`"
    assert caught.value.help == help


@pytest.mark.parametrize(
    ("id", "help"),
    [
        ("chess", "Formats are `deckmaster/standard`, "),
        ("chess/standard", "Formats are `deckmaster/standard`, "),
        ("gwent/nope", "Formats of `gwent` are `gwent/advanced`, "),
        ("sg_gwint", "Formats of `sg_gwint` are `sg_gwint/2.1` or "),
    ],
)
def test_unknown_format_like_no_other(id: str, help: str) -> None:
    with pytest.raises(FormatError) as caught:
        load_format(id)

    assert (caught.value.help or "").startswith(help)


def test_unknown_format_where_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        load_format("gwent/standard", tmp_path)

    assert caught.value.help == f"There is none in `{tmp_path}`"


@pytest.mark.parametrize(
    ("condition", "cards", "copies"),
    [
        (Condition(), 163, 239),
        (Condition(kinds=("hero",)), 25, 25),
        (Condition(abilities=("spy",)), 7, 7),
        (Condition(abilities=("spy", "medic"), factions=("nilfgaard",)), 6, 7),
        (Condition(rows=("siege",), kinds=("unit",), factions=("skellige",)), 3, 5),
        (Condition(cards=("cow", "roach")), 2, 2),
    ],
)
def test_conditions(condition: Condition, cards: int, copies: int) -> None:
    met = [c for c in load_database("gwent").cards.values() if condition.matches(c)]

    assert (len(met), sum(card.copies for card in met)) == (cards, copies)
