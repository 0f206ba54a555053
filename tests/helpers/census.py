"""What the suite of every game has to know of each: where cards lie."""

from collections import Counter
from typing import Any

from deckcheck.engine.gwent.codes import Phase
from deckcheck.engine.sg_gwint.codes import Kind
from deckcheck.engine.sg_gwint.codes import Phase as CodesPhase

# What the conformance suite has to know of Deckmaster: where cards lie.


def deckmaster_census(s: Any, x: Any) -> Counter[int]:
    """Every card of the game by number; those fused over or destroyed as 0."""
    deck = Counter(s.deck[: s.n_deck].tolist())
    board = Counter(card for card in s.card.tolist() if card)
    return deck + board + Counter({0: int(s.turns) - board.total()})


def deckmaster_snapshot(s: Any) -> dict[str, Any]:
    """The state; the drawn card is the hand of the player to move."""
    fields = {name: s[name].tolist() for name in s.dtype.names}
    drawn = s.deck[max(s.n_deck - 1, 0) : s.n_deck].tolist()
    fields["hand"] = [drawn if s.turn == player else [] for player in range(2)]
    fields["deck"] = s.deck[: max(s.n_deck - 1, 0)].tolist()
    return fields


def deckmaster_dealt(s: Any, sizes: list[int]) -> Any:
    """What the shuffle has decided: the order of the deck that both share."""
    return s.deck.tolist()


# What the conformance suite has to know of Gwen't: where cards lie, what counts.

ZONES = (("n_hand", "hand"), ("n_deck", "deck"), ("n_discard", "discard"))


def gwen_t_census(s: Any, x: Any) -> Counter[int]:
    """Every card of the game by number, wherever it lies."""
    cards: Counter[int] = Counter()
    for player in range(s.players):
        for count, zone in ZONES:
            cards.update(int(c) for c in s[zone][player, : s[count][player]])
        for row in range(3):
            cards.update(int(c) for c in s.row[player, row, : s.n_row[player, row]])
    if s.weather:
        cards[int(s.weather)] += 1
    return cards


def gwen_t_snapshot(s: Any) -> dict[str, Any]:
    """The state without what lies behind the end of a zone, by seats that are taken."""
    fields = {name: s[name].copy() for name in s.dtype.names}
    for player in range(s.players):
        for count, zone in ZONES:
            fields[zone][player, s[count][player] :] = 0
        for row in range(3):
            fields["row"][player, row, s.n_row[player, row] :] = 0
            fields["stacked"][player, row, s.n_row[player, row] :] = 0
    fields["order"][s.standing :] = 0
    fields["pass_order"][s.n_passed :] = 0
    if not s.weather:
        fields["weather_by"] = fields["weather_by"] * 0
    return {name: value.tolist() for name, value in fields.items()}


def gwen_t_turned(fields: dict[str, Any], by: int, players: int) -> dict[str, Any]:
    """The snapshot with every player `by` seats further on."""
    other = dict(fields)
    for name, value in fields.items():
        if name in ("order", "pass_order"):
            count = fields["standing" if name == "order" else "n_passed"]
            moved = [(player + by) % players for player in value[:count]]
            other[name] = moved + value[count:]
        elif isinstance(value, list) and name != "rng":
            other[name] = value[-by % players : players] + value[: -by % players]
            other[name] += value[players:]
    for name in ("turn", "first"):
        other[name] = (fields[name] + by) % players
    if fields["weather"]:
        other["weather_by"] = (fields["weather_by"] + by) % players
    if fields["winner"] >= 0:
        other["winner"] = (fields["winner"] + by) % players
    return other


# What the conformance suite has to know of Gwent: where cards lie, and what counts.


def gwent_census(s: Any, x: Any) -> Counter[int]:
    """Every card of the game by number, wherever it lies; those removed are 0."""
    cards: Counter[int] = Counter()
    for count, zone in ZONES:
        for owner in range(x.n_sides if zone == "discard" else x.n_players):
            cards.update(int(c) for c in s[zone][owner, : s[count][owner]])
    for side in range(x.n_sides):
        for row in range(3):
            cards.update(int(c) for c in s.row[side, row, : s.n_row[side, row]])
            if s.slot[side, row]:
                cards[int(s.slot_card[side, row])] += 1
    for index in range(4):
        if s.weather[index]:
            cards[int(s.weather_card[index])] += 1
    for player in range(x.n_players):
        for index, copies in enumerate(s.side_deck[player].tolist()):
            cards[int(x.side_card[player, index])] += copies
    # A Decoy that looks for its unit, spies that look for an opponent.
    if s.picked and s.phase in (Phase.DECOY, Phase.RECIPIENT):
        cards[int(s.picked)] += 1
    cards.update(int(card) for card, _, side in s.stack[: s.n_stack] if side < 0)
    return cards


def solo_census(s: Any, x: Any) -> Counter[int]:
    """The same in solo, the cards under Decoys and the Decoys above them included."""
    cards = gwent_census(s, x)
    for i in range(s.n_hidden):
        cards.update(int(card) for card in s.hidden[i])
    return cards


def gwent_snapshot(s: Any) -> dict[str, Any]:
    """The state without what lies behind the end of a zone."""
    fields = {name: s[name].copy() for name in s.dtype.names}
    for count, zone in ZONES:
        for owner in range(len(s[count])):
            fields[zone][owner, s[count][owner] :] = 0
    for owner in range(len(s.n_hand)):
        fields["seen"][owner, s.n_hand[owner] :] = 0
        for row in range(3):
            fields["row"][owner, row, s.n_row[owner, row] :] = 0
    fields["weather_card"][s.weather == 0] = 0
    fields["slot_card"][s.slot == 0] = 0
    fields["stack"][:] = 0
    fields["summons"][:] = 0
    return {name: value.tolist() for name, value in fields.items()}


def solo_snapshot(s: Any) -> dict[str, Any]:
    """The same in solo, and of the cards under Decoys and the pile of leaders."""
    fields = gwent_snapshot(s)
    fields["hidden"] = fields["hidden"][: s.n_hidden]
    fields["leaders"] = fields["leaders"][: s.n_leaders]
    return fields


def gwent_swapped(fields: dict[str, Any]) -> dict[str, Any]:
    """The snapshot with the two seats exchanged."""
    by_seat = {name for name, value in fields.items() if is_by_seat(name, value)}
    other = {
        name: value[::-1] if name in by_seat else value
        for name, value in fields.items()
    }
    for name in ("turn", "starter", "first"):
        other[name] = 1 - fields[name]
    if fields["winner"] >= 0:
        other["winner"] = 1 - fields["winner"]
    other["next_member"] = [1 - p if p >= 0 else p for p in other["next_member"]]
    other["weather"] = [3 - w if w else 0 for w in fields["weather"]]
    return other


def is_by_seat(name: str, value: Any) -> bool:
    """Whether the first axis of a field counts players or sides."""
    return isinstance(value, list) and len(value) == 2


# What the conformance suite has to know of SG Gwint: where cards lie, what counts.

IN_THE_AIR = (CodesPhase.LAND, CodesPhase.KLEPNA, CodesPhase.ATTACH)
LISTS = (
    *(("n_sky", "sky"), ("n_below", "below"), ("n_stack", "stack")),
    *(("n_lagers", "lagers"), ("n_moved", "moved")),
)
BY_ROW = ("row", "extra", "ident", "stayed")


def sg_gwint_census(s: Any, x: Any) -> Counter[int]:
    """Every card of the game by number; those that left it are 0.

    A leader among the weather is no card.
    """
    cards: Counter[int] = Counter({0: int(s.n_removed)})
    for count, zone in (*ZONES, ("n_linked", "linked")):
        for player in range(2):
            cards.update(int(c) for c in s[zone][player, : s[count][player]])
    for side in range(2):
        for row in range(3):
            cards.update(int(c) for c in s.row[side, row, : s.n_row[side, row]])
            cards[int(s.slot[side, row])] += 1
        for index, copies in enumerate(s.reserves[side].tolist()):
            if copies:
                cards[int(x.reserve_card[side, index])] += copies
    cards.update(int(c) for c in s.sky[: s.n_sky])
    cards.update(int(c) for c in s.below[: s.n_below, 1])
    cards.update(int(c) for c, _, ident, _ in s.stack[: s.n_stack] if ident == 0)
    if s.phase in IN_THE_AIR:
        cards[int(s.picked)] += 1
    cards[0] = int(s.n_removed)
    for number in [number for number in cards if x.kind[number] == Kind.LEADER]:
        del cards[number]
    # A leader that left with the weather counts among those removed.
    cards[0] -= sum(leader_gone(s, x, player) for player in range(2))
    return cards


def leader_gone(s: Any, x: Any, player: int) -> bool:
    """Whether the leader of a player lay among the weather and left."""
    leader = x.leader_card[player]
    lies = leader in s.sky[: s.n_sky] or leader in s.slot
    return bool(leader and s.leader_state[player] == 1 and not lies)


def sg_gwint_snapshot(s: Any) -> dict[str, Any]:
    """The state without what lies behind the end of a zone."""
    fields = {name: s[name].copy() for name in s.dtype.names}
    for count, zone in (*ZONES, ("n_linked", "linked")):
        for player in range(2):
            fields[zone][player, s[count][player] :] = 0
    for player in range(2):
        fields["seen"][player, s.n_hand[player] :] = 0
        fields["under_seen"][player, s.n_under[player] :] = 0
        for row in range(3):
            for name in BY_ROW:
                fields[name][player, row, s.n_row[player, row] :] = 0
    for count, zone in LISTS:
        fields[zone][s[count] :] = 0
    return {name: value.tolist() for name, value in fields.items()}
