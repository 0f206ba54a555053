"""The formats of Gwent, and points of cards."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.changes import single_changes

import deckcheck
from deckcheck.cards import load_database
from deckcheck.cli import main
from deckcheck.events.seals import _hash_rules
from deckcheck.formats import (
    Condition,
    FormatError,
    database_of,
    format_ids,
    load_format,
)
from deckcheck.formats.reading import _hash_format

# The formats of Gwent that come with deckcheck.


def test_every_format_loads() -> None:
    for id in format_ids():
        fmt = load_format(id)
        assert fmt.id == f"{fmt.game}/{fmt.name}" == id
        assert fmt.origin == f"{fmt.game}/formats/{fmt.name}.yaml", id
    fingerprints = {load_format(id).fingerprint for id in format_ids()}
    assert len(fingerprints) == len(format_ids())
    assert all(len(fingerprint) == 12 for fingerprint in fingerprints)


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


WITHOUT_DIGEST = {
    *("name", "game", "origin", "lineage", "fingerprint", "snapshot_assumed"),
    *("constraints.origin", "constraints.condition"),
}
"""What follows from the rest of a format, or judges nothing."""
WITHOUT_SEAL = WITHOUT_DIGEST | {"id", "title", "snapshot", "constraints.statement"}
"""What a league may word anew after its lists were sealed."""


@pytest.mark.parametrize("id", format_ids())
def test_whatever_changes_in_a_format_changes_its_digests(id: str) -> None:
    """Each option, each setting of each constraint, each word of the seating."""
    # What sets do is in the fingerprint of the cards.
    fmt, database = replace(load_format(id), changes=()), database_of(load_format(id))
    fingerprints, seals = {_hash_format(fmt, database)}, {_hash_rules(fmt)}

    for at, other in single_changes(fmt):
        names = [part for part in at if isinstance(part, str)]
        name = ".".join(names[: 2 if at[0] == "constraints" else 1])
        assert (_hash_format(other, database) in fingerprints) == (
            name in WITHOUT_DIGEST
        ), at
        assert (_hash_rules(other) in seals) == (name in WITHOUT_SEAL), at
        fingerprints.add(_hash_format(other, database))
        seals.add(_hash_rules(other))


WAYS = {load_format(id).seating.play + load_format(id).game: id for id in format_ids()}
"""A format for each way to play each game, which have the same options."""


@pytest.mark.parametrize("id", WAYS.values())
def test_each_option_that_a_file_changes_is_another_format(
    id: str, tmp_path: Path
) -> None:
    """One after the other in the same file: nothing that was kept of it counts."""
    fmt, file = load_format(id), tmp_path / "league.yaml"
    options = {option.name: option for option in database_of(fmt).game.options}
    fingerprints = set()
    for name, value in fmt.options.items():
        option = options[name]
        values = option.values or (option.minimum, option.maximum)
        [other, *_] = [v for v in values if v != value]
        said = {"title": "League", "extends": id, "options": {name: other}}
        file.write_text(json.dumps(said), encoding="utf-8")
        own = load_format(str(file))

        assert own.options == {**fmt.options, name: other}
        fingerprints.add(own.fingerprint)
    assert len(fingerprints) == len(fmt.options)


def test_unknown_format(tmp_path: Path) -> None:
    for id, help in {
        "gwent/advanecd": "Did you mean `gwent/advanced`?",
        "advanced": "Did you mean `gwent/advanced`?",
        "Gwent/Standard": "Did you mean `gwent/standard`?",
        "gwnet/standart": "Did you mean `gwent/standard`?",
        "gwent/tournamnt": "Did you mean `gwent/tournament`?",
        "solo_bilt": "Did you mean `gwent/solo_built`?",
        "chess": "Formats are `deckmaster/standard`, ",
        "chess/standard": "Formats are `deckmaster/standard`, ",
        "gwent/nope": "Formats of `gwent` are `gwent/advanced`, ",
        "sg_gwint": "Formats of `sg_gwint` are `sg_gwint/2.1` or ",
    }.items():
        with pytest.raises(FormatError) as caught:
            load_format(id)
        assert caught.value.message == f"unknown format `{id}`"
        assert (caught.value.help or "").startswith(help), id
    with pytest.raises(FormatError) as caught:
        load_format("gwent/standard", tmp_path)
    assert caught.value.help == f"No folder has formats: `{tmp_path}`"


def test_conditions() -> None:
    siege = Condition(rows=("siege",), kinds=("unit",), factions=("skellige",))
    medics = Condition(abilities=("spy", "medic"), factions=("nilfgaard",))
    for condition, cards, copies in (
        (Condition(), 163, 239),
        (Condition(kinds=("hero",)), 25, 25),
        (Condition(abilities=("spy",)), 7, 7),
        (medics, 6, 7),
        (siege, 3, 5),
        (Condition(cards=("cow", "roach")), 2, 2),
    ):
        every = load_database("gwent").cards.values()
        met = [card for card in every if condition.matches(card)]
        found = (len(met), sum(card.copies for card in met))
        assert found == (cards, copies), condition


# Points of cards: in formats, their snapshots and differences, and in messages.

Captured = pytest.CaptureFixture[str]
LEAGUE = """\
title: Points league
extends: gwent/standard
snapshot: 2026-01
constraints:
  points:
    rule: points
    points: {Geralt of Rivia: 8, Decoy: 3, Ciri: 8}
    max: 20
history:
  - snapshot: 2026-03
    constraints:
      points: {points: {Decoy: 4, Scorch: 2, Ciri: null}}
  - snapshot: 2026-04
    sets: [spring.yaml]
"""
SET = "change:\n  Catapult: {strength: 10}\nremove: [Thaler]\n"
DECK = "Leader: Foltest, The Siegemaster\n\nGeralt of Rivia\n2 Decoy\nCiri\nThaler\n"


@pytest.fixture(autouse=True)
def folder(here: Path) -> None:
    Path("league.yaml").write_text(LEAGUE, encoding="utf-8")
    Path("spring.yaml").write_text(SET, encoding="utf-8")


def points(snapshot: str) -> object:
    fmt = load_format(f"./league.yaml@{snapshot}")
    [constraint] = [each for each in fmt.constraints if each.rule == "points"]
    return dict(constraint.settings["points"])  # type: ignore[call-overload]


def test_points_by_snapshot() -> None:
    ciri = "cirilla_fiona_elen_riannon"
    assert points("2026-01") == {"geralt_of_rivia": 8, "decoy": 3, ciri: 8}
    assert points("2026-03") == {"geralt_of_rivia": 8, "decoy": 4, "scorch": 2}


def test_random_decks_keep_within_the_points(capsys: Captured) -> None:
    words = ["--seed", "3", "--number", "20", "-o", "decks"]
    assert main(["generate", "./league.yaml", *words]) in (0, 2)
    main(["generate", "./league.yaml", "--seed", "3"])
    Path("a.deck").write_text(capsys.readouterr().out, encoding="utf-8")

    assert main(["validate", "a.deck", "--format", "./league.yaml"]) == 0


def test_a_run_as_plain_data_is_what_json_prints(capsys: Captured) -> None:
    Path("a.deck").write_text(DECK)
    main(["validate", "a.deck", "--format", "./league.yaml", "--output-format", "json"])
    printed = json.loads(capsys.readouterr().out)
    run = deckcheck.validate("a.deck", format="./league.yaml")

    assert run.to_dict() == printed
    assert run.reports[0].to_dict() == printed["decks"][0]
