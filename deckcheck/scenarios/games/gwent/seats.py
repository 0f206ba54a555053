"""The players of a scenario: names of players and of teams, for each way to play."""

from __future__ import annotations

from collections.abc import Iterable

from deckcheck.findings.documents import Location
from deckcheck.findings.words import choice
from deckcheck.formats import Format
from deckcheck.scenarios.errors import BadPosition
from deckcheck.scenarios.games.gwent.file import GwentScenario

LETTERS = "ABCDE"
TWO = ("A", "B")
TEAM_SEATS = ("A1", "B1", "A2", "B2")
TEAM_ONLY = ("gems",)
PLAYER_ONLY = (
    *("faction", "leader", "leader_used", "passed", "hand", "deck", "side_deck"),
    *("points", "voids"),
)


def seat_names(scenario: GwentScenario, fmt: Format) -> tuple[str, ...]:
    """The players in order of play; at a table as many as the file speaks of."""
    spoken_of = [LETTERS.index(name[0]) + 1 for name in scenario.players]
    count = max([fmt.seating.min_players, *spoken_of])
    return names_at(fmt, min(count, fmt.seating.max_players))


def names_at(fmt: Format, players: int) -> tuple[str, ...]:
    """The names of the players at a table; teams and duels have their own."""
    if fmt.seating.play == "teams":
        return TEAM_SEATS
    return tuple(LETTERS[:players]) if fmt.seating.play == "table" else TWO


def side_names(fmt: Format, seats: tuple[str, ...]) -> tuple[str, ...]:
    """The sides of the board: teams, or the players themselves."""
    return TWO if fmt.seating.play == "teams" else seats


def check_names(scenario: GwentScenario, fmt: Format, seats: tuple[str, ...]) -> None:
    """Refuse players that are not there, and what a player or a team does not have."""
    sides = side_names(fmt, seats)
    allowed = dict.fromkeys([*sides, *seats])
    for name in scenario.players:
        find_player(name, allowed, ("players", name))
    named = {"turn": scenario.turn, "starter": scenario.starter}
    for key, player in named.items():
        if player is not None:
            find_player(player, seats, (key,))
    for index, move in enumerate(scenario.moves):
        find_player(move.player, seats, ("moves", index, "player"))
    if scenario.expect is not None:
        for key in scenario.expect.model_fields_set:
            if key[0] in LETTERS:
                find_player(key, allowed, ("expect", key))
    if sides == seats:
        return
    for name, setting in scenario.players.items():
        is_player = name in seats
        keys = TEAM_ONLY if is_player else PLAYER_ONLY
        owner = "a team" if is_player else "a player"
        for key in [key for key in keys if key in setting.model_fields_set]:
            raise BadPosition(("players", name, key), f"`{key}` is that of {owner}")


def find_player(name: str, allowed: Iterable[str], at: Location) -> int:
    """The place of a player among those who are there."""
    names = list(allowed)
    if name not in names:
        help = f"It may be {choice(names)}"
        raise BadPosition(at, f"there is no player `{name}`", help)
    return names.index(name)
