"""Who sits at which table, by the seating of a format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from deckcheck.cards import CardDatabase
from deckcheck.engine.host.registry import load_game
from deckcheck.engine.host.seat import Seat
from deckcheck.engine.match import Table, circular_orders, prepare_seats, seat
from deckcheck.findings import UsageError
from deckcheck.findings.words import choice, plural, quote
from deckcheck.formats import Format
from deckcheck.policies.host.registry import policy_number
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.pairings import pair_up

__all__ = ["Setting", "TablePlan", "plan_tables", "table_plays"]

TEAM_ORDERS = ((0, 1, 2, 3), (0, 3, 2, 1))  # teams take turns, members change places


@dataclass(frozen=True, slots=True)
class Setting:
    """What is to be played: the format with its cards, and what decks do not say.

    `opponents` are the factions that a solo deck meets, all of them if none is named.
    With `random_decks`, `players` sit down with a new random deck each game, played by
    `policies`.
    """

    format: Format
    database: CardDatabase
    opponents: tuple[str, ...] = ()
    random_decks: bool = False
    players: int | None = None
    policies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table ready to be played at; `number` seeds its games."""

    number: int
    entrants: tuple[str, ...]
    policies: tuple[str, ...]
    table: Table


Planner: TypeAlias = Callable[[Setting, Sequence[Entrant]], list[TablePlan]]


def plan_tables(setting: Setting, entrants: Sequence[Entrant]) -> list[TablePlan]:
    """Return the tables at which `entrants` meet.

    Raises UsageError when their number does not fit, and EngineError for a deck that
    the engine cannot play.
    """
    return PLANNERS[setting.format.seating.play](setting, entrants)


def table_plays() -> tuple[str, ...]:
    """The words of `seating.play` that are planned here."""
    return tuple(PLANNERS)


def _around(setting: Setting, entrants: Sequence[Entrant]) -> list[TablePlan]:
    """Each for himself: a file of several decks is a table, single decks are one."""
    files = _by_file(entrants)
    tables = files if any(len(file) > 1 for file in files) else [list(entrants)]
    if setting.random_decks:
        return [_round_table(setting, 0, *_random_seats(setting))]
    plans = []
    for number, table in enumerate(tables):
        _check_players(setting.format, len(table))
        names = [entrant.name for entrant in table]
        policies = [entrant.policy for entrant in table]
        seats = [seat(entrant.deck, entrant.policy) for entrant in table]
        plans.append(_round_table(setting, number, names, policies, seats))
    return plans


def _round_table(
    setting: Setting,
    number: int,
    names: Sequence[str],
    policies: Sequence[str],
    seats: Sequence[Seat],
) -> TablePlan:
    orders = circular_orders(len(seats))
    table = prepare_seats(
        setting.format, setting.database, seats, orders, orders, len(seats)
    )
    return TablePlan(number, tuple(names), tuple(policies), table)


def _teams(setting: Setting, entrants: Sequence[Entrant]) -> list[TablePlan]:
    """Teams of two, each a file, meet each other."""
    teams = _by_file(entrants)
    for team in teams:
        if len(team) != 2:
            raise UsageError(
                f"{quote(team[0].deck.source.path)} holds {plural(len(team), 'deck')}, "
                "a team is two",
                "Write the two decks of a team into one file, with `---` between them",
            )
    if len(teams) < 2:
        raise UsageError(
            f"Found {plural(len(teams), 'team')}, needed are 2 or more",
            "Name another file that holds a team",
        )
    return [
        _two_teams(setting, p.number, teams[p.a], teams[p.b])
        for p in pair_up(len(teams))
    ]


def _two_teams(
    setting: Setting, number: int, a: Sequence[Entrant], b: Sequence[Entrant]
) -> TablePlan:
    seated = (a[0], b[0], a[1], b[1])
    table = prepare_seats(
        setting.format,
        setting.database,
        [seat(entrant.deck, entrant.policy) for entrant in seated],
        TEAM_ORDERS,
        ((0, 1),) * len(TEAM_ORDERS),
        len(seated),
    )
    names = tuple(f"{team[0].name} + {team[1].name}" for team in (a, b))
    return TablePlan(number, names, tuple(e.policy for e in seated), table)


def _solo(setting: Setting, entrants: Sequence[Entrant]) -> list[TablePlan]:
    """Each deck against the automa of each faction."""
    game = load_game(setting.format.game)
    database, fmt = setting.database, setting.format
    plans: list[TablePlan] = []
    for entrant in entrants:
        own = game.player_seat(database, fmt, seat(entrant.deck, entrant.policy))
        for faction in _opponents(setting):
            seats = [own, game.automa_seat(database, fmt, faction)]
            one = ((0, 1),)
            table = prepare_seats(fmt, database, seats, one, one, 1)
            names = (entrant.name, f"automa ({database.factions[faction].name})")
            plans.append(TablePlan(len(plans), names, (entrant.policy,), table))
    return plans


def _opponents(setting: Setting) -> list[str]:
    database = setting.database
    factions = [id for id in database.factions if id != database.game.neutral]
    if not setting.opponents:
        return factions
    chosen = []
    for name in setting.opponents:
        found = database.find_faction(name).id
        if found not in factions:
            known = choice([database.factions[id].name for id in factions], "and")
            raise UsageError(
                f"Unknown opponent {quote(name)}", f"Opponents are {known}"
            )
        chosen.append(found)
    return list(dict.fromkeys(chosen))


def _shared(setting: Setting, entrants: Sequence[Entrant]) -> list[TablePlan]:
    """Two players take turns with one deck; each deck is a table of its own."""
    pair = ((0, 1),)
    plans = []
    fmt, database = setting.format, setting.database
    if setting.random_decks:
        names, policies, seats = _random_seats(setting)
        table = prepare_seats(fmt, database, seats, pair, pair, 2)
        return [TablePlan(0, tuple(names), tuple(policies), table)]
    for number, entrant in enumerate(entrants):
        policies = _each(setting.policies, 2)
        seats = [seat(entrant.deck, policy) for policy in policies]
        names = [
            f"player {i} ({policy}), {entrant.name}"
            for i, policy in enumerate(policies, 1)
        ]
        table = prepare_seats(fmt, database, seats, pair, pair, 2)
        plans.append(TablePlan(number, tuple(names), tuple(policies), table))
    return plans


PLANNERS: dict[str, Planner] = {
    "table": _around,
    "teams": _teams,
    "solo": _solo,
    "shared": _shared,
}


def _by_file(entrants: Sequence[Entrant]) -> list[list[Entrant]]:
    """The entrants of each file together, in order; a file named twice is two."""
    files: list[list[Entrant]] = []
    for entrant in entrants:
        source = entrant.deck.source
        if source.index == 0 or source.path != files[-1][0].deck.source.path:
            files.append([])
        files[-1].append(entrant)
    return files


def _random_seats(
    setting: Setting,
) -> tuple[list[str], list[str], list[Seat]]:
    """Names, policies and seats of players who get a new random deck each game."""
    players = setting.players
    if players is None:
        players = setting.format.seating.min_players
    _check_players(setting.format, players)
    policies = _each(setting.policies, players)
    names = [f"player {i} ({policy})" for i, policy in enumerate(policies, 1)]
    seats = [Seat(None, policy_number(policy)) for policy in policies]
    return names, policies, seats


def _each(policies: Sequence[str], players: int) -> list[str]:
    if len(policies) == 1:
        return list(policies) * players
    if len(policies) == players:
        return list(policies)
    raise UsageError(
        f"{len(policies)} policies were given for {players} players",
        "Name one policy for all players, or one for each in order",
    )


def _check_players(fmt: Format, players: int) -> None:
    low, high = fmt.seating.min_players, fmt.seating.max_players
    if not low <= players <= high:
        allowed = str(low) if low == high else f"{low} to {high}"
        raise UsageError(
            f"Found {plural(players, 'player')}, {fmt.id} is for {allowed}",
            "Change how many decks are named, or `--players` for random ones",
        )
