"""From files to verdicts, also of several decks in a file."""

import json
from pathlib import Path

import pytest
from helpers.decks import UNITS
from helpers.findings import validate_files, validate_text

from deckcheck.decks import DeckText, RawDeck, parse_decks
from deckcheck.findings import UsageError
from deckcheck.validation import Validation, Validator, validator

# Files of several decks that belong together, in every tool that meets decks.
DECKS = Path(__file__).parents[2] / "decks" / "gwent"
KIN = DECKS / "tournament" / "kin_of_the_coast.deck"
KIN_TEXT = KIN.read_text(encoding="utf-8")
SHARED = DECKS.parents[1] / "examples/broken/gwent/lineup-with-a-shared-hero.deck"


def seen(run: Validation) -> list[tuple[str, int]]:
    return [(finding.name, finding.span.start.line) for finding in run.findings]


def test_findings_about_several_decks_can_be_suppressed() -> None:
    text = SHARED.read_text(encoding="utf-8")
    comment = "# deckcheck: ignore[shared-card]"
    for other in (f"{comment}\n{text}", text.replace("# expect: shared-card", comment)):
        run = validate_text(other, "a.deck")
        assert (seen(run), run.legal) == ([], True), other
        assert [len(report.suppressed) for report in run.reports] == [0, 0, 1], other
    # A useless one belongs to its deck.
    text = KIN_TEXT.replace("Hjalmar", "Hjalmar  # deckcheck: ignore[shared-card]")
    run = validate_text(text, "a.deck")
    found = [[f.name for f in report.findings] for report in run.reports]
    assert found == [[], ["unused-suppression"], []]


# The pipeline: read, resolve, choose the format, judge.

HEAD = "Leader: Foltest, The Siegemaster\n"
STANDARD = "Format: gwent/standard\n" + HEAD


def names(run: Validation) -> list[str]:
    return [finding.name for finding in run.findings]


def test_which_format_judges() -> None:
    """The option decides, else the header; never anything more permissive."""
    for head, option, format, expected in (
        (STANDARD, None, "gwent/standard", []),
        (STANDARD.replace("gwent", "GWENT"), None, "gwent/standard", []),
        (STANDARD, "gwent/advanced", "gwent/advanced", []),
        (HEAD, None, "", ["missing-format"]),
        (f"Format: gwent/advnaced\n{HEAD}", None, "", ["unknown-format"]),
        (f"Format: advanced\n{HEAD}", None, "", ["unknown-format"]),
        (f"Format: Gwent/Advancd\n{HEAD}", None, "", ["unknown-format"]),
    ):
        run = validate_text(head + UNITS, "a.deck", option)
        assert ",".join(fmt.id for fmt in run.formats) == format, head
        assert (names(run), run.legal) == (expected, not expected), head
        assert (run.fingerprint is None) == bool(expected), head
        if "Format: " in head and expected:
            assert run.findings[0].help == "Did you mean `gwent/advanced`?", head


def test_what_is_found_without_a_format(tmp_path: Path) -> None:
    for text, path, expected in (
        # Names are checked when only the game is known.
        ("Format: gwent/x\nBallsta\n", "a.deck", ["unknown-format", "unknown-card"]),
        # An unreadable file needs no format.
        ("", "a.deck", ["empty-deck"]),
        ("a: [", "a.yaml", ["malformed-document"]),
        ("3 Ballista x2\n", "a.deck", ["unreadable-line"]),
    ):
        assert names(validate_text(text, path)) == expected, text
    texts = [DeckText("a.deck", HEAD), DeckText("b.deck", STANDARD + UNITS)]
    assert [r.legal for r in Validator().check_all(texts).reports] == [False, True]
    with pytest.raises(UsageError, match="nknown format `gwent/standart`"):
        validate_text(HEAD, format="gwent/standart")
    with pytest.raises(UsageError, match="No format of any game in"):
        validate_text(STANDARD, root=tmp_path)


def test_order_and_digest_of_a_run(here: Path) -> None:
    for name in ("b.deck", "a.deck"):
        Path(name).write_text(STANDARD + UNITS)
    run = validate_files(["b.deck", "a.deck"])
    for each, expected in (
        (run, "b.deck a.deck"),
        (run.sort_reports(), "a.deck b.deck"),
    ):
        paths = [report.source.path for report in each.reports]
        assert paths == expected.split()
    advanced = validate_text(STANDARD + UNITS, format="gwent/advanced")
    both = Validation((*run.reports, *advanced.reports))
    turned = Validation((*advanced.reports, *run.reports))
    assert run.fingerprint == run.formats[0].fingerprint
    assert both.fingerprint == turned.fingerprint
    assert both.fingerprint not in (run.fingerprint, advanced.fingerprint)
    with pytest.raises(UsageError, match="`nowhere` does not exist"):
        validate_files(["nowhere"])


def test_what_fails_in_reading_a_file_is_a_finding_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(source: DeckText, **_: object) -> list[RawDeck]:
        if source.path == "a.deck":
            raise RecursionError("too deep")
        return parse_decks(source)

    monkeypatch.setattr(validator, "parse_decks", fails)
    texts = [DeckText("a.deck", ""), DeckText("b.deck", STANDARD + UNITS)]
    first, second = Validator().check_all(texts).reports

    [finding] = first.findings
    assert finding.name == "failed-reading"
    assert finding.message == "Reading the file failed: RecursionError too deep"
    assert second.legal


def test_a_strange_card_never_stops_the_rest() -> None:
    """Nor does it take its time: an unknown name is compared with every card."""
    for card in ("(1) " * 600, "x" * 1_000_000, "[" * 3_000, "((2) "):
        for path, text in {
            "a.json": json.dumps({"cards": [card, {"name": card}]}),
            "a.yaml": json.dumps({"cards": {card: 2}, "leader": card}),
            "a.deck": card,
            "a.csv": f"count,card\n2,{card}\n",
        }.items():
            [report] = validate_text(text, path).reports
            names = {finding.name for finding in report.findings}
            assert not report.legal, (path, card[:9])
            assert "failed-reading" not in names, (path, card[:9])


def test_of_many_decks_findings_stay_and_not_the_cards() -> None:
    """All that outputs say is the same; memory does not grow with the lists."""
    texts = [
        DeckText("a.deck", STANDARD + UNITS),
        DeckText("b.deck", STANDARD + "7 Ballista\n---\n" + STANDARD + UNITS),
    ]
    whole = Validator().check_all(texts)
    light = Validator(keeps_cards=False).check_all(texts)

    assert light.to_dict() == whole.to_dict()
    assert light.findings == whole.findings != ()
    assert [r.deck is not None and len(r.deck.entries) for r in light.reports] == [
        0
    ] * 3
    assert [bool(report.text) for report in light.reports] == [False, True, False]
    assert [bool(report.text) for report in whole.reports] == [True] * 3
