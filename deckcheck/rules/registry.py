"""The register of all legality rules, and of every kind of finding."""

from __future__ import annotations

from deckcheck.decks.naming import NAMING_RULES
from deckcheck.decks.reading import READING_RULES
from deckcheck.decks.suppressions import SUPPRESSION_RULES
from deckcheck.findings import Rule
from deckcheck.rules import (
    banned_card,
    banned_faction,
    banned_leader,
    foreign_card,
    foreign_leader,
    incomplete_reserves,
    missing_cards,
    missing_leader,
    missing_reserve,
    mixed_factions,
    repeated_faction,
    restricted_card,
    shared_card,
    too_few_cards,
    too_high_total,
    too_low_total,
    too_many_cards,
    too_many_copies,
    too_many_leaders,
    too_many_points,
    undeckable_card,
    wrong_number_of_decks,
)
from deckcheck.rules.case import Legality
from deckcheck.rules.event_rules import EVENT_RULES
from deckcheck.rules.joint import JointLegality
from deckcheck.rules.plan_rules import PLAN_RULES

LEGALITIES: tuple[Legality, ...] = (
    banned_card.LEGALITY,
    banned_leader.LEGALITY,
    banned_faction.LEGALITY,
    restricted_card.LEGALITY,
    undeckable_card.LEGALITY,
    too_few_cards.LEGALITY,
    too_many_cards.LEGALITY,
    too_many_copies.LEGALITY,
    too_many_copies.IN_RESERVES,
    too_low_total.LEGALITY,
    too_high_total.LEGALITY,
    too_many_points.LEGALITY,
    missing_cards.LEGALITY,
    missing_leader.LEGALITY,
    too_many_leaders.LEGALITY,
    foreign_leader.LEGALITY,
    foreign_card.LEGALITY,
    foreign_card.IN_RESERVES,
    mixed_factions.LEGALITY,
    missing_reserve.LEGALITY,
    incomplete_reserves.LEGALITY,
)

JOINT_LEGALITIES: tuple[JointLegality, ...] = (
    wrong_number_of_decks.LEGALITY,
    repeated_faction.LEGALITY,
    shared_card.LEGALITY,
)

ALL_RULES: tuple[Rule, ...] = tuple(
    sorted(
        {
            *READING_RULES,
            *NAMING_RULES,
            *SUPPRESSION_RULES,
            *EVENT_RULES,
            *PLAN_RULES,
            *(legality.rule for legality in LEGALITIES),
            *(legality.rule for legality in JOINT_LEGALITIES),
        },
        key=lambda rule: rule.code,
    )
)
"""Every kind of finding, by code."""

DECK_RULES = tuple(rule for rule in ALL_RULES if rule.about == "deck")
"""What may be wrong with decks: comments and configurations have a say in these."""
