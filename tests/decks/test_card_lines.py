"""Card lines: a count, before or after, and a name."""

from __future__ import annotations

import pytest

from deckcheck.decks.lines import CardLine, LineDefect, parse_card_line


@pytest.mark.parametrize(
    "line",
    [
        "3 Ballista",
        "3x Ballista",
        "3X Ballista",
        "3 x Ballista",
        "3\u00d7 Ballista",
        "x3 Ballista",
        "03 Ballista",
        "3\tBallista",
        "Ballista x3",
        "Ballista X3",
        "Ballista \u00d73",
        "Ballista x 3",
        "Ballista 3x",
        "Ballista 3",
        "Ballista: 3",
        "Ballista, 3",
        "Ballista (x3)",
        "Ballista [3x]",
        "(3) Ballista",
        "[3x] Ballista",
        "3x Ballista (6)",
        "Ballista x3 [6]",
        "Ballista (6) x3",
        "\u0663 Ballista",
    ],
)
def test_a_count_stands_before_or_after(line: str) -> None:
    card = parse_card_line(line)

    assert isinstance(card, CardLine)
    assert (card.count, card.name) == (3, "Ballista")
    assert line[card.start : card.end] == "Ballista"


@pytest.mark.parametrize(
    "line",
    [
        "Ballista",
        "Geralt of Rivia",
        "Xarthisius",
        "Gaunter O'Dimm: Darkness",
        "Crone: Brewess",
        "X",
        "ballista-2",
    ],
)
def test_a_bare_name_is_one_card(line: str) -> None:
    assert parse_card_line(line) == CardLine(1, line, 0, len(line))


def test_a_name_may_start_like_a_multiplication() -> None:
    card = parse_card_line("3 Xarthisius")

    assert isinstance(card, CardLine)
    assert (card.count, card.name) == (3, "Xarthisius")


@pytest.mark.parametrize(
    "line",
    [
        "0 Ballista",
        "00x Ballista",
        "-3 Ballista",
        "\u22123 Ballista",
        "+3 Ballista",
        "1.5 Ballista",
        "1,000 Ballista",
        "1/2 Ballista",
        "1000 Ballista",
        "2147483648x Ballista",
        "9" * 400 + " Ballista",
        "Ballista x0",
        "Ballista -3",
        "Ballista 2147483648",
    ],
)
def test_an_impossible_count_is_told_from_a_line_that_cannot_be_read(line: str) -> None:
    defect = parse_card_line(line)

    assert isinstance(defect, LineDefect)
    assert defect.about_count
    assert "whole numbers from 1 to 999 allowed" in defect.message


@pytest.mark.parametrize(
    ("line", "help"),
    [
        ("3 Ballista x2", "Keep the count before the name and remove the other"),
        ("3x", "Write the card after it"),
        ("3", "Write the card after it"),
        ("3Ballista", "Write `3 Ballista`"),
        ("3xBallista", "Write `3 Ballista`"),
        ("Ballista (2)", "Write `2 Ballista`, or `Ballista`"),
        ("3 Ballista (x2)", "Remove one of them"),
        ("3. Ballista", "Write `3 Ballista`, or number the lines from 1"),
        ("3) Ballista", "Write `3 Ballista`, or number the lines from 1"),
    ],
)
def test_an_unreadable_line_says_how_to_write_it(line: str, help: str) -> None:
    defect = parse_card_line(line)

    assert isinstance(defect, LineDefect)
    assert not defect.about_count
    assert defect.help == help
