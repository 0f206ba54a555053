"""Tables of versions of a deck that played the same games."""

from __future__ import annotations

from deckcheck.report.sections import Report, policies_of, run_facts, warnings_of
from deckcheck.report.tables import Cell, Column, Table, numbers
from deckcheck.report.units import (
    CHANGE,
    COUNT,
    IN_PERCENT,
    PERCENT,
    POINTS,
    count,
)
from deckcheck.studies.compare.result import ComparisonResult
from deckcheck.studies.differences import Against, Difference, Verdict

TWO = 2


def comparison_report(result: ComparisonResult) -> Report:
    """Return the tables of `result`, its answer first."""
    policies = policies_of([deck.policy for deck in result.decks])
    shown_games = f"{count(result.games)} of each version with each opponent"
    games = f"{count(result.games_played)} in mirrored pairs, {shown_games}"
    facts = [*run_facts(result, policies, games)]
    facts[3:3] = [("ended", _end(result)), ("pairing", _pairing(result))]
    tables = _two(result) if len(result.versions) == TWO else _several(result)
    tables = [*cards_tables(result), *tables]
    return Report(
        tuple(tables), warnings_of(result), tuple(facts), (f"{result.answer}.",)
    )


def cards_tables(result: ComparisonResult) -> list[Table]:
    """What differs: leaders, then cards; of several versions the copies in each."""
    if result.provenance is None:
        return []
    decks = result.provenance.decks[: len(result.versions)]
    copies = [dict(deck.copies) for deck in decks]
    names = dict.fromkeys(name for held in copies for name in held)
    held = {name: [own.get(name, 0) for own in copies] for name in names}
    differing = {name: counts for name, counts in held.items() if len(set(counts)) > 1}
    leaders = [deck.leader for deck in decks]
    note = None
    if len(set(leaders)) > 1:
        pairs = zip(result.versions, leaders, strict=True)
        note = f"leaders: {', '.join(f'{who} of {name}' for name, who in pairs)}"
    if not differing and note is None:
        return []
    if len(decks) > TWO:
        columns = (Column("card"), *numbers(COUNT, *result.versions))
        counted: tuple[tuple[Cell, ...], ...] = tuple(
            (name, *counts) for name, counts in differing.items()
        )
        title = "Copies of the cards in which the versions differ"
        return [Table(title, columns, counted, matrix=True, note=note)]
    gained = {name: new - old for name, (old, new) in differing.items()}
    leader_rows = [
        (f"Leader: {who}", by) for who, by in zip(leaders, (-1, 1), strict=True)
    ]
    rows = [
        *(leader_rows if note else ()),
        *sorted(gained.items(), key=lambda change: change[1] > 0),
    ]
    title = f"Out of {result.versions[0]} and into {result.versions[1]}"
    return [Table(title, (Column("card"), Column("copies", CHANGE)), tuple(rows))]


def _two(result: ComparisonResult) -> list[Table]:
    """The old version and the new one, over the field and by opponent."""
    old, new = result.versions
    return [differences_table(f"Old: {old}; new: {new}", result, 0, 1)]


def differences_table(
    title: str, result: ComparisonResult, old: int, new: int
) -> Table:
    """Two versions over the field, and by opponent if there are several."""
    whole, *parts = (
        (against, _difference(against, old, new))
        for against in (result.field, *result.opponents)
    )
    parts.sort(key=lambda part: -part[1].value)
    columns = (
        Column(""),
        *numbers(IN_PERCENT, "old", "new"),
        Column("points", POINTS, "95 % interval"),
        Column("verdict"),
    )
    rows = tuple(
        (
            against.opponent or "all opponents",
            *(against.win_rates[old].value, against.win_rates[new].value),
            *(difference, verdict_word(difference)),
        )
        for against, difference in (whole, *(parts if len(parts) > 1 else ()))
    )
    note = (
        "old and new: win rates in %; points: what the new version has more; the "
        "interval over all opponents holds by itself, those against one each hold "
        "together; the verdict is that of its line"
    )
    return Table(title, columns, rows, note=note)


def _difference(against: Against, old: int, new: int) -> Difference:
    for difference in against.differences:
        if (difference.a, difference.b) == (old, new):
            return difference
        if (difference.b, difference.a) == (old, new):
            return difference.opposite()
    raise ValueError(f"{old} and {new} are no two versions")


def verdict_word(difference: Difference) -> str:
    """What is known of two versions, in a word or two."""
    return {Verdict.SAME: "alike", Verdict.OPEN: "not clear"}.get(
        difference.verdict, difference.verdict.value
    )


def _several(result: ComparisonResult) -> list[Table]:
    """A ranking of the versions, and how each did against each opponent."""
    best = result.ranking[0]
    rows: list[tuple[Cell, ...]] = []
    for place in result.ranking:
        name, rate = result.versions[place], result.field.win_rates[place].value
        if place == best:
            rows.append((name, rate, "", "best"))
        else:
            difference = result.difference(best, place)
            rows.append((name, rate, difference, verdict_word(difference)))
    columns = (
        Column("version"),
        Column("win rate", PERCENT),
        Column("points", POINTS, "95 % interval"),
        Column("verdict"),
    )
    pairs = len(result.field.differences)
    note = (
        "points: the difference to the best one; all differences between two versions, "
        f"{pairs} in number, hold together with a chance of 95 % (Bonferroni)"
    )
    title = f"Versions by their mean win rate over {len(result.opponents)} opponents"
    ranking = Table(title, columns, tuple(rows), ranked=True, note=note)
    return [ranking, matrix_table(result)]


def matrix_table(result: ComparisonResult) -> Table:
    """The win rate of each version, the best first, against each opponent."""
    places = (str(number) for number in range(1, len(result.versions) + 1))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (opponent.opponent or "", *(opponent.win_rates[i] for i in result.ranking))
        for opponent in result.opponents
    )
    title = "Win rate in % of each version, by its rank, against each opponent"
    columns = (Column("against"), *numbers(IN_PERCENT, *places))
    return Table(title, columns, rows, matrix=True)


def _end(result: ComparisonResult) -> str:
    if not result.looks:
        return "after the games that were asked for"
    if not result.is_clear:
        return f"interrupted after look {result.looks}"
    return f"at look {result.looks}, when this was clear; intervals allow for the looks"


def _pairing(result: ComparisonResult) -> str:
    """What it was worth that all versions played the same games."""
    saved = [
        difference.saved for difference in result.field.differences if difference.saved
    ]
    if not saved:
        return "all versions did alike in all games"
    times = min(saved)
    if times < 1:
        return f"cost games: {times:.2f} times as many without would have done"
    return f"did the work of {times:.1f} times as many games with other shuffles"
