"""Games of a run played again: the same as were counted, in every game and mode."""

import random
import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from helpers.results import MODES, RANDOM, simulated

from deckcheck.findings import UsageError
from deckcheck.playing.kernel import GameOutcome, ListedGame
from deckcheck.playing.table import GameLog
from deckcheck.replays.model import (
    Replay,
    Script,
    read_moves,
    select_moves,
    write_script,
)
from deckcheck.replays.narration import find_turning_points
from deckcheck.replays.replay import (
    ReplayedPairing,
    find_games,
    find_pairing,
    list_pairings,
    replay,
    tell_all,
)
from deckcheck.sim.matches import MatchTable
from deckcheck.sim.simulation import Simulation

pytestmark = pytest.mark.usefixtures("one_teller")

DRAWN = 1_000
PAIRINGS = 5
SETS = 100
TOLD = 3


@pytest.fixture(scope="module")
def duels() -> Simulation:
    return simulated("duel", 20)


@pytest.fixture(scope="module")
def told(duels: Simulation) -> Replay:
    return replay(duels, "siege masters , the swarm", 5)


class TestDuel:
    def test_deals_first_and_ends_with_a_winner(self, told: Replay) -> None:
        [game] = told.games
        seats = [(seat.name, seat.policy) for seat in game.players.values()]

        assert game.steps[0].player is None
        assert "A holds" in game.steps[0].notes[0]
        assert game.steps[-1].ends_round
        assert game.winner in ("A", "B", "draw")
        assert seats == [("The swarm", "heuristic"), ("Siege masters", "heuristic")]

    def test_says_why_rounds_ended_who_won_them_and_what_is_left_in_hand(
        self, told: Replay
    ) -> None:
        [game] = told.games
        *rounds, last = [step for step in game.steps if step.ends_round]
        ends = [note for step in (*rounds, last) for note in step.notes]

        assert "round 1 ends: all have passed" in ends
        assert any("loses 1 gem" in note for note in ends)
        for step in (*rounds, last):
            score = re.search(
                "([AB]) wins the round, (\\d+) to (\\d+)", str(step.notes)
            )
            winner, most, least = score.groups()
            loser = "AB".replace(winner, "")
            assert step.totals == {winner: int(most), loser: int(least)}
        assert all("left in hand: A " in str(step.notes) for step in rounds)
        assert "left in hand" not in str(last.notes)

    def test_says_where_cards_of_a_hand_come_from(self, told: Replay) -> None:
        [game] = told.games
        redraws = [step for step in game.steps if step.text.startswith("redraw")]

        assert redraws
        for step in redraws:
            assert step.notes[0].startswith(f"{step.player} draws ")
        decoyed = [
            step
            for step, after in pairwise(game.steps)
            if step.text == "play Decoy" and "takes back" in str(after.notes)
        ]
        assert decoyed

    def test_a_card_that_is_drawn_as_a_round_ends_is_not_taken_back(
        self, duels: Simulation, told: Replay
    ) -> None:
        """The Northern Realms draw one; a copy of it may leave the board then."""
        other = replay(duels, "The swarm,Siege masters", 9)
        [game] = other.games
        ends = [note for step in game.steps if step.ends_round for note in step.notes]

        assert any(" draws " in note for note in ends)
        assert not any(" takes " in note for note in ends)
        assert game.steps != told.games[0].steps


class TestChances:
    def test_each_player_has_one_after_every_move_and_the_end_is_certain(
        self, told: Replay
    ) -> None:
        [game] = told.games

        for step in game.steps:
            assert set(step.chances) == {"A", "B"}
            assert all(0 <= chance <= 1 for chance in step.chances.values())
        assert game.steps[-1].chances[game.winner] == 1
        assert sum(game.steps[-1].chances.values()) == 1

    def test_turning_points_are_what_cost_the_mover_and_what_was_drawn(
        self, told: Replay
    ) -> None:
        pattern = told.games[0].steps[0]
        rows = [
            # player, the chances of A and B as each sees them, the draw
            ("A", 0.50, 0.50, ""),
            ("B", 0.70, 0.45, ""),  # B's move costs B five points only
            ("A", 0.41, 0.60, ""),
            ("A", 0.60, 0.30, "A draws Ves"),
            ("B", 0.65, 0.05, "B draws Ves"),
            ("B", 0.95, 0.00, ""),
            ("A", 0.70, 0.00, "A no longer holds Ves"),
            ("A", 0.30, 0.00, ""),
            ("A", 0.15, 0.00, ""),
        ]
        steps = [
            replace(
                pattern,
                number=n,
                player=player,
                chances={"A": a, "B": b},
                notes=(note,) if note else (),
            )
            for n, (player, a, b, note) in enumerate(rows)
        ]

        points = find_turning_points(steps)
        assert [(p.step.number, round(p.change, 2)) for p in points] == [
            *((7, -0.4), (2, -0.29), (6, -0.25)),
            *((4, -0.25), (3, 0.19)),
        ]
        assert [p.to_dict()["kind"] for p in points] == ["move"] * 3 + ["draw"] * 2
        assert find_turning_points(steps[:2]) == ()

    def test_before_hands_are_dealt_nobody_has_one(self) -> None:
        """In SG Gwint the starter may be settled before."""
        [game] = replay(simulated("sg gwint", 2), "1", 1).games

        assert not game.steps[0].chances
        assert all(set(step.chances) == {"A", "B"} for step in game.steps[1:])

    def test_a_game_that_learned_does_not_know_has_none(self) -> None:
        [game] = replay(simulated("solo", 2), "1", 1).games

        assert not any(step.chances for step in game.steps)
        assert game.turning_points == ()


class TestNarrowed:
    def test_shows_some_moves_of_one_player(self, told: Replay) -> None:
        [game] = told.games
        [part] = select_moves(told, read_moves("5-20"), "a").games

        assert part.steps == tuple(
            step for step in game.steps if step.player == "A" and 5 <= step.number <= 20
        )
        assert part.turning_points == game.turning_points
        assert select_moves(told, read_moves("7"), None).games[0].steps == (
            game.steps[7],
        )
        assert select_moves(told, None, "The Swarm") == select_moves(told, None, "A")

    @pytest.mark.parametrize(
        ("moves", "player", "message"),
        [
            ("20-", None, "`--moves` is `20-`, which names no moves"),
            ("9-5", None, "and 9 comes after 5"),
            ("900", None, "There are no such moves: the last move is"),
            ("0", "A", "There are no such moves of A"),
            (None, "C", "No player `C`"),
        ],
    )
    def test_what_is_not_there_is_misuse(
        self, told: Replay, moves: str | None, player: str | None, message: str
    ) -> None:
        with pytest.raises(UsageError) as raised:
            select_moves(told, read_moves(moves), player)

        assert message in raised.value.message.replace("`moves`", "`--moves`")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (None, r"There are 105 pairings"),
        ("The swarm,Nobody", r"No pairing `The swarm,Nobody`"),
        ("106", r"No pairing `106`"),
    ],
)
def test_a_pairing_has_to_be_one_of_the_run(
    asked: str | None, message: str, duels: Simulation
) -> None:
    pairings = list_pairings(duels)

    with pytest.raises(UsageError, match=message):
        find_pairing(pairings, asked)
    assert find_pairing(pairings, "2") is pairings[1]


def test_find_pairing_lists_the_first_pairings(duels: Simulation) -> None:
    pairings = list_pairings(duels)[:6]

    with pytest.raises(UsageError) as raised:
        find_pairing(pairings, None)
    fifth = ",".join(pairings[4].entrants)
    assert raised.value.help.endswith(f", `{fifth}` and 1 more")


@pytest.mark.parametrize("number", [0, -1, 2**33])
def test_a_game_has_a_number_from_one(number: int, duels: Simulation) -> None:
    with pytest.raises(UsageError, match="must be 1 to"):
        replay(duels, "1", number)


def test_a_game_that_crashes_is_told_until_then(duels: Simulation) -> None:
    """The script of a game whose tenth move raises."""
    found = list_pairings(duels)[0]
    script = _script(duels.setting, found, find_games(found, 1)[0])
    crash = "IndexError: somewhere"
    broken = replace(
        script, moves=(*script.moves[:9], 2**40), outcome=None, crash=crash
    )

    [game] = tell_all([broken])

    assert game.winner is None
    assert game.crash == crash
    assert game.steps[-1].notes == (f"the game crashes here: {crash}",)
    assert len(game.steps) == 11
    retold = replay(duels, "1", 1)
    assert replace(retold, games=(*retold.games, game)).crash == crash
    assert retold.crash is None


@pytest.mark.slow
def test_games_of_a_match_have_chances() -> None:
    told = replay(
        simulated("match", 2, "random"), "crowns and claws,kin of the coast", 1
    )

    assert len(told.games) > 1
    assert all(step.chances for game in told.games for step in game.steps[1:])


@pytest.mark.slow
@pytest.mark.parametrize("mode", [*MODES, *RANDOM])
def test_games_drawn_from_a_run_come_to_what_was_counted(mode: str) -> None:
    """A thousand of each mode are played again, and some of them told to the end.

    What is told is checked against what was played, to the hash of all moves.
    """
    simulation = simulated(mode, 400)
    pairings = list_pairings(simulation)
    if mode == "match":
        pairings = [p for p in pairings if isinstance(p.played_at, MatchTable)]
    draw = random.Random(mode)
    scripts: list[Script] = []
    for pairing in draw.choices(pairings, k=PAIRINGS):
        log = GameLog()
        pairing.played_at.play(pairing.seed, pairing.number, 0, SETS, log)
        for _ in range(DRAWN // PAIRINGS):
            rotation = 2 if pairing.noun == "match" else pairing.table.games_of_set
            number = draw.randint(1, rotation * SETS)
            first_set, of_set = divmod(number - 1, rotation)
            is_it = (log.games[:, ListedGame.COUNTER] == first_set) & (
                log.of_set == of_set
            )
            rows = find_games(pairing, number)
            again = [_script(simulation.setting, pairing, row) for row in rows]

            assert np.array_equal(rows, log.games[is_it])
            assert [s.outcome for s in again] == [*map(tuple, log.outcomes[is_it])]
            scripts += again

    for game in tell_all(draw.sample(scripts, TOLD)):
        of_entrants = game.outcome[GameOutcome.PLACE :]
        places = of_entrants[: len(of_entrants) // 4]
        assert (game.winner == "draw") == (places.count(1) > 1)


def _script(setting: object, pairing: ReplayedPairing, row: object) -> Script:
    seats = pairing.seats(row[0])  # type: ignore[index]
    return write_script(setting, pairing.table, seats, pairing.seed, row)  # type: ignore[arg-type]
