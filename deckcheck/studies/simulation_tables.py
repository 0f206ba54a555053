"""The tables of a simulation: duels, tables of players, matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from deckcheck.messages import game_count, option, plural
from deckcheck.policies.registry import policy_label
from deckcheck.report.tables import (
    COUNT,
    IN_PERCENT,
    MEAN,
    PERCENT,
    UNKNOWN_CELL,
    WIN_RATE,
    Cell,
    Column,
    Report,
    ReportTable,
    count,
    describe_deck_policies,
    describe_policies,
    games_each,
    list_replayed_facts,
    list_warnings,
    numbers,
    percent,
    run_facts,
)
from deckcheck.sim.documents import Split
from deckcheck.sim.matches import DeckInMatch, MatchResult
from deckcheck.sim.naming import is_crossed, remove_policy
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.standings import Matchup
from deckcheck.sim.table_results import TableResult
from deckcheck.stats import Combination, Estimate, Interval, average

# How much the win rates of decks depend on who plays them, where that was measured


BAND_TITLE = "Win rate in % of each deck with each bot, against all other decks"
BAND_NOTE = (
    "band: all true rates of the row lie in it, in at least 95 of 100 runs; with more "
    "games it gets narrower"
)


def make_by_player_table(result: SimulationResult) -> ReportTable:
    """Return the rates of each deck with each bot, and the band around all of them.

    It has rows only if several decks met, each of them played by each player.
    """
    rates = _collect_rates(result)
    players = tuple(dict.fromkeys(deck.policy for deck in result.decks))
    rows: list[tuple[Cell, ...]] = []
    for deck in dict.fromkeys(deck for deck, _ in rates):
        deck_rates = [rates[deck, player] for player in players]
        rows.append((deck, *(rate.value for rate in deck_rates), find_band(deck_rates)))
    columns = (Column("deck"), *numbers(IN_PERCENT, *players, "band"))
    return ReportTable(BAND_TITLE, columns, tuple(rows), note=BAND_NOTE)


def find_band(rates: list[Combination]) -> Interval:
    """Return an interval that holds all true rates in at least 95 of 100 cases.

    It goes from the least end of their intervals to the largest. It misses a rate only
    if the interval of the least rate is above it, or that of the largest below, and
    each of these has a chance of at most 2.5%.
    """
    lows, highs = zip(*(rate.interval() for rate in rates), strict=True)
    return Interval(min(lows), max(highs))


def _collect_rates(result: SimulationResult) -> dict[tuple[str, str], Combination]:
    """Return the win rate of each deck with each player over all other decks and
    players.

    The decks are in the order of the standings. Empty if nobody met so.
    """
    if not is_crossed([(deck.path, deck.index, deck.policy) for deck in result.decks]):
        return {}
    entered = {}
    for deck in result.decks:
        entered[deck.name] = (remove_policy(deck.name, deck.policy), deck.policy)
    shares_by_deck: dict[str, list[Combination]] = {
        s.deck: [] for s in result.standings()
    }
    for matchup in result.matchups:
        if entered[matchup.a][0] == entered[matchup.b][0]:
            continue
        for name in (matchup.a, matchup.b):
            if name in shares_by_deck:
                shares_by_deck[name].append(matchup.share(name))
    rates = {}
    for name, shares in shares_by_deck.items():
        if shares:
            rates[entered[name]] = average(shares)
    return rates


# Tables of decks that met in pairs: a match, or a round robin


def make_duel_report(result: SimulationResult, full: bool = False) -> Report:
    """Return the tables of `result`, the most important first.

    Of many matchups only the most decisive are shown, unless `full`.
    """
    return replace(list_duel_facts(result), tables=tuple(_list_tables(result, full)))


def list_duel_facts(result: SimulationResult) -> Report:
    """Return the report without tables, for a page that has its own."""
    games = f"{count(result.games_played)}, in game pairs"
    facts = run_facts(result, describe_deck_policies(result.decks), games)
    second_facts = list_replayed_facts(result.cross_checked)
    shown = (*facts, *list_single_game_facts(result), *second_facts)
    return Report((), list_warnings(result), shown)


def list_single_game_facts(result: SimulationResult) -> tuple[tuple[str, str], ...]:
    """Return the number of matchups in which a pair is a single game, if there are
    any.
    """
    once = sum(matchup.table.rotation == 1 for matchup in result.matchups)
    if not once:
        return ()
    which = "" if len(result.matchups) == 1 else f"in {once} of "
    which += f"{count(len(result.matchups))} matchups: " if which else ""
    why = (
        "an ability decides who begins, so both games of a pair would be the same, and "
        "one is played"
    )
    return (("one game", f"{which}{why}"),)


def _list_tables(result: SimulationResult, full: bool) -> list[ReportTable]:
    if len(result.matchups) == 1:
        [matchup], labels = result.matchups, label_decks(result)
        title = f"{labels[matchup.a]} against {labels[matchup.b]}"
        return [make_starts_table(title, matchup, result.cross_checked)]
    shown = result.matchups
    if not full and len(result.challengers) != 1:
        shown = tuple(_find_most_decisive(shown, lambda m: abs(m.win_rate_a - 0.5)))
    tables = [
        make_standings_table(result),
        *make_replayed_tables(result),
        make_by_player_table(result),
        make_matrix_table(result),
        _tabulate_matchups(result, shown),
    ]
    if len(result.challengers) == 1:
        # The first sentence has the standing of the only deck.
        tables.insert(0, tables.pop())
    return [table for table in tables if table.rows]


def make_starts_table(
    title: str, matchup: Matchup, cross_checked: SimulationResult | None = None
) -> ReportTable:
    """Return the win rate of the deck named first in all games, and by who starts.

    The last row has the games that a second bot replayed.
    """
    columns = (
        Column(""),
        WIN_RATE,
        *numbers(COUNT, "games", "wins", "losses", "draws"),
    )
    parts: list[tuple[str, Estimate | None, Matchup | Split]] = [
        ("all games", matchup.win_rate(matchup.a), matchup),
        (f"{matchup.a} starts", matchup.a_starts.estimate, matchup.a_starts),
        (f"{matchup.b} starts", matchup.b_starts.estimate, matchup.b_starts),
    ]
    if cross_checked is not None:
        replayed = cross_checked.matchup(matchup.a, matchup.b)
        label = f"all games, {policy_label(cross_checked.players[0])}"
        parts.append((label, replayed.win_rate(replayed.a), replayed))
    rows = []
    for name, rate, part in parts:
        rows.append((name, rate, part.games, part.wins_a, part.wins_b, part.draws))
    note = (
        f"{matchup.rounds_mean:.2f} rounds and {matchup.turns_mean:.1f} turns a game; "
        f"cards left in hand: {matchup.cards_left_a_mean:.2f} ({matchup.a}), "
        f"{matchup.cards_left_b_mean:.2f} ({matchup.b})"
    )
    return ReportTable(title, columns, tuple(rows), note=note)


def make_replayed_tables(result: SimulationResult) -> list[ReportTable]:
    """Return the standings in the games that a second bot replayed, if there are
    any.
    """
    if (second := result.cross_checked) is None:
        return []
    table = make_standings_table(second)
    return [
        replace(table, title=f"{table.title}, by {describe_policies(second.players)}")
    ]


def make_standings_table(result: SimulationResult) -> ReportTable:
    """Return the mean win rates of all decks, the best first."""
    standings = result.standings()
    columns = [Column("deck"), WIN_RATE, *numbers(COUNT, "wins", "losses", "draws")]
    labels = label_decks(result)
    rows: list[tuple[Cell, ...]] = [
        (labels[s.deck], s.estimate, s.wins, s.losses, s.draws) for s in standings
    ]
    over = "all opponents"
    if result.unmet:
        over = "the opponents met so far"
        columns.append(Column("opponents"))
        for index, standing in enumerate(standings):
            met = len(result.opponents_met(standing.deck))
            opponents = result.count_opponents(standing.deck)
            rows[index] = (*rows[index], f"{met} of {opponents}")
    counts = {standing.games for standing in standings}
    games = games_each(result, max(counts, default=0), is_same=len(counts) <= 1)
    title = f"Standings: mean win rate over {over}, {games}"
    # Where every game counted alike, it would be the rate of these wins and losses.
    alike = [(s.wins + s.draws / 2) / max(1, s.games) for s in standings]
    pairs = zip(standings, alike, strict=True)
    is_weighed = any(abs(s.win_rate - r) > VISIBLE_DIFFERENCE for s, r in pairs)
    note = ALIKE_NOTE if is_weighed else None
    return ReportTable(title, tuple(columns), tuple(rows), ranked=True, note=note)


MOST_SHOWN = 10
Played = TypeVar("Played")


def _find_most_decisive(
    played: Sequence[Played], distance: Callable[[Played], float]
) -> list[Played]:
    """Return the ten that are farthest from even by `distance`, the farthest first.

    Where there are no more than ten they stay in their order.
    """
    if len(played) <= MOST_SHOWN:
        return list(played)
    return sorted(played, key=distance, reverse=True)[:MOST_SHOWN]


def _rest_note(shown: int, played: int) -> str:
    """Return where the details of the rest are, for the end of a note."""
    if shown == played:
        return ""
    return f"; below: the {shown} most decisive, all with {option('full')}"


VISIBLE_DIFFERENCE = 0.0005
ALIKE_NOTE = (
    "win rate: every opponent counts alike, however many games it played, so that this "
    "is not the rate of these wins and losses"
)


def make_matrix_table(result: SimulationResult, measured: bool = False) -> ReportTable:
    """Return the win rate of every deck against every other, the best first.

    Rates have their intervals, which take a while, only if they are `measured`.
    """
    order = [standing.deck for standing in result.standings()]
    rates: dict[tuple[str, str], Cell] = {}
    for m in result.matchups:
        rate = m.win_rate(m.a) if measured else m.win_rate_a
        other = rate.opposite() if isinstance(rate, Estimate) else 1 - rate
        rates |= {(m.b, m.a): other, (m.a, m.b): rate}
    rows = tuple(
        (deck, *(rates.get((deck, other)) for other in order)) for deck in order
    )
    places = (str(rank) for rank in range(1, len(order) + 1))
    columns = (Column(""), *(Column(p, IN_PERCENT, bare=True) for p in places))
    title = "Win rate in % of the deck in the row against the deck in the column"
    shown = rows if len(order) > 1 and not result.challengers else ()
    return ReportTable(title, columns, shown, matrix=True, ranked=True)


def _tabulate_matchups(
    result: SimulationResult, shown: Sequence[Matchup]
) -> ReportTable:
    played, which, more = len(result.matchups), "Matchups", ""
    if len(shown) < played:
        which = f"The {len(shown)} most decisive of {played} matchups"
        more = f"; all matchups with {option('full')}"
    title = f"{which}, {games_each(result, result.games)}"
    table = matchups_table(result, title, shown)
    return replace(table, note=f"{table.note}{more}")


def matchups_table(
    result: SimulationResult, title: str, shown: Sequence[Matchup]
) -> ReportTable:
    """Return a row for each matchup, counted for the deck named first."""
    columns = (
        Column("matchup"),
        Column("win rate", PERCENT, "95%", joint="-"),
        *numbers(COUNT, "wins", "losses", "draws"),
        *numbers(IN_PERCENT, "first", "second"),
        *numbers(MEAN, "rounds", "left"),
    )
    labels = label_decks(result)
    rows = tuple(
        (
            f"{labels[m.a]} against {labels[m.b]}",
            m.win_rate(m.a),
            m.wins_a,
            m.wins_b,
            m.draws,
            m.a_starts.estimate,
            m.b_starts.estimate,
            m.rounds_mean,
            f"{m.cards_left_a_mean:.1f}/{m.cards_left_b_mean:.1f}",
        )
        for m in shown
    )
    note = (
        "counted for the deck named first; first and second: its win rate in % when it "
        "starts and when the other does; left: cards in hand at the end, both decks"
    )
    return ReportTable(title, columns, rows, note=note)


def label_decks(result: SimulationResult) -> dict[str, str]:
    """Return the name of each deck, with its bot unless one bot played all decks."""
    policies = result.policies
    alike = len(set(policies.values())) == 1
    labels = {}
    for name, policy in policies.items():
        has_bot = name.endswith((f"({policy})", f", {policy})"))
        labels[name] = name if alike or has_bot else f"{name} ({policy})"
    return labels


# Tables of games with several players: win shares, places and points, by seat


ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th")
_ROUNDING = 1e-4  # a spread that is only due to floating point is below


def table_report(result: SimulationResult, full: bool = False) -> Report:
    """Return the result of each table of play, with an overview first if there are
    several.

    Of many tables only the most decisive are shown in detail, unless `full`.
    """
    several = len(result.tables) > 1
    numbered = list(enumerate(result.tables, start=1))
    shown = numbered if full else _find_most_decisive(numbered, _measure_distance)
    tables = [_tabulate_overview(result, len(shown))] if several else []
    for number, played in shown:
        title = f"Table {number}: " if several else ""
        tables.append(_tabulate_shares(f"{title}{_count_games(played)}", played))
        if played.rotation > 1:
            tables.append(_by_turn(played))
    rotation = result.tables[0].rotation
    sets = f"in deal groups of {rotation}" if rotation > 1 else "one by one"
    games = f"{count(result.games_played)}, {sets}"
    facts = run_facts(result, describe_policies(result.players), games)
    second_facts = list_replayed_facts(result.cross_checked)
    return Report(tuple(tables), list_warnings(result), (*facts, *second_facts))


def _measure_distance(numbered: tuple[int, TableResult]) -> float:
    """Return how far the best at a table is from an even share."""
    _, played = numbered
    shares = [performance.win_share for performance in played.performances]
    return max(abs(share.value - played.even_share) for share in shares if share)


def _count_games(played: TableResult) -> str:
    names = played.entrants
    who = " against ".join(names) if len(names) == 2 else f"{len(names)} at a table"
    return f"{who}, {game_count(played.games)}"


def _tabulate_shares(title: str, played: TableResult) -> ReportTable:
    columns = (
        Column(""),
        Column("win share", PERCENT, "95%", joint="-"),
        *numbers(COUNT, "wins", "shared"),
        *numbers(MEAN, "place", "points"),
    )
    rows = tuple(
        (
            name,
            performance.win_share,
            performance.wins,
            performance.shared,
            _mean(performance.place),
            _mean(performance.points),
        )
        for name, performance in zip(played.entrants, played.performances, strict=True)
    )
    note = (
        f"even shares {100 * played.even_share:.1f}%; "
        f"a game: {played.rounds_mean:.2f} rounds, {played.turns_mean:.1f} turns; "
        f"drawn by all: {count(played.draws)} "
        f"({100 * played.draws / played.games:.1f}%)"
    )
    return ReportTable(title, columns, rows, note=note)


def _mean(estimate: Estimate | None) -> str:
    """Return a mean with half the width of its interval, alone if nothing varied."""
    if estimate is None:
        return UNKNOWN_CELL
    reach = (estimate.interval.high - estimate.interval.low) / 2
    # One set, or sets that are all alike, say nothing of the spread.
    spread = f" ±{reach:.2f}" if reach > _ROUNDING else ""
    return f"{estimate.value:.2f}{spread}"


def _by_turn(played: TableResult) -> ReportTable:
    """Return the seats by when they move first in a game."""
    seats = played.seats
    shares = [seat.win_share for seat in seats]
    won = [seat.wins / seat.games if seat.games else None for seat in seats]
    spans = [
        IN_PERCENT.ends(share.interval if share else None, "-") for share in shares
    ]
    rows: list[tuple[Cell, ...]] = [
        ("win share in %", *shares),
        ("95%", *spans),
        ("won alone in %", *won),
        ("mean place", *(_format_plain(seat.place) for seat in seats)),
        ("mean points", *(_format_plain(seat.points) for seat in seats)),
    ]
    rows += [
        (name, *(performance.win_share for performance in performances))
        for name, performances in zip(played.entrants, played.by_seat, strict=True)
    ]
    note = "below the means: the win share in % of each by when it came to move"
    columns = (Column(""), *numbers(IN_PERCENT, *ORDINALS[: len(seats)]))
    return ReportTable(
        "By who moves first", columns, tuple(rows), matrix=True, note=note
    )


def _format_plain(estimate: Estimate | None) -> str:
    return MEAN.number(estimate.value if estimate else None)


def _tabulate_overview(result: SimulationResult, shown: int) -> ReportTable:
    columns = (
        Column("table"),
        Column("win share", PERCENT, "95% interval"),
        *numbers(COUNT, "wins", "shared", "games"),
    )
    rows = tuple(
        (
            " against ".join(played.entrants),
            first.win_share,
            first.wins,
            first.shared,
            played.games,
        )
        for played in result.tables
        for first in [played.performances[0]]
    )
    note = f"counted for the one named first{_rest_note(shown, len(rows))}"
    title = plural(len(rows), "table")
    return ReportTable(title, columns, rows, ranked=True, note=note)


# Tables of tournament matches: match rates, decks, first choices


def match_report(result: SimulationResult, full: bool = False) -> Report:
    """Return the tables of the matches, an overview first if there are several.

    Of many matches only the most decisive are shown in detail, unless `full`.
    """
    shown = list(result.matches)
    if not full:
        shown = _find_most_decisive(shown, lambda match: abs(match.rate_a.value - 0.5))
    tables = [_tabulate_matches(result, len(shown))] if len(result.matches) > 1 else []
    for match in shown:
        tables += [
            _tabulate_match(match),
            _tabulate_decks(match.a, match.decks_a, match.matches),
            _tabulate_decks(match.b, match.decks_b, match.matches),
            _tabulate_opponents(match),
        ]
    matches = sum(match.matches for match in result.matches)
    games = f"{count(result.games_played)} in {count(matches)} matches"
    if result.matchups:
        measured = sum(matchup.games for matchup in result.matchups)
        games += f", {count(measured)} of them to measure the decks"
    policies = describe_policies([deck.policy for deck in result.decks])
    facts = list(run_facts(result, policies, games))
    ways = [lineup.selection for lineup in result.lineups]
    selection = ways[0] if len(set(ways)) == 1 else ", ".join(ways)
    if result.chances_from:
        selection += f", by {result.chances_from}"
    facts.insert(2, ("selection", selection))
    return Report(tuple(tables), list_warnings(result), tuple(facts))


def _tabulate_match(match: MatchResult) -> ReportTable:
    columns = (Column(""), WIN_RATE, Column("matches", COUNT))
    rates = (
        ("all matches", match.rate_a),
        (f"{match.a} chooses first", match.a_first),
        (f"{match.b} chooses first", match.b_first),
        ("side that chooses first in game 1", match.first_choice),
    )
    rows = tuple((name, rate, rate.games) for name, rate in rates)
    drawn = f", {count(match.draws)} drawn" if match.draws else ""
    note = (
        f"won {count(match.wins_a)}, lost {count(match.wins_b)}{drawn}; "
        f"{match.games / match.matches:.2f} games a match, "
        f"{percent(match.games_drawn / match.games)} of them drawn and replayed; "
        "the side that chose first won "
        f"{percent(match.chose_first.value)} of single games"
    )
    if match.value is not None:
        value = percent(match.value)
        note += f"; estimated from single games, the best choices win {value}"
    return ReportTable(f"{match.a} against {match.b}", columns, rows, note=note)


def _tabulate_decks(
    lineup: str, decks: tuple[DeckInMatch, ...], matches: int
) -> ReportTable:
    columns = (
        Column(""),
        WIN_RATE,
        *numbers(COUNT, "games", "wins", "losses", "draws"),
        Column("opens", IN_PERCENT),
    )
    rows = tuple(
        (
            deck.name,
            deck.rate,
            deck.games,
            deck.wins,
            deck.games - deck.wins - deck.draws,
            deck.draws,
            deck.opened / matches,
        )
        for deck in decks
    )
    title = f"Decks of {lineup}, in the games they were chosen for"
    note = "opens: in how many % of the matches the deck is chosen for game 1"
    return ReportTable(title, columns, rows, note=note)


def _tabulate_opponents(match: MatchResult) -> ReportTable:
    names = [deck.name for deck in match.decks_b]
    rows = []
    for deck in match.decks_a:
        rows.append((deck.name, *(_format_cell(*cell) for cell in deck.against)))
    title = f"Win rate in % and games of decks of {match.a} against those of {match.b}"
    columns = (Column(""), *numbers(IN_PERCENT, *names))
    return ReportTable(title, columns, tuple(rows), matrix=True)


def _format_cell(lost: int, drawn: int, won: int) -> str:
    games = lost + drawn + won
    rate = (won + drawn / 2) / games if games else None
    return f"{IN_PERCENT.number(rate)} ({count(games)})"


def _tabulate_matches(result: SimulationResult, shown: int) -> ReportTable:
    columns = (Column("match"), WIN_RATE, *numbers(COUNT, "won", "lost", "drawn"))
    rows = tuple(
        (f"{m.a} against {m.b}", m.rate_a, m.wins_a, m.wins_b, m.draws)
        for m in result.matches
    )
    note = f"counted for the lineup named first{_rest_note(shown, len(rows))}"
    return ReportTable(f"{len(rows)} matches of lineups", columns, rows, note=note)
