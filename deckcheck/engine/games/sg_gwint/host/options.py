"""The options of play as flags and numbers of the context."""

from __future__ import annotations

from deckcheck.engine.types import Context
from deckcheck.formats import Format

NUMBERS = (
    "lives",
    "hand_size",
    "redraws",
    "cards_per_round",
    "redraws_per_round",
    "replays",
    "demotivation_size",
)
FLAGS = {
    # option: (field of the context, the value that sets it)
    "setup_order": ("short_setup", "short"),
    "coin_winner": ("coin_winner_starts", "starts"),
    "klepna_is_turn": ("klepna_takes_turn", True),
    "after_free_leader": ("discard_follows_leader", "play_or_discard"),
    "shielded_count_for_scorch": ("scorch_ignores_shielded", False),
    "boosts_include_self": ("boosts_spare_self", False),
    "lagers_stack": ("lagers_stack", True),
    "weather_effect": ("weather_to_one", "to_one"),
    "immune_keeps_lager": ("immune_loses_lager", False),
    "revived_abilities": ("revived_are_idle", "idle"),
    "pulled_card": ("pulled_to_hand", "hand"),
    "lager_ends": ("lager_leaves", "with_its_unit"),
    "diplomacy_repeats": ("moved_again", True),
    "guardian_side": ("summoned_to_owner", "owner"),
    "linked_cards": ("linked_alone", "alone"),
}
AFTER_TIE = {"other": "other_starts_after_tie", "same": "same_starts_after_tie"}
OWN_TEXT = {"both": "shielded_go", "neither": "shielded_stay"}
CHOICES: dict[str, set[object]] = {
    **{option: {value} for option, (_, value) in FLAGS.items()},
    "starter_after_tie": set(AFTER_TIE),
    "shield_stops_own_text": set(OWN_TEXT),
    # These fill the card table and the reserves.
    "silver_returns": {False},
    "guardian_stays_dead": {"guardian", "summoned"},
    "tokens": {"listed"},
    "klepna": {"if_listed"},
}
"""The values of options that are played otherwise than the default."""


def fill_options(x: Context, fmt: Format) -> None:
    """Translate the options of the format to numbers and flags."""
    for option in NUMBERS:
        x[option] = fmt.options[option]
    for option, (field, value) in FLAGS.items():
        x[field] = int(fmt.options[option] == value)
    for value, field in AFTER_TIE.items():
        x[field] = int(fmt.options["starter_after_tie"] == value)
    for value, field in OWN_TEXT.items():
        x[field] = int(fmt.options["shield_stops_own_text"] == value)
