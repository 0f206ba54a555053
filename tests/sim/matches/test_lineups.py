"""Which decks are a lineup, what it is called, and what is known of its decks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deckcheck.decks import Deck, DeckSource
from deckcheck.decks.model import Header
from deckcheck.findings import Position, Span, UsageError
from deckcheck.formats import load_format
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.matches import Lineup, line_up
from deckcheck.sim.selection import Chances
from deckcheck.sim.tournament import chances_between, read_chances, recalled

START = Span(Position(1, 1), Position(1, 1))
FORMAT = load_format("gwent/tournament")


def decks(path: str, *names: str, player: str = "") -> list[Entrant]:
    found = []
    for index, name in enumerate(names):
        headers = {"player": (Header(player, START),)} if player and not index else {}
        source = DeckSource(path, index)
        deck = Deck(source, name, None, None, None, (), START, headers)
        found.append(Entrant(deck, name, "random"))
    return found


ANNA = decks("lists/anna.deck", "A", "B", "C")
BEN = decks("lists/ben.deck", "D", "E", "F", player="Ben Ode")


def line(*entrants: Entrant, ways: tuple[str, ...] = ()) -> list[Lineup]:
    return line_up(FORMAT, entrants, ways)


def test_the_decks_of_a_file_are_a_lineup() -> None:
    anna, ben = line(*ANNA, *BEN)

    assert [entrant.name for entrant in anna.entrants] == ["A", "B", "C"]
    assert [entrant.name for entrant in ben.entrants] == ["D", "E", "F"]
    assert (anna.name, ben.name) == ("anna", "Ben Ode")
    assert (anna.selection, ben.selection) == ("optimal", "optimal")
    assert anna.policies == ("random",)


def test_the_same_file_twice_is_two_lineups() -> None:
    assert [lineup.name for lineup in line(*ANNA, *ANNA)] == ["anna (1)", "anna (2)"]


def test_lineups_of_players_of_one_name_are_told_apart_by_file() -> None:
    other = decks("lists/ben_2.deck", "D", "E", "F", player="Ben Ode")

    assert [lineup.name for lineup in line(*BEN, *other)] == [
        "Ben Ode (ben.deck)",
        "Ben Ode (ben_2.deck)",
    ]


def test_each_lineup_may_choose_its_own_way() -> None:
    found = line(*ANNA, *BEN, ways=("random", "fixed"))

    assert [lineup.selection for lineup in found] == ["random", "fixed"]


@pytest.mark.parametrize(
    ("entrants", "ways", "message"),
    [
        (ANNA, (), "Found 1 lineup, needs at least 2"),
        (
            [*ANNA, *BEN[:1]],
            (),
            "Found 1 deck in `lists/ben.deck`, a lineup of gwent/tournament has 3",
        ),
        ([*ANNA, *BEN], ("fixed",) * 3, "Found 3 selections for 2 lineups"),
        ([*ANNA, *BEN], ("best",), "Unknown selection `best`"),
    ],
)
def test_misuse(entrants: list[Entrant], ways: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        line(*entrants, ways=ways)

    assert caught.value.message == message


def written(folder: Path, content: object) -> Path:
    file = folder / "run.json"
    file.write_text(json.dumps(content), encoding="utf-8")
    return file


def test_chances_are_read_from_both_sides(tmp_path: Path) -> None:
    matchup = {"a": "D", "b": "A", "wins_a": 5, "wins_b": 3, "draws": 2}
    known = recalled(read_chances(written(tmp_path, {"matchups": [matchup]})))

    assert known["D", "A"] == Chances(0.5, 0.2)
    assert known["A", "D"] == Chances(0.3, 0.2)
    anna, ben = line(*ANNA, *BEN)
    one = Lineup("x", anna.entrants[:1], "fixed")
    other = Lineup("y", ben.entrants[:1], "fixed")
    assert chances_between(known, one, other) == [[Chances(0.3, 0.2)]]


def test_unknown_decks_are_misuse(tmp_path: Path) -> None:
    known = recalled(read_chances(written(tmp_path, {"matchups": []})))

    with pytest.raises(UsageError) as caught:
        chances_between(known, *line(*ANNA, *BEN))
    assert caught.value.message == "No chances are known for `A` against `D`"


@pytest.mark.parametrize(
    "content",
    [
        [],
        {},
        {"matchups": 3},
        {"matchups": [{"a": "A"}]},
        {"matchups": [{"a": "A", "b": "B", "wins_a": 0, "wins_b": 0, "draws": 0}]},
        {"matchups": [{"a": "A", "b": "B", "wins_a": -1, "wins_b": 2, "draws": 0}]},
    ],
)
def test_a_file_without_matchups_is_misuse(tmp_path: Path, content: object) -> None:
    with pytest.raises(UsageError, match="holds no matchups"):
        read_chances(written(tmp_path, content))


def test_a_file_that_cannot_be_read_is_misuse(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Cannot read"):
        read_chances(tmp_path / "nowhere.json")
    (tmp_path / "run.json").write_text("{", encoding="utf-8")
    with pytest.raises(UsageError, match="is not JSON"):
        read_chances(tmp_path / "run.json")
