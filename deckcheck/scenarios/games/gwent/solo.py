"""Scenarios of solo: the automa's secrets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deckcheck.cards import CardDatabase
from deckcheck.engine.games.gwent.codes import Deed, Leader
from deckcheck.engine.games.gwent.host.cardtable import card_numbers
from deckcheck.engine.games.gwent.solo.state import AUTOMA, USER
from deckcheck.findings.documents import Location
from deckcheck.scenarios import contract as scenarios
from deckcheck.scenarios.errors import BadPosition
from deckcheck.scenarios.games.gwent.file import GwentScenario, PlayerStart
from deckcheck.scenarios.models import expand
from deckcheck.scenarios.rows import ROW_WORDS

SECRETS = ("hidden", "leaders")
USERS_OWN = ("hand", "leader", "leader_used", "passed")
NAMES = ("A", "B")
DEEDS = {
    # a deed in words; the name of the card goes into the braces
    Deed.LAY: "B plays {} in",
    Deed.PLAY: "B plays {}",
    Deed.HIDE: "B plays {} with a card face down under it",
    Deed.TURN_UP: "B turns up {}, which lay under a Decoy",
    Deed.MOVE: "B moves {} to",
}


def is_solo(s: Any) -> bool:
    """Whether this is the record of a solo game."""
    return "hidden" in s.dtype.names


def check_solo(scenario: GwentScenario, s: Any) -> None:
    """Refuse what only the user or only the automa has, and the automa's turn."""
    for player, name in enumerate(NAMES):
        given = scenario.player(name).model_fields_set
        automa = is_solo(s) and player == AUTOMA
        wrong = USERS_OWN if automa else SECRETS
        for key in [key for key in wrong if key in given]:
            who = "an automa has none" if automa else "only an automa has them"
            raise BadPosition(("players", name, key), f"`{key}`: {who}")
    if not is_solo(s):
        return
    if scenario.turn == NAMES[AUTOMA]:
        message = "the automa never is to move: it plays after each move of A"
        raise BadPosition(("turn",), message)
    if scenario.player(NAMES[USER]).passed:
        message = "A has passed: the automa has had its last turn, the round is over"
        help = "Let A pass in `moves`; the automa answers"
        raise BadPosition(("players", NAMES[USER], "passed"), message, help)


def lay_automa(s: Any, x: Any, setting: PlayerStart, database: CardDatabase) -> None:
    """The automa's leader pile, and the cards under its Decoys."""
    at: Location = ("players", NAMES[AUTOMA])
    if setting.leaders is not None:
        if not x.automa_leaders:
            message = "the format plays without the automa's leaders"
            raise BadPosition((*at, "leaders"), message)
        pile = [database.leaders[id].ability.upper() for id in setting.leaders[::-1]]
        if len(pile) > len(x.leaders):
            message = f"{len(pile)} leaders found, {len(x.leaders)} have room"
            raise BadPosition((*at, "leaders"), message)
        x.leaders[: len(pile)] = [Leader[ability] for ability in pile]
        x.n_leaders = len(pile)
    s.n_leaders = x.n_leaders
    s.leaders[:] = x.leaders
    numbers = card_numbers(database)
    hidden = expand(setting.hidden)
    if len(hidden) > len(s.hidden):
        message = f"{len(hidden)} cards found, {len(s.hidden)} have room"
        raise BadPosition((*at, "hidden"), message)
    decoys = [id for id, card in database.cards.items() if card.has("decoy")]
    for i, card in enumerate(hidden):
        s.hidden[i] = (numbers[card], numbers[decoys[0]])
    s.n_hidden = len(hidden)


def automa_deeds(s: Any, x: Any, database: CardDatabase) -> list[scenarios.Deed]:
    """What the automa did since this was last asked, in words; no game but solo."""
    if not is_solo(s):
        return []
    deeds = [_in_words(x, deed, database) for deed in x.deeds[: x.n_deeds].tolist()]
    x.n_deeds = 0
    return deeds


def _in_words(x: Any, noted: Sequence[int], database: CardDatabase) -> scenarios.Deed:
    code, number, row, side = noted
    deed = Deed(code)
    if deed == Deed.LEADER:
        ability = Leader(number).name.lower()
        leader = next(x for x in database.leaders.values() if x.ability == ability)
        return scenarios.Deed(f"B turns up {leader.full_name}", {"leader": leader.id})
    if deed == Deed.COUNT:
        words = {"A": str(number), "B": str(row)}
        return scenarios.Deed(f"the round ends with A at {number}, B at {row}", words)
    if deed == Deed.NOTHING:
        return scenarios.Deed("B passes, its deck is empty", {})
    card = list(database.cards.values())[int(x.plain[number]) - 1]
    words = {"card": card.id}
    text = DEEDS[deed].format(card.name)
    if row >= 0:
        words["row"] = ROW_WORDS[row]
        text += f" the {words['row']} row" + (" of A" if side == USER else "")
        words["side"] = NAMES[side]
    return scenarios.Deed(text, words)


def automa_facts(s: Any, player: int, database: CardDatabase) -> dict[str, Any]:
    """What is known of an automa beyond a player's facts; of others nothing."""
    if not is_solo(s) or player == USER:
        return {}
    cards = list(database.cards)
    leaders = {Leader[x.ability.upper()]: x.id for x in database.leaders.values()}
    pile = s.leaders[: s.n_leaders][::-1]
    return {
        "hidden": [cards[card - 1] for card in s.hidden[: s.n_hidden, 0]],
        "leaders": [leaders[Leader(int(leader))] for leader in pile],
    }
