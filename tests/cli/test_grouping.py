"""Commands with options that are declared together."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import signature

from deckcheck.cli.options import grouped


@dataclass(frozen=True, slots=True, kw_only=True)
class Loud:
    color: str = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySpec(Loud):
    games: int = 3


@grouped
def command(deck: str, *, spec: StudySpec, run: str = "") -> int:
    """Play."""
    return len(deck + spec.color + run) * spec.games


def test_options_stand_in_place_of_their_group() -> None:
    known = signature(command).parameters

    assert list(known) == ["deck", "games", "color", "run"]
    assert known["games"].default == 3
    assert known["color"].annotation is str


def test_a_command_gets_them_as_one_value() -> None:
    assert command(deck="a", games=2, color="never", run="xy") == 16
    assert command.__doc__ == "Play."
