"""The tables of decks that met in pairs: a matchup, or many with standings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from deckcheck.messages import option
from deckcheck.policies.registry import policy_label
from deckcheck.report.tables import (
    COUNT,
    IN_PERCENT,
    MEAN,
    PERCENT,
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
    run_facts,
)
from deckcheck.sim.documents import Split
from deckcheck.sim.naming import is_crossed, remove_policy
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.standings import Matchup
from deckcheck.stats import Combination, Estimate, Interval, average


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
    """Return in how many matchups a pair is a single game, or nothing for none."""
    single = sum(matchup.table.rotation == 1 for matchup in result.matchups)
    if not single:
        return ()
    reason = (
        "an ability decides who begins, so both games of a pair would be the same, and "
        "one is played"
    )
    if len(result.matchups) > 1:
        reason = f"in {single} of {count(len(result.matchups))} matchups: {reason}"
    return (("one game", reason),)


def _list_tables(result: SimulationResult, full: bool) -> list[ReportTable]:
    """Return the tables of one matchup, or of many, the most important first."""
    if len(result.matchups) == 1:
        [matchup] = result.matchups
        labels = label_decks(result)
        title = f"{labels[matchup.a]} against {labels[matchup.b]}"
        return [make_starts_table(title, matchup, result.cross_checked)]
    shown = list(result.matchups)
    if not full and len(result.challengers) != 1:
        shown = find_most_decisive(shown, lambda m: abs(m.win_rate_a - 0.5))
    tables = [
        make_standings_table(result),
        *make_replayed_tables(result),
        make_by_bot_table(result),
        make_matrix_table(result),
        _tabulate_matchups(result, shown),
    ]
    if len(result.challengers) == 1:
        # The first sentence has the standing of the only deck.
        tables.insert(0, tables.pop())
    return [table for table in tables if table.rows]


def make_starts_table(
    title: str, matchup: Matchup, cross_checked: SimulationResult | None
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
    """Return the standings in the games that a second bot replayed, if any."""
    second = result.cross_checked
    if second is None:
        return []
    table = make_standings_table(second)
    title = f"{table.title}, by {describe_policies(second.players)}"
    return [replace(table, title=title)]


def make_standings_table(result: SimulationResult) -> ReportTable:
    """Return the mean win rates of all decks, the best first."""
    standings = result.standings()
    labels = label_decks(result)
    columns = [Column("deck"), WIN_RATE, *numbers(COUNT, "wins", "losses", "draws")]
    opponents = "all opponents"
    if result.unmet:
        columns.append(Column("opponents"))
        opponents = "the opponents met so far"
    rows = []
    is_weighed = False
    for s in standings:
        row: list[Cell] = [labels[s.deck], s.estimate, s.wins, s.losses, s.draws]
        if result.unmet:
            met = len(result.opponents_met(s.deck))
            row.append(f"{met} of {result.count_opponents(s.deck)}")
        rows.append(tuple(row))
        # If every game counted alike, it would be the rate of these wins and losses.
        rate_of_games = (s.wins + s.draws / 2) / max(1, s.games)
        is_weighed |= abs(s.win_rate - rate_of_games) > VISIBLE_DIFFERENCE
    counts = {standing.games for standing in standings}
    games = games_each(result, max(counts, default=0), is_same=len(counts) <= 1)
    return ReportTable(
        f"Standings: mean win rate over {opponents}, {games}",
        tuple(columns),
        tuple(rows),
        ranked=True,
        note=ALIKE_NOTE if is_weighed else None,
    )


VISIBLE_DIFFERENCE = 0.0005
"""The difference of win rates that a table shows."""
ALIKE_NOTE = (
    "win rate: every opponent counts alike, however many games it played, so that this "
    "is not the rate of these wins and losses"
)
MAX_SHOWN = 10
"""The most matchups, tables or matches that are shown without `--full`."""

Played = TypeVar("Played")


def find_most_decisive(
    played: Sequence[Played], distance: Callable[[Played], float]
) -> list[Played]:
    """Return the ten matchups that are farthest from even by `distance`, in order.

    Ten or fewer matchups keep their own order. Tables and matches are ranked likewise.
    """
    if len(played) <= MAX_SHOWN:
        return list(played)
    return sorted(played, key=distance, reverse=True)[:MAX_SHOWN]


def describe_rest(shown: int, played: int) -> str:
    """Return where the details of the rest are, for the end of a note."""
    if shown == played:
        return ""
    return f"; below: the {shown} most decisive, all with {option('full')}"


def make_matrix_table(result: SimulationResult, measured: bool = False) -> ReportTable:
    """Return the win rate of every deck against every other, the best first.

    Rates have their intervals, which take a while, only if they are `measured`. There
    are no rows unless all decks may meet.
    """
    rates: dict[tuple[str, str], Cell] = {}
    for m in result.matchups:
        # A deck that meets itself has the rate of its first seat.
        if measured:
            rate = m.win_rate(m.a)
            rates[m.b, m.a], rates[m.a, m.b] = rate.opposite(), rate
        else:
            rates[m.b, m.a], rates[m.a, m.b] = 1 - m.win_rate_a, m.win_rate_a
    order = [standing.deck for standing in result.standings()]
    rows = []
    if len(order) > 1 and not result.challengers:
        for deck in order:
            rows.append((deck, *(rates.get((deck, other)) for other in order)))
    columns = [Column("")]
    for rank in range(1, len(order) + 1):
        columns.append(Column(str(rank), IN_PERCENT, bare=True))
    title = "Win rate in % of the deck in the row against the deck in the column"
    return ReportTable(title, tuple(columns), tuple(rows), matrix=True, ranked=True)


def _tabulate_matchups(
    result: SimulationResult, shown: Sequence[Matchup]
) -> ReportTable:
    """Return the matchups to show, with a note on the others."""
    games = games_each(result, result.games)
    played = len(result.matchups)
    if len(shown) == played:
        return make_matchups_table(result, f"Matchups, {games}", shown)
    title = f"The {len(shown)} most decisive of {played} matchups, {games}"
    table = make_matchups_table(result, title, shown)
    return replace(table, note=f"{table.note}; all matchups with {option('full')}")


def make_matchups_table(
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
    rows = []
    for m in shown:
        row = (
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
        rows.append(row)
    note = (
        "counted for the deck named first; first and second: its win rate in % when it "
        "starts and when the other does; left: cards in hand at the end, both decks"
    )
    return ReportTable(title, columns, tuple(rows), note=note)


def label_decks(result: SimulationResult) -> dict[str, str]:
    """Return the name of each deck, with its bot unless one bot played all decks."""
    policies = result.policies
    if len(set(policies.values())) == 1:
        return {name: name for name in policies}
    labels = {}
    for name, policy in policies.items():
        labels[name] = name
        if not name.endswith((f"({policy})", f", {policy})")):
            labels[name] = f"{name} ({policy})"
    return labels


# The win rates of decks with each bot, where every bot played every deck

BAND_TITLE = "Win rate in % of each deck with each bot, against all other decks"
BAND_NOTE = (
    "band: all true rates of the row lie in it, in at least 95 of 100 runs; with more "
    "games it gets narrower"
)


def make_by_bot_table(result: SimulationResult) -> ReportTable:
    """Return the rates of each deck with each bot, and the band around all of them.

    It has rows only if several decks met, each of them played by each bot.
    """
    rates = _collect_rates(result)
    bots = tuple(dict.fromkeys(deck.policy for deck in result.decks))
    rows = []
    for deck in dict.fromkeys(deck for deck, _ in rates):
        rates_of_deck = [rates[deck, bot] for bot in bots]
        row: list[Cell] = [deck]
        row += [rate.value for rate in rates_of_deck]
        row.append(find_band(rates_of_deck))
        rows.append(tuple(row))
    columns = (Column("deck"), *numbers(IN_PERCENT, *bots, "band"))
    return ReportTable(BAND_TITLE, columns, tuple(rows), note=BAND_NOTE)


def find_band(rates: list[Combination]) -> Interval:
    """Return an interval that holds all true rates in at least 95 of 100 cases.

    It goes from the least end of their intervals to the largest. It misses a rate only
    if the interval of the least rate is above it, or that of the largest below, and
    each of these has a chance of at most 2.5%.
    """
    intervals = [rate.interval() for rate in rates]
    low = min(interval.low for interval in intervals)
    return Interval(low, max(interval.high for interval in intervals))


def _collect_rates(result: SimulationResult) -> dict[tuple[str, str], Combination]:
    """Return the win rate of each deck and bot over all other decks with any bot.

    The decks are in the order of the standings. The dictionary is empty unless several
    bots played all of several decks.
    """
    if not is_crossed([(deck.path, deck.index, deck.policy) for deck in result.decks]):
        return {}
    entrants = {}
    for deck in result.decks:
        entrants[deck.name] = (remove_policy(deck.name, deck.policy), deck.policy)
    shares: dict[str, list[Combination]] = {}
    for standing in result.standings():
        shares[standing.deck] = []
    for matchup in result.matchups:
        (deck_a, _), (deck_b, _) = entrants[matchup.a], entrants[matchup.b]
        if deck_a == deck_b:
            continue
        for name in (matchup.a, matchup.b):
            if name in shares:
                shares[name].append(matchup.share(name))
    rates = {}
    for name, shares_of_deck in shares.items():
        if shares_of_deck:
            rates[entrants[name]] = average(shares_of_deck)
    return rates
