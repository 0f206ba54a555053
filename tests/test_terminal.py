"""Texts on screens: their widths and colours."""

import io
import sys

import pytest

from deckcheck.cli.output import style_of
from deckcheck.terminal import cut, cut_apart, wants_color, width, wrap, wrap_words

# Texts on screens that are too narrow for them.


@pytest.mark.parametrize(
    ("text", "columns"),
    [("Decoy", 5), ("日本", 4), ("e\u0301", 1), ("\u2694\ufe0f", 1), ("", 0)],
)
def test_width_counts_columns(text: str, columns: int) -> None:
    assert width(text) == columns


def test_a_text_is_cut_at_its_end() -> None:
    for text, room, shown in (
        ("Decoy", 5, "Decoy"),
        ("Decoys", 5, "Deco…"),
        ("The swarm", 5, "The…"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("Decoy", 1, "…"),
        ("Decoy", 0, ""),
    ):
        assert cut(text, room) == shown, text


def test_texts_that_begin_alike_stay_apart() -> None:
    decks = ["The swarm (anna.deck)", "The swarm (ben.deck)", "Siege masters of old"]

    assert list(cut_apart(decks, 11).values()) == [
        "The…anna.d…",
        "The…ben.de…",
        "Siege mast…",
    ]


def test_a_difference_far_from_the_end_is_shown() -> None:
    decks = [f"A lineup of {name} with a long list of cards" for name in ("Ann", "Bob")]

    assert list(cut_apart(decks, 12).values()) == ["A li…Ann wi…", "A li…Bob wi…"]


def test_the_beginning_of_another_text_stays_apart() -> None:
    shown = cut_apart(["Siege masters of the north", "Siege masters"], 13)

    assert list(shown.values()) == ["Siege master…", "Siege masters"]


def test_lines_hang_below_their_lead() -> None:
    assert wrap("games in game pairs", 16, "- ") == ["- games in game", "  pairs"]


def test_a_word_wider_than_the_screen_is_broken() -> None:
    assert wrap("a 日本語 abcdefgh", 5) == ["a", "日本", "語", "abcde", "fgh"]


def test_words_may_hold_spaces() -> None:
    assert wrap_words(["wins 5,550,", "draws 150"], 14) == ["wins 5,550,", "draws 150"]


# When colours are used.


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_option_then_environment_then_terminal() -> None:
    for choice, environ, on_terminal, on_file in (
        ("auto", {}, True, False),
        ("auto", {"NO_COLOR": "1"}, False, False),
        ("auto", {"NO_COLOR": ""}, True, False),
        ("auto", {"FORCE_COLOR": "1"}, True, True),
        ("auto", {"FORCE_COLOR": "0"}, True, False),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        ("auto", {"TERM": "dumb"}, False, False),
        ("auto", {"TERM": "xterm"}, True, False),
        ("always", {"NO_COLOR": "1", "TERM": "dumb"}, True, True),
        ("never", {"FORCE_COLOR": "1"}, False, False),
    ):
        assert wants_color(choice, Terminal(), environ) is on_terminal, environ
        assert wants_color(choice, io.StringIO(), environ) is on_file, environ


def test_each_standard_stream_is_painted_if_it_is_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    monkeypatch.setattr(sys, "stderr", Terminal())

    assert style_of("auto", is_error=True).color
    assert not style_of("auto").color
