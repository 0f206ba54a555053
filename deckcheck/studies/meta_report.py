"""The tables and the page of what to bring."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from deckcheck.findings import UsageError
from deckcheck.messages import quote
from deckcheck.policies.registry import compared_strength
from deckcheck.report.blocks import Figures, Notes, PageFacts
from deckcheck.report.forests import Forest, draw_forest
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
from deckcheck.sim.figures import DEPENDS_ON_PLAYER, WEAKER_DISAGREES, add_warning
from deckcheck.sim.result import SimulationResult
from deckcheck.stats import games_needed
from deckcheck.studies.field import make_result_field
from deckcheck.studies.meta import (
    Crossing,
    MetaOpinion,
    MetaPlayer,
    MetaResult,
    make_meta,
)
from deckcheck.studies.payoff import HALF, RANGE_HEAD, RESAMPLED_NOTE

# Recommended decks: the answer in sentences, and its tables


FEW_CYCLES, MANY_CYCLES, MOST_CYCLES = 0.05, 0.25, 0.5
TOO_WIDE = 0.4
"""The width of an interval that says next to nothing."""


def meta_report(meta: MetaResult) -> Report:
    """Return the answer and its tables, the most important first."""
    tables = [make_expected_table(meta)] if meta.players[0].expected else []
    tables += [mix_table(meta), answers_table(meta), *make_crossing_tables(meta)]
    origin, field = meta.field.origin, meta.field
    games = sorted({meeting.share.games for meeting in field.meetings})
    games_each = " to ".join(count(n) for n in sorted({games[0], games[-1]}))
    facts = (
        ("format", f"{origin.format}, snapshot {origin.snapshot}"),
        ("policies", ", ".join(origin.players)),
        (field.units, f"{games_each} for each pair of {field.noun}s, in game pairs"),
        ("shares", f"{meta.resamples} resamples with seed {meta.seed}"),
        ("seed", str(origin.seed)),
        ("checksum", origin.checksum),
        ("rules", f"fingerprint {origin.fingerprint}"),
    )
    return Report(tuple(tables), (), facts, tuple(meta_answers(meta)))


def meta_answers(meta: MetaResult) -> Iterator[str]:
    """Yield what to bring, then how far a ranking can be trusted, in sentences."""
    opinion = meta.opinion
    answers = [meta.answer]
    if meta.players[0].expected is not None:
        answers.insert(0, _describe_expected(meta))
    if len(meta.field.origin.players) == 1:
        answers[0] += f" {describe_pilot(meta.field.origin.players[0])}"
    if opinion is not None:
        answers.insert(1, _describe_opinion(meta, opinion))
        if opinion.contradicts:
            is_weaker = _compare_bots(meta, opinion) == "weaker"
            warning = WEAKER_DISAGREES if is_weaker else DEPENDS_ON_PLAYER
            answers[:2] = add_warning(answers[:2], warning)
    yield from answers
    if len(meta.mix) > 1:
        yield describe_ratings(meta)
    if meta.crossing is not None:
        yield _describe_crossing(meta.crossing)


def _describe_opinion(meta: MetaResult, opinion: MetaOpinion) -> str:
    """Say which deck does best with a second bot."""
    rate, best = rate_text(opinion.rate), quote(opinion.name)
    bot = quote(opinion.player)
    if compared := _compare_bots(meta, opinion):
        bot = f"the {compared} bot {bot}"
    low, high = opinion.rate.interval
    if high - low > TOO_WIDE and not opinion.contradicts:
        return f"The cross-check by {bot} had too few games to compare."
    if opinion.advised is None:
        mix = quote(meta.mix[0].name) if len(meta.mix) == 1 else "that mix"
        return f"Piloted by {bot}, {best} wins most against {mix}: {rate}."
    first = meta.ranked[0][0].name
    if opinion.name == first:
        return f"Piloted by {bot}, {best} does best as well: it wins {rate}."
    advised = rate_text(opinion.advised)
    return (
        f"Piloted by {bot}, {quote(first)} wins {advised}, and {best} does best with "
        f"{rate}."
    )


def _compare_bots(meta: MetaResult, opinion: MetaOpinion) -> str:
    """Return `stronger` or `weaker`, what the second bot is compared with others."""
    others = meta.field.origin.players
    words = {compared_strength(opinion.player, other) for other in others}
    return words.pop() if len(words) == 1 else ""


def describe_ratings(meta: MetaResult) -> str:
    """Say how well a single rating for each predicts the results."""
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
    """Return the sentence that is sure by the interval of the cycles."""
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
    """Say which bot is stronger with the same deck, and how much is the deck."""
    best, *others = crossing.players
    name, rate = quote(best.name), rate_text(best.win_rate)
    rivals = quote(others[0].name) if len(others) == 1 else "the other bots"
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


def make_crossing_tables(meta: MetaResult) -> list[ReportTable]:
    """Return the ratings of bots, and of decks; none unless all bots had all decks."""
    if meta.crossing is None:
        return []
    note = "rating: in Elo, 0 for the mean of all"
    rating = Column("rating", CHANGE, "95%")
    same = Column("with the same deck", PERCENT, "95% interval")
    return [
        ReportTable(
            "Bots, over all decks",
            (Column("bot"), same, rating),
            tuple((p.name, p.win_rate, p.rating) for p in meta.crossing.players),
            note=f"with the same deck: the win rate against the other bots; {note}",
        ),
        ReportTable(
            "Decks, over all bots",
            (Column("deck"), rating),
            tuple((deck.name, deck.rating) for deck in meta.crossing.decks),
            note=note,
            even=0.0,
        ),
    ]


def _describe_expected(meta: MetaResult) -> str:
    """Say what to bring against the field that is expected."""
    (best, rate, _), *others = meta.ranked
    name, wins, noun = quote(best.name), rate_text(rate), meta.field.noun
    near = [(p, gap) for p, _, gap in others if gap and gap.interval.high >= 0]
    if not near:
        return (
            f"Against the field that you expect, bring {name}: it wins {wins}, more "
            f"than any other {noun}."
        )
    player, gap = near[0]
    games = min(meeting.share.games for meeting in meta.field.meetings)
    needed = games_needed(gap.value, gap.interval, games)
    advice = "."
    if needed and needed > games:
        advice = f"; try `deckcheck resume RUN --games {needed}`."
    return (
        f"Too few games to choose between {name} and {quote(player.name)} against the "
        f"field that you expect: {name} wins {wins}, and the difference to "
        f"{quote(player.name)} is {difference_text(gap)}{advice}"
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
        rows.append((player.name, player.weight, rate, gap if gap else ""))
    title = "Against the field that you expect"
    note = (
        "expected: how often you expect it; points: the difference to the best, with "
        "simultaneous 95% intervals (Bonferroni)"
    )
    return ReportTable(title, columns, tuple(rows), ranked=True, note=note)


def mix_table(meta: MetaResult) -> ReportTable:
    """Return how often to bring each, and its win rate against that mix."""
    noun = meta.field.noun
    columns = (
        Column(noun),
        Column("bring", PERCENT, RANGE_HEAD),
        Column("win rate", PERCENT),
        Column("rating", CHANGE, "95%"),
    )
    whole = meta.crossing is not None
    order = sorted(meta.players, key=lambda p: (-p.share.interval.low, -p.rating.value))
    rows = tuple(
        (player.name, player.share, player.payoff, player.rating) for player in order
    )
    note = (
        f"bring: how often, if everyone chooses as well as possible; {RESAMPLED_NOTE}; "
        "win rate: against that mix; rating: in Elo, 0 for the mean"
    )
    if not all(isfinite(player.rating.value) for player in meta.players):
        note += f" of the {noun}s that all beat each other, if only through others"
    title = f"What to bring, of {len(meta.players)} {noun}s"
    return ReportTable(title, columns, rows, note=note, even=None, whole=whole)


def answers_table(meta: MetaResult) -> ReportTable:
    """Return the best counter to each, or the one that loses least."""
    columns = (Column(""), WIN_RATE)
    rows = []
    for player in sorted(meta.players, key=_make_strength_key):
        counter = f"none against {player.name}: {player.answer} loses least"
        if player.answer_rate.value > HALF:
            counter = f"{player.answer} against {player.name}"
        rows.append((counter, player.answer_rate))
    note = f"each interval allows for choosing the best of the {meta.field.noun}s"
    title = f"The best counter to each {meta.field.noun}, the strongest first"
    is_whole = meta.crossing is not None
    return ReportTable(title, columns, tuple(rows), note=note, whole=is_whole)


def _make_strength_key(player: MetaPlayer) -> float:
    """Return a key that sorts the strongest first, by the rating or its bound."""
    low, high = player.rating.interval
    bounds = (player.rating.value, high, low, 0.0)
    return -next(bound for bound in bounds if isfinite(bound))


# The page of what to bring, and its section on the page of a run


def meta_if_any(result: SimulationResult) -> MetaResult | None:
    """Return what to bring, or None unless three or more have met."""
    try:
        field = make_result_field(result)
        return make_meta(field) if len(field.players) > 2 else None
    except UsageError:
        return None


def meta_page(meta: MetaResult) -> Page:
    """Return the page of what to bring."""
    report, origin = meta_report(meta), meta.field.origin
    sections = []
    if (table := make_expected_table(meta)).rows:
        sections.append(
            Section("expected", "Against your field", (draw_forest(table),))
        )
    sections += meta_sections(meta)
    if meta.crossing is not None:
        players, decks = make_crossing_tables(meta)
        blocks = (draw_forest(players), Figures(decks))
        sections.append(Section("players", "Bots and decks apart", blocks))
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


def meta_sections(meta: MetaResult) -> Iterator[Section]:
    """Yield the section with the mix, ratings and best counters.

    Shares of a single deck are no picture: then the best counters are drawn alone.
    """
    mix, answers = mix_table(meta), draw_forest(answers_table(meta))
    shown = draw_forest(mix) if len(meta.mix) > 1 else Figures(mix)
    blocks = (shown, answers) if isinstance(shown, Forest) else (answers, shown)
    yield Section("bring", "What to bring", blocks)


META = Presentation[MetaResult](meta_report, lambda meta, _tool: meta_page(meta))
