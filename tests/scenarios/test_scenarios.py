"""Every scenario holds, every statement is shown, and refusals are right."""

import json
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from deckcheck.cards import load_database
from deckcheck.formats import database_of, load_format

# Every move against the rules is refused for a reason, and no reason contradicts.

ROOT = Path(__file__).parents[2]
POSITIONS = 400

# Scenarios are played uncompiled, for which they need a process of their own.
PROGRAM = """
import json, sys
from tools.refusals.running import refuse
outcome = refuse(int(sys.argv[1]), 3)
print(json.dumps([outcome.positions, outcome.reasons, outcome.failures]))
"""


@cache
def refused(number: int) -> tuple[dict[str, int], dict[str, int], list[str]]:
    """Positions by format, reasons by their pattern, and what failed."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(number)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    outcome: Any = json.loads(done.stdout)
    return tuple(outcome)


@pytest.mark.parametrize(
    "number", [POSITIONS, pytest.param(20_000, marks=pytest.mark.slow)]
)
def test_no_reason_is_missing_or_contradicts_its_position(number: int) -> None:
    assert refused(number)[2] == []


def test_every_way_to_play_is_tried() -> None:
    positions = refused(POSITIONS)[0]
    games = {format.partition("/")[0] for format in positions}

    assert sum(positions.values()) == POSITIONS
    assert games >= {"deckmaster", "gwen_t", "gwent", "sg_gwint"}
    assert {"gwent/free_for_all", "gwent/two_vs_two", "gwent/solo"} <= set(positions)
    assert min(positions.values()) > 10


def test_many_reasons_are_given() -> None:
    reasons = refused(POSITIONS)[1]

    assert len(reasons) > 30
    assert any(reason.startswith("first X has to choose") for reason in reasons)


# Every scenario holds, and together they show every rule of each game.

FOLDER = ROOT / "tests" / "scenarios"


def texts() -> dict[str, str]:
    """Every scenario as it is written, by its file and its title."""
    found = {}
    for file in sorted(FOLDER.rglob("*.yaml")):
        name = file.relative_to(ROOT).as_posix()
        for text in file.read_text(encoding="utf-8").split("---\n"):
            title = re.search("^title: (.*)$", text, re.MULTILINE)
            found[f"{name}#{title[1] if title else text}"] = text
    return found


TEXTS = texts()

CLUB = "examples/sg_gwint/club.yaml"
"""A format with made-up cards for what no public card of its game shows."""

STATEMENT = re.compile(r"^\*\*([0-9]+(?:\.[0-9]+)+)\*\*", re.MULTILINE)
PLAYED = {
    "deckmaster": re.compile(r"[1-8]\."),
    "gwen_t": re.compile(r"[1-7]\."),
    "sg_gwint": re.compile(r"([1-9]|1[01])\."),
    "gwent": re.compile(r"(1\.[2-9]|[23]\.[1-9]|[456]\.[1-7])(\.|$)"),
}
"""The statements of each game that are about play."""

LIMITS, LINEUPS = "rules/test_limits.py", "engine/test_gwent.py"
MANY = "engine/test_many_players.py"
DECKMASTER = "engine/test_deckmaster.py"
POOL, GWEN_T = "cards/test_data.py", "engine/test_gwen_t.py"
SG_GWINT = "engine/test_sg_gwint.py"
CONTROLLER = "repository/test_controller.py"
BEGINS = "test_lots_decide_who_begins_and_the_shuffles_are_the_same"
SHOWN_ELSEWHERE: dict[str, str] = {
    **{f"gwent 2.{n}": f"{LIMITS}::test_2_{n}_" for n in range(1, 8)},
    **{f"gwent 3.{n}": f"{LIMITS}::test_3_{n}_" for n in range(1, 4)},
    **{f"gwent 3.{n}": f"{LINEUPS}::test_3_{n}_" for n in range(4, 9)},
    "gwent 5.2": f"{MANY}::test_partners_see_each_others_hands",
    "gwent 6.1.2": "engine/test_solo.py",
    "gwent 6.1.3": "engine/test_solo.py",
    "gwent 6.3.1": f"{LIMITS}::test_6_3_1_clear_weather_only",
    "deckmaster 1.1": "repository/test_examples.py",
    "deckmaster 1.2": "decks/test_resolve.py",
    "deckmaster 2.1": f"{DECKMASTER}::{BEGINS}",
    "deckmaster 8.26": f"{DECKMASTER}::{BEGINS}",
    "deckmaster 8.27": f"{DECKMASTER}::test_players_know_the_drawn_card_and_no_more",
    "gwen_t 2.1": f"{POOL}::test_the_pool_has_36_cards_of_14_kinds",
    "gwen_t 2.2": f"{GWEN_T}::test_random_decks_respect_the_pool",
    "gwen_t 2.3": f"{GWEN_T}::test_random_decks_respect_the_pool",
    "gwen_t 2.4": "engine/test_gwen_t.py::test_points_of_decks_drawn_card_by_card",
    "gwen_t 2.5": f"{POOL}::test_the_format_wants_25_cards",
    "gwen_t 3.1": f"{CONTROLLER}::test_names_and_numbers_of_enemies",
    "gwen_t 3.2": f"{CONTROLLER}::test_random_names_run_out",
    "gwen_t 4.2": f"{GWEN_T}::test_each_card_of_the_hand_is_a_move",
    **{f"sg_gwint 1.{n}": f"{LIMITS}::test_1_{n}_" for n in range(1, 19) if n != 12},
    "sg_gwint 8.18": f"{SG_GWINT}::test_cards_that_are_not_public_cannot_be_played",
    **{f"gwen_t 6.{n}": f"{CONTROLLER}::test_each_state_allows_" for n in range(1, 7)},
}
"""Statements that no position can show, and how the name of the test begins."""

OPTIONS_ELSEWHERE = {"deck_size", "sampling", "new_deck", "drawn_match_game"}
"""Options of random decks and of matches, which no position has."""


@cache
def results() -> dict[str, dict[str, Any]]:
    """What the command says of each scenario; it runs apart: it is uncompiled."""
    command = [sys.executable, "-m", "deckcheck", "scenario", "tests/scenarios"]
    run = subprocess.run(
        [*command, "--output-format", "json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode in (0, 1, 2), run.stderr
    entries = json.loads(run.stdout)["scenarios"]
    assert len(entries) == len(TEXTS)
    return {f"{entry['file']}#{entry['title']}": entry for entry in entries}


@cache
def contents() -> dict[str, dict[str, Any]]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return {name: yaml.load(text, loader) for name, text in TEXTS.items()}


def words(part: Any) -> set[str]:
    """Every word of a scenario, a count before a card left out."""
    if isinstance(part, dict):
        return set().union(*(words(value) for value in part.values()), set())
    if isinstance(part, list):
        return set().union(*(words(value) for value in part), set())
    return {re.sub(r"^[0-9]+ ", "", part)} if isinstance(part, str) else set()


def cited() -> set[str]:
    statements: set[str] = set()
    for content in contents().values():
        rule = content["rule"]
        statements.update([rule] if isinstance(rule, str) else rule)
    return statements


@pytest.mark.parametrize("name", TEXTS)
def test_the_scenario_holds(name: str) -> None:
    entry = results()[name]

    assert entry["faults"] == []
    assert entry["failures"] == []
    assert entry["ok"] is True


def test_every_refusal_has_a_reason() -> None:
    refusals = [each for entry in results().values() for each in entry["refusals"]]

    assert len(refusals) > 100
    assert [each["message"] for each in refusals if not each["reason"]] == []


def test_every_scenario_begins_with_what_it_shows_which_is_its_own() -> None:
    heads = Counter(text.splitlines()[0] for text in TEXTS.values())
    bad = [head for head in heads if not re.fullmatch(r"# [A-Z].{20,}[.?!]", head)]

    assert bad == []
    assert [head for head, number in heads.items() if number > 1] == []


def test_every_scenario_states_something() -> None:
    silent = [
        name
        for name, content in contents().items()
        if not content.get("expect")
        and not any(move.get("forbidden") for move in content.get("moves", ()))
    ]

    assert silent == []


def statements(game: str) -> list[str]:
    text = (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")
    return [f"{game} {number}" for number in STATEMENT.findall(text)]


@pytest.mark.parametrize("game", PLAYED)
def test_every_statement_of_play_is_shown(game: str) -> None:
    played = [
        statement
        for statement in statements(game)
        if PLAYED[game].match(statement.partition(" ")[2])
    ]
    shown = cited() | set(SHOWN_ELSEWHERE)

    assert len(played) > 40
    assert [statement for statement in played if statement not in shown] == []


def test_every_test_that_shows_a_statement_exists() -> None:
    for place in SHOWN_ELSEWHERE.values():
        file, _, name = place.partition("::")
        text = (ROOT / "tests" / file).read_text(encoding="utf-8")
        # In a table, a comment names the statement: `# 2.3: at most 5 specials.`
        comment = name.removeprefix("test_").replace("_", ".", 1).replace("_", ": ")
        is_shown = f"def {name}" in text or f"# {comment}" in text
        assert is_shown if name else text, place


def test_every_cited_statement_exists() -> None:
    known = {statement for game in PLAYED for statement in statements(game)}

    assert cited() - known == set()


@pytest.mark.parametrize("game", ["gwent", "gwen_t", "sg_gwint"])
def test_every_ability_is_shown(game: str) -> None:
    used = set().union(*map(words, contents().values()))
    database = database_of(load_format(CLUB)) if game in CLUB else load_database(game)
    cards = [card for card in database.cards.values() if card.id in used]
    shown = {ability.code for card in cards for ability in card.abilities}

    assert set(database.game.abilities) - shown == set()


def leaders_used() -> set[str | None]:
    return {
        player.get("leader")
        for content in contents().values()
        for player in content.get("players", {}).values()
    }


def test_every_leader_is_shown() -> None:
    assert set(load_database("gwent").leaders) - leaders_used() == set()


def test_every_ability_of_a_leader_is_shown() -> None:
    database = database_of(load_format(CLUB))
    found = [database.find_leader(name).id for name in leaders_used() if name]
    shown = {database.leaders[id].ability for id in found if id}

    assert set(database.game.leader_abilities) - shown <= {"unknown"}


@pytest.mark.parametrize("game", PLAYED)
def test_every_option_is_shown_with_every_value(game: str) -> None:
    chosen = [
        content.get("options", {})
        for name, content in contents().items()
        if name.startswith(f"tests/scenarios/{game}/")
    ]
    missing = []
    for option in load_database(game).game.options:
        if option.name in OPTIONS_ELSEWHERE:
            continue
        shown = [choice[option.name] for choice in chosen if option.name in choice]
        # The first value is the default, which the other scenarios play with.
        missing += [(option.name, v) for v in option.values[1:] if v not in shown]
        if not shown:
            missing.append((option.name, "any"))

    assert missing == []


def test_the_page_shows_the_file_that_it_plays() -> None:
    page = (ROOT / "docs" / "how-to" / "judge-a-ruling.md").read_text(encoding="utf-8")
    text = TEXTS["tests/scenarios/gwent/medics.yaml#medic_completes_a_bond"]

    assert text.partition("\n")[2] in page
