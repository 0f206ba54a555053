"""The report of `meta`: sentences, tables and the page of what to bring."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from deckcheck.findings import UsageError
from deckcheck.messages import quote
from deckcheck.policies.registry import compared_strength
from deckcheck.report.blocks import Figures, Notes, PageFacts
from deckcheck.report.forests import draw_forest
from deckcheck.report.outputs import Presentation
from deckcheck.report.page import Page, Section
from deckcheck.report.tables import (
    CHANGE,
    IN_PERCENT,
    PERCENT,
    POINTS,
    WIN_RATE,
    Column,
    Report,
    ReportTable,
    count,
    describe_pilot,
    difference_text,
    rate_text,
)
from deckcheck.sim.figures import (
    DEPENDS_ON_PLAYER,
    WEAKER_DISAGREES,
    add_warning,
    round_figure,
)
from deckcheck.sim.result import SimulationResult
from deckcheck.stats import Estimate, games_needed
from deckcheck.studies.field import make_result_field
from deckcheck.studies.meta import make_meta
from deckcheck.studies.meta_result import (
    Crossing,
    MetaOpinion,
    MetaPlayer,
    MetaResult,
)
from deckcheck.studies.payoff import HALF, RANGE_HEAD, RESAMPLED_NOTE

FEW_CYCLES = 0.05
"""The share of cycles below which a rating predicts almost all results."""
MANY_CYCLES = 0.25
"""The share of cycles below which a rating predicts most results."""
MOST_CYCLES = 0.5
"""The share of cycles from which ratings matter less than pairings."""
WIDE_INTERVAL = 0.4
"""The width of an interval of a win rate that allows for almost any win rate."""


def make_meta_report(meta: MetaResult) -> Report:
    """Return the answer and its tables, the most important first."""
    tables = []
    if meta.ranked:
        tables.append(make_expected_table(meta))
    tables += [make_mix_table(meta), make_counters_table(meta)]
    if meta.crossing is not None:
        tables += [make_bots_table(meta.crossing), make_decks_table(meta.crossing)]
    origin, field = meta.field.origin, meta.field
    games = [meeting.share.games for meeting in field.meetings]
    games_each = count(min(games))
    if min(games) < max(games):
        games_each = f"{count(min(games))} to {count(max(games))}"
    facts = (
        ("format", f"{origin.format}, snapshot {origin.snapshot}"),
        ("policies", ", ".join(origin.players)),
        (field.units, f"{games_each} for each pair of {field.noun}s, in game pairs"),
        ("shares", f"{meta.resamples} resamples with seed {meta.seed}"),
        ("seed", str(origin.seed)),
        ("checksum", origin.checksum),
        ("rules", f"fingerprint {origin.fingerprint}"),
    )
    return Report(tuple(tables), (), facts, tuple(list_meta_answers(meta)))


def list_meta_answers(meta: MetaResult) -> Iterator[str]:
    """Yield what to bring, then how far a ranking can be trusted, in sentences."""
    answers = [meta.answer]
    if meta.ranked:
        answers.insert(0, _describe_expected(meta))
    if len(meta.field.origin.players) == 1:
        answers[0] += f" {describe_pilot(meta.field.origin.players[0])}"
    yield from _add_opinion(meta, answers)
    if len(meta.mix) > 1:
        yield describe_ratings(meta)
    if meta.crossing is not None:
        yield _describe_crossing(meta.crossing)


def _add_opinion(meta: MetaResult, answers: list[str]) -> list[str]:
    """Return the answers with the opinion of a second bot on the first answer."""
    opinion = meta.opinion
    if opinion is None:
        return answers
    first, *others = answers
    sentences = [first, _describe_opinion(meta, opinion)]
    if opinion.contradicts:
        warning = DEPENDS_ON_PLAYER
        if _compare_bots(meta, opinion) == "weaker":
            warning = WEAKER_DISAGREES
        sentences = add_warning(sentences, warning)
    return [*sentences, *others]


def _describe_opinion(meta: MetaResult, opinion: MetaOpinion) -> str:
    """Return which deck does best with a second bot."""
    rate, best = rate_text(opinion.rate), quote(opinion.name)
    bot = quote(opinion.player)
    strength = _compare_bots(meta, opinion)
    if strength:
        bot = f"the {strength} bot {bot}"
    low, high = opinion.rate.interval
    if high - low > WIDE_INTERVAL and not opinion.contradicts:
        return f"The cross-check by {bot} had too few games to compare."
    if opinion.advised is None and len(meta.mix) > 1:
        return f"Piloted by {bot}, {best} wins most against that mix: {rate}."
    if opinion.advised is None:
        deck = quote(meta.mix[0].name)
        return f"Piloted by {bot}, {best} wins most against {deck}: {rate}."
    first = meta.ranked[0].player.name
    if opinion.name == first:
        return f"Piloted by {bot}, {best} does best as well: it wins {rate}."
    advised = rate_text(opinion.advised)
    return (
        f"Piloted by {bot}, {quote(first)} wins {advised}, and {best} does best with "
        f"{rate}."
    )


def _compare_bots(meta: MetaResult, opinion: MetaOpinion) -> str:
    """Return whether the second bot is `stronger` or `weaker` than all others.

    The text is empty if neither is known.
    """
    others = meta.field.origin.players
    words = {compared_strength(opinion.player, other) for other in others}
    return words.pop() if len(words) == 1 else ""


def describe_ratings(meta: MetaResult) -> str:
    """Return how well a single rating for each deck predicts the results."""
    misfit = IN_PERCENT.number(meta.misfit.value)
    low, high = map(IN_PERCENT.number, meta.misfit.interval)
    sentences = [
        _describe_rating_verdict(meta),
        f"Ratings miss a win rate by {misfit} points ({low} to {high}), and "
        f"{rate_text(meta.cycles)} of the differences are rock-paper-scissors cycles.",
    ]
    if meta.cycle:
        a, b, c = map(quote, meta.cycle)
        sentences.append(
            f"For example, {a} beats {b}, {b} beats {c}, and {c} beats {a}."
        )
    return " ".join(sentences)


def _describe_rating_verdict(meta: MetaResult) -> str:
    """Return the strongest sentence that the interval of the cycles allows."""
    noun = meta.field.noun
    low, high = meta.cycles.interval
    if high < FEW_CYCLES:
        return f"A single rating for each {noun} predicts almost all results."
    if high < MANY_CYCLES:
        return f"A single rating for each {noun} predicts most results."
    if low >= MOST_CYCLES:
        return f"Which {noun} beats which matters more than how strong each {noun} is."
    if low >= MANY_CYCLES:
        return f"Which {noun} beats which matters, not only how strong each {noun} is."
    return f"Too few games to tell how well a single rating for each {noun} predicts."


def _describe_crossing(crossing: Crossing) -> str:
    """Return which bot is stronger with the same deck, and how much the deck counts."""
    best, *others = crossing.players
    name, rate = quote(best.name), rate_text(best.win_rate)
    rivals = "the other bots"
    if len(others) == 1:
        rivals = quote(others[0].name)
    parts = (
        f"The deck explains {rate_text(crossing.deck_share)} of the differences in "
        f"strength, the bot {rate_text(crossing.bot_share)}, and how well a deck suits "
        f"a bot {rate_text(crossing.both_part)}."
    )
    if best.win_rate.interval.low > HALF:
        return (
            f"With the same decks, the bot {name} wins {rate} against {rivals}. {parts}"
        )
    return (
        "Too few games to tell which bot is stronger: with the same decks, the bot "
        f"{name} wins {rate} against {rivals}. {parts}"
    )


def _describe_expected(meta: MetaResult) -> str:
    """Return what to bring against the expected field."""
    best, *others = meta.ranked
    name, wins = quote(best.player.name), rate_text(best.rate)
    for rival, _, gap in others:
        if gap is not None and gap.interval.high >= 0:
            return (
                f"Too few games to choose between {name} and {quote(rival.name)} "
                f"against the field that you expect: {name} wins {wins}, and the "
                f"difference to {quote(rival.name)} is {difference_text(gap)}"
                f"{_advise_games(meta, gap)}."
            )
    return (
        f"Against the field that you expect, bring {name}: it wins {wins}, more "
        f"than any other {meta.field.noun}."
    )


def _advise_games(meta: MetaResult, gap: Estimate) -> str:
    """Return the command whose games would make a difference clear, or nothing."""
    games = min(meeting.share.games for meeting in meta.field.meetings)
    needed = games_needed(gap.value, gap.interval, games)
    if not needed or needed <= games:
        return ""
    return f"; try `deckcheck resume RUN --games {needed}`"


RATING = Column("rating", CHANGE, "95%")
RATING_NOTE = "rating: in Elo, 0 for the mean of all"


def make_bots_table(crossing: Crossing) -> ReportTable:
    """Return the ratings of bots over all decks."""
    win_rate = Column("with the same deck", PERCENT, "95% interval")
    return ReportTable(
        "Bots, over all decks",
        (Column("bot"), win_rate, RATING),
        tuple((bot.name, bot.win_rate, bot.rating) for bot in crossing.players),
        note=f"with the same deck: the win rate against the other bots; {RATING_NOTE}",
    )


def make_decks_table(crossing: Crossing) -> ReportTable:
    """Return the ratings of decks over all bots."""
    return ReportTable(
        "Decks, over all bots",
        (Column("deck"), RATING),
        tuple((deck.name, deck.rating) for deck in crossing.decks),
        note=RATING_NOTE,
        even=0.0,
    )


def make_expected_table(meta: MetaResult) -> ReportTable:
    """Return the win rates against the expected field, the best first."""
    columns = (
        Column(meta.field.noun),
        Column("expected", PERCENT),
        WIN_RATE,
        Column("points", POINTS, "to the best"),
    )
    rows = []
    for player, rate, gap in meta.ranked:
        rows.append((player.name, player.weight, rate, gap or ""))
    title = "Against the field that you expect"
    note = (
        "expected: how often you expect it; points: the difference to the best, with "
        "simultaneous 95% intervals (Bonferroni)"
    )
    return ReportTable(title, columns, tuple(rows), ranked=True, note=note)


def make_mix_table(meta: MetaResult) -> ReportTable:
    """Return how often to bring each deck, and its win rate against that mix."""
    noun = meta.field.noun
    columns = (
        Column(noun),
        Column("bring", PERCENT, RANGE_HEAD),
        Column("win rate", PERCENT),
        RATING,
    )
    rows = []
    for player in sorted(meta.players, key=_order_player):
        rows.append((player.name, player.share, player.payoff, player.rating))
    note = (
        f"bring: how often, if everyone chooses as well as possible; {RESAMPLED_NOTE}; "
        "win rate: against that mix; rating: in Elo, 0 for the mean"
    )
    if not all(isfinite(player.rating.value) for player in meta.players):
        note += f" of the {noun}s that all beat each other, if only through others"
    return ReportTable(
        f"What to bring, of {len(meta.players)} {noun}s",
        columns,
        tuple(rows),
        note=note,
        even=None,
        whole=meta.crossing is not None,
    )


def make_counters_table(meta: MetaResult) -> ReportTable:
    """Return the best counter to each deck, or the deck that loses least to it."""
    rows = []
    for player in sorted(meta.players, key=_find_strength, reverse=True):
        counter = f"none against {player.name}: {player.answer} loses least"
        if player.answer_rate.value > HALF:
            counter = f"{player.answer} against {player.name}"
        rows.append((counter, player.answer_rate))
    return ReportTable(
        f"The best counter to each {meta.field.noun}, the strongest first",
        (Column(""), WIN_RATE),
        tuple(rows),
        note=f"each interval allows for choosing the best of the {meta.field.noun}s",
        whole=meta.crossing is not None,
    )


def _order_player(player: MetaPlayer) -> tuple[float, float]:
    """Return a key that sorts by the lower end of the share, then by the rating."""
    low, rating = player.share.interval.low, player.rating.value
    return -round_figure(low), -round_figure(rating)


def _find_strength(player: MetaPlayer) -> float:
    """Return the rating of a deck, or else its bound, or 0 for a deck without both."""
    low, high = player.rating.interval
    for rating in (player.rating.value, high, low):
        if isfinite(rating):
            return round_figure(rating)
    return 0.0


# The page of what to bring, and its section on the page of a run


def find_meta(result: SimulationResult) -> MetaResult | None:
    """Return what to bring by a run, or None unless three or more decks have met."""
    try:
        field = make_result_field(result)
        if len(field.players) > 2:
            return make_meta(field)
    except UsageError:
        pass
    return None


def make_meta_page(meta: MetaResult) -> Page:
    """Return the page of what to bring."""
    report, origin = make_meta_report(meta), meta.field.origin
    sections = []
    if meta.ranked:
        forest = draw_forest(make_expected_table(meta))
        sections.append(Section("expected", "Against your field", (forest,)))
    sections.append(make_mix_section(meta))
    if meta.crossing is not None:
        bots = draw_forest(make_bots_table(meta.crossing))
        decks = Figures(make_decks_table(meta.crossing))
        sections.append(Section("players", "Bots and decks apart", (bots, decks)))
    facts = PageFacts(report.facts)
    sections.append(Section("settings", "How it was played", (facts,)))
    limits = (
        f"Bots played: {', '.join(origin.players)}. A {meta.field.noun} that is hard "
        "to play is better in better hands.",
        f"A {meta.field.noun} that did not take part may beat all of these.",
        "The mix is right if everyone else chooses as well as possible. Against a "
        "field that chooses otherwise, a different mix is better.",
        "Each interval is an individual 95% interval. The range of a share is not.",
    )
    sections.append(Section("limits", "What this does not say", (Notes(limits),)))
    return Page(
        title=f"What to bring, of {len(meta.players)} {meta.field.noun}s",
        about=f"{origin.format} ({origin.snapshot})",
        answers=report.answers,
        warnings=report.warnings,
        sections=tuple(sections),
        fingerprint=origin.fingerprint,
    )


def make_mix_section(meta: MetaResult) -> Section:
    """Return the section with the mix, ratings and best counters.

    The shares of a single deck are not worth a drawing. They follow the counters.
    """
    mix, counters = make_mix_table(meta), draw_forest(make_counters_table(meta))
    if len(meta.mix) > 1:
        return Section("bring", "What to bring", (draw_forest(mix), counters))
    return Section("bring", "What to bring", (counters, Figures(mix)))


META = Presentation[MetaResult](
    make_meta_report, lambda meta, _tool: make_meta_page(meta)
)
