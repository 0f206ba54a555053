"""The evening of an organiser: no legal list is refused, no other list is accepted."""

from collections import Counter
from pathlib import Path

import pytest
from helpers.evening import EVENT, Player, arrange, make_players

from deckcheck.cli import main
from deckcheck.events import check_event
from deckcheck.events.letters import letters
from deckcheck.events.pages import LEGAL_VERDICT, judge_player
from deckcheck.findings import Severity

MAX_LINES = 120
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def evening(here: Path) -> dict[str, Player]:
    """The players of an event whose lists are collected."""
    players = make_players()
    Path("event.toml").write_text(EVENT, encoding="utf-8")
    for name, data in arrange(players).items():
        Path("inbox").mkdir(exist_ok=True)
        Path("inbox", name).write_bytes(data)
    assert main(["collect", "inbox", "event.toml"]) == 1
    return players


def test_legal_lists_are_accepted_as_meant_and_no_others(
    evening: dict[str, Player], capsys: Captured
) -> None:
    capsys.readouterr()
    main(["event", "event.toml"])
    shown = capsys.readouterr().out.splitlines()
    event = check_event(Path("event.toml"))

    accepted = {}
    for player in event.players:
        errors = [f for f in player.findings if f.severity is Severity.ERROR]
        if judge_player(player) == LEGAL_VERDICT and not errors:
            [deck] = [report.deck for report in player.decks]
            assert deck is not None
            accepted[player.title] = deck.counts()
    meant = {name: Counter(p.cards) for name, p in evening.items() if p.is_legal}
    assert len(evening) == 45
    assert accepted == meant
    assert len(shown) < MAX_LINES


def test_letters_advise_no_change_that_nobody_asked_for(
    evening: dict[str, Player],
) -> None:
    texts = "".join(letters(check_event(Path("event.toml"))).values())

    assert "Write `Name:" not in texts
