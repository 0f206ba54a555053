"""The answer of a simulation in sentences, on the terminal and on its page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from deckcheck.messages import choice, game_count, plural, quote
from deckcheck.policies.registry import policy_in_words
from deckcheck.report.tables import (
    advise_games,
    count,
    describe_pilot,
    percent,
    rate_text,
    rate_with_level,
)
from deckcheck.sim.documents import TableDecision
from deckcheck.sim.figures import add_warning, describe_dispute
from deckcheck.sim.result import TABLES_IN_ANSWER, SimulationResult
from deckcheck.sim.standings import Matchup, Standing
from deckcheck.stats import EloScale, Sprt, difference, find_verdict
from deckcheck.stats.intervals import DEFAULT_LEVEL
from deckcheck.studies.duel_tables import label_decks
from deckcheck.studies.payoff import HALF


def simulation_answers(result: SimulationResult) -> Iterator[str]:
    """Yield the best entrant, by each bot, and a warning if the bots disagree."""
    yield from add_warning(_write_answers(result), describe_dispute(result.claims))


def _write_answers(result: SimulationResult) -> Iterator[str]:
    """Yield each answer with the bot that played and the result of the second bot."""
    pilots = []
    if len(result.players) == 1:
        pilots.append(describe_pilot(result.players[0]))
    opinions = _describe_second_bot(result)
    answers = list(_describe_tests(result))
    if not answers and result.play == "duel":
        answers = list(_answer_duels(result))
    elif not answers:
        answers = list(_answer_tables(result))
    for answer in answers:
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


# Tables of several decks, and tournament matches


def _answer_tables(result: SimulationResult) -> Iterator[str]:
    """Yield the best entrant at each of the first three tables, or matches."""
    noun = "matches" if result.play == "match" else "games"
    if not _has_winners(result):
        games = sorted(table.games for table in result.tables)
        shown_games = count(games[0])
        if games[0] < games[-1]:
            shown_games += f" to {count(games[-1])}"
        yield (
            f"No clear winner in any of the {len(games)} matchups: {shown_games} "
            f"{noun} each are too few to tell."
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


# Decks, or lineups, that met two at a time


def _answer_duels(result: SimulationResult) -> Iterator[str]:
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
    rival = (near or others)[0]
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
    unmet = len(result.unmet)
    matchups = plural(unmet + len(result.matchups), "matchup")
    left = f"{unmet:,} of {matchups} have not been played"
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
    shown = name_winner_first(matchup)
    rate = shown.win_rate(shown.a)
    winner, loser = quote(labels[shown.a]), quote(labels[shown.b])
    wins = f"{rate_with_level(rate)} of {game_count(shown.games)}"
    if rate.interval.low > HALF:
        return f"{winner} beats {loser}: it wins {wins}."
    advice = advise_games(rate, shown.games, even=HALF)
    if rate.value == HALF:
        return f"No clear winner: {winner} and {loser} each win {wins}. {advice}"
    return f"No clear winner: {winner} wins {wins} against {loser}. {advice}"


def name_winner_first(matchup: Matchup) -> Matchup:
    """Return a matchup from the side of the deck that wins at least half."""
    if matchup.win_rate_a >= HALF:
        return matchup
    return matchup.swap_sides()


def _describe_second_bot(result: SimulationResult) -> list[str]:
    """Return the result of the second bot for each answer, if there is a second bot."""
    again = result.cross_checked
    if again is None or len({deck.policy for deck in result.decks}) != 1:
        return []
    first_bot = None
    if len(result.players) == 1:
        first_bot = result.players[0]
    bot = policy_in_words(again.players[0], first_bot)
    if result.play == "duel":
        return [_describe_second_duel(result, again, bot)]
    if not _has_winners(result):
        return []
    opinions = []
    tables = zip(result.tables[:TABLES_IN_ANSWER], again.tables, strict=False)
    for table, other in tables:
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
        shown = again.matchups[0]
        if result.matchups[0].win_rate_a < HALF:
            shown = shown.swap_sides()
        rate = rate_text(shown.win_rate(shown.a))
        games = game_count(shown.games)
        return f"Piloted by {bot}, {quote(shown.a)} wins {rate} of {games}."
    name = _rank_decks(result)[0].deck
    ranked = _rank_decks(again)
    top = ranked[0]
    best = next(standing for standing in ranked if standing.deck == name)
    rate = rate_text(best.estimate)
    if not is_better(top, best):
        return f"Piloted by {bot}, {quote(name)} wins {rate}."
    return (
        f"Piloted by {bot}, {quote(name)} wins {rate} and {quote(top.deck)} "
        f"wins {rate_text(top.estimate)}."
    )


def _rank_decks(result: SimulationResult) -> list[Standing]:
    """Return the standings, against a field only those of the decks to measure."""
    everybody = result.standings()
    challengers = [place for place in everybody if place.deck in result.challengers]
    return challengers or everybody


def is_better(first: Standing, other: Standing, level: float = DEFAULT_LEVEL) -> bool:
    """Report whether the mean win rate of the first is clearly higher.

    No correction is needed to call the best of several the best: S. Gutmann and Z.
    Maymin (1987), Is the selected population the best?, Annals of Statistics 15.
    """
    return difference(first.mean, other.mean).is_above(0.0, level)
