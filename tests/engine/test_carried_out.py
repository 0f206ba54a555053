"""A code that cards may have, and that some way to play leaves out, is refused."""

import os
import shutil
import subprocess
import sys
from copy import copy
from enum import IntEnum
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

import deckcheck
from deckcheck.cards import load_database
from deckcheck.engine.contract import BY_DTYPE, register
from deckcheck.engine.registry import GAMES, EngineError, load_game

for game in GAMES:
    load_game(game)
MODULES = {module.__name__.split("engine.")[1]: module for module in BY_DTYPE.values()}
CARRIED_OUT = {
    f"{module}, {way}": carried_out
    for module in sorted(MODULES)
    for way, carried_out in MODULES[module].CARRIED_OUT.items()
}
WAYS = [
    pytest.param(way, codes, id=f"{way}, {codes.__name__}")
    for way, carried_out in CARRIED_OUT.items()
    for codes in carried_out
]
ABILITY = ("    WEATHER_CLEAR = 1 << 19\n", "    WAR_CRY = 1 << 20\n")
"""A line of the codes of Gwent, and one behind it."""


def planted(codes: type[IntEnum]) -> type[IntEnum]:
    """The codes, and one that nothing carries out."""
    members = {code.name: int(code) for code in codes}
    return IntEnum(codes.__name__, {**members, "WAR_CRY": 2 * max(codes)})


def registered(way: str, places: dict[type[IntEnum], dict[IntEnum, object]]) -> None:
    """Let a game that plays in this way register."""
    register(SimpleNamespace(__name__="planted", CARRIED_OUT={way: places}))


def shout() -> None:
    """Names no code."""


def test_every_way_to_play_says_what_it_carries_out():
    assert set(CARRIED_OUT) == {
        "deckmaster.game, two",
        "gwen_t.game, table",
        "gwent.game, duel",
        "gwent.game, table",
        "gwent.solo, solo",
        "sg_gwint.game, duel",
    }
    gwent = [set(CARRIED_OUT[way]) for way in CARRIED_OUT if way.startswith("gwent.")]
    assert gwent[0] == gwent[1] == gwent[2]


@pytest.mark.parametrize(("way", "codes"), WAYS)
def test_a_new_code_that_nothing_carries_out_is_refused(way, codes):
    places = CARRIED_OUT[way]
    registered(way, {codes: places[codes]})
    with pytest.raises(ImportError, match=rf"{way}: .*`{codes.__name__}\.WAR_CRY`"):
        registered(way, {planted(codes): places[codes]})


@pytest.mark.parametrize(("way", "codes"), WAYS)
def test_a_function_without_a_branch_for_the_code_is_refused(way, codes):
    more = planted(codes)
    places = {**CARRIED_OUT[way][codes], more.WAR_CRY: shout}
    with pytest.raises(ImportError, match=f"{way}: .*shout.*no branch for `WAR_CRY`"):
        registered(way, {more: places})


def imported(package: Path, game: str) -> str:
    """What an import of the game says, from these sources."""
    run = subprocess.run(
        [sys.executable, "-c", f"import deckcheck.engine.{game}.game"],
        cwd=package.parent,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stderr


@pytest.fixture
def package(tmp_path) -> Path:
    """A copy of the sources, to be changed."""
    source = Path(deckcheck.__file__).parent
    skip = shutil.ignore_patterns("__pycache__", "*.so", "*.html")
    return shutil.copytree(source, tmp_path / "deckcheck", ignore=skip)


def add(file: Path, old: str, new: str) -> None:
    """Write a new line behind an old one."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, old + new), encoding="utf-8")


def test_an_ability_that_is_only_added_to_the_codes_stops_the_import(package):
    add(package / "engine/gwent/codes.py", *ABILITY)
    error = imported(package, "gwent").splitlines()[-1]
    assert error.startswith("ImportError: deckcheck.engine.gwent.")
    assert "WAR_CRY`" in error


def test_an_ability_that_only_players_carry_out_is_refused_in_solo(package):
    gwent = package / "engine" / "gwent"
    add(gwent / "codes.py", *ABILITY)
    add(
        gwent / "abilities.py",
        "    ability = x.ability[card]\n    if ability & Ability.SPY:\n",
        "        draw_cards(s, player, Ability.WAR_CRY > 0)\n",
    )
    add(
        gwent / "abilities.py",
        "    Ability.SCORCH: carry_out,\n",
        "    Ability.WAR_CRY: carry_out,\n",
    )
    error = imported(package, "gwent").splitlines()[-1]
    assert error == (
        "ImportError: deckcheck.engine.gwent.solo, solo: "
        "nothing carries out `Ability.WAR_CRY`"
    )


@pytest.mark.parametrize("game", ["gwent", "sg_gwint", "gwen_t"])
def test_cards_may_have_just_the_abilities_that_are_carried_out(game):
    data = load_database(game).game
    words = {
        "Ability": data.abilities,
        "Effect": data.abilities,
        "Leader": data.leader_abilities,
        "FactionAbility": [f.ability for f in data.factions if f.ability],
    }
    for codes in next(iter(load_game(game).CARRIED_OUT.values())):
        names = {code.name.lower() for code in codes if code}
        assert names == set(words[codes.__name__])


@pytest.mark.parametrize("game", ["gwent", "gwen_t"])
def test_a_game_has_as_many_cards_as_there_is_room_for(game):
    context = import_module(f"deckcheck.engine.{game}.context")
    database = copy(load_database(game))
    card = next(iter(database.cards.values()))
    database.cards = dict.fromkeys(range(context.MAX_KINDS - 1), card)
    context.check_vocabulary(database)
    database.cards = dict.fromkeys(range(context.MAX_KINDS), card)

    with pytest.raises(EngineError, match=f"at most {context.MAX_KINDS - 1} different"):
        context.check_vocabulary(database)
