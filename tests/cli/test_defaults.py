"""What a command does without an option, its function in Python does too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from importlib import import_module
from inspect import Parameter, signature

import pytest

import deckcheck
from deckcheck.cli.commands import COMMANDS, module_of
from deckcheck.cli.settings import settings_of
from deckcheck.messages import identifier
from deckcheck.plans import Settings
from deckcheck.sim import REFERENCE
from deckcheck.studies.registry import STUDIES

NOT_SHARED = {"jobs", "executor", "progress", "policy"}
"""Python plays in its own process and without a word, and names the player."""

ONLY_TYPED = {
    *("all_matchups", "color", "deck", "decks", "fail_on", "output", "output_format"),
    *("plan", "quiet", "scheduler"),
    *("hand", "new_format", "redraws"),
}
"""What is shown and written, plans and schedulers, which Python has as objects, and
what other functions are for: `compare_formats`, `redraws`."""
OTHER_NAMES = {"which": "format"}

BOTH = [each.name for each in COMMANDS if callable(getattr(deckcheck, each.name, None))]


def defaults(function: Callable[..., object]) -> dict[str, object]:
    """The parameters that need not be given, and what they are then.

    Where no field is named a command takes that of the format, which Python names.
    """
    known = signature(function).parameters.values()
    return {
        each.name: None if each.default == REFERENCE else each.default or None
        for each in known
        if each.default is not Parameter.empty and each.name not in NOT_SHARED
    }


def test_there_are_commands_that_are_functions_too() -> None:
    assert {"simulate", "compare", "impact", "tune", "build", "solve"} < set(BOTH)


@pytest.mark.parametrize("name", BOTH)
def test_defaults_are_the_same(name: str) -> None:
    typed = defaults(getattr(import_module(module_of(name)), name))
    called = defaults(getattr(deckcheck, name))

    shared = typed.keys() & called.keys()
    assert {key: typed[key] for key in shared} == {key: called[key] for key in shared}


@pytest.mark.parametrize("name", [name for name in STUDIES if name in BOTH])
def test_every_option_of_a_study_is_an_argument(name: str) -> None:
    command = getattr(import_module(module_of(name)), name)
    typed = {
        identifier(s.key) if s.is_option else OTHER_NAMES.get(s.name, s.name)
        for s in settings_of(command)
    }
    if name == "solve":
        # One player plays all decks there.
        typed = {"policy" if each == "policies" else each for each in typed}
    called = set(signature(getattr(deckcheck, name)).parameters)

    assert called - typed == set()
    assert typed - called <= ONLY_TYPED


def test_every_key_of_a_plan_is_an_option() -> None:
    called = set(signature(deckcheck.simulate).parameters)
    keys = {"rule" if key.name == "rules" else key.name for key in fields(Settings)}

    # These say what `check` expects.
    assert keys - called == {"confidence", "until_decided"}
    assert called - keys == {
        *("decks", "against", "gauntlet"),  # of one experiment each
        *("card_db", "executor", "games_table", "jobs", "progress", "run", "shard"),
    }
