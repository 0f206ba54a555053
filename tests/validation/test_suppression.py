"""Suppression comments: as they are read, and what they take away."""

import json
from bisect import bisect_right
from pathlib import Path

import pytest
from helpers.commands import stdout_of
from helpers.decks import UNITS
from helpers.findings import validate_text

import deckcheck
from deckcheck.cli import main
from deckcheck.sim.entrants import gather
from deckcheck.validation import Validation, suppression
from deckcheck.validation.suppression import Ignore, find_ignores
from deckcheck.validation.validator import where_legal

# Suppression comments as they are found in the text of a deck.


def found(text: str, path: str = "a.deck") -> list[tuple[str | None, int | None]]:
    """The name and the line of every suppression."""
    return [(ignore.name, ignore.line) for ignore in find_ignores(text, path)]


@pytest.mark.parametrize(
    "comment",
    [
        "# deckcheck: ignore[too-many-copies]",
        "#deckcheck:ignore[too-many-copies]",
        "// deckcheck: ignore [ too-many-copies ]",
        "# borrowed # deckcheck: ignore[too-many-copies]",
        "# deckcheck: ignore[too-many-copies] borrowed",
    ],
)
def test_ways_of_writing_it(comment: str) -> None:
    assert found(f"3 Ballista {comment}\n") == [("too-many-copies", 1)]


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


@pytest.mark.parametrize(
    ("comment", "is_reported"),
    [
        ("# deckcheck: ignore", True),
        ("# deckcheck: ignore[]", True),
        ("# deckcheck: ignore[a", True),
        ("# deckcheck: disable[a]", True),
        ("# deckcheck: ingore", True),
        ("# deckcheck: it was content", False),
        ("# checked with deckcheck", False),
        ("# deckcheck", False),
    ],
)
def test_what_was_meant_as_one_is_told_from_prose(
    comment: str, is_reported: bool
) -> None:
    assert found(f"Nekker {comment}\n") == ([(None, 1)] if is_reported else [])


def test_in_yaml_a_sign_within_a_value_is_no_comment() -> None:
    text = (
        "---\n"
        "# deckcheck: ignore[a]\n"
        'name: "x # deckcheck: ignore[b]"\n'
        "cards:\n"
        "  Ballista: 3  # borrowed # deckcheck: ignore[c]\n"
    )

    assert found(text, "a.yaml") == [("a", None), ("c", 5)]


def test_json_has_none() -> None:
    assert found('{"name": "# deckcheck: ignore[a]"}', "a.json") == []


def test_any_end_of_line_counts() -> None:
    text = "Leader: X\r3 A # deckcheck: ignore[a]\r\n3 B # deckcheck: ignore[b]"

    assert found(text) == [("a", 2), ("b", 3)]
    assert found(text, "a.yml") == [("a", 2), ("b", 3)]


class TestHostileTexts:
    """Texts at the size limit, which a reader that goes back would never finish."""

    @pytest.mark.parametrize("path", ["a.deck", "a.yaml"])
    def test_no_more_names_are_read_than_are_kept(
        self, path: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        read = []
        monkeypatch.setattr(
            suppression, "Ignore", lambda *about: read.append(about) or Ignore(*about)
        )
        text = "# deckcheck: ignore[" + "a," * 400_000 + "]"

        assert len(find_ignores(text, path)) == 1_000
        assert len(read) == 1_000

    @pytest.mark.parametrize("path", ["a.deck", "a.yaml"])
    def test_spaces_without_an_end_are_one_finding(self, path: str) -> None:
        text = "# deckcheck: ignore[" + " " * 800_000

        assert found(text, path) == [(None, 1)]

    def test_each_sign_in_a_value_is_looked_up_once(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        looked_up = []
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


@pytest.mark.parametrize("name", ["too-many-copies", "DL103", "dl103"])
def test_a_comment_behind_the_line(name: str) -> None:
    run = validate_text(deck(f"3 Ballista  # deckcheck: ignore[{name}]"))

    assert seen(run) == []
    assert run.legal
    assert [f.name for f in run.reports[0].suppressed] == ["too-many-copies"]


def test_a_comment_makes_no_deck_legal_where_verdicts_count(tmp_path: Path) -> None:
    """It quiets `validate`, and neither allows a deck elsewhere nor lets it play."""
    file = tmp_path / "own.deck"
    file.write_text(deck("3 Ballista  # deckcheck: ignore[too-many-copies]"))
    [found] = where_legal(str(file))
    [gathered], _ = gather([str(file)])

    assert validate_text(file.read_text()).legal
    assert "gwent/standard" not in found.legal
    assert not gathered.legal


def test_a_comment_for_the_file_covers_all_its_decks() -> None:
    both = f"{deck('3 Ballista')}---\n{deck('4 Ballista')}"
    run = validate_text(f"# deckcheck: ignore[too-many-copies]\n{both}")

    assert seen(run) == []
    assert [len(report.suppressed) for report in run.reports] == [1, 1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Another line or another name is not covered.
        (
            deck("3 Ballista  # deckcheck: ignore[unknown-card]\nNekker"),
            "too-many-copies 6, unused-suppression 6, foreign-card 7",
        ),
        (
            deck("# deckcheck: ignore[too-many-copies]\n3 Ballista"),
            "unused-suppression 6, too-many-copies 7",
        ),
        # The second of two equal names is unused.
        (
            "# deckcheck: ignore[too-many-copies]\n"
            + deck("3 Ballista  # deckcheck: ignore[too-many-copies, DL103]"),
            "unused-suppression 1, unused-suppression 7",
        ),
    ],
)
def test_what_a_comment_does_not_cover(text: str, expected: str) -> None:
    run = validate_text(text)

    assert ", ".join(f"{name} {line}" for name, line in seen(run)) == expected


def test_a_comment_alone_further_down_says_where_it_belongs() -> None:
    run = validate_text(deck("# deckcheck: ignore[too-many-copies]\n3 Ballista"))

    assert (run.findings[0].help or "").startswith("Write it at the end of the line")


def test_an_unknown_name_gets_a_suggestion() -> None:
    run = validate_text(deck("2 Ballista  # deckcheck: ignore[too-many-copeis]"))

    [finding] = run.findings
    assert finding.name == "unknown-suppression"
    assert finding.help == "Did you mean `too-many-copies`?"
    assert finding.span.start == (6, 33)
    assert run.legal


def test_a_comment_cannot_speak_of_an_event() -> None:
    run = validate_text(deck("2 Ballista  # deckcheck: ignore[missing-list]"))

    assert [finding.name for finding in run.findings] == ["unknown-suppression"]


def test_yaml_decks_have_comments_too() -> None:
    text = (
        "format: gwent/standard\nleader: Foltest, The Siegemaster\ncards:\n"
        "  Nekker: 1  # deckcheck: ignore[foreign-card]\n"
    )

    assert "foreign-card" not in {
        f.name for f in validate_text(text, "a.yaml").findings
    }


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("# deckcheck: ignore[empty-deck]\n", "empty-deck"),
        ("# deckcheck: ignore[unreadable-line]\n3 A x2\n", "unreadable-line"),
        (
            "# deckcheck: ignore[unknown-format]\n" + deck("2 Ballista", "Format: x\n"),
            "unknown-format",
        ),
    ],
)
def test_no_comment_makes_a_deck_legal_that_was_not_judged(
    text: str, name: str
) -> None:
    run = validate_text(text)

    assert [finding.name for finding in run.findings] == [name]
    assert not run.legal


def test_suppressed_findings_are_counted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "a.deck"
    file.write_text(deck("3 Ballista  # deckcheck: ignore[too-many-copies]"))

    shown = stdout_of(capsys, "validate", str(file))
    assert shown.startswith("1 deck checked, 1 legal (1 suppressed)\n")

    assert main(["validate", str(file), "--output-format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["suppressed"] == 1


def test_organisers_hear_of_everything(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "a.deck"
    file.write_text(
        deck("3 Ballista  # deckcheck: ignore[too-many-copies, unknown-card]")
    )

    shown = stdout_of(capsys, "validate", str(file), "--no-suppress", code=1)
    assert "1 illegal (1 error)\n" in shown
    assert "DS101" not in shown


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
