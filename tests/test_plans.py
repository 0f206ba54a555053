"""How expectations are written, and what is said of those that are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deckcheck.plans import PlanFault, read_expectation


def test_what_is_written() -> None:
    for text, decks, low, high in (
        ("win_rate(siege, swarm) < 0.65", ["siege", "swarm"], None, 0.65),
        ("win_rate(siege) > 45%", ["siege"], 0.45, None),
        ("0.45 < win_rate(The swarm) < 0.55", ["The swarm"], 0.45, 0.55),
        ("55 % > win_rate(a) > .45", ["a"], 0.45, 0.55),
        ("0.3 < win_rate(*, *)", ["*", "*"], 0.3, None),
        ("  win_rate ( a ,b )<0.5 ", ["a", "b"], None, 0.5),
        (
            "win_rate('Siege, mine (2)', \"a b\") < .5",
            ["Siege, mine (2)", "a b"],
            None,
            0.5,
        ),
        ("win_rate(Anna's deck) < .5", ["Anna's deck"], None, 0.5),
        # A change has points.
        ("change(siege) < 2 points", ["siege"], None, 0.02),
        ("-1 point < change(siege, swarm) < 0.5%", ["siege", "swarm"], -0.01, 0.005),
        ("change(*) > -0.02", ["*"], -0.02, None),
    ):
        found = read_expectation(text)

        assert found.figure in text, text
        assert [each.name for each in found.decks] == decks, text
        assert [each.is_first for each in found.decks] == [True, False][: len(decks)], (
            text
        )
        assert (found.low, found.high) == (low, high), text


def test_what_is_wrong_and_where() -> None:
    for text, stretch, message in (
        (
            "winrate(a) < 0.5",
            "winrate",
            "Unknown statistic `winrate`: did you mean `win_",
        ),
        (
            "width(a) < 0.5",
            "width",
            "Unknown statistic `width`: write `win_rate(siege,",
        ),
        ("win_rate(a) < 65", "65", "between 0 and 1, not at 65: write `0.65` or `65%`"),
        ("win_rate(a) < 1.2", "1.2", "A bound lies between 0 and 1, not at 1.2"),
        ("win_rate(a) > -0.1", "-0.1", "A bound lies between 0 and 1, not at -0.1"),
        ("win_rate(a) <= 0.5", "<=", "Unknown comparison `<=`: write `<`"),
        ("win_rate(a) ≥ 0.5", "≥", "Unknown comparison `≥`: write `>`"),
        ("win_rate(a) = 0.5", "=", "Unknown comparison `=`: write `<` or `>`"),
        ("win_rate(a)", "win_rate(a)", "Nothing is expected of it: write `win_rate("),
        ("win_rate(a) 0.5", "0.5", "Expected the end, got `0.5`"),
        ("win_rate(a) <", "", "Expected a number after `<`"),
        ("0.5 win_rate(a)", "win_rate(a)", "Expected `<` or `>` after the number"),
        ("win_rate a < 0.5", "a", "Expected `(` after `win_rate`, got `a`"),
        ("win_rate(a < 0.5", "<", "Expected `)` or `,`, got `<`"),
        ("win_rate(a, ) < 0.5", ")", "Expected the name of a deck, got `)`"),
        ("win_rate(a, b, c) < 0.5", "c", "a deck and its opponent, not 3"),
        ("win_rate(a) < 0.5 or so", "or", "Expected the end, got `or`"),
        ("0.6 < win_rate(a) < 0.4", "0.6 < win_rate(a) < 0.4", "between 0.6 and 0.4"),
        ("0.6 < win_rate(a) > 0.4", "0.6 < win_rate(a) > 0.4", "are on one side"),
        ("", "", "Expected `win_rate`, as in `win_rate(siege, swarm) < 0.65`"),
        ("change(a) < 2", "2", "-100 and 100 points, not at 2: write `2 po"),
        ("win_rate(a) < 60 points", "60 points", "`win_rate` has no points"),
        (
            "chance(a) < 2 points",
            "chance",
            "Unknown statistic `chance`: did you mean `ch",
        ),
        ("change(a, b, c) < 2%", "c", "`change` has a deck and its opponent, not 3"),
    ):
        with pytest.raises(PlanFault) as fault:
            read_expectation(text)

        assert message in fault.value.message, text
        assert text[fault.value.start : fault.value.end] == stretch, text


@given(st.text(alphabet="win_rate(a,b)*<>= 0.5%'\"-é\n", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = read_expectation(text)
    except PlanFault:
        return
    assert found.low is not None or found.high is not None
    assert 1 <= len(found.decks) <= 2
