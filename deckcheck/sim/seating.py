"""The seats of all tables, by the seating of a format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
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

TEAM_ORDERS = ((0, 1, 2, 3), (0, 3, 2, 1))  # teams take turns, members change places
TEAM_ENTRANTS = (0, 1)


@dataclass(frozen=True, slots=True)
class KnownChances:
    """The results of a finished run: how often the first of two decks won or drew.

    `file` is their source.
    """

    file: str
    chances: tuple[tuple[str, str, float, float], ...]


@dataclass(frozen=True, slots=True)
class Request:
    """A user's request for a simulation, in addition to decks and format.

    `opponents` are the factions that a solo deck meets, by default all.
    With `random_decks`, `players` sit down with a new random deck in each game.
    `selections` has the ways to choose the decks of lineups, and `matchups` the chances
    to choose by, if they are known. The first `challengers` decks meet the others and
    not each other. With `every_policy` each of `policies` plays each deck. `stopping`
    may end the run before `games` are played. 0 games stand for the usual number for so
    many tables. `cross_check` is a second bot, which plays `cross_check_games` games of
    each matchup again.
    """

    __pydantic_config__ = CLOSED

    games: int
    seed: int
    policies: tuple[str, ...]
    mirror: bool = False
    opponents: tuple[str, ...] = ()
    random_decks: bool = False
    players: int | None = None
    selections: tuple[str, ...] = ()
    challengers: int | None = None
    every_policy: bool = False
    matchups: KnownChances | None = None
    stopping: Stopping = field(default_factory=Stopping)
    cross_check: str | None = None
    cross_check_games: int | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """The setting of games: a format with its cards, and a user's request."""

    format: Format
    database: CardDatabase
    request: Request


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A table ready to be played at. `number` seeds its games.

    `decks` has the deck of each seat, None for an automa and for random decks. The sets
    go through the `orders` of these seats.
    """

    number: int
    entrants: tuple[str, ...]
    policies: tuple[str, ...]
    table: Table
    decks: tuple[Entrant | None, ...]
    orders: tuple[tuple[int, ...], ...] = ((0, 1),)


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
    if challengers is not None:
        pairs = [(a, b) for a in range(challengers) for b in range(challengers, count)]
    else:
        pairs = list(combinations(range(count), 2))
    if mirror:
        pairs += [(a, a) for a in range(count if challengers is None else challengers)]
    return [Pairing(a, b) for a, b in sorted(pairs)]


def challenging_files(setting: Setting, entrants: Sequence[Entrant]) -> int | None:
    """Return how many of the files, teams or lineups, are challengers."""
    challengers = setting.request.challengers
    return None if challengers is None else len(group_by_file(entrants[:challengers]))


def seat_tables(setting: Setting, entrants: Sequence[Entrant]) -> list[SeatedTable]:
    """Return the tables at which `entrants` meet.

    Raises UsageError when their number does not fit. For a deck that the engine cannot
    play, EngineError is raised here or when the contexts of its tables are read: those
    of formats in which everyone meets everyone are filled only then.
    """
    return PLANNERS[setting.format.seating.play](setting, entrants)


def check_decks(tables: Iterable[SeatedTable]) -> None:
    """Fill the contexts of as many tables as have all decks between them.

    Raises EngineError for a deck that the engine cannot play.
    """
    checked: set[str] = set()
    for table in tables:
        names = {entrant.name for entrant in table.decks if entrant is not None}
        if not names <= checked:
            checked |= names
            tuple(table.table.contexts)  # the engine fills them as they are read


def seats_once() -> Callable[[Entrant], Seat]:
    """Return a function that seats each entrant once, at however many tables."""
    known: dict[str, Seat] = {}

    def find_seat(entrant: Entrant) -> Seat:
        if entrant.name not in known:
            known[entrant.name] = seat(entrant.deck, entrant.policy)
        return known[entrant.name]

    return find_seat


def duel(
    setting: Setting,
    number: int,
    a: Entrant,
    b: Entrant,
    seated: Callable[[Entrant], Seat],
) -> SeatedTable:
    """Return the table of two decks, in any seating of the format."""
    table = plan_table(
        setting.format,
        setting.database,
        2,
        partial(map, seated, (a, b)),
        streams=DUEL_STREAMS,
    )
    return SeatedTable(number, (a.name, b.name), (a.policy, b.policy), table, (a, b))


def _seat_duels(setting: Setting, entrants: Sequence[Entrant]) -> list[SeatedTable]:
    """Return a table for each pair of decks."""
    mirror = setting.request.mirror
    if len(entrants) < (1 if mirror else 2):
        raise UsageError(
            f"Found {plural(len(entrants), 'deck')}, needs at least 2",
            f"Name another deck, or let this one meet itself with {option('mirror')}",
        )
    seated = seats_once()
    places = (
        duel(setting, pairing.number, entrants[pairing.a], entrants[pairing.b], seated)
        for pairing in pair_up(len(entrants), mirror, setting.request.challengers)
    )
    return [_shorten_sets(setting, place) for place in places]


def _shorten_sets(setting: Setting, place: SeatedTable) -> SeatedTable:
    """Return the table, its sets cut to a single game if all their games are equal."""
    factions = [entrant.deck.faction for entrant in place.decks if entrant is not None]
    table, database = place.table, setting.database
    if beginner_ever_matters(table, database, factions, place.policies):
        return place
    return replace(place, table=replace(table, once=True))


def _seat_tables_of_several(
    setting: Setting, entrants: Sequence[Entrant]
) -> list[SeatedTable]:
    """Seat everyone alone, the decks of a file or all single decks at a table."""
    if setting.request.random_decks:
        names, policies, seats = _seat_random_decks(setting)
        return [_round_table(setting, 0, names, policies, seats)]
    files = group_by_file(entrants)
    tables = files if any(len(file) > 1 for file in files) else [list(entrants)]
    seated_tables = []
    for number, table in enumerate(tables):
        _check_players(setting.format, len(table))
        names = [entrant.name for entrant in table]
        policies = [entrant.policy for entrant in table]
        seats = [seat(entrant.deck, entrant.policy) for entrant in table]
        seated = _round_table(setting, number, names, policies, seats)
        seated_tables.append(replace(seated, decks=tuple(table)))
    return seated_tables


def _round_table(
    setting: Setting,
    number: int,
    names: Sequence[str],
    policies: Sequence[str],
    seats: Sequence[Seat],
) -> SeatedTable:
    orders = tuple(circular_orders(len(seats)))
    table = set_table(setting.format, setting.database, seats, orders=orders)
    no_decks = (None,) * len(seats)
    return SeatedTable(number, tuple(names), tuple(policies), table, no_decks, orders)


def _seat_teams(setting: Setting, entrants: Sequence[Entrant]) -> list[SeatedTable]:
    """Seat teams of two, each from a file, against each other."""
    teams = group_by_file(entrants)
    for team in teams:
        if len(team) != 2:
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
    return [
        _seat_two_teams(setting, p.number, teams[p.a], teams[p.b])
        for p in pair_up(len(teams), False, challenging_files(setting, entrants))
    ]


def _seat_two_teams(
    setting: Setting, number: int, a: Sequence[Entrant], b: Sequence[Entrant]
) -> SeatedTable:
    seated = (a[0], b[0], a[1], b[1])
    table = plan_table(
        setting.format,
        setting.database,
        len(seated),
        lambda: [seat(entrant.deck, entrant.policy) for entrant in seated],
        orders=TEAM_ORDERS,
        entrant_in=(TEAM_ENTRANTS,) * len(TEAM_ORDERS),
    )
    names = tuple(f"{team[0].name} + {team[1].name}" for team in (a, b))
    policies = tuple(entrant.policy for entrant in seated)
    return SeatedTable(number, names, policies, table, seated, TEAM_ORDERS)


def _seat_solo(setting: Setting, entrants: Sequence[Entrant]) -> list[SeatedTable]:
    """Return a table for each deck against the automa of each faction."""
    game = load_game(setting.format.game)
    database, fmt = setting.database, setting.format
    tables: list[SeatedTable] = []
    for entrant in entrants:
        deck_seat = game.player_seat(database, fmt, seat(entrant.deck, entrant.policy))
        for faction in _name_opponents(setting):
            seats = [deck_seat, game.automa_seat(database, fmt, faction)]
            table = set_table(fmt, database, seats, rotation=1)
            names = (entrant.name, f"automa ({database.factions[faction].name})")
            tables.append(
                SeatedTable(
                    len(tables), names, (entrant.policy,), table, (entrant, None)
                )
            )
    return tables


def _name_opponents(setting: Setting) -> list[str]:
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
        table = set_table(fmt, database, seats)
        nobodys = (None,) * len(seats)
        return [SeatedTable(0, tuple(names), tuple(policies), table, nobodys)]
    shared = []
    for number, entrant in enumerate(entrants):
        policies = assign_policies(setting.request.policies, 2, "player")
        names = [f"{name}, {entrant.name}" for name in _name_players(policies)]
        seats = [seat(entrant.deck, policy) for policy in policies]
        table = set_table(fmt, database, seats)
        decks = (entrant,) * len(seats)
        shared.append(SeatedTable(number, tuple(names), tuple(policies), table, decks))
    return shared


Planner: TypeAlias = Callable[[Setting, Sequence[Entrant]], list[SeatedTable]]

PLANNERS: dict[str, Planner] = {
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
