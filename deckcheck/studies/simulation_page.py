"""The page of a simulation, and the outputs of a plan of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from deckcheck import terminal
from deckcheck.findings import UsageError
from deckcheck.markup import csv_table, document_head, json_text, plain
from deckcheck.messages import choice, game_count, plural, printable, quote
from deckcheck.policies.registry import policy_in_words
from deckcheck.report.blocks import (
    Axis,
    AxisScale,
    Bar,
    Bars,
    Block,
    Figures,
    Forest,
    Heatmap,
    Outline,
    Outlines,
    draw_forest,
    draw_heatmap,
    draw_path,
    fit_axis,
)
from deckcheck.report.outputs import (
    PAGE_OUTPUT,
    Presentation,
    Writers,
    report_names,
    text_writers,
)
from deckcheck.report.page import (
    MAX_ROWS,
    Page,
    Section,
    make_plan_page,
    note_hidden_rows,
    page_with,
    render_page,
)
from deckcheck.report.tables import (
    COUNT,
    IN_PERCENT,
    PERCENT,
    Column,
    Report,
    ReportTable,
    advise_games,
    count,
    describe_pilot,
    numbers,
    percent,
    rate_text,
    rate_with_level,
)
from deckcheck.sim.documents import TableDecision
from deckcheck.sim.figures import Row, add_warning, describe_dispute, whole
from deckcheck.sim.provenance import Program
from deckcheck.sim.result import TABLES_IN_ANSWER, SimulationResult, matrix
from deckcheck.sim.standings import (
    EndingsSum,
    Matchup,
    Meeting,
    Standing,
    TableResult,
    standings,
)
from deckcheck.stats import (
    EloScale,
    Estimate,
    Histogram,
    Sprt,
    difference,
    find_verdict,
    round_width,
)
from deckcheck.stats.intervals import DEFAULT_LEVEL, joint_level, mean_score
from deckcheck.stats.regression import exceeded_later
from deckcheck.studies.meta_report import meta_answers, meta_if_any, meta_sections
from deckcheck.studies.payoff import HALF
from deckcheck.studies.simulation_tables import (
    again_table,
    by_player_table,
    duel_facts,
    duel_report,
    label_decks,
    match_report,
    matchups_table,
    matrix_table,
    standings_table,
    starts_table,
    table_report,
)

# Endings of games: the number of rounds, and the margins


MOST_TOLD = 4
LEADS_NOTE = (
    "Leads are those on the board when the game ends: of several rounds the last."
)
MAX_BINS = 25
MOST_BAR_TICKS = 9


def ending_sections(result: SimulationResult) -> Iterator[Section]:
    """Yield rounds and margins of all games, and of each deck, if they were counted."""
    whole = EndingsSum()
    of_deck: dict[str, EndingsSum] = defaultdict(EndingsSum)
    by_deck = result.play == "duel" and len(result.matchups) > 1
    for table in result.tables:
        whole.add(table)
        if by_deck and len(set(table.entrants)) > 1:
            for name, step in zip(table.entrants, (1, -1), strict=True):
                of_deck[name].add(table, step)
    endings = whole.endings
    if endings is None:
        return
    blocks: list[Block] = [
        _draw_rounds(endings.rounds),
        _draw_margins(result, endings.margins),
    ]
    if by_deck:
        blocks.append(_by_deck(result, of_deck))
    yield Section("endings", "How games end", tuple(blocks))


def _draw_rounds(histogram: Histogram) -> Bars:
    parts = [
        f"{percent(games / histogram.total)} after {histogram.first + i}"
        for i, games in enumerate(histogram.counts)
        if games
    ]
    if len(parts) > MOST_TOLD:
        parts = [f"half of them after {' to '.join(map(str, histogram.ends(0.25)))}"]
    sentence, scale = f"{', '.join(parts)}.", fit_scale(histogram)
    return make_bars("Rounds of a game", sentence, "rounds", scale, histogram)


def _draw_margins(result: SimulationResult, leads: Histogram) -> Bars:
    """Return the lead of the first of two, or its size at many tables."""
    first = result.tables[0].entrants
    is_two = all(len(table.entrants) == 2 for table in result.tables)
    if is_two and len(result.tables) == 1:
        scale = fit_signed_scale(leads)
        sentence = f"{_describe_middle_half(leads)} to {quote(first[0])}. {LEADS_NOTE}"
        caption = f"Lead of {first[0]} at the end"
        return make_bars(caption, sentence, "lead", scale, leads)
    leads = leads.fold()
    scale = fit_scale(leads)
    if is_two:
        caption = "Lead at the end, of the leading deck"
        return make_bars(
            caption,
            f"{_describe_middle_half(leads)}. {LEADS_NOTE}",
            "lead",
            scale,
            leads,
        )
    caption = "Points of the first ahead of the second"
    return make_bars(
        caption, f"{_describe_middle_half(leads)} in points.", "ahead", scale, leads
    )


def fit_scale(histogram: Histogram) -> AxisScale:
    """Return a scale for numbers from 0 on, with almost all of the numbers."""
    low, high = histogram.ends()
    width = next(w for w in (1, 2, 5, 10, 20) if (high - low) / w < MAX_BINS)
    low, high = low // width, high // width
    offset = 0.5 if width == 1 else 0.0
    return AxisScale(
        low * width, high - low + 1, width, _label_bins(low, high, width, offset), None
    )


def fit_signed_scale(histogram: Histogram) -> AxisScale:
    """Return a scale for differences, with 0 in the middle of a bin."""
    width = round_width(histogram)
    half = width // 2
    low, high = ((end + half) // width for end in histogram.ends())
    bins = high - low + 1
    ticks = _label_bins(low, high, width, 0.5, signed=True)
    zero = next((position for position, label in ticks if label == "0"), None)
    return AxisScale(low * width - half, bins, width, ticks, zero)


def make_bars(
    caption: str, answer: str, of: str, scale: AxisScale, histogram: Histogram
) -> Bars:
    """Return the bars of a histogram on a scale."""
    counts = scale.counts(histogram)
    bars = tuple(
        Bar(
            _label(scale, i, histogram),
            count(games),
            percent(games / (histogram.total or 1)),
        )
        for i, games in enumerate(counts)
    )
    return Bars(caption, answer, of, scale, bars, draw_path(counts, max(counts)))


def _label_bins(
    low: int, high: int, width: int, at: float, *, signed: bool = False
) -> tuple[tuple[float, str], ...]:
    """Return labels for bins `low` to `high`, at the place `at` in the bin, 0 to 1."""
    bins = high - low + 1
    step = next(s for s in (1, 2, 5, 10, 20, 50) if bins / s < MOST_BAR_TICKS)
    return tuple(
        (
            round(100 * (n - low + at) / bins, 2),
            f"{n * width:+}" if signed and n else f"{n * width}",
        )
        for n in range(low, high + 1)
        if n % step == 0
    )


def _label(scale: AxisScale, number: int, histogram: Histogram) -> str:
    low = scale.first + number * scale.width
    high = low + scale.width - 1
    if number == 0 and histogram.first < low:
        return f"{high} or less"
    if number == scale.bins - 1 and histogram.last > high:
        return f"{low} or more"
    return f"{low}" if low == high else f"{low} to {high}"


def _describe_middle_half(histogram: Histogram) -> str:
    """Return the range of the middle half of all numbers."""
    low, high = histogram.ends(0.25)
    return f"Half of the games end with a lead of {low} to {high}"


def _by_deck(result: SimulationResult, of_deck: Mapping[str, EndingsSum]) -> Outlines:
    order = [s.deck for s in result.standings() if s.deck in of_deck]
    ended = [endings for name in order if (endings := of_deck[name].endings)]
    rounds, margins_by_deck = (
        dict(zip(order, column, strict=True)) for column in zip(*ended, strict=True)
    )
    both = Histogram.sum(
        [*margins_by_deck.values(), *(f.reverse() for f in margins_by_deck.values())]
    )
    scale = fit_signed_scale(both)
    shares = {
        name: [n / histogram.total for n in scale.counts(histogram)]
        for name, histogram in margins_by_deck.items()
    }
    most = max(max(share) for share in shares.values())
    rows = tuple(
        Outline(
            name,
            (
                f"{rounds[name].mean:.2f}",
                f"{round(margins_by_deck[name].mean, 1) + 0.0:+.1f}",
            ),
            draw_path(shares[name], most),
        )
        for name in order
    )
    return Outlines(
        caption="Lead of each deck at the end, over all its opponents",
        of="deck",
        columns=("rounds", "mean lead"),
        scale=scale,
        rows=rows,
        note="Right of the dashed line the deck leads. The higher, the more games; "
        "all decks have the same scale",
    )


# The page of tables of play and of tournament matches


MATRIX_NOTE = "blue: the row wins more; orange: the column does"


def table_answers(result: SimulationResult) -> Iterator[str]:
    """Yield the best entrant at each of the first three tables, or matches."""
    noun = "matches" if result.play == "match" else "games"
    if not _has_winners(result):
        numbers = sorted(table.games for table in result.tables)
        games = " to ".join(count(n) for n in sorted({numbers[0], numbers[-1]}))
        yield (
            f"No clear winner in any of the {len(numbers)} matchups: {games} {noun} "
            "each are too few to tell."
        )
        return
    for table in result.tables[:TABLES_IN_ANSWER]:
        name, *others = table.names_from(table.best)
        share = table.performances[table.best].share.estimate()
        wins = f"{rate_with_level(share)} of {count(table.games)} {noun}"
        rivals = choice(others, "and")
        if find_verdict(table.lead(table.best).interval).is_sure:
            yield f"{quote(name)} wins most: {wins} against {rivals}."
        elif len(others) == 1 and share.value == HALF:
            yield f"No clear winner: {quote(name)} and {rivals} each win {wins}."
        else:
            yield f"No clear winner: {quote(name)} wins {wins} against {rivals}."


def _has_winners(result: SimulationResult) -> bool:
    """Report whether there is a clear winner at any of several tables."""
    leads = [table.lead(table.best).interval for table in result.tables]
    return len(leads) < 2 or any(find_verdict(lead).is_sure for lead in leads)


def table_sections(result: SimulationResult, report: Report) -> Iterator[Section]:
    """Win shares of all tables, and the tables that a terminal shows."""
    rates = [rate for table in result.tables for _, rate in _list_shares(table)]
    axis = fit_axis(rates, result.tables[0].even_share)
    if all(len(table.entrants) == 2 for table in result.tables):
        blocks: tuple[Block, ...] = (_draw_tables(result, axis), *_draw_lineups(result))
    else:
        blocks = tuple(
            _draw_shares(table, number if len(result.tables) > 1 else None, axis)
            for number, table in enumerate(result.tables, start=1)
        )
    yield Section("shares", "Who wins", blocks)
    yield Section("details", "In detail", tuple(map(Figures, report.tables)))


def _draw_shares(table: TableResult, number: int | None, axis: Axis) -> Forest:
    """Return the win shares at one table, on the axis of all."""
    title = "Win share" if number is None else f"Win share at table {number}"
    columns = (Column("entrant"), Column("win share", PERCENT, "95%"))
    even = replace(axis, even=axis.at(table.even_share))
    return draw_forest(
        ReportTable(title, columns, tuple(_list_shares(table))), axis=even
    )


def _draw_lineups(result: SimulationResult) -> Iterator[Heatmap]:
    """Lineups against each other, where there are more than two."""
    names = [lineup.name for lineup in result.lineups]
    if len(names) > 2:
        title = "Match rate in % of the lineup in the row against that in the column"
        shares: dict[tuple[str, str], Estimate] = {}
        for table in result.tables:
            (a, rate), (b, _) = _list_shares(table)
            shares |= {(a, b): rate, (b, a): rate.opposite()}
        rows = tuple((a, *(shares.get((a, b)) for b in names)) for a in names)
        columns = (Column(""), *numbers(IN_PERCENT, *names))
        yield draw_heatmap(ReportTable(title, columns, rows, matrix=True), MATRIX_NOTE)


def _draw_tables(result: SimulationResult, axis: Axis) -> Forest:
    """Return a forest with a row for each table of two."""
    names = ("match", "matches") if result.play == "match" else ("table", "games")
    columns = (
        Column(names[0]),
        Column("win rate", PERCENT, "95%"),
        Column(names[1], COUNT),
    )
    rows = tuple(
        (" against ".join(table.entrants), _list_shares(table)[0][1], table.games)
        for table in result.tables
    )
    title = "Win rate of the one named first"
    return draw_forest(ReportTable(title, columns, rows), axis=axis)


def _list_shares(table: TableResult) -> list[tuple[str, Estimate]]:
    pairs = zip(table.entrants, table.performances, strict=True)
    return [(name, share.win_share) for name, share in pairs if share.win_share]


# The page of decks, or lineups, that met two at a time


def duel_answers(result: SimulationResult) -> Iterator[str]:
    """Yield the better deck, in a sentence."""
    if result.unmet:
        yield _describe_so_far(result)
        return
    if len(result.matchups) == 1:
        yield _match_answer(result.matchups[0], label_decks(result))
        return
    ranked = _rank_decks(result)
    if ranked:
        yield _describe_ranking(ranked)


def _describe_ranking(ranked: Sequence[Standing]) -> str:
    """Return which of several decks is best, or how the only deck did."""
    best, *others = ranked
    name, rate = quote(best.deck), rate_with_level(best.estimate)
    if not others:
        return f"Over all opponents, {name} wins {rate} of its games."
    near = [standing for standing in others if not is_better(best, standing)]
    rival = near[0] if near else others[0]
    second, second_rate = quote(rival.deck), percent(rival.win_rate)
    if near:
        return (
            f"No clear winner: over all opponents, {name} wins {rate} of its games, "
            f"and {second} wins {second_rate}."
        )
    return (
        f"{name} is the best of {len(ranked)} decks: over all opponents, it wins "
        f"{rate} of its games, ahead of {second} with {second_rate}."
    )


def _describe_so_far(result: SimulationResult) -> str:
    """Return the answer of the games so far, while some decks have not met."""
    unmet, whole = len(result.unmet), len(result.unmet) + len(result.matchups)
    left = f"{unmet:,} of {plural(whole, 'matchup')} have not been played"
    ranked = _rank_decks(result)
    if not ranked:
        return f"It is too early to say which is best: {left}."
    first = ranked[0]
    met = len(result.opponents_met(first.deck))
    opponents = result.count_opponents(first.deck)
    return (
        f"It is too early to say which is best: {left}. So far, {quote(first.deck)} "
        f"wins {rate_with_level(first.estimate)} of its games against {met} of "
        f"{opponents} opponents."
    )


def _match_answer(matchup: Matchup, labels: Mapping[str, str]) -> str:
    """Return which of two decks wins more, with the win rate of that deck."""
    shown = matchup if matchup.win_rate_a >= HALF else matchup.swap_sides()
    rate = shown.win_rate(shown.a)
    winner, loser = quote(labels[shown.a]), quote(labels[shown.b])
    wins = f"{rate_with_level(rate)} of {game_count(shown.games)}"
    if rate.interval.low > HALF:
        return f"{winner} beats {loser}: it wins {wins}."
    advice = advise_games(rate, shown.games, even=HALF)
    if rate.value == HALF:
        return f"No clear winner: {winner} and {loser} each win {wins}. {advice}"
    return f"No clear winner: {winner} wins {wins} against {loser}. {advice}"


def _describe_second_bot(result: SimulationResult) -> list[str]:
    """Return the result of the second bot for each answer, if there is a second bot."""
    again = result.cross_checked
    if again is None or len({deck.policy for deck in result.decks}) != 1:
        return []
    first = result.players
    bot = policy_in_words(again.players[0], first[0] if len(first) == 1 else None)
    if result.play == "duel":
        return [_describe_second_duel(result, again, bot)]
    if not _has_winners(result):
        return []
    opinions = []
    for table, other in zip(
        result.tables[:TABLES_IN_ANSWER], again.tables, strict=False
    ):
        name, games = table.entrants[table.best], game_count(other.games)
        share = other.performances[table.best].share.estimate()
        opinions.append(
            f"Piloted by {bot}, {quote(name)} wins {rate_text(share)} of {games}."
        )
    return opinions


def _describe_second_duel(
    result: SimulationResult, again: SimulationResult, bot: str
) -> str:
    """Return the result of the second bot for the deck that the answer names.

    If another deck is clearly better with that bot, the sentence names it as well.
    """
    if len(result.matchups) == 1:
        matchup = again.matchups[0]
        shown = (
            matchup if result.matchups[0].win_rate_a >= HALF else matchup.swap_sides()
        )
        rate = shown.win_rate(shown.a)
        return (
            f"Piloted by {bot}, {quote(shown.a)} wins {rate_text(rate)} of "
            f"{game_count(shown.games)}."
        )
    name, ranked = _rank_decks(result)[0].deck, _rank_decks(again)
    best = next(standing for standing in ranked if standing.deck == name)
    rate_of_best = rate_text(best.estimate)
    if not is_better(ranked[0], best):
        return f"Piloted by {bot}, {quote(name)} wins {rate_of_best}."
    top = ranked[0]
    return (
        f"Piloted by {bot}, {quote(name)} wins {rate_of_best} and {quote(top.deck)} "
        f"wins {rate_text(top.estimate)}."
    )


def duel_sections(result: SimulationResult) -> Iterator[Section]:
    """Yield standings, the matrix, and every matchup."""
    if len(result.matchups) == 1:
        yield Section("match", "The match", (_draw_starts(result),))
        return
    standings = result.standings()
    if len(standings) > 1:
        confirmed_forests = map(draw_forest, again_table(result))
        blocks = (_draw_standings(result), *confirmed_forests)
        yield Section("standings", "Standings", blocks)
        by_player = by_player_table(result)
        if by_player.rows:
            yield Section("players", "Deck or bot", (Figures(by_player),))
        if not result.challengers:
            heatmap = draw_heatmap(matrix_table(result, measured=True), MATRIX_NOTE)
            yield Section("matrix", "Who beats whom", (heatmap,))
    yield Section("matchups", "Every matchup", (_draw_matchups(result),))


def _rank_decks(result: SimulationResult) -> list[Standing]:
    """Return the standings, of a field only the decks to measure."""
    standings = result.standings()
    chosen = [standing for standing in standings if standing.deck in result.challengers]
    return chosen or standings


def is_better(one: Standing, other: Standing, level: float = DEFAULT_LEVEL) -> bool:
    """Report whether the mean win rate of the first is clearly higher.

    No correction is needed to call the best of several the best: S. Gutmann and Z.
    Maymin (1987), Is the selected population the best?, Annals of Statistics 15.
    """
    return difference(one.mean, other.mean).is_above(0.0, level)


def _draw_standings(result: SimulationResult) -> Forest:
    note = (
        "the place is a range where the games do not settle it: each range holds the "
        "true place in 95 of 100 runs"
    )
    table = replace(standings_table(result), note=note)
    return draw_forest(table, places=list_place_ranges(result.standings()))


def list_place_ranges(standings: Sequence[Standing]) -> list[str]:
    """Return the possible places of each deck. Places outside of them are excluded.

    All sentences about a deck are simultaneous (Bonferroni). A deck with a lower rate
    is not better, so that only pairs in the order of the standings are compared.
    """
    count = len(standings)
    level = joint_level(count - 1)
    worse = [0] * count
    better = [0] * count
    for first, second in exceeded_later([each.mean for each in standings], level):
        worse[first] += 1
        better[second] += 1
    places = []
    for i in range(count):
        first, last = 1 + better[i], count - worse[i]
        places.append(str(first) if first == last else f"{first} to {last}")
    return places


def _draw_matchups(result: SimulationResult) -> Forest:
    """Return each matchup from the side of its winner. A filter shows the other
    side.
    """
    decisive = sorted(result.matchups, key=_get_winner_rate, reverse=True)
    played = [
        m if m.win_rate_a >= HALF else m.swap_sides() for m in decisive[:MAX_ROWS]
    ]
    title = "Win rate of the deck named first, the most decisive matchup on top"
    if 2 * len(decisive) <= MAX_ROWS:
        lost = [m.swap_sides() for m in played if m.a != m.b]
        table = matchups_table(result, title, [*played, *lost])
        decks = [(m.a, False) for m in played] + [(m.a, True) for m in lost]
        return draw_forest(table, decks=decks if len(played) > 1 else ())
    table = matchups_table(result, title, played)
    if len(decisive) > MAX_ROWS:
        table = replace(table, note=note_hidden_rows(table.note or "", len(decisive)))
    return draw_forest(table)


def _get_winner_rate(matchup: Matchup) -> float:
    rate = matchup.win_rate_a
    return rate if rate >= HALF else mean_score(matchup.pairs[::-1])


def _draw_starts(result: SimulationResult) -> Forest:
    [matchup] = result.matchups
    title = f"Win rate of {matchup.a} against {matchup.b}"
    return draw_forest(starts_table(title, matchup, result.cross_checked))


# Presentation of a simulation: its tables, and its page


TABLES = {"duel": duel_report, "match": match_report}


def simulation_report(result: SimulationResult, full: bool = False) -> Report:
    """Return the answer and the tables of a simulation, of any way to play."""
    return _add_answers(result, TABLES.get(result.play, table_report)(result, full))


def _add_answers(result: SimulationResult, report: Report) -> Report:
    return replace(report, answers=tuple(simulation_answers(result)))


def simulation_answers(result: SimulationResult) -> Iterator[str]:
    """Yield the best entrant, by each player, and whether the players agree."""
    yield from add_warning(_write_answers(result), describe_dispute(result.claims))


def _write_answers(result: SimulationResult) -> Iterator[str]:
    """Yield each answer with the bot that played and the result of the second bot."""
    pilots = [describe_pilot(result.players[0])] if len(result.players) == 1 else []
    opinions = _describe_second_bot(result)
    best = duel_answers if result.play == "duel" else table_answers
    for answer in [*_describe_tests(result)] or best(result):
        yield " ".join([answer, *pilots, *opinions[:1]])
        pilots, opinions = [], opinions[1:]


def _describe_tests(result: SimulationResult) -> Iterator[str]:
    """Yield the decision of a sequential test, which intervals do not show."""
    stopped = result.stopped
    if stopped is None or stopped.test is None:
        return
    if len(stopped.decisions) == 1:
        names = result.tables[0].entrants
        yield _describe_test(names, stopped.decisions[0], stopped.test)
        return
    lower, higher = stopped.test.elo0, stopped.test.elo1
    reached = [decision for decision in stopped.decisions if decision.reached]
    leading = sum(is_higher(decision) for decision in reached)
    unit = name_elo(stopped.test)
    yield (
        f"The first deck leads by about {higher:g} {unit} in {leading} of "
        f"{plural(len(stopped.decisions), 'matchup')}, and by about {lower:g} in "
        f"{len(reached) - leading}."
    )
    if len(reached) < len(stopped.decisions):
        unsettled = plural(len(stopped.decisions) - len(reached), "matchup")
        yield f"Too few games to decide {unsettled}."


def _describe_test(names: Sequence[str], decision: TableDecision, test: Sprt) -> str:
    """Return by how much the first of two decks leads, as a sequential test decided."""
    first, second = map(quote, names)
    unit, ratio = name_elo(test), f"LLR {decision.log_likelihood_ratio:.2f}"
    if not decision.reached:
        return (
            f"Too few games to decide whether {first} leads {second} by {test.elo0:g} "
            f"or by {test.elo1:g} {unit} ({ratio})."
        )
    if is_higher(decision):
        accepted = f"SPRT accepted {test.elo1:g} over {test.elo0:g}; {ratio}"
        if test.elo1 > 0:
            return f"{first} leads {second} by about {test.elo1:g} {unit} ({accepted})."
        return f"{first} does not trail {second} by {-test.elo0:g} {unit} ({accepted})."
    accepted = f"SPRT accepted {test.elo0:g} over {test.elo1:g}; {ratio}"
    if test.elo1 > 0:
        return f"{first} does not lead {second} by {test.elo1:g} {unit} ({accepted})."
    return f"{first} trails {second} by about {-test.elo0:g} {unit} ({accepted})."


def is_higher(decision: TableDecision) -> bool:
    """Report whether a sequential test accepted the larger lead."""
    ratio = decision.log_likelihood_ratio
    return ratio is not None and ratio > 0


def name_elo(test: Sprt) -> str:
    """Return the unit of the leads of a sequential test."""
    return "Elo" if test.scale is EloScale.LOGISTIC else "normalised Elo"


def simulation_page(result: SimulationResult, tool: Program) -> Page:
    """Return the page of a simulation that `tool` played."""
    is_duel = result.play == "duel"
    if is_duel:
        report = _add_answers(result, duel_facts(result))
    else:
        report = simulation_report(result, full=True)
    answers = list(report.answers)
    own_sections = duel_sections(result) if is_duel else table_sections(result, report)
    sections = list(own_sections)
    meta = meta_if_any(result)
    if meta is not None:
        answers += meta_answers(meta)
        sections[2:2] = meta_sections(meta)
    sections += ending_sections(result)
    return page_with(
        _make_title(result), result, report, tool, sections, answers=answers
    )


def _make_title(result: SimulationResult) -> str:
    if len(result.tables) == 1:
        return " against ".join(result.tables[0].entrants)
    if result.play == "match":
        return f"{plural(len(result.lineups), 'lineup')}, each pair in matches"
    if result.play == "duel":
        way = "against a field" if result.challengers else "all against all"
        return f"{plural(len(result.decks), 'deck')}, {way}"
    return f"{plural(len(result.tables), 'table')} of {result.format}"


TWO_ALONE = ("standings", "matrix")
"""Outputs of decks, or lineups, of which every two met alone."""


def refuse_tables(outputs: Iterable[str]) -> None:
    """Raise UsageError for the first of `outputs` that tables of several have not."""
    for name in outputs:
        if name in TWO_ALONE:
            raise UsageError(
                f"No two meet alone here, so there is no {quote(name)}",
                "`csv` has the numbers of all tables",
            )


def _list_meetings(result: SimulationResult, output: str) -> Sequence[Meeting]:
    """Return the meetings of decks, else the matches of lineups without measured
    chances.
    """
    meetings = result.matchups or result.matches
    if not meetings:
        refuse_tables([output])
    return meetings


def _write_standings(result: SimulationResult) -> str:
    rows = result.standings()
    if not rows:
        names = [lineup.name for lineup in result.lineups]
        rows = standings(names, _list_meetings(result, "standings"))
    return csv_table([standing.row for standing in rows])


def _write_matrix(result: SimulationResult) -> str:
    meetings = _list_meetings(result, "matrix")
    names = [
        each.name for each in (result.decks if result.matchups else result.lineups)
    ]
    rates = matrix(names, meetings)
    # As pandas writes a frame: its index below an empty name.
    rows = [{"": name, **row} for name, row in zip(names, rates, strict=True)]
    return csv_table(rows)


SIMULATION = Presentation(
    simulation_report,
    simulation_page,
    extra_outputs=(
        ("standings", _write_standings),
        ("matrix", _write_matrix),
    ),
    full=partial(simulation_report, full=True),
)


# The outputs of a plan: those of its simulations, one after the other


SCHEMA_VERSION = 1
Named: TypeAlias = Sequence[tuple[str, SimulationResult]]
"""The results of a plan with the names of its experiments, in their order."""


def plan_writers(*, full: bool = False) -> Writers:
    """Return every output of a plan by its name, see `Presentation.writers`."""
    return text_writers(report_names(), partial(_plan_text, full=full), plan_rows)


def plan_page(results: Named) -> Page:
    """Return the page of all experiments, one after the other."""
    here = Program.here()
    pages = [(name, simulation_page(result, here)) for name, result in results]
    return make_plan_page(pages, sum(result.games_played for _, result in results))


def _plan_text(results: Named, name: str, width: int, *, full: bool) -> str:
    if name == "json":
        played = [{"name": each, "result": r.to_dict()} for each, r in results]
        return json_text({**document_head(SCHEMA_VERSION), "experiments": played})
    if name == "csv":
        return csv_table(plan_rows(results))
    if name == PAGE_OUTPUT:
        return render_page(plan_page(results))
    parts = []
    for each, result in results:
        shown = printable(each)
        head = f"{shown}\n{'=' * terminal.width(shown)}"
        if name == "markdown":
            head = f"## {plain(each)}"
        report = SIMULATION.text(result, name, width, full=full)
        parts.append(f"{head}\n\n{report}")
    return "\n".join(parts)


def plan_rows(results: Named) -> list[Row]:
    """Return the tidy rows of all experiments in the same columns, with their names."""
    pairs = ((name, row) for name, result in results for row in result.to_rows())
    return whole([{**row, "experiment": name} for name, row in pairs])
