"""Every kind of finding of reading, names and suppression comments."""

from __future__ import annotations

from deckcheck.findings import Rule, Severity

# The findings of reading a deck: family DP, text 1xx, YAML and JSON 2xx

UNREADABLE_LINE = Rule(
    "DP101", "unreadable-line", "A line is neither a header nor a card"
)

IMPOSSIBLE_COUNT = Rule(
    "DP102", "impossible-count", "A count is not a whole number from 1 to 999"
)

UNKNOWN_HEADER = Rule(
    "DP103",
    "unknown-header",
    "A `Key: value` line has an unknown key",
    Severity.WARNING,
)

DUPLICATE_HEADER = Rule("DP104", "duplicate-header", "A header appears twice in a deck")

EMPTY_HEADER = Rule("DP105", "empty-header", "A header has no value", Severity.WARNING)

LATE_HEADER = Rule(
    "DP106", "late-header", "A header comes after the first card", Severity.WARNING
)

UNKNOWN_FORMAT = Rule(
    "DP107", "unknown-format", "The `Format` header names an unknown format"
)

EMPTY_DECK = Rule("DP108", "empty-deck", "The file holds no deck")

OVERSIZED_FILE = Rule(
    "DP109", "oversized-file", "The file is too large to be a decklist"
)

BINARY_FILE = Rule("DP110", "binary-file", "The file is not text")

UNDECODABLE_FILE = Rule("DP111", "undecodable-file", "The text is not UTF-8")

CARD_AS_HEADING = Rule("DP112", "card-as-heading", "A heading is the name of a card")

NOT_A_DECK = Rule("DP113", "not-a-deck", "The file is not a deck")

LEFT_OUT = Rule(
    "DP115",
    "left-out",
    "A card is left out: the list marks it as not in the deck",
    severity=Severity.NOTE,
)

OWN_HEADING = Rule(
    "DP119",
    "own-heading",
    "An unusual heading: the cards below it count",
    severity=Severity.NOTE,
)

DOUBTFUL_LINE = Rule(
    "DP125",
    "doubtful-line",
    "A mark on a line leaves its card in doubt",
)

COMMENTED_CARD = Rule(
    "DP116",
    "commented-card",
    "A comment or a header is the line of a card",
    severity=Severity.NOTE,
)

WRONG_TOTAL = Rule(
    "DP126",
    "wrong-total",
    "The list states another number of cards than it has",
    severity=Severity.WARNING,
)

SURROUNDING_PROSE = Rule(
    "DP127",
    "surrounding-prose",
    "Lines before or after the list name no card, and are left out",
    severity=Severity.NOTE,
)

MISSING_FORMAT = Rule("DP121", "missing-format", "The deck names no format")

FAILED_READING = Rule(
    "DP122", "failed-reading", "Reading the file failed, by a defect of deckcheck"
)

SAME_CARDS = Rule(
    "DP123",
    "same-cards",
    "Two decks of a run have the same cards",
    severity=Severity.NOTE,
)

MALFORMED_DOCUMENT = Rule(
    "DP201", "malformed-document", "The YAML or JSON cannot be read"
)

MALFORMED_DECK = Rule("DP202", "malformed-deck", "The YAML or JSON is not a deck")


# The findings of names: cards (family DC), factions and leaders (family DF)

UNKNOWN_CARD = Rule(
    "DC101", "unknown-card", "A name is not in the card database of the game"
)

AMBIGUOUS_CARD = Rule("DC102", "ambiguous-card", "A name fits several cards")

REPEATED_CARD = Rule(
    "DC104", "repeated-card", "A card is on several lines of a deck", Severity.NOTE
)

REMOVED_CARD = Rule(
    "DC105", "removed-card", "A deck holds a card that a set of the format has removed"
)

UNPUBLISHED_CARD = Rule(
    "DC106",
    "unpublished-card",
    "Only the name of a card or leader is public",
    Severity.NOTE,
)

UNKNOWN_FACTION = Rule(
    "DF101", "unknown-faction", "The `Faction` header names an unknown faction"
)

UNKNOWN_LEADER = Rule(
    "DF102", "unknown-leader", "The `Leader` header names an unknown leader"
)

AMBIGUOUS_LEADER = Rule("DF103", "ambiguous-leader", "A name fits several leaders")


# The findings of suppression comments (family DS)

SUPPRESSION_SIGN = "deckcheck"
"""The word without which a file holds no suppression."""

UNUSED_SUPPRESSION = Rule(
    "DS101",
    "unused-suppression",
    "A suppression comment suppresses nothing",
    Severity.WARNING,
)

UNKNOWN_SUPPRESSION = Rule(
    "DS102",
    "unknown-suppression",
    "A suppression comment names an unknown finding",
    Severity.WARNING,
)

MALFORMED_SUPPRESSION = Rule(
    "DS103",
    "malformed-suppression",
    "A comment looks like a suppression but cannot be read",
    Severity.WARNING,
)
