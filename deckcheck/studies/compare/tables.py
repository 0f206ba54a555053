"""Tables of versions of a deck that played the same games."""

from __future__ import annotations

from deckcheck.report.sections import (
    Report,
    Table,
    count,
    percent,
    plain_percent,
    policies_of,
    run_facts,
    warnings_of,
)
from deckcheck.studies.compare.result import ComparisonResult
from deckcheck.studies.differences import Against, Difference, Verdict, points, spread

TWO = 2


def comparison_report(result: ComparisonResult) -> Report:
    """Return the tables of `result`, its answer first."""
    policies = policies_of([deck.policy for deck in result.decks])
    shown_games = f"{count(result.games)} of each version with each opponent"
    games = f"{count(result.games_played)} in mirrored pairs, {shown_games}"
    facts = [*run_facts(result, policies, games)]
    facts[3:3] = [("ended", _end(result)), ("pairing", _pairing(result))]
    tables = _two(result) if len(result.versions) == TWO else _several(result)
    return Report(
        tuple(tables), warnings_of(result), tuple(facts), (f"{result.answer}.",)
    )


def _two(result: ComparisonResult) -> list[Table]:
    """The old version and the new one, over the field and by opponent."""
    old, new = result.versions
    columns = ("", "old", "new", "points", "95 % interval", "verdict")
    opponents = sorted(
        result.opponents, key=lambda opponent: -opponent.differences[0].value
    )
    rows = [_row("all opponents", result.field)]
    rows += [
        _row(opponent.opponent or "", opponent)
        for opponent in opponents
        if len(opponents) > 1
    ]
    note = (
        "old and new: win rates in %; points: what the new version has more; the "
        "interval over all opponents holds by itself, those against one each hold "
        "together; the verdict is that of its line"
    )
    title = f"Old: {old}; new: {new}"
    return [Table(title, columns, tuple(rows), note=note)]


def _row(name: str, against: Against) -> tuple[str, ...]:
    old, new = against.win_rates
    [difference] = against.differences
    return (
        name,
        plain_percent(old.value),
        plain_percent(new.value),
        points(difference.value, sign=True),
        spread(difference.interval),
        verdict_word(difference),
    )


def verdict_word(difference: Difference) -> str:
    """What is known of two versions, in a word or two."""
    return {Verdict.SAME: "alike", Verdict.OPEN: "not clear"}.get(
        difference.verdict, difference.verdict.value
    )


def _several(result: ComparisonResult) -> list[Table]:
    """A ranking of the versions, and how each did against each opponent."""
    best = result.ranking[0]
    rows = []
    for place in result.ranking:
        rate = result.field.win_rates[place]
        row = [result.versions[place], percent(rate.value)]
        if place == best:
            row += ["", "", "best"]
        else:
            difference = result.difference(best, place)
            sure = points(difference.value, sign=True), spread(difference.interval)
            row += [*sure, verdict_word(difference)]
        rows.append(tuple(row))
    columns = ("version", "win rate", "points", "95 % interval", "verdict")
    pairs = len(result.field.differences)
    note = (
        "points: the difference to the best one; all differences between two versions, "
        f"{pairs} in number, hold together with a chance of 95 % (Bonferroni)"
    )
    title = f"Versions by their mean win rate over {len(result.opponents)} opponents"
    ranking = Table(title, columns, tuple(rows), ranked=True, note=note)
    return [ranking, _matrix(result)]


def _matrix(result: ComparisonResult) -> Table:
    numbers = (str(number) for number in range(1, len(result.versions) + 1))
    rows = tuple(
        (
            opponent.opponent or "",
            *(plain_percent(opponent.win_rates[i].value) for i in result.ranking),
        )
        for opponent in result.opponents
    )
    title = "Win rate in % of each version, by its rank, against each opponent"
    return Table(title, ("against", *numbers), rows, matrix=True)


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
