"""The words of the data that the Gwent engine plays, and on which cards."""

from __future__ import annotations

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Card, Leader
from deckcheck.engine.errors import EngineError
from deckcheck.engine.games.gwent import codes
from deckcheck.engine.games.gwent.codes import Ability, FactionAbility, Kind, RowName
from deckcheck.engine.games.gwent.host.options import (
    CHOICES,
    FLAGS,
    NUMBERS,
    SOLO_FLAGS,
)
from deckcheck.engine.games.gwent.rules.abilities import ON_ENTRY
from deckcheck.engine.games.gwent.rules.leaders.using import (
    ACTIVE_LEADERS,
    PASSIVE_LEADERS,
)
from deckcheck.engine.games.gwent.rules.scoring import CHANGES_NEIGHBOURS
from deckcheck.engine.games.gwent.rules.side_deck import ON_LEAVING
from deckcheck.engine.games.gwent.rules.specials import SPECIAL_ABILITIES
from deckcheck.engine.games.gwent.rules.weather import WEATHER_ABILITIES
from deckcheck.engine.games.gwent.state import CARDS
from deckcheck.engine.host.vocabulary import check_options, check_words

UNIT_ABILITIES = int(ON_ENTRY | CHANGES_NEIGHBOURS | ON_LEAVING | Ability.AGILE)
PLAYED = {
    Kind.UNIT: UNIT_ABILITIES,
    # "Heroes always count their printed strength": no bond doubles one.
    Kind.HERO: int(UNIT_ABILITIES & ~Ability.TIGHT_BOND),
    Kind.SPECIAL: SPECIAL_ABILITIES,
    Kind.WEATHER: WEATHER_ABILITIES,
}
"""The abilities that a card of a kind can have, each where it is played."""

AGILE_ROWS = {"close", "ranged"}


def check_vocabulary(database: CardDatabase) -> None:
    """Refuse words of the database that the engine does not play.

    Raises:
        EngineError: an ability, kind, row, leader, faction ability or option has no
            implementation; nothing is ever played as a blank card.
    """
    factions = database.factions.values()
    for what, words_of_rules, words in (
        ("ability", Ability, database.game.abilities),
        ("kind", Kind, database.game.kinds),
        ("row", RowName, database.game.rows),
        ("faction ability", FactionAbility, [f.ability for f in factions if f.ability]),
    ):
        check_words("Gwent", what, words_of_rules, words)
    choices: dict[str, set[object]] = {
        option: set(values) for option, values in CHOICES.items()
    }
    for option, (_, value) in (*FLAGS.items(), *SOLO_FLAGS.items()):
        choices[option] = {value}
    # What is only for matches is played between games.
    options = [option for option in database.game.options if option.plays != ("match",)]
    check_options("Gwent", options, NUMBERS, choices)
    for leader in database.leaders.values():
        check_leader(leader)
    for card in database.cards.values():
        check_card(card)
    if len(database.cards) >= CARDS:
        raise EngineError(f"the Gwent engine plays at most {CARDS - 1} different cards")


def check_leader(leader: Leader) -> None:
    """Refuse a leader whom nobody plays, or who would wait for ever to be used."""
    check_words("Gwent", "leader ability", codes.Leader, [leader.ability])
    code = codes.Leader[leader.ability.upper()]
    if code not in (*ACTIVE_LEADERS, *PASSIVE_LEADERS):
        message = (
            f"the Gwent engine does not play the leader ability `{leader.ability}`"
        )
        raise EngineError(message)
    if leader.passive != (code in PASSIVE_LEADERS):
        is_now = "passive" if leader.passive else "not passive"
        message = f"`{leader.full_name}` is {is_now}, but `{leader.ability}` is"
        raise EngineError(f"{message} not" if leader.passive else message)


def check_card(card: Card) -> None:
    """Refuse a card of which something would not be played."""
    kind = Kind[card.kind.upper()]
    for ability in card.abilities:
        if not ability_bits([ability.code]) & PLAYED[kind]:
            raise unplayed(card, f"a {card.kind} with `{ability.code}`")
    if kind in (Kind.SPECIAL, Kind.WEATHER) and len(card.abilities) != 1:
        raise unplayed(card, f"a {card.kind} with {len(card.abilities)} abilities")
    is_agile = card.has("agile")
    if is_agile and set(card.rows) != AGILE_ROWS:
        raise unplayed(card, "an agile card with other rows than close and ranged")
    if not is_agile and len(card.rows) > 1:
        raise unplayed(card, "a card of several rows that is not agile")


def unplayed(card: Card, what: str) -> EngineError:
    """The refusal of a card."""
    return EngineError(f"the Gwent engine does not play {what}: `{card.name}`")


def ability_bits(words: list[str]) -> int:
    """The abilities as one number."""
    return sum(int(Ability[word.upper()]) for word in words)
