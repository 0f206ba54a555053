"""What to bring, by the games of a run: the field, equilibrium, ratings, crossing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from typing_extensions import TypedDict

from deckcheck.documents.records import (
    Count,
    OpenInterval,
    Ordinal,
    Share,
    ShareInterval,
    Tool,
)
from deckcheck.findings import UsageError
from deckcheck.markup import tool
from deckcheck.messages import quote
from deckcheck.report.tables import percent
from deckcheck.sim.documents import ClaimDocument, WinRate
from deckcheck.sim.figures import (
    ALL,
    Claim,
    Row,
    Tabular,
    ends,
    make_document,
    round_figure,
    tidy,
    win_rate,
)
from deckcheck.stats import (
    Combination,
    Estimate,
    Verdict,
    average,
    difference,
)
from deckcheck.stats.intervals import joint_level
from deckcheck.stats.optimising import (
    UNSETTLED_WIDTH,
    Matrix,
    equilibrium,
    payoffs_against,
    resampled_rates,
)
from deckcheck.stats.ratings import RatedPairing, Ratings, bradley_terry
from deckcheck.studies.field import Field, FieldEntrant, Meeting
from deckcheck.studies.payoff import HALF, find_resampled_interval

# The shares of the differences in a field that are due to the decks, and to bots


@dataclass(frozen=True, slots=True)
class Level:
    """The mean rating of a deck over all players, or of a player over all decks."""

    name: str
    rating: Estimate


@dataclass(frozen=True, slots=True)
class PlayerLevel(Level):
    """The mean rating of a bot over all decks."""

    win_rate: Estimate
    """The win rate against the other bots with the same decks."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """Every deck with every bot, the strongest of each first."""

    decks: tuple[Level, ...]
    players: tuple[PlayerLevel, ...]
    deck_share: Estimate
    """The share of the differences between ratings that is due to the deck, 0 to 1."""
    bot_share: Estimate
    """The share that is due to the bot."""
    both_part: Estimate
    """The share that is due to how well a deck suits a bot."""

    @property
    def parts(self) -> dict[str, Estimate]:
        """The parts by their names."""
        names = ("deck_share", "bot_share", "both_part")
        return {name: getattr(self, name) for name in names}


def group_entrants(crossing: Sequence[FieldEntrant]) -> list[list[int]]:
    """Return the number of the deck of each entrant, then the number of its bot."""
    groupings = []
    for column in zip(*crossing, strict=True):
        numbers = {name: i for i, name in enumerate(dict.fromkeys(column))}
        groupings.append([numbers[name] for name in column])
    return groupings


def rate_crossing(field: Field, ratings: Ratings) -> Crossing | None:
    """Return the ratings of decks and of bots; None unless all bots had all decks."""
    if not field.crossing:
        return None
    decks = dict.fromkeys(entered.deck for entered in field.crossing)
    players = dict.fromkeys(entered.player for entered in field.crossing)
    of_decks, of_players = ratings.groups
    levels = [Level(name, r) for name, r in zip(decks, of_decks, strict=True)]
    pilots = []
    for name, rating in zip(players, of_players, strict=True):
        pilots.append(PlayerLevel(name, rating, _with_same_decks(field, name)))
    return Crossing(
        tuple(sorted(levels, key=lambda level: -level.rating.value)),
        tuple(sorted(pilots, key=lambda level: -level.rating.value)),
        *ratings.parts,
    )


def _with_same_decks(field: Field, player: str) -> Estimate:
    """Return the win rate of a bot against the others, each with the same deck."""
    entrants = {}
    for name, entered in zip(field.players, field.crossing, strict=True):
        entrants[entered.deck, entered.player] = name
    shares = []
    for (deck, bot), name in entrants.items():
        if bot != player:
            shares.append(field.share(entrants[deck, player], name))
    return average(shares).estimate()


class MetaAnswerDocument(TypedDict):
    """The player that does best against another."""

    name: str
    """The name of the deck or lineup."""
    win_rate: Share
    """Its win rate against that deck or lineup, 0 to 1."""
    interval: ShareInterval
    """The lower and the upper end of the win rate's 95% interval, 0 to 1."""


class MetaPlayerDocument(TypedDict):
    """A deck or lineup of the field."""

    name: str
    """The name of the deck or lineup."""
    share: Share
    """The share of games to bring it to, 0 to 1."""
    share_interval: ShareInterval
    """The middle 95% of the shares when all games are drawn again, 0 to 1."""
    payoff: Share
    """The win rate against the recommended shares, 0 to 1."""
    rating: float | None
    """The rating in Elo, 0 for the mean of all rated; null for one who is not rated."""
    rating_interval: OpenInterval
    """The ends of its 95% interval, in Elo; null for an end without a bound."""
    answer: MetaAnswerDocument
    """The deck or lineup that does best against it."""
    weight: Share | None
    """Its share of the metagame that was given, 0 to 1; null without one."""
    expected: Share | None
    """The win rate against the metagame that was given, 0 to 1; null without one."""
    expected_interval: ShareInterval | None
    """The 95% interval of that win rate, 0 to 1; null without a metagame."""


class LevelDocument(TypedDict):
    """A deck, rated over all players, or a player, rated over all decks."""

    name: str
    """The name of the deck, or of the policy."""
    rating: float | None
    """The mean rating in Elo, 0 for the mean of all; null unless all are rated."""
    rating_interval: OpenInterval
    """The ends of its 95% interval, in Elo; null where they are not known."""


class PlayerLevelDocument(LevelDocument):
    """A player, rated over all decks."""

    same_deck: WinRate
    """The win rate against the other bots where both have the same deck."""


class MetaShareDocument(TypedDict):
    """A part of the differences between the ratings of the field, squared."""

    part: Share
    """The share, 0 to 1."""
    interval: ShareInterval
    """The lower and the upper end of the share's 95% interval, 0 to 1."""


class CrossingDocument(TypedDict):
    """Decks and players apart, where every player played every deck."""

    decks: list[LevelDocument]
    """The decks, the strongest first."""
    players: list[PlayerLevelDocument]
    """The bots, the strongest first."""
    deck_share: MetaShareDocument
    """The share of the differences that lies in the deck."""
    bot_share: MetaShareDocument
    """The share that lies in the bot."""
    both_part: MetaShareDocument
    """The share that lies in how well a deck suits a bot."""


class MetaOpinionDocument(TypedDict):
    """A second bot's result against the same field."""

    player: str
    """The bot, with its version."""
    name: str
    """The deck that does best as this bot plays."""
    win_rate: Share
    """Its win rate against the field or the mix that the answer is about, 0 to 1."""
    interval: ShareInterval
    """The ends of the win rate's interval; those of all decks are simultaneous."""
    contradicts: bool
    """Whether another deck is clearly better than what is advised, as it plays."""


class MetaDocument(TypedDict):
    """The output of `deckcheck meta --output-format json`."""

    schema_version: Literal[2]
    """The version of this document; 1 had cycles and misfits partly due to chance."""
    tool: Tool
    """The program that wrote this document."""
    format: str
    """The id of the format, such as `gwent/standard`."""
    snapshot: str
    """The date from which on the format was as it was played."""
    policies: list[str]
    """The policies that played."""
    seed: Count
    """The seed of the run whose games these are."""
    checksum: str
    """A hash of all games of the run."""
    fingerprint: str
    """A hash of the format's rules and its cards."""
    of: Literal["decks", "lineups"]
    """Whether decks or lineups are rated."""
    resamples: Ordinal
    """The number of resamples of all games for the intervals."""
    bootstrap_seed: Count
    """The seed of these resamples."""
    misfit: Share
    """The share of the results that ratings do not explain, 0 to 1."""
    misfit_interval: ShareInterval
    """The lower and the upper end of the misfit's 95% interval, 0 to 1."""
    cycles: Share
    """The share of the differences that are rock-paper-scissors cycles, 0 to 1."""
    cycles_interval: ShareInterval
    """The lower and the upper end of the cycles' 95% interval, 0 to 1."""
    cycle: list[str]
    """Three decks or lineups, each of which clearly beats the next; empty if there are
    none.
    """
    answer: str
    """What to bring against an unknown field, in a sentence."""
    claims: list[ClaimDocument]
    """The claims of the answer, each with its verdict."""
    players: list[MetaPlayerDocument]
    """The decks or lineups, in the order of the run."""
    crossing: CrossingDocument | None
    """Decks and bots apart; null unless every bot played every deck."""
    opinion: MetaOpinionDocument | None
    """The result of a second bot; null unless one played a share of the games."""


# Recommended decks as a result, with JSON and CSV


@dataclass(frozen=True, slots=True)
class MetaPlayer:
    """A deck or lineup of a field, see `MetaPlayerDocument`."""

    name: str
    share: Estimate
    payoff: float
    rating: Estimate
    answer: str
    answer_rate: Estimate
    """The win rate of `answer`. The interval allows for choosing it by these games."""
    weight: float | None = None
    expected: Estimate | None = None
    against_field: Combination | None = field(default=None, compare=False)
    """The same as `expected`, for differences."""


@dataclass(frozen=True, slots=True)
class MetaOpinion:
    """The result of a second bot, see `MetaOpinionDocument`."""

    player: str
    name: str
    rate: Estimate
    advised: Estimate | None
    """The win rate of the deck that the answer names, None for a mix."""
    contradicts: bool


@dataclass(frozen=True, slots=True, repr=False)
class MetaResult(Tabular):
    """The decks or lineups to bring, see `MetaDocument`."""

    field: Field
    players: tuple[MetaPlayer, ...]
    """All of them, in the order of the field."""
    misfit: Estimate
    cycles: Estimate
    cycle: tuple[str, ...]
    """The clearest three that beat each other beyond doubt: each beats the next."""
    seed: int
    resamples: int
    crossing: Crossing | None = None
    """The ratings of decks and of bots, if every bot played every deck."""

    @property
    def mix(self) -> list[MetaPlayer]:
        """Those to bring, the most frequent first."""
        chosen = [player for player in self.players if player.share.value > 0]
        return sorted(chosen, key=lambda player: -player.share.value)

    @property
    def is_settled(self) -> bool:
        """Whether all of the mix clearly belong to it, each in about its share."""
        widths = [p.share.interval.high - p.share.interval.low for p in self.players]
        is_sure = all(player.share.interval.low > 0 for player in self.mix)
        return is_sure and max(widths) <= UNSETTLED_WIDTH

    @property
    def ranked(self) -> list[tuple[MetaPlayer, Estimate, Estimate | None]]:
        """Those who may be brought with their win rates against the expected field.

        The best comes first, each other one with what it wins less than that: these
        differences are simultaneous.
        """
        rated = [(p, p.expected, p.against_field) for p in self.players]
        known = [(p, rate, scores) for p, rate, scores in rated if rate and scores]
        known.sort(key=lambda each: -each[1].value)
        level = joint_level(max(1, len(known) - 1))
        return [
            (p, rate, difference(scores, known[0][2]).estimate(level) if i else None)
            for i, (p, rate, scores) in enumerate(known)
        ]

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Who belongs to the mix; who does worse than the best where it is settled."""
        mix, ranked = [Claim.of(p.name, "", p.share) for p in self.mix], self.ranked
        if not self.is_settled:
            mix = [replace(claim, verdict=Verdict.INCONCLUSIVE) for claim in mix]
        gaps = []
        for player, _, gap in ranked:
            if gap is not None:
                gaps.append(Claim.of(player.name, ranked[0][0].name, gap))
        return (*mix, *gaps)

    def _quote_best(self) -> str:
        """Return the name of the deck that is brought most, with its bot if it has one.

        It has a bot of its own where every bot played every deck.
        """
        best = self.mix[0]
        if not self.field.crossing:
            return quote(best.name)
        entered = self.field.crossing[self.players.index(best)]
        return f"{quote(entered.deck)} played by {quote(entered.player)}"

    @property
    def answer(self) -> str:
        """The deck or the mix to bring against an unknown field."""
        noun, units, best = self.field.noun, self.field.units, self._quote_best()
        is_single = len(self.mix) == 1
        if not self.is_settled and is_single:
            return (
                f"Too few games to recommend a {noun} for an unknown field. The best "
                f"guess is {best}."
            )
        shares = [f"{quote(p.name)} in {percent(p.share.value)}" for p in self.mix]
        mix = f"{', '.join(shares[:-1])} and {shares[-1]}"
        if not self.is_settled:
            return (
                f"Too few games to recommend a mix of {noun}s for an unknown field. "
                f"The best guess is {mix} of {units}."
            )
        if is_single:
            return (
                f"For an unknown field, always bring {best}: no {noun} here wins more "
                "than half against it."
            )
        return (
            f"For an unknown field, bring {mix} of your {units}: no {noun} here wins "
            "more than half against that mix."
        )

    @property
    def opinion(self) -> MetaOpinion | None:
        """What a second bot comes to, if one played a part of the games.

        It contradicts if another deck clearly wins more than the one to bring, or more
        than half against the mix.
        """
        second = self.field.cross_checked
        if second is None:
            return None
        parts = [p.share.value if p.weight is None else p.weight for p in self.players]
        names = self.field.players
        rates = {name: _estimate_expected(second, name, parts) for name in names}
        # What a deck wins against itself says nothing.
        alone = self.mix[0].name if len(self.mix) == 1 and not self.ranked else None
        rivals = [name for name in names if name != alone]
        best = max(rivals, key=lambda name: rates[name].value)
        rate = rates[best].estimate(joint_level(len(names)))
        policy = second.origin.players[0]
        if not self.ranked:
            contradicts = self.is_settled and rate.interval.low > HALF
            return MetaOpinion(policy, best, rate, None, contradicts)
        first = self.ranked[0][0].name
        ahead = difference(rates[best], rates[first]).estimate(joint_level(len(names)))
        advised = rates[first].estimate(joint_level(len(names)))
        return MetaOpinion(policy, best, rate, advised, ahead.interval.low > 0)

    def to_dict(self) -> MetaDocument:
        """Return the document that `deckcheck schema meta` describes."""
        origin = self.field.origin
        crossing, opinion = self.crossing, self.opinion
        return make_document(
            MetaDocument,
            self,
            schema_version=2,
            tool=tool(),
            format=origin.format,
            snapshot=origin.snapshot,
            policies=list(origin.players),
            seed=origin.seed,
            checksum=origin.checksum,
            fingerprint=origin.fingerprint,
            of="decks" if self.field.noun == "deck" else "lineups",
            bootstrap_seed=self.seed,
            answer=self.answer,
            players=[_make_player_document(player) for player in self.players],
            crossing=crossing and _make_crossing_document(crossing),
            opinion=opinion
            and make_document(MetaOpinionDocument, opinion, **_rate(opinion.rate)),
        )

    def to_rows(self) -> list[Row]:
        """Return tidy rows: the numbers of each player, then the fit of ratings."""
        rows = [row for player in self.players for row in _list_player_rows(player)]
        games = sum(meeting.share.games for meeting in self.field.meetings)
        rows += tidy("misfit", self.misfit, games, ALL)
        rows += tidy("cycles", self.cycles, games, ALL)
        if self.crossing is None:
            return rows
        names = zip(self.field.players, self.field.crossing, strict=True)
        policies = {name: entered.player for name, entered in names}
        rows = [{**row, "policy": policies.get(str(row["deck"]), ALL)} for row in rows]
        return [*rows, *_list_crossing_rows(self.crossing, games)]


def _rate(rate: Estimate) -> dict[str, object]:
    """Return a win rate with its interval for a document, without its games."""
    return {"win_rate": round_figure(rate.value), "interval": ends(rate.interval)}


def _list_player_rows(p: MetaPlayer) -> Iterator[Row]:
    """Yield the numbers of a deck or lineup."""
    n = p.share.games
    yield from tidy("share", p.share, n, p.name)
    yield from tidy("payoff", p.payoff, n, p.name)
    yield from tidy("rating", p.rating, p.rating.games, p.name)
    yield from tidy("weight", p.weight, n, p.name)
    if p.expected is not None:
        yield from tidy("expected", p.expected, p.expected.games, p.name)
    yield from tidy(
        "best_counter", p.answer_rate, p.answer_rate.games, p.answer, p.name
    )


def _list_crossing_rows(crossing: Crossing, games: int) -> Iterator[Row]:
    """Yield the ratings of decks and of bots, and the shares of the differences."""
    for deck in crossing.decks:
        n = deck.rating.games
        yield from tidy("rating", deck.rating, n, deck.name, policy=ALL)
    for player in crossing.players:
        rating, rate = player.rating, player.win_rate
        yield from tidy("rating", rating, rating.games, ALL, policy=player.name)
        yield from tidy("win_rate_same_deck", rate, rate.games, ALL, policy=player.name)
    for name, part in crossing.parts.items():
        yield from tidy(name, part, games, ALL, policy=ALL)


def _make_crossing_document(crossing: Crossing) -> CrossingDocument:
    parts = {
        name: {"part": round_figure(part.value), "interval": ends(part.interval)}
        for name, part in crossing.parts.items()
    }
    return make_document(
        CrossingDocument,
        crossing,
        decks=[make_document(LevelDocument, deck) for deck in crossing.decks],
        players=[
            make_document(
                PlayerLevelDocument, player, same_deck=win_rate(player.win_rate)
            )
            for player in crossing.players
        ],
        **parts,
    )


def _make_player_document(player: MetaPlayer) -> MetaPlayerDocument:
    answer = {"name": player.answer, **_rate(player.answer_rate)}
    return make_document(MetaPlayerDocument, player, answer=answer)


# Recommended decks: the equilibrium of a field, ratings, and the best responses


RESAMPLE_COUNT = 400
MIN_PAIRS = 10


def make_meta(
    field: Field,
    weights: Sequence[float] | None = None,
    *,
    seed: int = 1,
    resamples: int = RESAMPLE_COUNT,
) -> MetaResult:
    """Return what to bring if no decks but those of `field` may come.

    `weights` are how common each of them is, in any unit. The intervals of shares are
    drawn with `seed`. Raises UsageError for too few games to resample.
    """
    _check_games(field)
    rates = _make_matrix(
        field, np.array([meeting.share.value for meeting in field.meetings])
    )
    shares = _estimate_shares(field, rates, seed, resamples)
    payoffs = payoffs_against(rates, [share.value for share in shares])
    ratings = rate_players(field, seed)
    parts = None if weights is None else [w / sum(weights) for w in weights]
    level = joint_level(len(field.players) - 1)
    players = []
    for i, name in enumerate(field.players):
        answer = field.players[_find_counter(rates, i)]
        against = None if parts is None else _estimate_expected(field, name, parts)
        players.append(
            MetaPlayer(
                name,
                shares[i],
                float(payoffs[i]),
                ratings.ratings[i],
                answer,
                field.share(answer, name).estimate(level),
                None if parts is None else parts[i],
                None if against is None else against.estimate(),
                against,
            )
        )
    return MetaResult(
        field,
        tuple(players),
        ratings.misfit,
        ratings.cycles,
        find_cycle(field),
        seed,
        resamples,
        rate_crossing(field, ratings),
    )


def _check_games(field: Field) -> None:
    fewest = min(sum(meeting.scores) for meeting in field.meetings)
    if fewest < MIN_PAIRS:
        raise UsageError(
            f"{2 * fewest} {field.units} of two {field.noun}s are too few to recommend "
            f"a {field.noun}",
            f"Play at least {2 * MIN_PAIRS} of each pair: `deckcheck resume RUN "
            f"--games {2 * MIN_PAIRS}`",
        )


def _estimate_shares(
    field: Field, rates: Matrix, seed: int, resamples: int
) -> list[Estimate]:
    """Return the shares of the equilibrium, with the range of bootstrap resamples."""
    chance = np.random.default_rng(seed)
    scores = np.array([meeting.scores for meeting in field.meetings])
    best = equilibrium(rates).shares
    drawn = [
        equilibrium(_make_matrix(field, resampled_rates(scores, chance))).shares
        for _ in range(resamples)
    ]
    games = sum(meeting.share.games for meeting in field.meetings)
    intervals = zip(best, find_resampled_interval(best, drawn), strict=True)
    return [Estimate(share, interval, games) for share, interval in intervals]


def _make_matrix(field: Field, rates: Matrix) -> Matrix:
    """Return the win rates of the rows against the columns, by `rates` of meetings."""
    matrix = np.full((len(field.players), len(field.players)), HALF)
    rows, columns = field.places
    matrix[rows, columns] = rates
    matrix[columns, rows] = 1 - rates
    return matrix


def rate_players(field: Field, seed: int) -> Ratings:
    """Return the ratings of all players, and of decks and bots where they cross."""
    pairings = [
        RatedPairing(
            a, b, meeting.share.value, _compute_variance(meeting), meeting.share.games
        )
        for meeting, a, b in zip(field.meetings, *field.places, strict=True)
    ]
    groupings = group_entrants(field.crossing) if field.crossing else ()
    return bradley_terry(len(field.players), pairings, seed, groupings)


def _compute_variance(meeting: Meeting) -> float:
    """Return the variance of the mean score, from the variance of the pairs."""
    values = np.linspace(0, 1, len(meeting.scores))
    pairs = sum(meeting.scores)
    mean = meeting.share.value
    spread = float(meeting.scores @ (values - mean) ** 2) / pairs
    return spread / max(1, pairs - 1)


def _find_counter(rates: Matrix, player: int) -> int:
    """Return the index of the best counter to a player, the first of equals."""
    against = rates[:, player].copy()
    against[player] = -1.0
    return int(against.argmax())


def _estimate_expected(
    field: Field, player: str, parts: Sequence[float]
) -> Combination:
    """Return the win rate of a player against these shares of the field."""
    rates = []
    for name in field.players:
        is_mirror = name == player
        rate = Combination(constant=HALF) if is_mirror else field.share(player, name)
        rates.append(rate)
    return average(rates, parts)


def find_cycle(field: Field) -> tuple[str, ...]:
    """Find the clearest cycle of three, each beating the next; empty for none.

    The intervals of all win rates are simultaneous, since the cycle is chosen among
    many.
    """
    level = joint_level(len(field.meetings))
    rates = []
    for meeting in field.meetings:
        rates.append(((meeting.a, meeting.b), meeting.share.estimate(level)))
    return find_clearest_cycle(field.players, rates)


def find_clearest_cycle(
    names: Sequence[str], rates: Iterable[tuple[tuple[str, str], Estimate]]
) -> tuple[str, ...]:
    """Find the cycle of three whose least clear win is the clearest; empty for none.

    `rates` has the win rate of the first of two, with a simultaneous interval.
    """
    index = {name: i for i, name in enumerate(names)}
    lows = np.zeros((len(names), len(names)))
    for (first, second), rate in rates:
        # A rate of a half or less beats nobody, even with a wide interval.
        is_ahead = rate.value > HALF
        winner, loser = (first, second) if is_ahead else (second, first)
        ahead = rate if is_ahead else rate.opposite()
        lows[index[winner], index[loser]] = ahead.interval.low
    best = HALF
    cycle: tuple[str, ...] = ()
    for a, name in enumerate(names):
        # A cycle begins with the first of its names.
        rest = np.array([i for i, other in enumerate(names) if other > name], np.intp)
        if not len(rest):
            continue
        steps = np.minimum(lows[np.ix_(rest, rest)], lows[a, rest][:, None])
        steps = np.minimum(steps, lows[rest, a])
        if steps.max() > best:
            best = float(steps.max())
            b, c = np.unravel_index(steps.argmax(), steps.shape)
            cycle = (name, names[int(rest[b])], names[int(rest[c])])
    return cycle
