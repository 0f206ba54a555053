"""Suppression comments: as they are read, and what they take away."""

from bisect import bisect_right
from pathlib import Path

import pytest
from helpers.decks import UNITS
from helpers.findings import validate_text

import deckcheck
from deckcheck.sim.gathering import gather
from deckcheck.validation import Validation, suppression
from deckcheck.validation.legality import find_legality
from deckcheck.validation.suppression import Ignore, find_ignores

# Suppression comments as they are found in the text of a deck.


def found(text: str, path: str = "a.deck") -> list[tuple[str | None, int | None]]:
    """The name and the line of every suppression."""
    return [(ignore.name, ignore.line) for ignore in find_ignores(text, path)]


def test_ways_of_writing_it() -> None:
    for comment in (
        "# deckcheck: ignore[too-many-copies]",
        "#deckcheck:ignore[too-many-copies]",
        "// deckcheck: ignore [ too-many-copies ]",
        "# borrowed # deckcheck: ignore[too-many-copies]",
        "# deckcheck: ignore[too-many-copies] borrowed",
    ):
        assert found(f"3 Ballista {comment}\n") == [("too-many-copies", 1)], comment
    for words in (
        *("ignore", "ignore[]", "ignore[a", "disable[a]", "ingore"),
        *("it was content", ""),
    ):
        expected = [] if words in ("it was content", "") else [(None, 1)]
        assert found(f"Nekker # deckcheck: {words}\n") == expected, words
    assert found("Nekker # checked with deckcheck\n") == []


def test_names_are_separated_by_commas_and_have_places() -> None:
    ignores = find_ignores("3 Ballista # deckcheck: ignore[a-b, DL103]\n", "a.deck")

    assert [(ignore.name, ignore.span.start.column) for ignore in ignores] == [
        ("a-b", 32),
        ("DL103", 37),
    ]
    assert ignores[1].span.end.column == 42


def test_alone_at_the_top_it_is_about_the_file() -> None:
    text = "# Swarm\n\n# deckcheck: ignore[a]\nLeader: X\n# deckcheck: ignore[b]\n"

    assert found(text) == [("a", None), ("b", 5)]


def test_a_sign_within_a_value_is_no_comment() -> None:
    text = (
        "---\n"
        "# deckcheck: ignore[a]\n"
        'name: "x # deckcheck: ignore[b]"\n'
        "cards:\n"
        "  Ballista: 3  # borrowed # deckcheck: ignore[c]\n"
    )

    assert found(text, "a.yaml") == [("a", None), ("c", 5)]
    assert found('{"name": "# deckcheck: ignore[a]"}', "a.json") == []


def test_any_end_of_line_counts() -> None:
    text = "Leader: X\r3 A # deckcheck: ignore[a]\r\n3 B # deckcheck: ignore[b]"

    assert found(text) == [("a", 2), ("b", 3)]
    assert found(text, "a.yml") == [("a", 2), ("b", 3)]


# Texts at the size limit, which a reader that goes back would never finish.


def test_no_more_names_are_read_than_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    monkeypatch.setattr(
        suppression, "Ignore", lambda *about: read.append(about) or Ignore(*about)
    )
    text = "# deckcheck: ignore[" + "a," * 400_000 + "]"
    for path in ("a.deck", "a.yaml"):
        read.clear()
        assert len(find_ignores(text, path)) == len(read) == 1_000, path
    # Spaces without an end are one finding.
    text = "# deckcheck: ignore[" + " " * 800_000
    for path in ("a.deck", "a.yaml"):
        assert found(text, path) == [(None, 1)], path


def test_each_sign_in_a_value_is_looked_up_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_up: list[object] = []
    monkeypatch.setattr(
        suppression,
        "bisect_right",
        lambda starts, at: looked_up.append(at) or bisect_right(starts, at),
    )
    text = "a: # deckcheck: ignore\n [" + '"a #",' * 120_000 + "]"

    assert found(text, "a.yaml") == [(None, 1)]
    assert len(looked_up) == len(set(looked_up)) == text.count("#")


# Suppression comments: what they take away, and when they are findings themselves.

HEAD = "Format: gwent/standard\nLeader: Foltest, The Siegemaster\n"


def deck(ballista: str, head: str = HEAD) -> str:
    return head + UNITS.replace("2 Ballista", ballista)


def seen(run: Validation) -> list[tuple[str, int]]:
    return [(finding.name, finding.span.start.line) for finding in run.findings]


def test_a_comment_behind_the_line() -> None:
    for name in ("too-many-copies", "DL103", "dl103"):
        run = validate_text(deck(f"3 Ballista  # deckcheck: ignore[{name}]"))
        assert (seen(run), run.legal) == ([], True), name
        suppressed = [finding.name for finding in run.reports[0].suppressed]
        assert suppressed == ["too-many-copies"], name


def test_a_comment_makes_no_deck_legal_where_verdicts_count(tmp_path: Path) -> None:
    """It quiets `validate`, and neither allows a deck elsewhere nor lets it play."""
    file = tmp_path / "own.deck"
    file.write_text(deck("3 Ballista  # deckcheck: ignore[too-many-copies]"))
    [found] = find_legality(str(file), None, None, None)
    [gathered], _ = gather([str(file)])

    assert validate_text(file.read_text()).legal
    assert "gwent/standard" not in found.legal
    assert not gathered.legal


def test_a_comment_for_the_file_covers_all_its_decks() -> None:
    both = f"{deck('3 Ballista')}---\n{deck('4 Ballista')}"
    run = validate_text(f"# deckcheck: ignore[too-many-copies]\n{both}")

    assert seen(run) == []
    assert [len(report.suppressed) for report in run.reports] == [1, 1]


def test_what_a_comment_does_not_cover() -> None:
    above = "# deckcheck: ignore[too-many-copies]\n"
    for text, expected in (
        # Another line or another name is not covered.
        (
            deck("3 Ballista  # deckcheck: ignore[unknown-card]\nNekker"),
            "too-many-copies 6, unused-suppression 6, foreign-card 7",
        ),
        (deck(f"{above}3 Ballista"), "unused-suppression 6, too-many-copies 7"),
        # The second of two equal names is unused.
        (
            above + deck("3 Ballista  # deckcheck: ignore[too-many-copies, DL103]"),
            "unused-suppression 1, unused-suppression 7",
        ),
        # A comment cannot speak of an event.
        (
            deck("2 Ballista  # deckcheck: ignore[missing-list]"),
            "unknown-suppression 6",
        ),
        # No comment makes a deck legal that was not judged.
        ("# deckcheck: ignore[empty-deck]\n", "empty-deck 1"),
        ("# deckcheck: ignore[unreadable-line]\n3 A x2\n", "unreadable-line 2"),
        (
            "# deckcheck: ignore[unknown-format]\n" + deck("2 Ballista", "Format: x\n"),
            "unknown-format 2",
        ),
    ):
        run = validate_text(text)
        assert ", ".join(f"{name} {line}" for name, line in seen(run)) == expected
        is_judged = not expected.startswith(("empty", "unread", "unknown-format"))
        assert is_judged or not run.legal, text


def test_yaml_decks_have_comments_too() -> None:
    text = (
        "format: gwent/standard\nleader: Foltest, The Siegemaster\ncards:\n"
        "  Nekker: 1  # deckcheck: ignore[foreign-card]\n"
    )

    assert "foreign-card" not in {
        f.name for f in validate_text(text, "a.yaml").findings
    }


def test_in_python_comments_of_others_have_no_say(tmp_path: Path) -> None:
    """What a web form gets may hold comments that make anything legal."""
    text = (
        "# deckcheck: ignore[too-many-copies, too-few-cards]\n"
        "Format: gwent/standard\nLeader: The Siegemaster\n9 Trebuchet\n"
    )
    file = tmp_path / "a.deck"
    file.write_text(text, encoding="utf-8")

    assert deckcheck.validate(text=text).legal
    runs = (
        deckcheck.validate(text=text, suppressions=False),
        deckcheck.validate(str(file), suppressions=False),
    )
    for run in runs:
        assert [f.name for f in run.findings] == ["too-few-cards", "too-many-copies"]
        assert run.reports[0].suppressed == ()


def test_the_wish_is_a_truth_value() -> None:
    with pytest.raises(deckcheck.UsageError, match="`suppressions` got a value of"):
        deckcheck.validate(text="2 Ballista", suppressions="no")  # type: ignore[arg-type]
