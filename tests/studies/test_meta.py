"""What to bring, in fields whose answer is known."""

import re
from dataclasses import replace
from itertools import product
from math import ceil, log, sqrt
from pathlib import Path
from typing import ClassVar

import pytest
from helpers.results import SIEGE, SWARM

from deckcheck import read, simulate
from deckcheck.cards import load_database
from deckcheck.findings import UsageError
from deckcheck.formats import load_format
from deckcheck.markup import csv_table
from deckcheck.report.tables import rate_text
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.figures import DEPENDS_ON_PLAYER, WEAKER_DISAGREES
from deckcheck.sim.seating import Request, Setting
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.stopping import Stopping
from deckcheck.stats import Estimate
from deckcheck.studies.field import (
    Field,
    FieldEntrant,
    Meeting,
    Origin,
    make_result_field,
    read_field,
)
from deckcheck.studies.meta import make_meta
from deckcheck.studies.meta_report import (
    describe_ratings,
    list_meta_answers,
    make_counters_table,
    make_mix_table,
)
from deckcheck.studies.meta_result import MetaResult
from deckcheck.studies.registry import write_report
from deckcheck.studies.weights import read_weights

DECKS = SWARM, SIEGE
ORIGIN = Origin("gwent/standard", "2025-10", ("heuristic-2",), 1, "abc", "def")
ROUND = (("rock", "scissors"), ("scissors", "paper"), ("paper", "rock"))


def pairs(rate: float, number: int = 1000) -> tuple[int, ...]:
    """Game pairs of which a part is won twice, and the rest lost twice."""
    won = round(rate * number)
    return (number - won, 0, 0, 0, won)


def field(*met: tuple[str, str, float], noun: str = "deck") -> Field:
    names = tuple(dict.fromkeys(name for a, b, _ in met for name in (a, b)))
    unit = "match" if noun == "lineup" else "game"
    return Field(
        names, tuple(Meeting(a, b, pairs(r)) for a, b, r in met), noun, unit, ORIGIN
    )


def rock_paper_scissors() -> Field:
    return field(*((a, b, 0.7) for a, b in ROUND))


def by_name(meta: MetaResult) -> dict[str, float]:
    return {player.name: player.share.value for player in meta.players}


class TestMix:
    def test_one_that_beats_all(self) -> None:
        meta = make_meta(
            field(("a", "b", 0.6), ("a", "c", 0.7), ("b", "c", 0.5)), resamples=50
        )

        assert by_name(meta) == {"a": 1.0, "b": 0.0, "c": 0.0}
        assert meta.players[0].share.interval == (1.0, 1.0)
        assert [each.answer for each in meta.players] == ["b", "a", "a"]
        assert next(list_meta_answers(meta)).startswith(
            "For an unknown field, always bring `a`:"
        )

    def test_a_weaker_player_takes_nothing_back(self) -> None:
        """Another deck wins more than half against the one to bring, as it plays."""
        for first, second, warning, who in (
            ("heuristic-3", "learned-6", DEPENDS_ON_PLAYER, "the stronger bot `learne"),
            ("learned-6", "heuristic-3", WEAKER_DISAGREES, "the weaker bot `heurist"),
            ("bold-1", "heuristic-3", DEPENDS_ON_PLAYER, "`heuristic-3`"),
        ):
            own, agrees, denies = (
                replace(
                    field(("a", "b", 0.6), ("a", "c", rate), ("b", "c", 0.5)),
                    origin=replace(ORIGIN, players=(player,)),
                )
                for rate, player in ((0.7, first), (0.7, second), (0.3, second))
            )
            agreed, denied = (
                [*list_meta_answers(make_meta(met, resamples=50))]
                for met in (replace(own, cross_checked=a) for a in (agrees, denies))
            )

            assert denied.pop(0 if warning == DEPENDS_ON_PLAYER else 2) == warning
            assert denied[0] == agreed[0]
            assert denied[1].startswith(f"Piloted by {who}")
            assert "`c` wins most against `a`: 70.0% (66.4 to 73.3)" in denied[1]
            assert warning not in agreed

    def test_who_loses_is_no_answer(self) -> None:
        """Of one that beats all it is said, with the interval of the best of two."""
        met = field(("a", "b", 0.6), ("a", "c", 0.7), ("b", "c", 0.5))
        table = make_counters_table(make_meta(met, resamples=5))
        rows = {str(row[0]): row[1] for row in table.rows}
        best = rows["none against a: b loses least"]
        alone = met.share("b", "a").interval()

        assert "a against b" in rows
        assert isinstance(best, Estimate)
        assert best.value == pytest.approx(0.4)
        assert best.interval.low < alone.low
        assert alone.high < best.interval.high

    def test_the_same_seed_gives_the_same_intervals(self) -> None:
        first, same, other = (
            make_meta(rock_paper_scissors(), seed=seed, resamples=20)
            for seed in (1, 1, 2)
        )

        assert first == same
        assert first.players != other.players


class TestRatings:
    def test_a_circle_is_named(self) -> None:
        meta = make_meta(rock_paper_scissors(), resamples=5)

        assert meta.cycles.value == pytest.approx(1)
        assert meta.misfit.value == pytest.approx(0.2, abs=0.01)
        assert meta.cycle == ("paper", "rock", "scissors")
        assert (
            "Which deck beats which matters more" in list(list_meta_answers(meta))[-1]
        )

    def test_a_rating_is_as_sure_as_its_pairs(self) -> None:
        """A pair is one observation: 600 of 1000 were won twice, the rest lost."""
        meta = make_meta(field(("a", "b", 0.6)), resamples=5)
        odds = sqrt(0.24 / 999) / 0.24
        reach = 1.959964 * odds / 2 * 400 / log(10)
        rating = meta.players[0].rating

        assert rating.interval.high - rating.value == pytest.approx(reach, rel=1e-3)

    def test_a_deck_that_never_wins_has_a_bound(self) -> None:
        lost = [("a", "c", 1.0), ("b", "c", 1.0)]
        meta = make_meta(field(("a", "b", 0.6), *lost), resamples=5)
        [loser] = [deck for deck in meta.to_dict()["players"] if deck["name"] == "c"]
        [row] = [
            r for r in meta.to_rows() if (r["deck"], r["metric"]) == ("c", "rating")
        ]
        low, high = loser["rating_interval"]

        assert (loser["rating"], low, row["value"], row["low"]) == (None,) * 4
        assert row["high"] == high is not None
        [_, _, last] = make_mix_table(meta).texts
        assert last[-2:] == ("-", f"below {high:,.0f}")

    def test_a_ladder_has_none(self) -> None:
        meta = make_meta(
            field(("a", "b", 0.6), ("b", "c", 0.6), ("a", "c", 0.6923)), resamples=5
        )

        assert meta.cycle == ()
        assert "predicts almost all results" in describe_ratings(meta)
        # Above a single deck that beats all, circles have no place.
        assert [*list_meta_answers(meta)] == [next(list_meta_answers(meta))]


class TestFewGames:
    def test_one_pair_of_each_is_refused(self) -> None:
        once = Field(
            ("a", "b"), (Meeting("a", "b", (0, 0, 0, 0, 1)),), "deck", "game", ORIGIN
        )

        with pytest.raises(UsageError) as refused:
            make_meta(once)

        assert str(refused.value).startswith("2 games of two decks are too few")
        assert "at least 20 of each pair" in str(refused.value.help)


class TestWeights:
    def read(self, folder: Path, text: str) -> tuple[float, ...]:
        file = folder / "field.csv"
        file.write_text(text, encoding="utf-8")
        return read_weights(file, ("rock", "paper", "scissors"), "deck")

    def test_a_file(self, tmp_path: Path) -> None:
        for text in (
            "\ndeck,weight\nscissors,3\n Rock , 1\n",
            "rock,25%\n\nscissors,75%\n",
            "rock;0,25\nscissors;0,75\n",
            "Deck;Anteil\nrock;25 %\nscissors;75 %\n",
            "sep=;\nrock;0.25\nscissors;0.75\n",
            "rock\t0,25\nscissors\t0,75\n",
            'rock,"0,25"\nscissors,"0,75"\n',
        ):
            weights = self.read(tmp_path, text)

            assert weights[2] == 3 * weights[0] > 0, text
            assert weights[1] == 0, text

    def test_names_as_our_own_tables_guard_them(self, tmp_path: Path) -> None:
        file = tmp_path / "field.csv"
        file.write_text("'=1+1,3\n'tis,1\n", encoding="utf-8")

        assert read_weights(file, ("=1+1", "'tis"), "deck") == (3, 1)

    def test_commas_in_a_name_need_no_quotes(self, tmp_path: Path) -> None:
        file = tmp_path / "field.csv"
        file.write_text('Skellige, built,3\n"Monsters, built",1\n', encoding="utf-8")
        names = ("Monsters, built", "Skellige, built")

        assert read_weights(file, names, "deck") == (1, 3)

    def test_a_wrong_file(self, tmp_path: Path) -> None:
        for text, message in (
            ("rock,1\nroc,2", "field.csv:2: no deck of this field is called `roc`"),
            ("rock,1\nrock,2", "field.csv:2: `rock` is named twice"),
            ("rock,-1", "field.csv:1: `-1` is not a number of 0 or more"),
            ("rock,nan", "field.csv:1: `nan` is not a number of 0 or more"),
            ("rock", "field.csv:1: expected a deck and its weight"),
            ("", "expects nobody"),
        ):
            with pytest.raises(UsageError, match=message):
                self.read(tmp_path, text)

    def test_a_table_of_our_own_has_its_shares(self, tmp_path: Path) -> None:
        """Those of `meta`, whose third deck never comes and is not in this field."""
        meta = make_meta(rock_paper_scissors(), resamples=5)
        shares = {each.name: each.share.value for each in meta.players}
        rows = [
            row | {"value": 0.0, "deck": "lizard"}
            if (row["deck"], row["metric"]) == ("paper", "share")
            else row
            for row in meta.to_rows()
        ]

        weights = self.read(tmp_path, csv_table(rows))

        assert weights == pytest.approx(
            (shares["rock"], 0, shares["scissors"]), abs=1e-6
        )
        assert min(weights[0], weights[2]) > 0

    def test_the_best_against_a_field(self) -> None:
        found = rock_paper_scissors()
        meta = make_meta(found, (1, 3, 0), resamples=5)
        by_rate = {each.name: each.expected for each in meta.players}

        assert found.players == ("rock", "scissors", "paper")
        assert by_rate["rock"] is not None
        assert by_rate["rock"].value == pytest.approx(0.25 * 0.5 + 0.75 * 0.7)
        assert by_rate["paper"] is not None
        assert by_rate["paper"].value == pytest.approx(0.25 * 0.7 + 0.75 * 0.3)
        answer = next(list_meta_answers(meta))
        assert answer.startswith("Against the field that you expect, bring `rock`: it")
        assert f"it wins {rate_text(by_rate['rock'])}, more than any other" in answer

    def test_answer_advises_as_many_games_of_each_pair_as_make_it_clear(self) -> None:
        def answer(number: int) -> str:
            met = (Meeting("a", "b", pairs(0.56, number)),)
            two = Field(("a", "b"), met, "deck", "game", ORIGIN)
            return next(list_meta_answers(make_meta(two, (1, 1), resamples=5)))

        advice = re.search(r"; try `deckcheck resume RUN --games (\d+)`[.]", answer(50))
        assert advice is not None
        assert int(advice[1]) > 100
        assert "bring `a`: it wins" in answer(ceil(int(advice[1]) / 2) + 1)


class TestReading:
    def test_a_file_that_is_no_result(self, tmp_path: Path) -> None:
        file = tmp_path / "result.json"
        decks = '"decks": [{"name": "a"}, {"name": "b"}]'
        met = '{"a": "a", "b": "b", "pairs": [9, -1, 0, 0, 0], "games": 16}'
        for text, message in (
            ("{", "is neither a run nor JSON"),
            ("[]", "holds no matchups"),
            ('{"decks": [], "matchups": [{"a": 1}]}', "holds no matchups"),
            (f'{{{decks}, "matchups": [{met}]}}', "holds no matchups"),
        ):
            file.write_text(text)
            with pytest.raises(UsageError, match=message):
                read_field(file)

    def test_a_run_that_a_rule_stopped_stays_one_in_a_file(
        self, tmp_path: Path
    ) -> None:
        """Its intervals are valid at every checkpoint, and are wider for that."""
        setting = Setting(
            load_format("gwent/standard"),
            load_database("gwent"),
            Request(400, 1, ("random",), stopping=Stopping(until_width=0.5)),
        )
        entrants = [Entrant(deck, deck.name, "random") for deck in read(*DECKS)]
        result = Simulation(setting, tuple(entrants)).run()
        file = tmp_path / "result.json"
        file.write_text(write_report(result, "json"))
        [kept], [read_again] = (
            make_result_field(result).meetings,
            read_field(file).meetings,
        )

        assert kept.anytime
        assert read_again == kept


def crossed_field(levels: dict[tuple[str, str], float]) -> Field:
    """Every deck in the hands of every player, each as strong as its number in Elo."""
    names = {pair: f"{pair[0]} ({pair[1]})" for pair in levels}
    met = tuple(
        Meeting(
            names[a], names[b], pairs(1 / (1 + 10 ** ((levels[b] - levels[a]) / 400)))
        )
        for i, a in enumerate(levels)
        for b in [*levels][i + 1 :]
    )
    crossing = tuple(FieldEntrant(*pair) for pair in levels)
    return Field(tuple(names.values()), met, "deck", "game", ORIGIN, crossing)


class TestCrossing:
    LEVELS: ClassVar = {
        (deck, player): strength + (40 if player == "learned" else -40)
        for deck, strength in (("siege", 120), ("swarm", -120))
        for player in ("heuristic", "learned")
    }

    def test_decks_and_players_are_rated_apart(self) -> None:
        crossing = make_meta(crossed_field(self.LEVELS), resamples=20).crossing

        assert crossing is not None
        assert [player.name for player in crossing.players] == ["learned", "heuristic"]
        assert [deck.name for deck in crossing.decks] == ["siege", "swarm"]
        assert crossing.players[0].rating.value == pytest.approx(40, abs=2)
        assert crossing.decks[0].rating.value == pytest.approx(120, abs=2)
        assert crossing.players[0].win_rate.value == pytest.approx(0.613, abs=0.002)
        assert crossing.deck_share.value == pytest.approx(0.9, abs=0.01)
        assert crossing.bot_share.value == pytest.approx(0.1, abs=0.01)

    def test_players_that_are_alike_may_differ_by_chance(self) -> None:
        levels = {pair: 120.0 if pair[0] == "siege" else 0.0 for pair in self.LEVELS}
        [sentence] = list(list_meta_answers(make_meta(crossed_field(levels))))[1:]

        assert sentence.startswith("Too few games to tell which bot is stronger: ")

    def test_a_run_of_every_policy_is_crossed(self) -> None:
        result = simulate(
            *DECKS, policies=["random", "sane_random"], every_policy=True, games=40
        )
        field = make_result_field(result)

        pairs = [*product(("The swarm", "Siege masters"), ("random", "sane_random"))]
        names = [f"{deck} ({player})" for deck, player in pairs]
        assert [deck.name for deck in result.decks] == names
        assert field.crossing == tuple(FieldEntrant(*pair) for pair in pairs)
        table = write_report(result, "table", full=True)
        assert "random-1, sane_random-1, each with every deck" in table
        document = make_meta(field, resamples=5).to_dict()
        crossing = document["crossing"]
        assert crossing is not None
        assert crossing["players"][0]["name"] == "sane_random"
        assert crossing["players"][0]["same_deck"]["games"] == 80

    def test_where_not_all_played_all_nothing_is_crossed(self) -> None:
        result = simulate(
            DECKS[0], *DECKS, policies=["random", "sane_random", "random"], games=2
        )

        assert make_result_field(result).crossing == ()
        assert make_meta(rock_paper_scissors(), resamples=5).crossing is None
