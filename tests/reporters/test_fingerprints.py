"""What a finding is known by survives what people do to a deck list."""

from __future__ import annotations

from runs import TEXT, finding, report, span

from deckcheck.reporters.base import fingerprinted
from deckcheck.validation import DeckReport, Validation


def prints(*reports: DeckReport) -> list[str]:
    return [known for _, known in fingerprinted(Validation(reports))]


BEFORE = prints(report(finding(span(3, 3, 9))))


def test_lines_may_move() -> None:
    moved = report(finding(span(5, 3, 9)), text="# new\n# lines\n" + TEXT)

    assert prints(moved) == BEFORE


def test_numbers_may_change() -> None:
    text = TEXT.replace("3 Nekker", "30 Nekker")
    other = finding(span(3, 4, 10), "9 copies of `Nekker`, at most 3 allowed")

    assert prints(report(other, text=text)) == BEFORE


def test_another_card_is_another_finding() -> None:
    assert prints(report(finding(span(4, 3, 8)))) != BEFORE


def test_equal_findings_are_told_apart() -> None:
    twice = prints(report(finding(span(3, 3, 9)), finding(span(5, 4, 10))))

    assert twice[0] == BEFORE[0]
    assert len(set(twice)) == 2


def test_decks_of_other_files_do_not_matter() -> None:
    other = report(finding(span(1, 1, 2), path="a.deck"), text="Other text")

    assert prints(other, report(finding(span(3, 3, 9))))[1:] == BEFORE


def test_places_behind_the_text_and_over_lines() -> None:
    assert len(prints(report(finding(span(99, 1, 2)), text=""))) == 1
