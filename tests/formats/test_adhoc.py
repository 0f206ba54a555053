"""Rules of a single run: what they mean, and where they are wrong."""

import pytest

from deckcheck.cards import load_database
from deckcheck.formats import FormatError, load_format
from deckcheck.formats.adhoc import apply_rules
from deckcheck.formats.wording import compare_formats

DB = load_database("gwent")
STANDARD = load_format("gwent/standard")


def changed(*rules: str) -> dict[str, str | None]:
    """What the rules make of the standard format: what is new, by name."""
    found = compare_formats(STANDARD, apply_rules(STANDARD, rules, DB))
    return {one.name: one.new for one in found}


MEANINGS = {
    "max specials 4": "specials: count, kinds special or weather, max 4",
    "max special 4": "specials: count, kinds special or weather, max 4",
    "  MIN Units   24 ": "units: count, kinds unit or hero, min 24",
    "ban Scorch": "ban_scorch: banned, cards scorch",
    "ban commander's  horn": "ban_commanders_horn: banned, cards commanders_horn",
    "limit Decoy 1": "limit_decoy: restricted, cards decoy, max 1",
    "max weather 3": "weather: count, kinds weather, max 3",
    "max spies 1": "spy: count, abilities spy, max 1",
    "max heroes 3": "hero: count, kinds hero, max 3",
    "max tight bonds 3": "tight_bond: count, abilities tight_bond, max 3",
    "max siege 3": "siege: count, rows siege, max 3",
    "min NR 5": "northern_realms: count, factions northern_realms, min 5",
    "max strength 120": "strength: sum, attribute strength, max 120",
    "max cards 30": "cards: count, max 30",
}


def test_meanings() -> None:
    for rule, meaning in MEANINGS.items():
        name, _, words = meaning.partition(": ")
        assert changed(rule) == {name: words}, rule


def test_rules_see_what_earlier_ones_did() -> None:
    assert changed(
        "max weather 3", "min weather 1", "limit Decoy 2", "limit Decoy 1"
    ) == {
        "weather": "count, kinds weather, max 3, min 1",
        "limit_decoy": "restricted, cards decoy, max 1",
    }


ERRORS = (
    ("", 1, "the rule is empty", "Write a rule such as `max specials 4`"),
    ("max " * 60, 1, "the rule is too long", "Write a rule such as"),
    ("maks specials 4", 1, "unknown word `maks`", "Rules start `max`, `min`"),
    ("limti Decoy 1", 1, "unknown word `limti`", "Did you mean `limit`?"),
    ("mix specials 4", 1, "unknown word `mix`", "Did you mean `max` or `min`?"),
    ("max specails 4", 5, "unknown word `specails`", "Did you mean `specials`?"),
    ("min copies 3", 5, "unknown word `copies`", "Known: `cards`, `strength`"),
    ("max", 4, "a number is missing", "Write a rule such as `max specials 4`"),
    ("max 4", 5, "the subject is missing", "Write a rule such as"),
    ("max specials four", 14, "expected a whole number up to 9999", "Write"),
    ("max specials 10000", 14, "expected a whole number up to 9999", "Write"),
    ("max specials -1", 14, "expected a whole number up to 9999", "Write"),
    ("max specials ٣", 14, "expected a whole number up to 9999", "Write"),
    ("ban", 4, "a card is missing", "Write a rule such as `ban Scorch`"),
    ("ban  Scorhc", 6, "unknown card `Scorhc`", "Did you mean `Scorch`"),
    ("ban Foltest", 5, "unknown card `Foltest`", "It may be `foltest_king"),
    ("limit Decoy", 7, "expected a whole number", "Write a rule such as `limit"),
    ("limit Decoy 0", 1, "a limit of 0 is a ban", "Write `ban Decoy`"),
)


def test_errors_point_into_the_rule() -> None:
    for rule, column, message, help in ERRORS:
        with pytest.raises(FormatError) as caught:
            apply_rules(STANDARD, [rule], DB)
        head, _, mark = caught.value.message.split("\n")
        assert head.startswith(f"`--rule` column {column}: {message}"), rule
        assert mark.index("^") == column + 1, rule
        assert (caught.value.help or "").startswith(help), rule


def test_what_changes_nothing_is_refused() -> None:
    for rules in (
        *("max specials 10", "min weather 0", "limit Decoy 3", "ban Hemdall"),
        *("ban Scorch|ban scorch", "ban Decoy|limit Decoy 1"),
        "ban The Siegemaster|ban Foltest, The Siegemaster",
        *("limit Decoy 1|limit Decoy 2", "limit Decoy 1|limit Decoy 1"),
        "max weather 3|max weather 3",
    ):
        with pytest.raises(FormatError, match="the rule changes nothing, "):
            apply_rules(STANDARD, rules.split("|"), DB)


def test_a_leader_is_banned_by_any_of_its_names() -> None:
    fmt = apply_rules(STANDARD, ["ban foltest - siegemaster"], DB)

    assert fmt.constraints[-1].leaders == ("foltest_the_siegemaster",)
    assert not fmt.constraints[-1].condition.cards


def test_bounds_that_cross_are_refused() -> None:
    with pytest.raises(
        FormatError, match="no deck can have at least 22 and at most 20 units"
    ):
        apply_rules(STANDARD, ["max units 20"], DB)
