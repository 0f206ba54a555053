"""Choosing cards by what is printed on them."""

from __future__ import annotations

from typing import Any

import pytest

from deckcheck.cards import LeaderRecord, load_database
from deckcheck.cards.database import card_filter, find_cards, find_leaders, show_one
from deckcheck.findings import UsageError

DB = load_database("gwent")


def chosen(**words: Any) -> set[str]:
    wanted = card_filter(DB, **words)
    return {card.id for card in DB.cards.values() if wanted.matches(card)}


def test_no_filter_keeps_every_card() -> None:
    assert chosen() == set(DB.cards)


@pytest.mark.parametrize("word", ["nilfgaard", "NG", "Nilfgaardian Empire"])
def test_factions_go_by_any_name(word: str) -> None:
    expected = {c.id for c in DB.cards.values() if c.faction == "nilfgaard"}

    assert chosen(factions=[word]) == expected


def test_words_of_one_filter_add_up_and_filters_cut() -> None:
    both = chosen(kinds=["special", "weather"])

    assert both == chosen(kinds=["special"]) | chosen(kinds=["weather"])
    assert chosen(abilities=["spy"], factions=["NR"]) == chosen(
        abilities=["spy"]
    ) & chosen(factions=["NR"])


def test_words_are_read_with_spaces_and_capitals() -> None:
    assert chosen(abilities=["Tight Bond"]) == chosen(abilities=["tight_bond"])


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("5", 5, 5), ("5..10", 5, 10), ("5..", 5, 99), ("..4", 0, 4), (" 1 .. 2 ", 1, 2)],
)
def test_ranges_include_their_ends(text: str, low: int, high: int) -> None:
    expected = {
        card.id
        for card in DB.cards.values()
        if card.strength is not None and low <= card.strength <= high
    }
    assert chosen(strength=text) == expected
    assert expected


@pytest.mark.parametrize(
    ("words", "message", "help"),
    [
        (
            {"factions": ["nilfgard"]},
            "Unknown faction `nilfgard`",
            "Did you mean `Nilfgaard`?",
        ),
        ({"rows": ["clos"]}, "Unknown row `clos`", "Did you mean `close`?"),
        ({"abilities": ["spi"]}, "Unknown ability `spi`", "Did you mean `spy`?"),
        (
            {"kinds": ["zzz"]},
            "Unknown kind `zzz`",
            "Known: `unit`, `hero`, `special` and `weather`",
        ),
        (
            {"strength": "9..3"},
            "No strength fits the range `9..3`",
            "Write the smaller figure first: `3..9`",
        ),
        *(
            (
                {"strength": text},
                f"`{text}` is not a range of strengths",
                "Write `5`, `5..10`, `5..` or `..4`",
            )
            for text in ("", "..", "five", "3 4", "-1", "1..2..3", "99999")
        ),
    ],
)
def test_unknown_words_are_misuse(
    words: dict[str, Any], message: str, help: str
) -> None:
    with pytest.raises(UsageError) as caught:
        card_filter(DB, **words)

    assert caught.value.message == message
    assert caught.value.help == help


def test_a_game_may_have_no_factions() -> None:
    with pytest.raises(UsageError) as caught:
        card_filter(load_database("gwen_t"), factions=["monsters"])

    assert caught.value.help == "Gwen't has no factions"


def test_a_whole_name_wins_over_parts() -> None:
    assert [card.id for card in find_cards(DB, "decoy")] == ["decoy"]
    assert len(find_cards(DB, "crone")) == 3
    assert len(find_leaders(DB, "foltest")) == 5
    assert find_cards(DB, "--") == []


def test_one_card_or_leader_is_shown() -> None:
    assert show_one(DB, "Kambi").id == "kambi"
    leader = show_one(DB, "the siegemaster")
    assert isinstance(leader, LeaderRecord)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("trebuchett", "Unknown card or leader `trebuchett`"),
        ("foltest", "`foltest` may be `Foltest, King of Temeria`, "),
    ],
)
def test_unknown_and_ambiguous_names_are_misuse(name: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        show_one(DB, name)

    assert caught.value.message.startswith(message)
