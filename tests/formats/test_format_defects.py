"""Each defect of a format file is refused, at its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from deckcheck.cards import DatabaseError
from deckcheck.formats import FormatError, load_format

Formats = Callable[..., Path]
HEAD = "title: League\nextends: standard\n"


def defects(root: Path, id: str = "gwent/league") -> list[str]:
    with pytest.raises(FormatError) as caught:
        load_format(id, root)
    return [
        line.removeprefix("db/gwent/formats/league.yaml:")
        for line in caught.value.message.splitlines()[1:]
    ]


@pytest.mark.parametrize(
    ("text", "defect"),
    [
        ("limits: {}", "3:1: unknown key `limits`"),
        (
            "snapshot: soon",
            "3:11: `soon` is not a date such as `2025-10` or `2025-10-31`",
        ),
        ("snapshot_assumed: true", "3:1: `snapshot_assumed` goes with a `snapshot`"),
        ("snapshot: 2025-13", "3:11: `2025-13` is not a date such as"),
        ("constraints: [spies]", "3:14: expected a mapping, found a list"),
        ("constraints:\n  units: 3", "4:10: expected a mapping, found `3`"),
        ("options:\n  gems: 2.5", "4:9: `gems` is `2.5`, must be 1 to 5"),
        ("options:\n  gems: 0", "4:9: `gems` is `0`, must be 1 to 5"),
        ("options:\n  gems: true", "4:9: `gems` is `true`, must be 1 to 5"),
        (
            "options:\n  next_starter: loser",
            "4:17: `next_starter` is `loser`, must be `winner` or `alternate`",
        ),
        (
            "options:\n  kept_summoner_summons: yes",
            "4:26: `kept_summoner_summons` is `yes`, must be `false` or `true`",
        ),
        ("options:\n  gem: 2", "4:3: unknown option `gem`, did you mean `gems`?"),
        (
            "options:\n  white_flame: one",
            "4:3: `white_flame` is for `table` and `teams`, not for `duel`",
        ),
        ("seating: duel", "3:10: expected a mapping, found `duel`"),
        ("seating:\n  plays: duel", "4:3: unknown key `plays`, did you mean `play`?"),
        (
            "seating:\n  play: 3",
            "4:9: expected `duel`, `shared`, `table`, `teams`",
        ),
        ("seating:\n  play:", "4:8: expected true or false or a whole number"),
        (
            "seating:\n  min_players: 0",
            "4:16: `0` is too small, the minimum is 1",
        ),
        (
            "seating:\n  play: table\n  min_players: 3",
            "5:16: `min_players` 3 is greater than `max_players` 2",
        ),
        (
            "seating:\n  max_players: 4",
            "4:16: `duel` is for 2, `max_players` is 4",
        ),
        (
            "seating:\n  max_decks: 3",
            "4:14: `max_decks` is only for files that hold a lineup, a team or a table",
        ),
        (
            "seating:\n  single_deck: false",
            "4:16: `single_deck` is only for files that hold a lineup, a team or a",
        ),
        (
            "seating:\n  holds: team\n  min_decks: 3",
            "5:14: `min_decks` 3 is greater than `max_decks` 1",
        ),
        (
            "constraints:\n  x: {rule: limit, statement: gwent 1.1}",
            "4:13: unknown rule `limit`, rules are count, sum, points, copies, "
            "banned, restricted, deckable, one_faction, leader",
        ),
        (
            "constraints:\n  x: {rule: count, max: 1}",
            "4:3: `statement` is missing",
        ),
        (
            "constraints:\n  x: {rule: count, max: 1, statement: '1.1'}",
            "4:39: `1.1` is not a statement such as `gwent 1.6.2`",
        ),
        (
            "constraints:\n  x: {rule: count, max: -1, statement: gwent 1}",
            "4:25: `-1` is too small, the minimum is 0",
        ),
        (
            "constraints:\n  x: {rule: count, statement: gwent 1}",
            "4:3: `min` or `max` is missing",
        ),
        (
            "constraints:\n  x: {rule: count, min: null, max: 1, statement: gwent 1}",
            "4:25: `min` has no value",
        ),
        (
            "constraints:\n  x: {rule: sum, max: 1, statement: gwent 1}",
            "4:3: `attribute` is missing",
        ),
        (
            "constraints:\n  copies: {max: 1}",
            "4:12: unknown key `max`",
        ),
        ("constraints:\n  specials: {min: 11}", "4:3: `min` 11 is greater than"),
        (
            "constraints:\n  specials: {max: 4, colour: red}",
            "4:22: unknown key `colour`",
        ),
        (
            "constraints:\n  specials: {kinds: [spell]}",
            "4:22: unknown word `spell` in `kinds`",
        ),
        (
            "constraints:\n"
            "  x: {rule: count, cards: [cow, scorh], max: 1, statement: gwent 1}",
            "4:33: unknown word `scorh` in `cards`, did you mean `scorch`?",
        ),
        (
            "constraints:\n"
            "  x: {rule: sum, attribute: luck, max: 1, statement: gwent 1}",
            "4:29: expected `strength`, found `luck`",
        ),
        ("constraints:\n  Units: {max: 3}", "4:3: `Units` is not a word of"),
        ("options:\n  gems: 3\n  gems: 4", "5:3: key `gems` is given twice"),
        ("constraints: {", "4:1: "),
    ],
)
def test_defects(formats: Formats, text: str, defect: str) -> None:
    found = defects(formats(league=HEAD + text + "\n"))

    assert len(found) == 1
    assert found[0].startswith(defect)


@pytest.mark.parametrize(
    ("parent", "defect"),
    [
        ("standrd", "2:10: unknown format `gwent/standrd`, did you mean"),
        ("league", "2:10: `gwent/league` inherits from itself"),
        ("cup", "db/gwent/formats/cup.yaml:2:10: `gwent/league` inherits from itself"),
        ("chess/blitz", "2:10: `chess/blitz` is a format of another game"),
    ],
)
def test_bad_parents(formats: Formats, parent: str, defect: str) -> None:
    root = formats(
        league=f"title: League\nextends: {parent}\n",
        cup="title: Cup\nextends: league\n",
    )
    other = root / "chess" / "formats" / "blitz.yaml"
    other.parent.mkdir(parents=True)
    other.write_text("title: Blitz\n", encoding="utf-8")

    (found,) = defects(root)
    assert found.startswith(defect)


def test_all_defects_come_at_once(formats: Formats) -> None:
    text = HEAD + "options:\n  gem: 3\n  gems: 9\nconstraints:\n  units: {max: 3}\n"

    assert defects(formats(league=text)) == [
        "4:3: unknown option `gem`, did you mean `gems`?",
        "5:9: `gems` is `9`, must be 1 to 5",
        "7:3: `min` 22 is greater than `max` 3",
    ]


def test_an_unknown_key_hides_nothing(formats: Formats) -> None:
    text = HEAD + "optoins: {gems: 3}\nlimits: {}\nconstraints:\n  units: {max: 3}\n"

    assert defects(formats(league=text)) == [
        "3:1: unknown key `optoins`, did you mean `options`?",
        "4:1: unknown key `limits`",
        "6:3: `min` 22 is greater than `max` 3",
    ]


def test_a_value_of_the_wrong_type_hides_nothing(formats: Formats) -> None:
    text = "title: 3\nextends: standard\nseating: duel\n"
    text += "options: {gems: 9, gem: [1]}\nconstraints: {units: {max: 3}, cards: 5}\n"

    assert defects(formats(league=text)) == [
        "1:8: expected text, found `3`",
        "3:10: expected a mapping, found `duel`",
        "4:17: `gems` is `9`, must be 1 to 5",
        "4:25: expected true or false or a whole number or text, found a list",
        "5:15: `min` 22 is greater than `max` 3",
        "5:39: expected a mapping, found `5`",
    ]


def test_what_is_inherited_must_be_known_to_check_the_rest(formats: Formats) -> None:
    text = "title: League\nextends: 3\noptions: {gems: 9}\n"

    assert defects(formats(league=text)) == ["2:10: expected text, found `3`"]


def test_an_unknown_key_is_not_called_missing(formats: Formats) -> None:
    text = "title: League\nsnapshott: 2025-10\noptions: {gems: 9}\n"

    assert defects(formats(league=text)) == [
        "2:1: unknown key `snapshott`, did you mean `snapshot`?",
        "3:17: `gems` is `9`, must be 1 to 5",
    ]


def test_defects_of_the_parent_show(formats: Formats) -> None:
    cup = "title: Cup\nextends: league\n"
    root = formats(league=HEAD + "options: {gems: 9}\n", cup=cup)

    assert defects(root, "gwent/cup") == ["3:17: `gems` is `9`, must be 1 to 5"]


def test_a_format_of_its_own_states_everything(formats: Formats) -> None:
    found = defects(formats(league="title: League\noptions: {gems: 1}\n"))

    assert found[0].startswith("1:1: options without a value: `hand_size`, `redraws`")
    assert found[1] == "1:1: `snapshot` is missing"


def test_broken_cards_are_a_database_error(formats: Formats) -> None:
    root = formats(league=HEAD)
    (root / "gwent" / "cards.yaml").write_text("- 1\n", encoding="utf-8")

    with pytest.raises(DatabaseError):
        load_format("gwent/league", root)
