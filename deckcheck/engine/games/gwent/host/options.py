"""The options of play as flags and numbers of the context."""

from __future__ import annotations

from collections.abc import Mapping

from deckcheck.engine.types import Context
from deckcheck.formats import Format

NUMBERS = {"gems": "gems", "hand_size": "hand_size", "redraws": "redraws"}
FLAGS = {
    # option: (field of the context, the value that sets it)
    "next_starter": ("starters_alternate", "alternate"),
    "starter_after_draw": ("same_starter_after_draw", "same"),
    "leader_on_empty_hand": ("empty_hand_passes", "forbidden"),
    "decoy_without_target": ("decoy_needs_no_target", "allowed"),
    "special_without_effect": ("special_needs_effect", "forbidden"),
    "repeated_weather": ("repeated_weather_forbidden", "forbidden"),
    "base_zero_under_weather": ("zero_becomes_one", "becomes_one"),
    "king_bran": ("bran_rounds_result_down", "result_rounded_down"),
    "skellige_return": ("returning_units_play", "play"),
    "kept_summoner_summons": ("kept_summoner_summons", True),
    "decoyed_summoner_summons": ("decoyed_summoner_summons", True),
    "summoned_row": ("summoned_joins_row", "summoner"),
    "summoned_card_leaves": ("summoned_card_vanishes", "removed"),
    "berserker_without_side_card": ("berserker_leaves", "leaves"),
    "pirate_spares_itself": ("pirate_hits_itself", False),
    "leader_without_effect": ("leader_needs_effect", "forbidden"),
    "hope_of_the_aen_seidhe": ("hope_moves_both_sides", "both"),
    "leader_row_scorch": ("leader_scorches_all", "each"),
    "pirate_at_a_table": ("pirate_scorches_each", "each"),
    "northern_realms_draw": ("realms_draw_alone", "alone"),
    "skellige_rounds": ("skellige_returns_often", "from_third"),
    "target_together": ("target_shared", "all"),
    "nobody_can_play": ("exhausted_is_draw", "draw"),
    "neutral_colour": ("neutrals_colourless", "none"),
    "team_starter": ("same_member_starts", "first"),
}
TIED_STARTER = {"same": "tied_starter_stays", "lot": "tied_starter_by_lot"}
WHITE_FLAME = {"all": "flame_voids_all", "opponents": "flame_voids_opponents"}
CHOICES = {"white_flame": WHITE_FLAME, "tied_starter": TIED_STARTER}
"""Options with more than two values: the field of each value but the default."""

SOLO_FLAGS: dict[str, tuple[str, str | bool]] = {
    # option: (field of the context, the value that sets it)
    "automa_leaders": ("automa_leaders", True),
    "automa_aim": ("automa_aims_at_own_total", "own_total"),
    "automa_ties": ("automa_ties_random", "random"),
    "clear_weather_chains": ("clear_weather_ends_turn", False),
    "drawn_weather_chains": ("drawn_weather_ends_turn", False),
    "automa_empty_deck": ("automa_reshuffles", "reshuffles"),
    "leader_answered": ("leader_unanswered", False),
    "revealed_leader": ("leader_shuffled_back", "shuffled_back"),
    "automa_moves_heroes": ("automa_moves_heroes", True),
    "automa_hidden_cards": ("hidden_after_leader", "after_leader"),
    "automa_faction_abilities": ("automa_without_faction", False),
    "automa_passive_leaders": ("automa_passives_stay", "game"),
    "automa_relentless": ("relentless_takes_heroes", "heroes"),
}
"""Those that only solo has (rules 6)."""


def fill_options(x: Context, fmt: Format) -> None:
    """Translate the options of the format to flags."""
    for option, field in NUMBERS.items():
        x[field] = fmt.options.get(option, 0)
    for option, (field, value) in FLAGS.items():
        x[field] = int(fmt.options.get(option) == value)
    for option, fields in CHOICES.items():
        for value, field in fields.items():
            x[field] = int(fmt.options.get(option) == value)


def fill_flags(
    x: Context, fmt: Format, flags: Mapping[str, tuple[str, str | bool]]
) -> None:
    """Translate options that only some formats have."""
    for option, (field, value) in flags.items():
        x[field] = int(fmt.options.get(option) == value)
