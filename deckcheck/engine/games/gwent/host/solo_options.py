"""The options of play that only solo has (rules 6)."""

from __future__ import annotations

__all__ = ["SOLO_FLAGS"]

SOLO_FLAGS: dict[str, tuple[str, str | bool]] = {
    # option: (field of the context, the value that sets it)
    "automa_leaders": ("automa_leaders", True),
    "automa_aim": ("automa_aims_at_own_total", "own_total"),
    "automa_ties": ("automa_ties_random", "random"),
    "clear_weather_chains": ("clear_weather_ends_turn", False),
    "automa_empty_deck": ("automa_reshuffles", "reshuffles"),
    "leader_answered": ("leader_unanswered", False),
    "revealed_leader": ("leader_shuffled_back", "shuffled_back"),
    "automa_hidden_cards": ("hidden_after_leader", "after_leader"),
    "automa_faction_abilities": ("automa_without_faction", False),
    "automa_passive_leaders": ("automa_passives_stay", "game"),
}
