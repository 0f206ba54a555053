"""Positions of Gwent that no game can come to, refused with the statement they break.

Copies of a card are not counted: a judge may lay as many as the question needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from deckcheck.cards import CardDatabase
from deckcheck.engine.games.gwent.host.cardtable import card_numbers
from deckcheck.engine.games.gwent.rules.free_for_all import target
from deckcheck.engine.games.gwent.rules.side_deck import row_has_mardroeme
from deckcheck.findings.documents import Location
from deckcheck.findings.words import plural
from deckcheck.formats import Format
from deckcheck.scenarios.errors import BadPosition
from deckcheck.scenarios.games.gwent.file import GwentScenario, PlayerStart
from deckcheck.scenarios.rows import ROW_WORDS

RELENTLESS = "take_from_enemy_discard"
WHITE_FLAME = "cancel_enemy_leader"
CLEAR = "weather_clear"
USER = "A"

TAKEN_OUT = "A has no weather but Clear Weather in solo (gwent 6.1.3)"
GIVE_IT_TO_THE_AUTOMA = "Only The Relentless as A's leader can take one (gwent 6.2.10)"
NONE_LEFT = "or `side_deck: []` if there is none left"
TURNED = "a Berserker beside Mardroeme is turned already (gwent 1.6.10)"


def check_players(
    scenario: GwentScenario,
    database: CardDatabase,
    fmt: Format,
    names: Sequence[str],
) -> None:
    """Refuse factions, leaders and weather that players cannot have."""
    for name, setting in scenario.players.items():
        _check_leader(setting, database, ("players", name))
    if fmt.seating.play == "teams":
        for team in range(2):
            _check_partners(scenario, database, names[team::2])
    if fmt.seating.play == "solo":
        _check_user(scenario, database)


def _check_leader(setting: PlayerStart, database: CardDatabase, at: Location) -> None:
    faction = setting.faction
    if faction is not None and faction == database.game.neutral:
        raise BadPosition((*at, "faction"), "no deck is neutral (gwent 1.1.1)")
    if setting.leader is None:
        if setting.leader_used:
            raise BadPosition((*at, "leader_used"), "there is no `leader`")
        return
    leader = database.leaders[setting.leader]
    if faction not in (None, leader.faction):
        whose = database.factions[leader.faction].name
        message = f"`{leader.full_name}` is a leader of {whose} (gwent 1.1.2)"
        raise BadPosition((*at, "leader"), message)
    if setting.leader_used and leader.passive:
        message = f"`{leader.full_name}` is passive and never used (gwent 1.9.1)"
        raise BadPosition((*at, "leader_used"), message)
    if setting.voids is not None and leader.ability != WHITE_FLAME:
        message = "only The White Flame voids a leader (gwent 1.9.5)"
        raise BadPosition((*at, "voids"), message)


def _check_partners(
    scenario: GwentScenario, database: CardDatabase, partners: Sequence[str]
) -> None:
    factions = [scenario.player(name).faction for name in partners]
    if factions[0] is not None and factions[0] == factions[1]:
        both = " and ".join(partners)
        name = database.factions[factions[0]].name
        message = f"{both} are partners, and both are {name}"
        help = "Partners have different factions (gwent 5.2)"
        raise BadPosition(("players", partners[1], "faction"), message, help)


def _check_user(scenario: GwentScenario, database: CardDatabase) -> None:
    """In solo the user has no weather but Clear Weather, and what was taken."""
    setting = scenario.player(USER)
    leader = database.leaders.get(setting.leader or "")
    if leader is not None and leader.ability == RELENTLESS:
        return
    places: Iterator[tuple[Location, str]] = (
        (("players", USER, zone, index), entry.card)
        for zone in ("hand", "deck", "discard")
        for index, entry in enumerate(getattr(setting, zone))
    )
    table = (
        (("weather", index, "by"), entry.card)
        for index, entry in enumerate(scenario.weather)
        if entry.by == USER
    )
    for at, id in (*places, *table):
        card = database.cards[id]
        if card.kind == "weather" and not card.has(CLEAR):
            raise BadPosition(at, TAKEN_OUT, GIVE_IT_TO_THE_AUTOMA)


def check_points(scenario: GwentScenario, s: Any, x: Any) -> None:
    """Refuse points of a table with which the game would be over (4.4)."""
    needed = int(target(s, x))
    for name, setting in scenario.players.items():
        if setting.points >= needed:
            enough = plural(needed, "point")
            message = f"with {enough} the game is over (gwent 4.4)"
            raise BadPosition(("players", name, "points"), message)


def check_berserkers(
    scenario: GwentScenario,
    s: Any,
    x: Any,
    database: CardDatabase,
    names: Sequence[str],
) -> None:
    """Refuse Berserkers that Mardroeme would have turned (1.6.10)."""
    numbers = card_numbers(database)
    for name, setting in scenario.players.items():
        owner = next(i for i, seat in enumerate(names) if name in (seat, seat[0]))
        side = int(x.side[owner])
        players = [i for i in range(len(names)) if x.side[i] == side]
        for row, word in enumerate(ROW_WORDS):
            if not row_has_mardroeme(s, x, side, row):
                continue
            for index, entry in enumerate(getattr(setting, word)):
                turned = int(x.becomes[numbers[entry.card]])
                if turned and any(
                    s.side_deck[i, x.side_index[turned]] or _is_open(scenario, names[i])
                    for i in players
                ):
                    at: Location = ("players", name, word, index)
                    after = list(database.cards)[turned - 1]
                    raise BadPosition(at, TURNED, f"Write `{after}`, {NONE_LEFT}")


def _is_open(scenario: GwentScenario, name: str) -> bool:
    """Whether the file leaves open what lies in the side deck of a player."""
    setting = scenario.player(name)
    return setting.faction is None and setting.side_deck is None
