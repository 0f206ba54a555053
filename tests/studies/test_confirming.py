"""Who plays a proof again, and what is said of both players."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deckcheck.findings import UsageError
from deckcheck.formats import load_format
from deckcheck.policies.registry import policy_in_words
from deckcheck.stats import Estimate, Interval
from deckcheck.studies.duels import (
    OVER_FIELD,
    DifferenceVerdict,
    OpponentEntry,
    VersionDifference,
)
from deckcheck.studies.proof import Proof, confirming, usual_games
from deckcheck.studies.search.result import FoundDeck

DUELS = load_format("gwent/standard")
HEAD = {
    "format": "gwent/standard",
    "snapshot": "2025-10",
    "month": "2025-10",
    "decks": (),
    "players": ("heuristic", "learned"),
    "seed": 1,
    "games": 2,
    "games_played": 2,
    "checksum": "",
    "digest": "",
    "play": "duel",
    "stand_ins": (),
    "changes": (),
    "seconds": None,
    "jobs": None,
}


@pytest.mark.parametrize(
    ("confirm", "policies", "player"),
    [
        ("auto", ["heuristic"], "learned"),
        ("auto", ["heuristic-1", "heuristic"], "learned"),
        ("auto", ["heuristic", "learned"], None),
        ("auto", ["search"], None),
        ("none", ["heuristic"], None),
        (None, ["heuristic"], None),
        ("search:64", ["learned"], "search:64"),
    ],
)
def test_who_confirms(
    confirm: str | None, policies: list[str], player: str | None
) -> None:
    assert confirming(confirm, None, DUELS, policies) == player


def test_where_learned_knows_no_game_nobody_confirms() -> None:
    fmt = load_format("gwen_t/pool")

    assert confirming("auto", None, fmt, ["heuristic"]) is None
    with pytest.raises(UsageError, match="goes with"):
        confirming("auto", 5, fmt, ["heuristic"])


def test_a_proof_is_confirmed_in_a_small_part_of_the_games() -> None:
    assert usual_games("learned", 600_000) == 6_000
    assert usual_games("learned", 10_000_000) == 10_000
    assert usual_games("learned", 50) == 2
    assert usual_games("search:64", 600_000) == 1_000


def test_players_in_words() -> None:
    assert policy_in_words("heuristic-1") == "rules of thumb"
    assert policy_in_words("learned", "heuristic") == "the stronger player `learned 1`"
    assert policy_in_words("learned", "search:64") == "`learned 1`"
    assert policy_in_words("random") == "`random 1`"


def proof(policy: str, gain: float, verdict: DifferenceVerdict) -> Proof:
    reach = (
        0.01 if verdict in (DifferenceVerdict.BETTER, DifferenceVerdict.WORSE) else 0.1
    )
    ends = Interval(gain - reach, gain + reach)
    rates = [Estimate(0.6 + by, Interval(0.5, 0.7), 100) for by in (0.0, gain)]
    difference = VersionDifference("old", "new", gain, ends, verdict, None)
    return Proof(policy, 100, OpponentEntry(OVER_FIELD, tuple(rates), (difference,)))


BETTER = FoundDeck(
    **HEAD,  # type: ignore[arg-type]
    deck="New",
    base="Old",
    proof=proof("heuristic", 0.104, DifferenceVerdict.BETTER),
)


@pytest.mark.parametrize(
    ("gain", "verdict", "said"),
    [
        (0.056, DifferenceVerdict.BETTER, "5.6 points (4.6 to 6.6) more"),
        (-0.02, DifferenceVerdict.WORSE, "but 2.0 points (1.0 to 3.0) less"),
        (
            0.01,
            DifferenceVerdict.OPEN,
            "+1.0 points (-9.0 to 11.0), which may be chance,",
        ),
    ],
)
def test_the_first_sentence_has_both_players(
    gain: float, verdict: DifferenceVerdict, said: str
) -> None:
    result = replace(BETTER, confirmed=proof("learned", gain, verdict))

    assert result.answer == (
        "`New` wins 70.4 % (50.0 to 70.0) of its games, 10.4 points (9.4 to 11.4) "
        f"more than `Old` played by rules of thumb, {said} by the stronger player "
        "`learned 1`"
    )
