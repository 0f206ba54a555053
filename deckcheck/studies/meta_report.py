"""The tables and the page of what to bring."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from deckcheck.findings import UsageError
from deckcheck.messages import quote
from deckcheck.policies.registry import compared_strength
from deckcheck.report.outputs import Presentation
from deckcheck.report.page import (
    Figures,
    Forest,
    Notes,
    Page,
    PageFacts,
    Section,
    draw_forest,
)
from deckcheck.report.tables import (
    CHANGE,
    PERCENT,
    POINTS,
    WIN_RATE,
    Column,
    Report,
    ReportTable,
    count,
    difference_text,
    more_games,
    rate_text,
)
from deckcheck.sim.figures import DEPENDS, OTHERWISE, warned
from deckcheck.sim.result import SimulationResult
from deckcheck.studies.meta import (
    Crossing,
    MetaOpinion,
    MetaPlayer,
    MetaResult,
    field_of,
    meta_of,
)
from deckcheck.studies.payoff import RESAMPLED, RESAMPLED_NOTE

# Recommended decks: the answer in sentences, and its tables


FEW_CYCLES, MANY_CYCLES, MOST_CYCLES = 0.05, 0.25, 0.5
EVEN = 0.5
TOO_WIDE = 0.4
"""The width of an interval that says next to nothing."""


def meta_report(meta: MetaResult) -> Report:
    """Return the answer and its tables, the most important first."""
    tables = [expected_table(meta)] if meta.players[0].expected else []
    tables += [mix_table(meta), answers_table(meta), *crossing_tables(meta)]
    origin, field = meta.field.origin, meta.field
    games = sorted({met.share.games for met in field.met})
    games_each = " to ".join(count(n) for n in sorted({games[0], games[-1]}))
    facts = (
        ("format", f"{origin.format}, snapshot {origin.snapshot}"),
        ("policies", ", ".join(origin.players)),
        (field.units, f"{games_each} of every two {field.noun}s, in mirrored pairs"),
        ("shares", f"{meta.resamples} resamples with seed {meta.seed}"),
        ("seed", str(origin.seed)),
        ("checksum", origin.checksum),
        ("digest", origin.digest),
    )
    return Report(tuple(tables), (), facts, tuple(meta_answers(meta)))


def meta_answers(meta: MetaResult) -> Iterator[str]:
    """The answer in sentences: what to bring, and how far a ranking can be trusted."""
    again = meta.opinion
    answer = [f"{meta.answer}."]
    if meta.players[0].expected is not None:
        answer.insert(0, _against_weights(meta))
    if again is not None:
        answer.insert(1, _opinion_words(meta, again))
        if again.contradicts:
            is_weaker = _compared(meta, again) == "weaker"
            warning = OTHERWISE if is_weaker else DEPENDS
            answer[:2] = warned(answer[:2], warning)
    yield from answer
    if len(meta.mix) > 1:
        yield rating_words(meta)
    if meta.crossing is not None:
        yield _crossing_words(meta.crossing)


def _opinion_words(meta: MetaResult, opinion: MetaOpinion) -> str:
    """What a second player comes to."""
    rate = rate_text(opinion.rate)
    best, who = quote(opinion.name), quote(opinion.player)
    if compared := _compared(meta, opinion):
        who = f"the {compared} bot {who}"
    low, high = opinion.rate.interval
    if high - low > TOO_WIDE and not opinion.contradicts:
        return f"Too few games were played again by {who} for a second opinion."
    if opinion.advised is None:
        where = "it" if len(meta.mix) == 1 else "that mix"
        return f"Played by {who}, {best} wins most against {where}: {rate}."
    if opinion.name == meta.ranked[0][0].name:
        return f"Played by {who}, it does best as well, with {rate}."
    return f"Played by {who}, it wins {rate_text(opinion.advised)}, and {best} {rate}."


def _compared(meta: MetaResult, opinion: MetaOpinion) -> str:
    """Return `stronger` or `weaker`, what the second player is compared with others."""
    others = meta.field.origin.players
    words = {compared_strength(opinion.player, other) for other in others}
    return words.pop() if len(words) == 1 else ""


def rating_words(meta: MetaResult) -> str:
    """How well a single number for each tells who beats whom."""
    misfit, cycles = meta.misfit, meta.cycles
    circles = ""
    if meta.cycle:
        a, b, c = map(quote, meta.cycle)
        circles = f", as where {a} beats {b}, {b} beats {c}, and {c} beats {a}"
    low, high = (f"{100 * end:.1f}" for end in misfit.interval)
    return (
        f"Ratings miss a win rate by {100 * misfit.value:.1f} points ({low} to {high}),"
        f" and {rate_text(cycles)} of the differences go round in circles{circles}: "
        f"{_rating_verdict(meta)}."
    )


def _rating_verdict(meta: MetaResult) -> str:
    """What is sure by the interval of the circles."""
    noun = meta.field.noun
    low, high = meta.cycles.interval
    if high < FEW_CYCLES:
        return f"one number for each {noun} tells almost everything"
    if high < MANY_CYCLES:
        return f"one number for each {noun} tells most of it"
    if low >= MOST_CYCLES:
        return f"what beats what matters more than how strong a {noun} is"
    if low >= MANY_CYCLES:
        return f"what beats what matters, and not only how strong a {noun} is"
    return f"there are not enough games to say what one number for each {noun} tells"


def _crossing_words(crossing: Crossing) -> str:
    """Who is stronger with the same deck, and how much of it is the deck."""
    best, *others = crossing.players
    rivals = quote(others[0].name) if len(others) == 1 else "the other players"
    doubt = "" if best.win_rate.interval.low > EVEN else ", which is not clear"
    return (
        f"With the same deck {quote(best.name)} wins {rate_text(best.win_rate)} "
        f"against {rivals}{doubt}. Of the differences between ratings "
        f"{rate_text(crossing.deck_part)} lie in the deck, "
        f"{rate_text(crossing.player_part)} in the player, and "
        f"{rate_text(crossing.both_part)} in how well a deck suits a player."
    )


def crossing_tables(meta: MetaResult) -> list[ReportTable]:
    """Ratings of players and of decks by themselves; none unless all played all."""
    if meta.crossing is None:
        return []
    note = "rating: in Elo, 0 for the mean of all"
    rating = Column("rating", CHANGE, "95 %")
    same = Column("with the same deck", PERCENT, "95 % interval")
    return [
        ReportTable(
            "Players, over all decks",
            (Column("player"), same, rating),
            tuple((p.name, p.win_rate, p.rating) for p in meta.crossing.players),
            note=f"with the same deck: the win rate against the others; {note}",
        ),
        ReportTable(
            "Decks, over all players",
            (Column("deck"), rating),
            tuple((deck.name, deck.rating) for deck in meta.crossing.decks),
            note=note,
            even=0.0,
        ),
    ]


def _against_weights(meta: MetaResult) -> str:
    (best, rate, _), *others = meta.ranked
    name, wins = quote(best.name), rate_text(rate)
    near = [(p, gap) for p, _, gap in others if gap and gap.interval.high >= 0]
    if not near:
        bring = f"Against the field that you expect, bring {name}"
        return f"{bring}: it wins {wins}, more than any other."
    player, gap = near[0]
    return (
        f"It is not clear what to bring against the field that you expect: {name} wins "
        f"{wins}, {quote(player.name)} {difference_text(gap)}"
        f"{more_games(gap, gap.games)}."
    )


def expected_table(meta: MetaResult) -> ReportTable:
    """How each does against the field that is expected, the best first."""
    columns = (
        Column(meta.field.noun),
        Column("expected", PERCENT),
        WIN_RATE,
        Column("points", POINTS, "to the best"),
    )
    rows = tuple(
        (player.name, player.weight, rate, gap if gap else "")
        for player, rate, gap in meta.ranked
    )
    title = "Against the field that you expect"
    note = (
        "expected: how often you say that it comes; points: the difference to the "
        "best; these intervals hold jointly"
    )
    return ReportTable(title, columns, rows, ranked=True, note=note)


def mix_table(meta: MetaResult) -> ReportTable:
    """How often to bring each, and how each does against those who do."""
    noun = meta.field.noun
    columns = (
        Column(noun),
        Column("bring", PERCENT, RESAMPLED),
        Column("win rate", PERCENT),
        Column("rating", CHANGE, "95 %"),
    )
    whole = meta.crossing is not None
    order = sorted(meta.players, key=lambda p: (-p.share.interval.low, -p.rating.value))
    rows = tuple(
        (player.name, player.share, player.payoff, player.rating) for player in order
    )
    note = (
        f"bring: how often, if all choose as well as can be; {RESAMPLED_NOTE}; "
        "win rate: against those who do; rating: in Elo, 0 for the mean"
    )
    if not all(isfinite(player.rating.value) for player in meta.players):
        note += f" of the {noun}s that have all won from each other, if not directly"
    title = f"What to bring, of {len(meta.players)} {noun}s"
    return ReportTable(title, columns, rows, note=note, even=None, whole=whole)


def answers_table(meta: MetaResult) -> ReportTable:
    """The best answer to each: who beats it, or loses least where nobody does."""
    columns = (Column(""), WIN_RATE)
    rows = tuple(
        (
            f"{player.answer} against {player.name}"
            if player.answer_rate.value > EVEN
            else f"none against {player.name}: {player.answer} loses least",
            player.answer_rate,
        )
        for player in sorted(meta.players, key=_strength)
    )
    note = f"each interval holds for the best of the other {meta.field.noun}s"
    title = f"The best answer to each {meta.field.noun}, the strongest first"
    return ReportTable(title, columns, rows, note=note, whole=meta.crossing is not None)


def _strength(player: MetaPlayer) -> float:
    """The rating, or its bound, by which the strongest come first."""
    low, high = player.rating.interval
    bounds = (player.rating.value, high, low, 0.0)
    return -next(bound for bound in bounds if isfinite(bound))


# The page of what to bring, and its section on the page of a run


def meta_if_any(result: SimulationResult) -> MetaResult | None:
    """What to bring, where three or more have met."""
    try:
        field = field_of(result)
        return meta_of(field) if len(field.players) > 2 else None
    except UsageError:
        return None


def meta_page(meta: MetaResult) -> Page:
    """The page of what to bring."""
    report, origin = meta_report(meta), meta.field.origin
    sections = []
    if (table := expected_table(meta)).rows:
        sections.append(
            Section("expected", "Against your field", (draw_forest(table),))
        )
    sections += meta_sections(meta)
    if meta.crossing is not None:
        players, decks = crossing_tables(meta)
        blocks = (draw_forest(players), Figures(decks))
        sections.append(Section("players", "Players and decks apart", blocks))
    facts = PageFacts(report.facts)
    sections.append(Section("settings", "How it was played", (facts,)))
    limits = (
        f"Programs played: {', '.join(origin.players)}. What is hard to play is worth "
        "more in hands that play it better.",
        f"What did not take part is not known: a {meta.field.noun} that is not here "
        "may beat all of these.",
        "The mix is right if everyone else chooses as well as possible. "
        "Against a field that chooses otherwise, another one is better.",
        "Each interval holds in 95 of 100 runs. That is said of each alone, and "
        "not of the range of a share.",
    )
    sections.append(Section("limits", "What this does not say", (Notes(limits),)))
    return Page(
        title=f"What to bring, of {len(meta.players)} {meta.field.noun}s",
        about=f"{origin.format} ({origin.snapshot})",
        answers=report.answers,
        warnings=report.warnings,
        sections=tuple(sections),
        digest=origin.digest,
    )


def meta_sections(meta: MetaResult) -> Iterator[Section]:
    """The mix, ratings and best answers.

    Shares of a single deck are no picture: then the best answers are drawn alone.
    """
    mix, answers = mix_table(meta), draw_forest(answers_table(meta))
    shown = draw_forest(mix) if len(meta.mix) > 1 else Figures(mix)
    blocks = (shown, answers) if isinstance(shown, Forest) else (answers, shown)
    yield Section("bring", "What to bring", blocks)


META = Presentation[MetaResult](meta_report, lambda meta, _tool: meta_page(meta))
