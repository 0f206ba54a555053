"""The lead, as it counts at the end of a round."""

from __future__ import annotations

from deckcheck.engine.games.gwent.codes import FactionAbility
from deckcheck.engine.games.gwent.players.seeing.opposing import side_of
from deckcheck.engine.games.gwent.rules.scoring import side_total
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Context, Player, State


@jit
def counted_lead(s: State, x: Context, player: Player, enemy: Player) -> int:
    """The lead; a player who wins ties has one more."""
    lead = side_total(s, side_of(s, x, player)) - side_total(s, side_of(s, x, enemy))
    lead += x.faction_ability[player] == FactionAbility.WIN_TIES
    lead -= x.faction_ability[enemy] == FactionAbility.WIN_TIES
    return lead
