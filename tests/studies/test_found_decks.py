"""What is said of a deck that was found, and what is known when a search is stopped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from plain_values import other_types
from tidy_frames import assert_tidy

import deckcheck
from deckcheck.playing.kernel import CHECKSUM_MASK, Head, Ints
from deckcheck.playing.versions import Candidates, Versions
from deckcheck.sim.jobs import Job
from deckcheck.sim.scheduler import GameSession, Progress
from deckcheck.sim.simulation import Interrupted
from deckcheck.studies.search.result import FoundDeck

STANDARD = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
SIEGE = STANDARD / "nr_siege_masters.deck"
FIELD = [STANDARD / "mo_swarm.deck", STANDARD / "sk_longships.deck"]
GAMES = 3_000


@pytest.fixture(scope="module")
def played() -> list[tuple[Job, Ints]]:
    """The jobs of `confirmed` and what came of them, as soon as it has been played."""
    return []


@pytest.fixture(scope="module")
def confirmed(played: list[tuple[Job, Ints]]) -> FoundDeck:
    play = GameSession.play

    def note(games: GameSession, work: Sequence[Job], *args: Any, **more: Any) -> None:
        play(games, work, *args, **more)
        played.extend((job, games.tallies[job.number]) for job in work)

    settings = {"games": GAMES, "policies": "sane_random"}
    again = {"confirm": "random", "confirm_games": 40}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GameSession, "play", note)
        return deckcheck.tune(SIEGE, against=FIELD, **settings, **again)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def tuned(confirmed: FoundDeck) -> FoundDeck:
    """As if nobody had confirmed it."""
    return replace(confirmed, confirmed=None)


def test_a_tuned_deck(tuned: FoundDeck) -> None:
    assert tuned.proof is not None
    [difference] = tuned.proof.field.differences

    assert tuned.is_new
    assert tuned.complete
    assert other_types(tuned.to_dict()) == set()
    assert difference.value > 0
    rate = tuned.proof.field.win_rates[1]
    assert tuned.answer.startswith(
        f"`Siege masters, tuned` wins {100 * rate.value:.1f} % ("
    )
    assert sum(each.copies for each in tuned.swaps if each.copies > 0) <= 4
    assert len(assert_tidy(tuned, "win_rate", "difference")) == 1 + 3 * 3
    assert tuned.games_played <= 1.3 * GAMES
    assert [deck.name for deck in tuned.decks[:2]] == [
        "Siege masters",
        "Siege masters, tuned",
    ]


def test_each_change_has_its_gain(confirmed: FoundDeck) -> None:
    """They add up to that of the deck, by both players, and to its cards."""
    assert confirmed.proof is not None
    assert confirmed.confirmed is not None
    assert len(confirmed.steps) > 1
    for proof in (confirmed.proof, confirmed.confirmed):
        [whole] = proof.field.differences
        assert len(proof.gains) == len(confirmed.steps)
        assert sum(gain.own.value for gain in proof.gains) == pytest.approx(whole.value)
        assert proof.gains[-1].so_far.value == pytest.approx(whole.value)
        assert proof.gains[0].own == proof.gains[0].so_far
    changed = Counter[str]()
    for step in confirmed.steps:
        changed.update({card.id: card.copies for card in step.cards})
    assert {card.id: card.copies for card in confirmed.swaps} == {
        card: copies for card, copies in changed.items() if copies
    }
    [first, *_] = confirmed.to_dict()["steps"]
    assert first["gain"] is not None
    assert first["confirmed_gain"] is not None
    assert first["gain"] != first["confirmed_gain"]


def test_the_checksum_is_over_all_games(
    confirmed: FoundDeck, played: list[tuple[Job, Ints]]
) -> None:
    """Those of the search, of the proof, and of the proof played again."""
    total = 0
    for job, tally in played:
        assert isinstance(job.table, Candidates | Versions)
        is_proof = isinstance(job.table, Versions)
        total += job.table.checksum(tally) if is_proof else int(tally[0, Head.CHECKSUM])
    numbers = [job.number for job, _ in played]

    assert len(set(numbers)) == len(numbers)
    assert confirmed.games_played == sum(job.games * job.sets for job, _ in played)
    assert confirmed.checksum == f"{total & CHECKSUM_MASK:012x}"


def test_who_confirms_plays_both_sides(
    confirmed: FoundDeck, played: list[tuple[Job, Ints]]
) -> None:
    *search, one, other, first, second = (job.policies for job, _ in played)

    assert confirmed.confirmed is not None
    assert {*search, one, other} == {("sane_random", "sane_random")}
    assert first == second == ("random", "random")


def test_nothing_better_is_said_plainly(tuned: FoundDeck) -> None:
    same = replace(tuned, deck=str(tuned.base), proof=None)

    assert same.answer == (
        "No better deck was found within 4 changes of `Siege masters`"
    )
    assert not same.is_new


def test_what_is_known_without_fresh_games(tuned: FoundDeck) -> None:
    early = replace(tuned, proof=None, complete=False)

    assert "decks so far. The search expects it to win " in early.answer
    assert early.answer.endswith("and no others were played")
    assert len(early.to_rows()) == 1
    assert early.to_dict()["proof"] is None


def test_a_search_that_is_stopped_tells_its_best_deck() -> None:
    notes: list[str] = []

    def stop(progress: Progress) -> None:
        notes.append(progress.note)
        if progress.games > GAMES / 2:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        deckcheck.build(
            "gwent/standard",
            against=FIELD,
            factions="monsters",
            games=GAMES,
            policies="sane_random",
            progress=stop,
        )
    result = stopped.value.result

    assert isinstance(result, FoundDeck)
    assert not result.complete
    assert result.deck == "Monsters, built"
    assert result.proof is None
    assert "best of" in result.answer
    assert any(note.startswith("best so far ") for note in notes)


def test_a_search_stopped_before_it_knew_a_deck() -> None:
    def stop(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        deckcheck.tune(
            SIEGE, against=FIELD, games=GAMES, policies="sane_random", progress=stop
        )
    assert stopped.value.result is None
