"""The Python API, and the examples of its page."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import deckcheck

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "python-api.md"
STANDARD = ROOT / "decks" / "gwent" / "standard"
BROKEN = ROOT / "decks" / "gwent" / "broken"
SWARM = STANDARD / "mo_swarm.deck"
SIEGE = STANDARD / "nr_siege_masters.deck"


class TestRead:
    def test_takes_files_and_folders(self) -> None:
        assert len(deckcheck.read(SWARM, STANDARD.parent / "advanced")) == 6

    def test_returns_decks_with_findings(self) -> None:
        (deck,) = deckcheck.read(BROKEN / "too-few-units.deck")

        assert deck.faction is not None

    def test_refuses_what_holds_no_deck(self) -> None:
        with pytest.raises(deckcheck.UsageError, match=r"empty\.deck.*cannot be read"):
            deckcheck.read(BROKEN / "empty.deck")


class TestValidate:
    def test_sample_decks_are_legal(self) -> None:
        assert deckcheck.validate(STANDARD).legal

    def test_another_format_may_judge(self) -> None:
        validation = deckcheck.validate(SIEGE, format="gwent/advanced")

        assert [
            report.format and report.format.id for report in validation.reports
        ] == ["gwent/advanced"]


class TestSimulate:
    def test_decks_and_files_play_the_same(self) -> None:
        decks = deckcheck.read(SWARM, SIEGE)
        by_deck = deckcheck.simulate(*decks, games=40, policies="random")
        by_file = deckcheck.simulate(SWARM, SIEGE, games=40, policies="random")

        assert by_deck.checksum == by_file.checksum
        assert by_deck.matchups == by_file.matchups

    def test_how_a_deck_is_written_changes_no_game(self, tmp_path: Path) -> None:
        head, _, cards = SWARM.read_text("utf-8").partition("\n\n")
        lines = [line for line in cards.splitlines() if not line.endswith(":")]
        turned = tmp_path / "turned.deck"
        turned.write_text("\n".join([head, "", *reversed(lines)]), "utf-8")

        results = [
            deckcheck.simulate(deck, SIEGE, games=40, policies="random")
            for deck in (SWARM, turned)
        ]

        assert results[0].checksum == results[1].checksum

    def test_odd_games_are_rounded_up(self) -> None:
        result = deckcheck.simulate(SWARM, SIEGE, games=3, policies="random")

        assert (result.games, result.games_played) == (4, 4)

    def test_an_illegal_deck_is_refused_with_its_findings(self) -> None:
        (deck,) = deckcheck.read(BROKEN / "too-few-units.deck")

        with pytest.raises(deckcheck.IllegalDeckError, match="Too few units") as error:
            deckcheck.simulate(deck, SWARM)
        assert error.value.reports[0].findings[0].name == "too-few-cards"

    def test_an_illegal_deck_plays_when_allowed(self) -> None:
        result = deckcheck.simulate(
            SWARM,
            BROKEN / "too-few-units.deck",
            games=2,
            policies="random",
            allow_illegal=True,
        )

        assert [deck.name for deck in result.illegal] == ["Too few units"]

    def test_a_deck_of_unknown_cards_stays_illegal(self) -> None:
        """What did not resolve is not in the deck, but not forgotten either."""
        (deck,) = deckcheck.read(BROKEN / "unknown-card.deck")

        with pytest.raises(deckcheck.IllegalDeckError):
            deckcheck.simulate(deck, SWARM)

    def test_frames(self) -> None:
        result = deckcheck.simulate(
            STANDARD.parent / "advanced", games=20, policies="random"
        )
        matrix = result.to_matrix()

        assert len(result.to_frame()) == 10
        assert matrix.iloc[0, 1] + matrix.iloc[1, 0] == pytest.approx(1)
        assert result.to_standings()["win_rate"].is_monotonic_decreasing
        assert result.to_standings()["win_rate"].mean() == pytest.approx(0.5)

    def test_decks_that_did_not_meet(self) -> None:
        result = deckcheck.simulate(SWARM, SIEGE, games=2, policies="random")

        with pytest.raises(KeyError, match="did not meet"):
            result.matchup("The swarm", "Berserkers")


def test_names_are_found_and_listed() -> None:
    assert set(deckcheck.__all__) <= set(dir(deckcheck))
    for name in deckcheck.__all__:
        assert getattr(deckcheck, name) is not None


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="no attribute `shuffle`"):
        deckcheck.shuffle  # noqa: B018


def test_importing_is_light() -> None:
    code = (
        "import sys, deckcheck; "
        "sys.exit(any(m in sys.modules for m in ('numpy', 'numba', 'pandas', 'yaml')))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_examples_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    runner = doctest.DocTestRunner(optionflags=flags)
    blocks = re.findall(
        r"^```pycon\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    source = "\n".join(blocks)
    test = doctest.DocTestParser().get_doctest(source, {}, PAGE.name, str(PAGE), 0)
    report: list[str] = []
    runner.run(test, out=report.append)

    assert runner.summarize(verbose=False).failed == 0, "".join(report)
