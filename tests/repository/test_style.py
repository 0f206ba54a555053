"""How code and prose are written: rates that may fall and must not rise."""

from pathlib import Path

import pytest

from tools.style import measure_code, measure_prose, read_messages, read_pages

ROOT = Path(__file__).parents[2]

BOUNDS = {
    "code": {
        "docstrings that begin with a noun, %": 63.3,
        "functions named by a participle, %": 6.9,
        "functions named with _of, %": 6.6,
        "filler locals per 1,000 lines": 11.1,
        "one-word constants per 1,000 lines": 11.5,
        "comprehensions per 1,000 lines": 34.5,
        "conditional expressions per 1,000 lines": 17.8,
        ";": 13.9,
        "what": 13.4,
        "one, ones": 12.4,
        "that is, are, was": 6.9,
        "says, tells": 4.0,
        "lies, stands": 2.9,
        "of which, of these": 4.0,
        "those of, that of": 3.4,
        "is no, is none": 1.6,
    },
    "messages": {
        ";": 9.4,
        "what": 5.3,
        "one, ones": 10.3,
        "that is, are, was": 3.6,
        "says, tells": 3.0,
        "lies, stands": 2.1,
        "of which, of these": 2.9,
        "those of, that of": 1.5,
        "is no, is none": 2.3,
    },
    "docs": {
        ";": 13.6,
        "what": 7.2,
        "one, ones": 10.5,
        "that is, are, was": 2.8,
        "says, tells": 3.4,
        "lies, stands": 1.7,
        "of which, of these": 2.1,
        "those of, that of": 1.7,
        "is no, is none": 0.6,
    },
}
"""The highest rate allowed. Lower a bound when the text has become better.

Goals: 12, 1.5, 1.5, 0.5, 3, 22 and 10 for the first seven rates of code, 3 for each
turn, which are the rates of projects that read well.
"""


@pytest.fixture(scope="module")
def rates() -> dict[str, dict[str, float]]:
    package = ROOT / "deckcheck"
    return {
        "code": measure_code(package),
        "messages": measure_prose(read_messages(package)),
        "docs": measure_prose(read_pages(ROOT / "docs")),
    }


@pytest.mark.parametrize(
    ("text", "rate"),
    [(text, rate) for text, bounds in BOUNDS.items() for rate in bounds],
)
def test_rate_has_not_risen(
    text: str, rate: str, rates: dict[str, dict[str, float]]
) -> None:
    assert rates[text][rate] <= BOUNDS[text][rate], (
        "write it in the style of CONTRIBUTING"
    )


def test_measure_code_counts_each_pattern(tmp_path: Path) -> None:
    (tmp_path / "sample.py").write_text(
        'MOST = 3\n\ndef _kept(a):\n    """What is kept; none but those of one."""\n'
        "    own = [each for each in a]\n    return own if a else None\n\n"
        'def card_of(a):\n    """Return the card."""\n'
    )

    measured = measure_code(tmp_path)

    assert measured["docstrings that begin with a noun, %"] == 50
    assert measured["functions named by a participle, %"] == 50
    assert measured["functions named with _of, %"] == 50
    assert measured["filler locals per 1,000 lines"] == pytest.approx(1000 / 9)
    assert measured["one-word constants per 1,000 lines"] == pytest.approx(1000 / 9)
    assert measured["comprehensions per 1,000 lines"] == pytest.approx(1000 / 9)
    assert measured["conditional expressions per 1,000 lines"] == pytest.approx(
        1000 / 9
    )
    assert measured["what"] == pytest.approx(1000 / 11)
    assert measured["is no, is none"] == 0


def test_read_messages_leaves_out_docstrings_and_code(tmp_path: Path) -> None:
    (tmp_path / "sample.py").write_text('"""A docstring."""\nTEXT = "no `a; b` here"\n')

    assert read_messages(tmp_path) == "no  here"
