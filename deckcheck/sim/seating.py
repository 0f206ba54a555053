"""The seats of all tables, by the seating of a format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, product
from typing import TypeAlias

from deckcheck.cards import CardDatabase
from deckcheck.engine.registry import Seat, load_game
from deckcheck.fields import CLOSED
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import choice, option, plural, quote
from deckcheck.playing.table import (
    DUEL_STREAMS,
    Table,
    beginner_ever_matters,
    circular_orders,
    plan_table,
    seat,
    seat_random_deck,
    set_table,
)
from deckcheck.sim.entrants import Entrant, assign_policies, group_by_file
from deckcheck.sim.stopping import Stopping

TEAM_SIZE = 2
TEAM_ORDERS = ((0, 1, 2, 3), (0, 3, 2, 1))
"""The orders of the seats: the teams take turns, the members change places."""
TEAM_ENTRANTS = (0, 1)


@dataclass(frozen=True, slots=True)
class KnownChances:
    """The results of a finished run."""

    file: str
    """The source of the results."""
    chances: tuple[tuple[str, str, float, float], ...]
    """Two decks, and the shares of games that the first of them won and drew."""


@dataclass(frozen=True, slots=True)
class Request:
    """A user's request for a simulation, in addition to decks and format."""

    __pydantic_config__ = CLOSED

    games: int
    """The games of each table, or 0 for the default, which depends on their number."""
    seed: int
    policies: tuple[str, ...]
    mirror: bool = False
    """Whether each deck also meets itself."""
    opponents: tuple[str, ...] = ()
    """The factions that a solo deck meets, by default all."""
    random_decks: bool = False
    """Whether players get a new random deck in each game."""
    players: int | None = None
    """The number of players with random decks."""
    selections: tuple[str, ...] = ()
    """The ways to choose the decks of lineups."""
    challengers: int | None = None
    """How many decks, the first, meet the others and not each other."""
    every_policy: bool = False
    """Whether each of the policies plays each deck."""
    matchups: KnownChances | None = None
    """The chances by which decks of lineups are chosen, if they are known."""
    stopping: Stopping = field(default_factory=Stopping)
    """The rule that may end the run before all games are played."""
    cross_check: str | None = None
    """A second bot, which plays games of each matchup again."""
    cross_check_games: int | None = None
    """The games of each matchup that the second bot plays."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The setting of games: a format with its cards, and a user's request."""

    format: Format
    database: CardDatabase
    request: Request


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A table ready to be played at."""

    number: int
    """The number that seeds its games."""
    entrants: tuple[str, ...]
    """The names of decks, teams or players."""
    policies: tuple[str, ...]
    """The policy of each seat, without the automa's."""
    table: Table
    decks: tuple[Entrant | None, ...]
    """The deck of each seat, None for an automa and for random decks."""
    orders: tuple[tuple[int, ...], ...] = ((0, 1),)
    """The orders of the seats, through which the sets go."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two by position, `a` <= `b`, and the number that seeds their games.

    The number depends on the two positions alone: a further deck at the end of the list
    leaves the games of all others unchanged.
    """

    a: int
    b: int

    @property
    def number(self) -> int:
        """The number of the pairing, from 0."""
        return self.b * (self.b + 1) // 2 + self.a


def pair_up(
    count: int, mirror: bool = False, challengers: int | None = None
) -> list[Pairing]:
    """Return every pairing of `count` entrants, with `mirror` also each with itself.

    With `challengers` the first `challengers` decks play the others only.
    """
    if challengers is None:
        pairs = list(combinations(range(count), 2))
    else:
        pairs = list(product(range(challengers), range(challengers, count)))
    if mirror:
        pairs += [(a, a) for a in range(count if challengers is None else challengers)]
    return [Pairing(a, b) for a, b in sorted(pairs)]


def count_challenging_files(
    setting: Setting, entrants: Sequence[Entrant]
) -> int | None:
    """Return how many of the files, teams or lineups, challenge the others, if any."""
    challengers = setting.request.challengers
    return None if challengers is None else len(group_by_file(entrants[:challengers]))


def seat_tables(setting: Setting, entrants: Sequence[Entrant]) -> list[SeatedTable]:
    """Return the tables at which `entrants` meet.

    Raises UsageError when their number does not fit. For a deck that the engine cannot
    play, EngineError is raised here or when the contexts of its tables are read: those
    of formats in which everyone meets everyone are filled only then.
    """
    return TABLE_SEATERS[setting.format.seating.play](setting, entrants)


def check_decks(tables: Iterable[SeatedTable]) -> None:
    """Fill the contexts of as many tables as have all decks between them.

    Raises EngineError for a deck that the engine cannot play.
    """
    checked: set[str] = set()
    for table in tables:
        names = {entrant.name for entrant in table.decks if entrant is not None}
        if not names <= checked:
            checked |= names
            # The engine fills the contexts as they are read.
            tuple(table.table.contexts)


class SeatCache:
    """The seats of entrants, each made once for however many tables."""

    def __init__(self) -> None:
        self._seats: dict[str, Seat] = {}

    def seat(self, entrant: Entrant) -> Seat:
        """Return the seat of an entrant."""
        if entrant.name not in self._seats:
            self._seats[entrant.name] = seat(entrant.deck, entrant.policy)
        return self._seats[entrant.name]


def seat_duel(
    setting: Setting, number: int, a: Entrant, b: Entrant, seats: SeatCache
) -> SeatedTable:
    """Return the table of two decks, in any seating of the format."""
    table = plan_table(
        setting.format,
        setting.database,
        2,
        partial(map, seats.seat, (a, b)),
        streams=DUEL_STREAMS,
    )
    return SeatedTable(
        number,
        entrants=(a.name, b.name),
        policies=(a.policy, b.policy),
        table=table,
        decks=(a, b),
    )


def _seat_duels(setting: Setting, entrants: Sequence[Entrant]) -> list[SeatedTable]:
    """Return a table for each pair of decks."""
    mirror = setting.request.mirror
    if len(entrants) < (1 if mirror else 2):
        raise UsageError(
            f"Found {plural(len(entrants), 'deck')}, needs at least 2",
            f"Name another deck, or let this one meet itself with {option('mirror')}",
        )
    seats = SeatCache()
    tables = []
    for pairing in pair_up(len(entrants), mirror, setting.request.challengers):
        a, b = entrants[pairing.a], entrants[pairing.b]
        table = seat_duel(setting, pairing.number, a, b, seats)
        tables.append(_shorten_sets(setting, table))
    return tables


def _shorten_sets(setting: Setting, table: SeatedTable) -> SeatedTable:
    """Return the table, its sets cut to a single game if all their games are equal."""
    factions = [entrant.deck.faction for entrant in table.decks if entrant is not None]
    if beginner_ever_matters(table.table, setting.database, factions, table.policies):
        return table
    return replace(table, table=replace(table.table, once=True))


def _seat_tables_of_several(
    setting: Setting, entrants: Sequence[Entrant]
) -> list[SeatedTable]:
    """Seat everyone alone, the decks of a file or all single decks at a table."""
    if setting.request.random_decks:
        names, policies, seats = _seat_random_decks(setting)
        table = _set_round_table(setting, 0, names, policies, seats)
        return [table]
    groups = group_by_file(entrants)
    if all(len(group) == 1 for group in groups):
        groups = [list(entrants)]
    tables = []
    for number, group in enumerate(groups):
        _check_players(setting.format, len(group))
        names = [entrant.name for entrant in group]
        policies = [entrant.policy for entrant in group]
        seats = [seat(entrant.deck, entrant.policy) for entrant in group]
        table = _set_round_table(setting, number, names, policies, seats)
        tables.append(replace(table, decks=tuple(group)))
    return tables


def _set_round_table(
    setting: Setting,
    number: int,
    names: Sequence[str],
    policies: Sequence[str],
    seats: Sequence[Seat],
) -> SeatedTable:
    """Return a table at which everyone plays alone, so far without its decks."""
    orders = tuple(circular_orders(len(seats)))
    return SeatedTable(
        number,
        entrants=tuple(names),
        policies=tuple(policies),
        table=set_table(setting.format, setting.database, seats, orders=orders),
        decks=(None,) * len(seats),
        orders=orders,
    )


def _seat_teams(setting: Setting, entrants: Sequence[Entrant]) -> list[SeatedTable]:
    """Seat teams of two, each from a file, against each other."""
    teams = group_by_file(entrants)
    for team in teams:
        if len(team) != TEAM_SIZE:
            path = quote(team[0].deck.source.path)
            raise UsageError(
                f"Found {plural(len(team), 'deck')} in {path}, a team has 2",
                "Write the two decks of a team into one file, with `---` between them",
            )
    if len(teams) < 2:
        raise UsageError(
            f"Found {plural(len(teams), 'team')}, needs at least 2",
            "Name another file that holds a team",
        )
    challengers = count_challenging_files(setting, entrants)
    tables = []
    for pairing in pair_up(len(teams), challengers=challengers):
        a, b = teams[pairing.a], teams[pairing.b]
        tables.append(_seat_two_teams(setting, pairing.number, a, b))
    return tables


def _seat_two_teams(
    setting: Setting, number: int, a: Sequence[Entrant], b: Sequence[Entrant]
) -> SeatedTable:
    """Return the table of two teams, whose members sit opposite each other."""
    members = (a[0], b[0], a[1], b[1])
    table = plan_table(
        setting.format,
        setting.database,
        len(members),
        lambda: [seat(entrant.deck, entrant.policy) for entrant in members],
        orders=TEAM_ORDERS,
        entrant_in=(TEAM_ENTRANTS,) * len(TEAM_ORDERS),
    )
    return SeatedTable(
        number,
        entrants=tuple(f"{team[0].name} + {team[1].name}" for team in (a, b)),
        policies=tuple(entrant.policy for entrant in members),
        table=table,
        decks=members,
        orders=TEAM_ORDERS,
    )


def _seat_solo(setting: Setting, entrants: Sequence[Entrant]) -> list[SeatedTable]:
    """Return a table for each deck against the automa of each faction."""
    game = load_game(setting.format.game)
    database, fmt = setting.database, setting.format
    tables: list[SeatedTable] = []
    for entrant in entrants:
        deck_seat = game.player_seat(database, fmt, seat(entrant.deck, entrant.policy))
        for faction in _find_opponents(setting):
            seats = [deck_seat, game.automa_seat(database, fmt, faction)]
            automa_name = f"automa ({database.factions[faction].name})"
            table = SeatedTable(
                len(tables),
                entrants=(entrant.name, automa_name),
                policies=(entrant.policy,),
                table=set_table(fmt, database, seats, rotation=1),
                decks=(entrant, None),
            )
            tables.append(table)
    return tables


def _find_opponents(setting: Setting) -> list[str]:
    """Return the ids of the factions whose automas are met.

    Raises UsageError for an unknown name.
    """
    database = setting.database
    factions = [id for id in database.factions if id != database.game.neutral]
    if not setting.request.opponents:
        return factions
    chosen = []
    for name in setting.request.opponents:
        faction = database.find_faction(name).id
        if faction not in factions:
            names = choice([database.factions[id].name for id in factions], "and")
            raise UsageError(
                f"Unknown opponent {quote(name)}", f"Opponents are {names}"
            )
        chosen.append(faction)
    return list(dict.fromkeys(chosen))


def _seat_shared_tables(
    setting: Setting, entrants: Sequence[Entrant]
) -> list[SeatedTable]:
    """Return a table for each deck, at which two players take turns with it."""
    fmt, database = setting.format, setting.database
    if setting.request.random_decks:
        names, policies, seats = _seat_random_decks(setting)
        table = SeatedTable(
            0,
            entrants=tuple(names),
            policies=tuple(policies),
            table=set_table(fmt, database, seats),
            decks=(None,) * len(seats),
        )
        return [table]
    tables = []
    for number, entrant in enumerate(entrants):
        policies = assign_policies(setting.request.policies, 2, "player")
        names = [f"{name}, {entrant.name}" for name in _name_players(policies)]
        seats = [seat(entrant.deck, policy) for policy in policies]
        table = SeatedTable(
            number,
            entrants=tuple(names),
            policies=tuple(policies),
            table=set_table(fmt, database, seats),
            decks=(entrant,) * len(seats),
        )
        tables.append(table)
    return tables


TableSeater: TypeAlias = Callable[[Setting, Sequence[Entrant]], list[SeatedTable]]

TABLE_SEATERS: dict[str, TableSeater] = {
    "duel": _seat_duels,
    "table": _seat_tables_of_several,
    "teams": _seat_teams,
    "solo": _seat_solo,
    "shared": _seat_shared_tables,
}


def _seat_random_decks(setting: Setting) -> tuple[list[str], list[str], list[Seat]]:
    """Return names, policies and seats of players with a new deck in each game."""
    players = setting.request.players
    if players is None:
        players = setting.format.seating.min_players
    _check_players(setting.format, players)
    policies = assign_policies(setting.request.policies, players, "player")
    seats = [seat_random_deck(policy) for policy in policies]
    return _name_players(policies), policies, seats


def _name_players(policies: Sequence[str]) -> list[str]:
    return [f"player {i} ({policy})" for i, policy in enumerate(policies, 1)]


def _check_players(fmt: Format, players: int) -> None:
    low, high = fmt.seating.min_players, fmt.seating.max_players
    if not low <= players <= high:
        allowed = str(low) if low == high else f"{low} to {high}"
        raise UsageError(
            f"Found {plural(players, 'player')}, {fmt.id} is for {allowed}",
            f"Change how many decks are named, or {option('players')} for random ones",
        )
