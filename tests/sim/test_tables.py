"""Who meets whom at which table, and which decks are played there."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.commands import stderr_of, stdout_of
from helpers.results import make_simulation

import deckcheck
from deckcheck.cards import card_db_root, load_database
from deckcheck.decks import Deck
from deckcheck.decks.model import DeckSource
from deckcheck.engine.gwent import game as gwent
from deckcheck.engine.registry import EngineError, load_game
from deckcheck.findings import Position, Span, UsageError
from deckcheck.formats import load_format
from deckcheck.playing import table as playing_host
from deckcheck.playing import versions as host
from deckcheck.playing.kernel import GameOutcome, Head, Ints, ListedGame
from deckcheck.playing.table import (
    STREAM_COUNT,
    LazyContexts,
    Table,
    circular_orders,
    seat,
)
from deckcheck.playing.versions import (
    Versions,
    align_decks,
    count_half_points,
    open_seat,
    seat_candidates,
    seat_version,
    seat_versions,
    view_deck,
)
from deckcheck.sim.entrants import Entrant, assign_policies, name_distinctly
from deckcheck.sim.gathering import load_reference_field
from deckcheck.sim.run_directory import new_run, open_run
from deckcheck.sim.seating import Pairing, pair_up
from deckcheck.sim.table_results import combine_checksums
from deckcheck.stats.sequential import mean_difference

# Many decks in the same games are counted as each would be alone.

ROOT = Path(__file__).parents[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"
POLICY = "sane_random"


Played = tuple[Versions, list[tuple[int, ...]], Ints]


@pytest.fixture(scope="module")
def seated() -> Played:
    """Two versions of a deck as candidates, what `versions` finds, and their games."""
    names = [
        STANDARD / "mo_swarm.deck",
        STANDARD / "nr_siege_masters.deck",
        ROOT / "examples" / "compare" / "second_scorch.deck",
    ]
    fmt, database = load_format("gwent/standard"), load_database("gwent")
    decks = deckcheck.read(*names)
    opponent, *own = (seat(deck, POLICY) for deck in decks)
    versions = seat_versions(fmt, database, opponent, own, [(0, 1)])
    tally = versions.play(1, 7, 0, 90)
    scores = [versions.joint(tally)[0, 1].sum(axis=1 - i) for i in range(2)]
    numbers = load_game(fmt.game).card_numbers(database)
    table = seat_version(fmt, database, opponent, own[0])
    open_ = open_seat(table, numbers, decks[1].counts())
    counts = [(0, deck.counts()) for deck in decks[1:]]
    candidates = seat_candidates([open_], numbers, counts)
    played = candidates.play(1, 7, 0, 90)
    assert mean_difference(versions.joint(tally)[0, 1]) != 0
    assert int(played[0, Head.CHECKSUM]) == tally[0, Head.CHECKSUM]
    return candidates, [tuple(each.tolist()) for each in scores], played


def test_each_candidate_plays_as_it_would_alone(seated: Played) -> None:
    candidates, scores, tally = seated
    first, second = (view_deck(candidates.of(i).read_contexts()[0]) for i in range(2))

    assert candidates.scores(tally) == scores
    assert tally[0, Head.GAMES] == 2 * 90
    # Common cards lie in the same places.
    assert sum(a != b for a, b in zip(first, second, strict=True)) == 1


def test_parts_of_the_games_and_of_the_decks_add_up(
    seated: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few decks and few sets are in memory at once, and blocks are played apart."""
    candidates, scores, whole = seated
    blocks = candidates.play(1, 7, 0, 50) + candidates.play(1, 7, 50, 40)
    monkeypatch.setattr(host, "VERSIONS_AT_ONCE", 1)
    monkeypatch.setattr(host, "SETS_OF_EACH", 40)
    parts = candidates.play(1, 7, 0, 90)

    assert candidates.scores(parts) == scores
    assert (
        combine_checksums([parts])
        == combine_checksums([blocks])
        == combine_checksums([whole])
    )
    blocks[0, Head.CHECKSUM] = whole[0, Head.CHECKSUM]
    assert np.array_equal(whole, blocks)


# Names and players of the decks of a run.

START = Span(Position(1, 1), Position(1, 1))


def entrant(name: str, path: str, index: int = 0, policy: str = "random") -> Entrant:
    source = DeckSource(path, index)
    deck = Deck(source, name, None, None, None, (), START, {})
    return Entrant(deck, name, policy)


A, B, ANNA, BEN = "a.deck", "b.deck", "lists/anna.deck", "lists/ben.deck"
FOLDERS = ("spring/anna/1.deck", "autumn/anna/1.deck", "b/1.deck")


NAMED: tuple[dict[str, tuple[Any, ...]], ...] = (
    {"Swarm": (A,), "Siege": (B,)},
    {
        "Swarm (anna.deck)": (ANNA,),
        "Swarm (ben.deck)": (BEN, 0, "heuristic"),
        "Siege": (BEN, 1),
    },
    {f"Swarm ({folder})": (folder,) for folder in FOLDERS},
    {
        "Swarm (a.deck, deck 1)": (A,),
        "Swarm (a.deck, deck 2)": (A, 1),
        "Swarm (b.deck, deck 1)": (B,),
    },
    {"Swarm (random)": (A,), "Swarm (heuristic)": (A, 0, "heuristic")},
)
"""Decks of a run by their names: told apart by file, folder, place or player."""


def test_names_tell_decks_apart() -> None:
    for named in NAMED:
        entrants = [entrant(name.split(" (")[0], *rest) for name, rest in named.items()]
        assert [each.name for each in name_distinctly(entrants)] == [*named]
    # The same deck twice is numbered, and no name breaks a line.
    twice = [entrant("Swarm", A), entrant("Swarm", A), entrant("Swarm (1)", B)]
    odd = [entrant(" Siege\n masters ", A), entrant("", B)]
    assert [each.name for each in name_distinctly([*twice, *odd])] == [
        *("Swarm (2)", "Swarm (3)", "Swarm (1)", "Siege masters", "deck")
    ]
    assert assign_policies(["random"], 3) == ["random"] * 3
    assert assign_policies(["random", "heuristic"], 2) == ["random", "heuristic"]


# Challengers meet a field, and neither they nor the field meet among themselves.

GWENT = ROOT / "decks" / "gwent"
NAMES = ("mo_swarm", "nr_siege_masters", "sk_longships", "st_beautiful_archers")
SWARM, SIEGE, SHIPS, ARCHERS = (STANDARD / f"{name}.deck" for name in NAMES)
SETTINGS: dict[str, Any] = {"games": 40, "policies": "random"}


def met(result: deckcheck.SimulationResult) -> list[tuple[str, ...]]:
    return [table.entrants for table in result.tables]


def test_pairings_keep_their_numbers() -> None:
    """Those of a field and those of mirrors leave the numbers of the others alone."""
    every = {(p.a, p.b): p.number for p in pair_up(5, mirror=True)}
    some = {(p.a, p.b): p.number for p in pair_up(5, challengers=2)}
    mirrored = {(p.a, p.b) for p in pair_up(5, mirror=True, challengers=2)}

    assert list(some) == [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)]
    assert some.items() <= every.items()
    assert mirrored == {*some, (0, 0), (1, 1)}
    assert sorted(every.values()) == list(range(5 * 6 // 2))
    assert set(pair_up(4)) < set(pair_up(5))
    assert pair_up(1) == []
    assert pair_up(2, mirror=True) == [Pairing(0, 0), Pairing(0, 1), Pairing(1, 1)]


def test_the_games_are_those_of_a_round_robin(tmp_path: Path) -> None:
    """Another deck of the file of a challenger is an opponent."""
    decks = [SWARM, SIEGE, SHIPS, ARCHERS]
    every = deckcheck.simulate(decks, **SETTINGS)
    result = deckcheck.simulate(decks[:2], against=decks[2:], **SETTINGS)
    own = ("The swarm", "Siege masters")
    field = ("Longships of Skellige", "The beautiful archers")

    assert met(result) == [(a, b) for a in own for b in field]
    assert set(result.matchups) <= set(every.matchups)
    assert result.challengers == own
    assert {each.deck for each in result.standings()} == set(own)
    file = tmp_path / "two.deck"
    file.write_text(f"{SWARM.read_text()}---\n{SIEGE.read_text()}")
    for number, deck in enumerate(deckcheck.read(file)):
        [names] = met(deckcheck.simulate(deck, against=file, **SETTINGS))
        assert names == own[:: -1 if number else 1]
    # Decks of texts are different decks, though they have no files.
    texts = [deckcheck.parse(deck.read_text()) for deck in decks[:2]]
    [names] = met(deckcheck.simulate(texts[0], against=texts, **SETTINGS))
    assert names == own


# Tables are filled when they are played at, and not for all decks at once.

EVERY_DECK = sorted((GWENT / "standard").glob("*.deck"))


@pytest.fixture
def filled(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many players sit at each table that is filled."""
    tables = []
    fill = gwent.fill_context

    def fill_context(database: Any, fmt: Any, seats: Any) -> Any:
        tables.append(len(seats))
        return fill(database, fmt, seats)

    monkeypatch.setattr(gwent, "fill_context", fill_context)
    return tables


def test_contexts_are_filled_once_while_they_are_read_again_and_again() -> None:
    fills = []

    def fill() -> Iterator[bytes]:
        fills.append(1)
        yield from (b"a", b"b", b"c")

    contexts = LazyContexts(3, fill)

    assert (len(contexts), fills) == (3, [])
    assert [*contexts] == [b"a", b"b", b"c"]
    assert (contexts[1], contexts[1:]) == (b"b", (b"b", b"c"))
    assert fills == [1]


def test_a_simulation_begins_with_a_table_for_each_deck(
    filled: list[int], tmp_path: Path
) -> None:
    """A deck that the engine cannot play is found before any game."""
    simulation = make_simulation(*EVERY_DECK[:6])
    assert len(simulation.tables) == 15
    assert len(filled) <= 6
    played = new_run(tmp_path / "run", simulation).run()
    assert len(filled) <= 6 + 15 + 1

    # A run that is read fills none.
    filled.clear()
    assert open_run(tmp_path / "run").result().tables == played.tables
    assert filled == []


@pytest.mark.parametrize("policy", ["random", "heuristic"])
def test_sets_are_played_once_where_their_tables_say_so(policy: str) -> None:
    """The factions and the players tell it without the tables."""
    simulation = make_simulation(*EVERY_DECK, policies=(policy,))
    tables = [place.table for place in simulation.tables]

    assert [t.once for t in tables] == [not t.beginner_matters.any() for t in tables]
    assert any(t.once for t in tables) == (policy == "heuristic")
    assert not all(t.once for t in tables)


@pytest.mark.parametrize("folder", ["two_vs_two", "tournament"])
def test_teams_and_lineups_are_filled_later_too(folder: str, filled: list[int]) -> None:
    files = sorted((GWENT / folder).glob("*.deck"))
    simulation = make_simulation(*files, format=f"gwent/{folder}")
    tournament = simulation.tournament
    places = simulation.tables if tournament is None else tournament.places
    contexts = sum(len(place.table.contexts) for place in places)

    assert 0 < len(filled) < contexts


def test_what_cannot_be_played_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fill = gwent.fill_context

    def fill_context(database: Any, fmt: Any, seats: Any) -> Any:
        if any(seat.faction == "scoiatael" for seat in seats):
            raise EngineError("the engine does not play it")
        return fill(database, fmt, seats)

    monkeypatch.setattr(gwent, "fill_context", fill_context)
    with pytest.raises(EngineError, match="does not play it"):
        make_simulation(*EVERY_DECK)


# The field that a format comes with: its decks, and who meets them.

OWN = str(SIEGE)
FIELDS = {
    f"{file.parent.parent.name}/{file.stem}": file
    for file in sorted(card_db_root().glob("*/fields/*.deck"))
}
LEAGUE = "title: League\nextends: gwent/standard\nconstraints:\n"
FEW = ("--policy", "sane_random", "-j", "1")

JSON = ("--output-format", "json")


def test_the_decks_of_a_field_are_legal_and_of_every_faction() -> None:
    assert set(FIELDS) == {
        *("gwen_t/pool", "gwent/advanced", "gwent/standard"),
        "sg_gwint/approximation",
    }
    for format in FIELDS:
        field = load_reference_field(load_format(format))
        assert (field.format, field.forbidden) == (format, ())
        decks = [report.deck for report in field.decks]
        assert len({deck.name for deck in decks if deck}) == len(decks) >= 3
        assert len({frozenset(deck.counts().items()) for deck in decks if deck}) >= 3
        factions = Counter(deck.faction for deck in decks if deck)
        samples = deckcheck.read(ROOT / "decks" / format)
        assert set(factions) >= {deck.faction for deck in samples}, format
        assert min(factions.values()) >= 2, format


def test_a_format_has_the_field_of_the_one_it_extends(tmp_path: Path) -> None:
    whole = load_reference_field(load_format("gwent/standard"))
    card = "commanders_horn"
    horns = [r.deck.name for r in whole.decks if r.deck and r.deck.counts()[card]]
    assert 0 < len(horns) < len(whole.decks)
    league = tmp_path / "league.yaml"
    league.write_text(f"{LEAGUE}  bans: {{rule: banned, cards: [{card}]}}\n")

    field = load_reference_field(load_format(str(league)))
    assert field.format == "gwent/standard"
    assert list(field.forbidden) == horns
    assert len(field.decks) + len(horns) == len(whole.decks)
    assert all(report.format.id.endswith("league.yaml") for report in field.decks)
    assert f"`{horns[0]}`" in field.note
    league.write_text(f"{LEAGUE}  few: {{rule: count, min: 70}}\n")
    with pytest.raises(UsageError, match="forbids all 10 decks of the reference field"):
        load_reference_field(load_format(str(league)))


@pytest.mark.usefixtures("here")
def test_it_is_a_field_among_others_and_plans_name_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["simulate", OWN, "--against", "reference", str(SWARM), "-n", "2", *FEW]
    assert len(json.loads(stdout_of(capsys, *words, *JSON))["matchups"]) == 11
    Path("siege.deck").write_bytes(SIEGE.read_bytes())
    Path("plan.toml").write_text(
        '[experiments.one]\ngames = 2\npolicies = ["sane_random"]\n'
        'decks = ["siege.deck"]\nagainst = ["reference"]\n'
    )
    planned = ["simulate", "--plan", "plan.toml", "-j", "1"]
    [one] = json.loads(stdout_of(capsys, *planned, *JSON))["experiments"]
    assert len(one["result"]["matchups"]) == 10

    Path("reference").mkdir()
    for asked in (words, planned):
        assert "Write `./reference` for yours" in stderr_of(capsys, *asked)


# The games of sets: whose turn it is to begin, who sits where, by which chance.

ORDERS = circular_orders(4)
TABLE = Table("gwent", "many", (b"",) * len(ORDERS), tuple(ORDERS), rotation=4)
NUMBER = 3


def test_the_orders_of_the_seats_go_round() -> None:
    """Everybody sits next to everybody as often."""
    games = TABLE.list_games(NUMBER, np.arange(4, 4 + 2 * len(ORDERS)))
    sets = games[:, ListedGame.CONTEXT].reshape(-1, 4)
    assert (sets == sets[:, :1]).all()
    assert sets[:, 0].tolist() == [4, 5, 0, 1, 2, 3] * 2

    pairs = Counter(
        frozenset((order[seat - 1], order[seat]))
        for order in (ORDERS[context] for context in sets[:, 0].tolist())
        for seat in range(4)
    )
    assert len(pairs) == 6
    assert len(set(pairs.values())) == 1


def test_each_seat_begins_once_in_the_same_shuffles() -> None:
    """Tables share no stream."""
    games = TABLE.list_games(NUMBER, np.array([8, 9]))
    streams = games[:, ListedGame.STREAM]
    assert games[:, ListedGame.BEGINNER].tolist() == [0, 1, 2, 3] * 2
    assert games[:, ListedGame.COUNTER].tolist() == [8] * 4 + [9] * 4
    assert len(set(streams.tolist())) == 1

    others = TABLE.list_games(NUMBER + 1, np.array([8, 9]))
    assert (others[:, ListedGame.STREAM] - streams >= STREAM_COUNT).all()


def test_sets_that_are_played_a_part_at_a_time_are_played_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played: list[Ints] = []

    def play(_: Table, __: int, games: Ints) -> Ints:
        played.append(games)
        outcomes = np.zeros((len(games), GameOutcome.PLACE + 4 * 4), np.int64)
        outcomes[:, GameOutcome.PLACE : GameOutcome.PLACE + 4] = [1, 2, 3, 4]
        outcomes[:, GameOutcome.PLACE + 8 : GameOutcome.PLACE + 12] = [0, 1, 2, 3]
        return outcomes

    monkeypatch.setattr(playing_host, "play_listed", play)
    monkeypatch.setattr(playing_host, "SETS_AT_ONCE", 7)
    tally = TABLE.play(1, NUMBER, 5, 20)

    assert [len(games) // 4 for games in played] == [7, 7, 6]
    games = TABLE.list_games(NUMBER, np.arange(5, 25))
    assert np.concatenate(played).tolist() == games.tolist()
    assert (tally[0, Head.SETS], tally[0, Head.GAMES]) == (20, 80)


# Who sits at which table, told from the files of the decks.

TEAM = str(GWENT / "two_vs_two" / "north_and_hunt.deck")
THREE = str(GWENT / "free_for_all" / "kings_and_beasts.deck")


def test_a_team_named_twice_meets_itself_and_a_table_is_two() -> None:
    players = ("random", "heuristic")
    (mixed,) = make_simulation(TEAM, TEAM, policies=players).tables
    (team,) = make_simulation(TEAM, TEAM).tables
    tables = make_simulation(THREE, THREE).tables

    assert mixed.policies == players * 2
    assert team.entrants == (
        "Commandos and Reavers (1) + The swarm (1)",
        "Commandos and Reavers (2) + The swarm (2)",
    )
    assert [len(table.entrants) for table in tables] == [3, 3]


def test_teams_that_were_read_before_play_as_their_files_do() -> None:
    """And what is looked at again and again is known less well for the same games."""
    team = deckcheck.read(TEAM)
    fast: dict[str, Any] = {"games": 4, "policies": "random"}
    of_two = {**fast, "format": "gwent/two_vs_two"}
    read = deckcheck.simulate(*team, *team, **of_two)
    files = deckcheck.simulate(TEAM, TEAM, **of_two, until_width=0.01)

    assert read.checksum == files.checksum
    once, looked = (
        result.tables[0].performances[0].win_share.interval for result in (read, files)
    )
    assert looked.low < once.low < once.high < looked.high
    # A deck picked out of a team is no team: it may be any of its file.
    for deck in team:
        with pytest.raises(UsageError, match=r"Found 1 deck in .* a team has 2"):
            deckcheck.simulate(deck, TEAM, **of_two)


@pytest.mark.parametrize(
    "format",
    [
        *("gwent/standard", "gwent/two_vs_two", "gwent/free_for_all"),
        *("gwent/solo_built", "deckmaster/standard"),
    ],
)
def test_every_table_has_games_of_its_own(format: str) -> None:
    """The number of a table seeds its games, and more decks change none of them."""
    decks = sorted((ROOT / "decks" / format).glob("*.deck"))
    fewer, all = (
        {
            each.entrants: each.number
            for each in make_simulation(*some, format=format).tables
        }
        for some in (decks[:-1], decks)
    )

    assert len(fewer) < len(all) == len(set(all.values()))
    assert fewer.items() <= all.items()


def test_decks_join_no_table_of_a_file_but_sit_down_with_one_picked_out_of_it() -> None:
    picked = deckcheck.read(THREE)[2]
    fast: dict[str, Any] = {"games": 3, "policies": "random", "allow_illegal": True}
    found = deckcheck.simulate(
        *(picked, SWARM, SIEGE), format="gwent/free_for_all", **fast
    )

    assert [len(table.entrants) for table in found.tables] == [3]
    with pytest.raises(UsageError, match="Found 1 player"):
        make_simulation(THREE, SWARM, format="gwent/free_for_all")


# Versions that play the same games: aligned decks, and tallies that add up.

SETS = 30


def test_align_decks() -> None:
    """Other sizes leave places empty."""
    old, smaller, larger = align_decks([[1, 2, 3, 4], [1, 2, 4], [1, 2, 3, 4, 9, 9]])
    assert larger == [*old[:4], 9, 9]
    assert smaller == [each if each in (1, 2, 4) else 0 for each in larger]

    rng = random.Random(1)
    for _ in range(30):
        decks = [rng.choices(range(1, 10), k=rng.randint(8, 12)) for _ in range(3)]
        old, *others = align_decks(decks)
        assert [sorted(filter(None, each)) for each in (old, *others)] == [
            sorted(deck) for deck in decks
        ]
        for deck, each in zip(decks[1:], others, strict=True):
            common = (Counter(decks[0]) & Counter(deck)).total()
            places = sum(a == b != 0 for a, b in zip(old, each, strict=True))
            assert places >= common


@pytest.fixture(scope="module")
def versions() -> Versions:
    """Two versions of a deck against an opponent, and the first once more."""
    fmt, database = load_format("gwent/standard"), load_database("gwent")
    other = ROOT / "examples" / "compare" / "third_decoy_out.deck"
    decks = deckcheck.read(SWARM, SIEGE, other)
    opponent, *seats = (seat(deck, POLICY) for deck in decks)
    pairs = ((0, 1), (0, 2), (1, 2))
    return seat_versions(fmt, database, opponent, [*seats, seats[0]], pairs)


def test_a_version_plays_as_at_a_table_of_its_own(versions: Versions) -> None:
    """Joint counts are those of the pairs."""
    tally = versions.play(5, 3, 0, SETS)
    joint = versions.joint(tally)
    first, second, again = map(list, versions.scores(tally)[:3])
    assert joint[0, 1].sum(axis=1).tolist() == first == again
    assert joint[0, 1].sum(axis=0).tolist() == second
    assert (joint[0, 1] == joint[1, 2].T).all()
    # The last version is the first one again: it plays the very same games.
    assert (joint[0, 2] == np.diag(first)).all()

    alone = [versions.of(place).play(5, 3, 0, SETS) for place in range(3)]
    assert versions.scores(tally) == [tuple(own[1, 9:14].tolist()) for own in alone]
    assert combine_checksums([tally]) == combine_checksums(alone)
    tally[0, Head.CHECKSUM] = alone[0][0, Head.CHECKSUM]
    np.testing.assert_array_equal(tally[: len(alone[0])], alone[0])


def test_a_draw_is_a_half_point_for_both() -> None:
    """Lost, drawn, won and drawn again: places of two decks, then their points."""
    outcomes = np.zeros((4, GameOutcome.PLACE + 8), np.int64)
    at = GameOutcome.PLACE
    outcomes[:, at : at + 2] = [(1, 2), (1, 1), (2, 1), (1, 1)]
    outcomes[:, at + 2 : at + 4] = [(2, 0), (1, 1), (1, 2), (0, 0)]

    assert count_half_points(outcomes, by_game=True).tolist() == [0, 1, 2, 1]
    assert count_half_points(outcomes).tolist() == [1, 3]
