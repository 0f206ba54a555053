"""Recommended decks as a result, with JSON and CSV."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

from deckcheck.findings.json_text import tool
from deckcheck.findings.words import plural, quote
from deckcheck.report.units import percent
from deckcheck.sim.results.figures import (
    Row,
    ends,
    ends_of,
    rounded,
    value_of,
    win_rate,
)
from deckcheck.sim.results.tabular import Tabular
from deckcheck.sim.results.tidy import ALL, tidy
from deckcheck.stats import Combination, Estimate
from deckcheck.studies.meta.crossing import Crossing, Level
from deckcheck.studies.meta.document import (
    CrossingDocument,
    LevelDocument,
    MetaDocument,
    MetaPlayerDocument,
    PartDocument,
)
from deckcheck.studies.meta.field import Field


@dataclass(frozen=True, slots=True)
class MetaPlayer:
    """A deck or lineup of a field.

    `share` is how often to bring it, 0 to 1, with the percentile interval of the
    bootstrap; `payoff` its win rate against these shares. `rating` is in Elo. `answer`
    is who does best against it, with the win rate `answer_rate` of that one. `weight`
    is its part of a given metagame, and `expected` its win rate against that, which
    `against_field` is as it goes into differences; None without one.
    """

    name: str
    share: Estimate
    payoff: float
    rating: Estimate
    answer: str
    answer_rate: Estimate
    weight: float | None = None
    expected: Estimate | None = None
    against_field: Combination | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, repr=False)
class MetaResult(Tabular):
    """The answer to what to bring, `players` in the order of the field.

    `misfit` and `cycles` are those of `Ratings`. `cycle` are three players of whom each
    beats the next and the last the first, beyond doubt, the clearest there are.
    `crossing` tells decks from players, where every player played every deck.
    """

    field: Field
    players: tuple[MetaPlayer, ...]
    misfit: Estimate
    cycles: Estimate
    cycle: tuple[str, ...]
    seed: int
    resamples: int
    crossing: Crossing | None = None

    @property
    def answer(self) -> str:
        """How often to bring each of the mix."""
        mix = sorted(self.players, key=lambda player: -player.share.value)
        shares = (
            f"{quote(p.name)} {percent(p.share.value)}" for p in mix if p.share.value
        )
        return f"bring {', '.join(shares)}, of {plural(len(mix), self.field.noun)}"

    def to_dict(self) -> MetaDocument:
        """The answer as `deckcheck schema meta` describes it."""
        origin = self.field.origin
        return {
            "schema_version": 2,
            "tool": tool(),
            "format": origin.format,
            "snapshot": origin.snapshot,
            "policies": list(origin.players),
            "seed": origin.seed,
            "checksum": origin.checksum,
            "digest": origin.digest,
            "of": "decks" if self.field.noun == "deck" else "lineups",
            "resamples": self.resamples,
            "bootstrap_seed": self.seed,
            "misfit": rounded(self.misfit.value),
            "misfit_interval": ends(self.misfit.interval),
            "cycles": rounded(self.cycles.value),
            "cycles_interval": ends(self.cycles.interval),
            "cycle": list(self.cycle),
            "players": [_player(player) for player in self.players],
            "crossing": None if self.crossing is None else _crossing(self.crossing),
        }

    def to_rows(self) -> list[Row]:
        """Tidy rows: the figures of each player, then how well ratings fit."""
        rows = [*chain.from_iterable(map(_rows, self.players))]
        games = sum(met.share.games for met in self.field.met)
        rows += tidy("misfit", self.misfit, games, ALL)
        rows += tidy("cycles", self.cycles, games, ALL)
        if self.crossing is None:
            return rows
        policies = {
            name: entered.player
            for name, entered in zip(
                self.field.players, self.field.crossing, strict=True
            )
        }
        rows = [{**row, "policy": policies.get(str(row["deck"]), ALL)} for row in rows]
        return [*rows, *_crossing_rows(self.crossing, games)]


def _rows(p: MetaPlayer) -> Iterator[Row]:
    n = p.share.games
    yield from tidy("share", p.share, n, p.name)
    yield from tidy("payoff", p.payoff, n, p.name)
    yield from tidy("rating", p.rating, p.rating.games, p.name)
    yield from tidy("weight", p.weight, n, p.name)
    if p.expected is not None:
        yield from tidy("expected", p.expected, p.expected.games, p.name)
    yield from tidy("best_answer", p.answer_rate, p.answer_rate.games, p.answer, p.name)


def _crossing_rows(crossing: Crossing, games: int) -> Iterator[Row]:
    """Ratings of decks and players by themselves, and the parts of the differences."""
    for deck in crossing.decks:
        n = deck.rating.games
        yield from tidy("rating", deck.rating, n, deck.name, policy=ALL)
    for player in crossing.players:
        rating, rate = player.rating, player.win_rate
        yield from tidy("rating", rating, rating.games, ALL, policy=player.name)
        yield from tidy("win_rate_same_deck", rate, rate.games, ALL, policy=player.name)
    for name, part in (
        ("deck_part", crossing.deck_part),
        ("player_part", crossing.player_part),
        ("both_part", crossing.both_part),
    ):
        yield from tidy(name, part, games, ALL, policy=ALL)


def _crossing(crossing: Crossing) -> CrossingDocument:
    return {
        "decks": [_level(deck) for deck in crossing.decks],
        "players": [
            {**_level(player), "same_deck": win_rate(player.win_rate)}
            for player in crossing.players
        ],
        "deck_part": _part(crossing.deck_part),
        "player_part": _part(crossing.player_part),
        "both_part": _part(crossing.both_part),
    }


def _level(level: Level) -> LevelDocument:
    return {
        "name": level.name,
        "rating": rounded(level.rating.value),
        "rating_interval": ends(level.rating.interval),
    }


def _part(part: Estimate) -> PartDocument:
    return {"part": rounded(part.value), "interval": ends(part.interval)}


def _player(player: MetaPlayer) -> MetaPlayerDocument:
    expected = player.expected
    return {
        "name": player.name,
        "share": rounded(player.share.value),
        "share_interval": ends(player.share.interval),
        "payoff": rounded(player.payoff),
        "rating": rounded(player.rating.value),
        "rating_interval": ends(player.rating.interval),
        "answer": {
            "name": player.answer,
            "win_rate": rounded(player.answer_rate.value),
            "interval": ends(player.answer_rate.interval),
        },
        "weight": rounded(player.weight),
        "expected": value_of(expected),
        "expected_interval": ends_of(expected),
    }
