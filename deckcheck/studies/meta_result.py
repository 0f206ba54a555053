"""The result of `meta`: the decks or lineups to bring, as sentences, JSON and rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from typing_extensions import TypedDict

from deckcheck.documents.records import (
    Count,
    OpenInterval,
    Ordinal,
    Share,
    ShareInterval,
    Tool,
)
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
from deckcheck.stats import Combination, Estimate, Verdict, difference
from deckcheck.stats.intervals import joint_level
from deckcheck.stats.optimising import UNSETTLED_WIDTH
from deckcheck.studies.field import Field
from deckcheck.studies.payoff import HALF

# The document


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
    """How far ratings miss win rates: the root mean square of all misses, 0 to 1."""
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


# The result


@dataclass(frozen=True, slots=True)
class Level:
    """The mean rating of a deck over all bots, or of a bot over all decks."""

    name: str
    """The name of the deck, or of the policy."""
    rating: Estimate
    """The rating in Elo, 0 for the mean of all."""


@dataclass(frozen=True, slots=True)
class PlayerLevel(Level):
    """The mean rating of a bot over all decks."""

    win_rate: Estimate
    """The win rate against the other bots with the same decks."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """The ratings of decks and of bots apart, where every bot played every deck."""

    decks: tuple[Level, ...]
    """The decks, the strongest first."""
    players: tuple[PlayerLevel, ...]
    """The bots, the strongest first."""
    deck_share: Estimate
    """The share of the differences between ratings that is due to the deck, 0 to 1."""
    bot_share: Estimate
    """The share that is due to the bot."""
    both_part: Estimate
    """The share due to neither alone, but to how well a deck suits a bot."""

    @property
    def parts(self) -> dict[str, Estimate]:
        """The parts by the names of their fields."""
        return {
            "deck_share": self.deck_share,
            "bot_share": self.bot_share,
            "both_part": self.both_part,
        }


@dataclass(frozen=True, slots=True)
class MetaPlayer:
    """A deck or lineup of a field, see `MetaPlayerDocument`."""

    name: str
    share: Estimate
    """The share of games to bring it to."""
    payoff: float
    """The win rate against the recommended shares."""
    rating: Estimate
    """The rating in Elo."""
    answer: str
    """The name of the best counter to it."""
    answer_rate: Estimate
    """The win rate of `answer`. The interval allows for choosing it by these games."""
    weight: float | None = None
    """Its share of the expected field, None without an expected field."""
    expected: Estimate | None = None
    """Its win rate against the expected field."""
    against_field: Combination | None = field(default=None, compare=False)
    """The same as `expected`, for differences."""


class RankedPlayer(NamedTuple):
    """A deck or lineup that may be brought to the expected field."""

    player: MetaPlayer
    rate: Estimate
    """The win rate against the expected field."""
    gap: Estimate | None
    """The difference of this win rate and the highest, None for the best."""


@dataclass(frozen=True, slots=True)
class MetaOpinion:
    """The result of a second bot, see `MetaOpinionDocument`."""

    player: str
    """The second bot, with its version."""
    name: str
    """The deck or lineup that does best as this bot plays."""
    rate: Estimate
    """Its win rate against the expected field, or against the mix."""
    advised: Estimate | None
    """The win rate of the deck that the answer names, None for a mix."""
    contradicts: bool
    """Whether another deck is clearly better than the advice."""


@dataclass(frozen=True, slots=True, repr=False)
class MetaResult(Tabular):
    """The decks or lineups to bring, see `MetaDocument`."""

    field: Field
    players: tuple[MetaPlayer, ...]
    """The decks or lineups, in the order of the field."""
    misfit: Estimate
    """How far ratings miss win rates, in points of the win rate."""
    cycles: Estimate
    """The share of the differences that are rock-paper-scissors cycles."""
    cycle: tuple[str, ...]
    """The clearest three that beat each other beyond doubt: each beats the next."""
    seed: int
    """The seed of the resamples."""
    resamples: int
    """The number of resamples."""
    crossing: Crossing | None
    """The ratings of decks and of bots, if every bot played every deck."""

    @property
    def mix(self) -> list[MetaPlayer]:
        """The decks or lineups to bring, the most frequent first."""
        chosen = [player for player in self.players if player.share.value > 0]
        return sorted(chosen, key=lambda p: -round_figure(p.share.value))

    @property
    def is_settled(self) -> bool:
        """Whether all of the mix clearly belong to it, each in about its share."""
        if any(player.share.interval.low <= 0 for player in self.mix):
            return False
        intervals = [player.share.interval for player in self.players]
        return all(high - low <= UNSETTLED_WIDTH for low, high in intervals)

    @property
    def ranked(self) -> list[RankedPlayer]:
        """The players by their win rates against the expected field, the best first.

        It is empty without an expected field. The intervals of the differences to the
        best are simultaneous.
        """
        rated = []
        for player in self.players:
            if player.expected is not None and player.against_field is not None:
                rated.append((player, player.expected, player.against_field))
        rated.sort(key=lambda entry: -entry[1].value)
        level = joint_level(max(1, len(rated) - 1))
        ranked: list[RankedPlayer] = []
        for player, rate, scores in rated:
            gap = None
            if ranked:
                _, _, best_scores = rated[0]
                gap = difference(scores, best_scores).estimate(level)
            ranked.append(RankedPlayer(player, rate, gap))
        return ranked

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The place of each deck in the mix, and its difference to the best deck."""
        claims = []
        for player in self.mix:
            claim = Claim.of(player.name, "", player.share)
            if not self.is_settled:
                claim = replace(claim, verdict=Verdict.INCONCLUSIVE)
            claims.append(claim)
        ranked = self.ranked
        for player, _, gap in ranked:
            if gap is not None:
                claims.append(Claim.of(player.name, ranked[0].player.name, gap))
        return tuple(claims)

    @property
    def answer(self) -> str:
        """The deck or the mix to bring against an unknown field."""
        if len(self.mix) == 1:
            return self._describe_single()
        noun, units = self.field.noun, self.field.units
        shares = [f"{quote(p.name)} in {percent(p.share.value)}" for p in self.mix]
        mix = f"{', '.join(shares[:-1])} and {shares[-1]}"
        if not self.is_settled:
            return (
                f"Too few games to recommend a mix of {noun}s for an unknown field. "
                f"The best guess is {mix} of {units}."
            )
        return (
            f"For an unknown field, bring {mix} of your {units}: no {noun} here wins "
            "more than half against that mix."
        )

    def _describe_single(self) -> str:
        """Return the answer that names a single deck or lineup.

        Where every bot played every deck, it names the bot as well.
        """
        noun, best = self.field.noun, self.mix[0]
        name = quote(best.name)
        if self.field.crossing:
            entrant = self.field.crossing[self.players.index(best)]
            name = f"{quote(entrant.deck)} played by {quote(entrant.player)}"
        if not self.is_settled:
            return (
                f"Too few games to recommend a {noun} for an unknown field. The best "
                f"guess is {name}."
            )
        return (
            f"For an unknown field, always bring {name}: no {noun} here wins more "
            "than half against it."
        )

    @property
    def opinion(self) -> MetaOpinion | None:
        """The result of a second bot, if one played a part of the games.

        It contradicts if another deck clearly wins more than the deck to bring, or more
        than half against the mix.
        """
        second = self.field.cross_checked
        if second is None:
            return None
        if self.ranked:
            return self._judge_ranked(second)
        return self._judge_mix(second)

    def _judge_ranked(self, second: Field) -> MetaOpinion:
        """Compare all players with the advised one, by the games of a second bot."""
        weights = [player.weight or 0.0 for player in self.players]
        rates = second.expect_rates(weights)
        level = joint_level(len(rates))
        best = max(rates, key=lambda name: rates[name].value)
        advised = self.ranked[0].player.name
        ahead = difference(rates[best], rates[advised]).estimate(level)
        return MetaOpinion(
            second.origin.players[0],
            best,
            rates[best].estimate(level),
            rates[advised].estimate(level),
            contradicts=ahead.interval.low > 0,
        )

    def _judge_mix(self, second: Field) -> MetaOpinion:
        """Find the best player against the mix, by the games of a second bot."""
        shares = [player.share.value for player in self.players]
        rates = second.expect_rates(shares)
        level = joint_level(len(rates))
        if len(self.mix) == 1:
            # Against itself a deck wins half, whatever it is worth.
            del rates[self.mix[0].name]
        best = max(rates, key=lambda name: rates[name].value)
        rate = rates[best].estimate(level)
        contradicts = self.is_settled and rate.interval.low > HALF
        return MetaOpinion(second.origin.players[0], best, rate, None, contradicts)

    def to_dict(self) -> MetaDocument:
        """Return the document that `deckcheck schema meta` describes."""
        origin, opinion = self.field.origin, self.opinion
        crossing_document = opinion_document = None
        if self.crossing is not None:
            crossing_document = _describe_crossing(self.crossing)
        if opinion is not None:
            rate = _describe_rate(opinion.rate)
            opinion_document = make_document(MetaOpinionDocument, opinion, **rate)
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
            players=[_describe_player(player) for player in self.players],
            crossing=crossing_document,
            opinion=opinion_document,
        )

    def to_rows(self) -> list[Row]:
        """Return tidy rows: the numbers of each player, then the fit of ratings."""
        rows: list[Row] = []
        for player in self.players:
            rows += _list_player_rows(player)
        games = sum(meeting.share.games for meeting in self.field.meetings)
        rows += tidy("misfit", self.misfit, games, ALL)
        rows += tidy("cycles", self.cycles, games, ALL)
        if self.crossing is None:
            return rows
        policies = {}
        for name, entrant in zip(self.field.players, self.field.crossing, strict=True):
            policies[name] = entrant.player
        for row in rows:
            row["policy"] = policies.get(str(row["deck"]), ALL)
        return [*rows, *_list_crossing_rows(self.crossing, games)]


def _list_player_rows(player: MetaPlayer) -> Iterator[Row]:
    """Yield the numbers of a deck or lineup."""
    name, games, counter = player.name, player.share.games, player.answer_rate
    yield from tidy("share", player.share, games, name)
    yield from tidy("payoff", player.payoff, games, name)
    yield from tidy("rating", player.rating, player.rating.games, name)
    yield from tidy("weight", player.weight, games, name)
    if player.expected is not None:
        yield from tidy("expected", player.expected, player.expected.games, name)
    yield from tidy("best_counter", counter, counter.games, player.answer, name)


def _list_crossing_rows(crossing: Crossing, games: int) -> Iterator[Row]:
    """Yield the ratings of decks and of bots, and the shares of the differences."""
    for deck in crossing.decks:
        games_of_deck = deck.rating.games
        yield from tidy("rating", deck.rating, games_of_deck, deck.name, policy=ALL)
    for player in crossing.players:
        rating, rate = player.rating, player.win_rate
        yield from tidy("rating", rating, rating.games, ALL, policy=player.name)
        yield from tidy("win_rate_same_deck", rate, rate.games, ALL, policy=player.name)
    for name, part in crossing.parts.items():
        yield from tidy(name, part, games, ALL, policy=ALL)


def _describe_rate(rate: Estimate) -> dict[str, object]:
    """Return a win rate with its interval for a document, without its games."""
    return {"win_rate": round_figure(rate.value), "interval": ends(rate.interval)}


def _describe_player(player: MetaPlayer) -> MetaPlayerDocument:
    """Return a deck or lineup for the document."""
    answer = {"name": player.answer, **_describe_rate(player.answer_rate)}
    return make_document(MetaPlayerDocument, player, answer=answer)


def _describe_crossing(crossing: Crossing) -> CrossingDocument:
    """Return decks and bots apart for the document."""
    players = []
    for player in crossing.players:
        same_deck = win_rate(player.win_rate)
        players.append(make_document(PlayerLevelDocument, player, same_deck=same_deck))
    parts = {}
    for name, part in crossing.parts.items():
        value = round_figure(part.value)
        parts[name] = {"part": value, "interval": ends(part.interval)}
    return make_document(
        CrossingDocument,
        crossing,
        decks=[make_document(LevelDocument, deck) for deck in crossing.decks],
        players=players,
        **parts,
    )
