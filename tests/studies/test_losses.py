"""How a deck loses: what is observed move by move, and what is said of it."""

import re
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from helpers.outputs import assert_tidy, check_document, other_types
from helpers.results import SIEGE, STANDARD, SWARM, deck, result_of, simulated

import deckcheck
from deckcheck.cards import load_database
from deckcheck.findings import UsageError
from deckcheck.replays.replay import replay
from deckcheck.scenarios.contract import LegalMove
from deckcheck.sim.run_directory import open_run
from deckcheck.stats import Interval
from deckcheck.stats.intervals import DEFAULT_LEVEL
from deckcheck.studies.losses import (
    Losses,
    Numbered,
    ObservedGame,
    _count_losses,
    _name_cards,
    _Watch,
    contrast,
    contrast_signs,
    find_examples,
    observe_losses,
)
from deckcheck.studies.registry import write_report

DECKS = [SIEGE, SWARM, STANDARD / "ng_spies_and_medics.deck"]
LOST = ObservedGame(False, (1, 2), -7, 0, 0, 0, 0, False, frozenset())
WON = replace(LOST, won=True, lost_rounds=(), lead=5)


def side(**changes: Any) -> dict[str, Any]:
    start = {"gems": 2, "hand": ["a", "b"], "deck_size": 9, "discard": [], "total": 20}
    return {**start, **changes}


def facts(own: dict[str, Any], other: dict[str, Any], **more: Any) -> dict[str, Any]:
    start = {"round": 1, "over": False, "weather": [], "winner": None}
    return {**start, "A": own, "B": other, **more}


def move(verb: str, card: str = "scorch") -> LegalMove:
    return LegalMove(0, verb, {"card": card}, "")


def watched(player: str, made: LegalMove, before: Any, after: Any) -> ObservedGame:
    watch = _Watch("A", "B")
    watch.note(before, after, player, made)
    return watch.game({**after, "winner": "B"})


def test_strength_that_the_opponent_destroys() -> None:
    before = facts(side(), side())
    after = facts(side(total=12, discard=["ves"]), side(hand=["b"]))

    game = watched("B", move("play"), before, after)
    assert (game.destroyed, game.weather, game.cards) == (8, 0, {"scorch"})
    assert (game.lead, game.won, game.is_out) == (-8, False, False)
    game = watched("A", move("play"), before, after)
    assert (game.destroyed, game.cards) == (0, set())


def test_strength_that_weather_takes() -> None:
    frost = [{"card": "biting_frost", "by": "B"}]
    before = facts(side(), side())
    after = facts(side(total=15), side(), weather=frost)

    assert watched("B", move("play"), before, after).weather == 5
    assert watched("A", move("play"), before, after).weather == 0
    same = facts(side(total=15), side())
    assert watched("B", move("choose"), before, same).weather == 0


def test_cards_that_are_drawn_from_the_deck_within_a_round() -> None:
    before = facts(side(), side())
    spied = facts(side(), side(hand=["b", "c", "d"], deck_size=7))
    mustered = facts(side(), side(hand=[], deck_size=6))
    decoyed = facts(side(), side(hand=["a", "b", "ves"]))
    redrawn = facts(side(), side(hand=["b", "c"], deck_size=8))

    assert watched("B", move("play"), before, spied).draws == 2
    assert watched("B", move("play"), before, mustered).draws == 0
    assert watched("B", move("play"), before, decoyed).draws == 0
    assert watched("B", move("redraw"), before, redrawn).draws == 0


def test_rounds_that_cost_a_gem() -> None:
    before = facts(side(hand=["a"]), side())
    after = facts(side(hand=["a"], gems=1, total=0), side(total=0), round=2)
    end = facts(side(hand=[], gems=0), side(), over=True, round=2)

    game = watched("A", move("pass"), before, after)
    assert (game.lost_rounds, game.behind, game.destroyed) == ((1,), 1, 0)
    game = watched("A", move("pass"), {**after, "round": 2}, end)
    assert (game.lost_rounds, game.is_out) == ((2,), True)


def test_what_tells_losses_from_wins_comes_first() -> None:
    games = [replace(LOST, draws=2)] * 30 + [LOST] * 10 + [WON] * 40
    first, *others = contrast_signs([*games, replace(WON, won=None, draws=9)])

    assert first.id == "draws"
    assert first.losses.value == 0.75
    assert first.wins is not None
    assert first.wins.value == 0
    assert first.difference is not None
    low, high = first.difference.interval
    assert 0.5 < low < 0.75 < high < 0.95
    assert all(sign.losses.value == 0 for sign in others)
    alone = contrast("x", "x", [(False, True)], 0.95)
    assert (alone.wins, alone.difference) == (None, None)


def width(interval: Interval) -> float:
    return interval.high - interval.low


def test_the_more_cards_are_compared_the_less_is_said_of_each() -> None:
    """The intervals of all cards, and those of all signs, are simultaneous."""
    widths = []
    for cards in ({"scorch"}, {"scorch", "decoy", "thaler", "roach"}):
        games = [
            Numbered("X", n, replace((LOST, WON)[n % 2], cards=frozenset(seen)))
            for n, seen in enumerate([cards, cards, set()] * 20)
        ]
        found = _name_cards(games, load_database("gwent"))
        assert {card.id for card in found} == cards
        [scorch] = [card for card in found if card.id == "scorch"]
        assert scorch.difference is not None
        widths.append(width(scorch.difference.interval))
    assert widths[0] < widths[1]

    observed = [replace(LOST, draws=2)] * 30 + [LOST] * 10 + [WON] * 40
    seen = [(game.won, game.draws > 0) for game in observed]
    alone, (sign, *_) = (
        contrast("draws", "", seen, DEFAULT_LEVEL),
        contrast_signs(observed),
    )
    assert width(sign.losses.interval) > width(alone.losses.interval)


def test_the_card_that_tells_losses_from_wins_comes_first() -> None:
    lost = replace(LOST, cards=frozenset({"decoy", "scorch"}))
    won = replace(WON, cards=frozenset({"decoy"}))
    games = [Numbered("X", number, (lost, won)[number % 2]) for number in range(40)]

    found = _name_cards(games, load_database("gwent"))
    assert [card.id for card in found] == ["scorch", "decoy"]


def test_examples_show_most() -> None:
    lost = [
        Numbered("X", number, replace(LOST, draws=draws, destroyed=strength))
        for number, draws, strength in ((1, 2, 9), (3, 4, 30), (5, 0, 12))
    ]
    signs = contrast_signs([*(each.game for each in lost), WON])

    examples = find_examples(lost, [s for s in signs if s.id in ("draws", "destroyed")])

    assert {(each.game, each.text) for each in examples} == {
        (3, "30 of strength destroyed"),
        (1, "opponent drew 2 more cards"),
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("losses") / "run"
    deckcheck.simulate(*DECKS, games=20, policies="sane_random", run=folder)
    return folder


@pytest.fixture(scope="module")
def losses(folder: Path) -> Losses:
    run = open_run(folder, None)
    return observe_losses(run.study, run.result(), "siege MASTERS", 8)


def test_losses_of_a_run(losses: Losses, folder: Path) -> None:
    document = losses.to_dict()
    check_document("losses", document)

    assert other_types(document) == set()
    assert (losses.deck, losses.sample) == ("Siege masters", 8)
    assert losses.losses > 0
    assert f"`Siege masters` lost {losses.losses} of 8 games, " in losses.answer
    assert sum(kind.share.value for kind in losses.kinds) == pytest.approx(1)
    assert len(losses.signs) == 5
    assert losses.examples
    example = losses.examples[0]
    names = f"Siege masters,{example.opponent}"
    [game] = replay(open_run(folder, None).study, names, example.game).games
    assert game.winner is not None
    assert game.players[game.winner].name == example.opponent
    assert_tidy(losses, "share_of_losses")
    for output in ("table", "markdown", "html"):
        assert "what happened in losses and in wins" in write_report(
            losses, output, full=True
        )


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_one_loss_has_no_margins(folder: Path, lost: int) -> None:
    run = open_run(folder, None)
    played = [LOST] * lost + [WON] * (8 - lost)
    games = [Numbered("The swarm", n, game) for n, game in enumerate(played, start=1)]
    found = _count_losses(run.result(), "Siege masters", games, load_database("gwent"))

    assert (found.wins, found.losses, found.draws) == (8 - lost, lost, 0)
    assert found.margins == (None if lost < 2 else (7, 7, 7))


def test_losses_answer_names_the_case(losses: Losses) -> None:
    for wins, lost, sentence in (
        (8, 0, "`Siege masters` lost none of 8 games"),
        (7, 1, "`Siege masters` lost 1 of 8 games, by losing round"),
        (0, 8, "It won none, so there is nothing to compare its losses with."),
        (4, 4, "Too few games to tell how its losses differ from its wins."),
    ):
        kinds = losses.kinds if lost else ()
        few = replace(losses, wins=wins, losses=lost, draws=0, kinds=kinds, signs=())
        assert sentence in few.answer


def test_losses_answer_advises_a_sample_that_makes_the_difference_clear(
    losses: Losses,
) -> None:
    lost, won = replace(LOST, draws=2), replace(WON, draws=2)
    pattern = [lost] * 6 + [LOST] * 4 + [won] * 4 + [WON] * 6

    def observe(games: int) -> Losses:
        signs = contrast_signs((pattern * games)[:games])
        each = {"wins": games // 2, "losses": games // 2, "draws": 0}
        return replace(losses, signs=signs, largest_sample=1_000, **each)

    advice = re.search(r"its wins; try `--sample (\d+)`", observe(40).answer)
    assert advice is not None
    enough = 20 * ceil(int(advice[1]) / 20)
    assert "The clearest difference: in 60.0%" in observe(enough).answer
    assert "try `--sample" not in replace(observe(40), largest_sample=41).answer


@pytest.mark.parametrize("mode", ["gwen't", "sg gwint"])
def test_games_without_gems_are_refused(mode: str) -> None:
    run = simulated(mode, 2, "sane_random")
    names, fmt = [entrant.name for entrant in run.entrants], run.setting.format
    result = result_of(*map(deck, names))
    result = replace(result, format=fmt.id, play=fmt.seating.play)

    with pytest.raises(UsageError, match=f"Losses in `{fmt.id}` cannot be analysed"):
        observe_losses(run, result, names[0], 2)
