"""Studies of decks that meet opponents one by one: what they all do alike."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar, Unpack

from deckcheck.cards import CardDatabase
from deckcheck.engine.host.registry import load_game
from deckcheck.findings import UsageError
from deckcheck.findings.options import check_range, option
from deckcheck.findings.words import choice, plural, quote
from deckcheck.formats import Format
from deckcheck.policies.host.workspace import stand_ins
from deckcheck.sim.defaults import MOST_JOBS
from deckcheck.sim.jobs.record import GAMES, Records
from deckcheck.sim.provenance import provenance_of
from deckcheck.sim.scheduling.session import GameSession
from deckcheck.sim.study import RunOptions, Study
from deckcheck.sim.tables.entrants import Entrant
from deckcheck.sim.tables.inputs import enter
from deckcheck.studies.meta.weights import read_weights, weights_of
from deckcheck.validation import DeckReport

TWO = 2


class Seeded(Protocol):
    """A question that names the seed of its games."""

    @property
    def seed(self) -> int:
        """The seed of the run."""


Q = TypeVar("Q", bound=Seeded)
R_co = TypeVar("R_co", covariant=True)


class DuelStudy(Study[Q, R_co], Generic[Q, R_co]):
    """A study whose games are duels, all of them played by one `GameSession`."""

    format: Format
    database: CardDatabase
    question: Q

    def run(
        self, *, records: Records | None = None, **options: Unpack[RunOptions]
    ) -> R_co:
        """Play all games and return the result; see `Study.run`."""
        check_range("jobs", options.get("jobs", 1), 1, MOST_JOBS)
        record = records(GAMES) if records else None
        with GameSession(self.question.seed, record=record, **options) as games:
            return self.answer(games)

    @property
    def one_game(self) -> Format:
        """The format as a game of two decks is played in it."""
        return self.format

    @abstractmethod
    def answer(self, games: GameSession) -> R_co:
        """Play with `games` until the question is answered; see `run`."""

    def head(
        self,
        games: GameSession,
        entrants: Sequence[Entrant],
        confirm: str | None = None,
    ) -> dict[str, Any]:
        """What a `Run` says of how it came about, whatever was asked.

        `entrants` are those whom the result names, `confirm` is one more player.
        """
        fmt = self.format
        players = [entrant.policy for entrant in entrants] + (
            [confirm] if confirm else []
        )
        policies = tuple(dict.fromkeys(players))
        variant = load_game(fmt.game).variant_of(self.one_game, TWO)
        return {
            "format": fmt.id,
            "snapshot": fmt.snapshot,
            "month": fmt.month,
            "play": fmt.seating.play,
            "decks": tuple(entrant.simulated for entrant in entrants),
            "players": policies,
            "stand_ins": stand_ins(policies, fmt.game, variant),
            "seed": self.question.seed,
            "digest": fmt.digest,
            "changes": fmt.own_changes,
            "seconds": games.seconds,
            "jobs": games.jobs,
            "provenance": provenance_of(
                fmt, self.database, [entrant.deck for entrant in entrants]
            ),
        }


def check_meetings(fmt: Format) -> None:
    """Refuse a format in which no two decks meet."""
    if fmt.seating.play == "match":
        raise UsageError(
            f"Lineups play matches in {quote(fmt.id)}, and this is about single decks",
            f"Name the format of one game with {option('format')}: "
            f"{choice(fmt.lineage[1:])}; `deckcheck solve` chooses lineups",
        )
    low, high = fmt.seating.min_players, fmt.seating.max_players
    if fmt.seating.play not in ("duel", "table") or not low <= TWO <= high:
        raise UsageError(
            f"Decks cannot be measured in {quote(fmt.id)}: no two meet there",
            f"Name a format of duels with {option('format')}",
        )


def check_policies(policies: Sequence[str], first: str) -> None:
    """Refuse more players than one for the `first` decks and one for the field."""
    if len(policies) > TWO:
        raise UsageError(
            f"{plural(len(policies), 'policy')} given, expected one or two",
            f"Name one for all decks, or one for the {first} and one for the field",
        )


def shares_in(
    field: Sequence[Entrant], weights: Sequence[float]
) -> tuple[tuple[str, float], ...]:
    """The opponents with their shares of the field; () without weights."""
    total = sum(weights)
    pairs = zip(field, weights, strict=bool(weights))
    return tuple((opponent.name, weight / total) for opponent, weight in pairs)


def met_by_weight(
    field: tuple[Entrant, ...], weights: Sequence[float]
) -> tuple[tuple[Entrant, ...], tuple[float, ...]]:
    """The opponents with a weight above 0, and the weights; all without weights."""
    if not weights:
        return field, ()
    met = [pair for pair in zip(field, weights, strict=True) if pair[1] > 0]
    return tuple(o for o, _ in met), tuple(weight for _, weight in met)


def weights_in(
    file: Path | Mapping[str, float] | None,
    opponents: Sequence[DeckReport],
    policies: Sequence[str],
) -> tuple[float, ...]:
    """How often each opponent comes, by a CSV file or by name; () without weights.

    Raises UsageError as `read_weights` does.
    """
    if file is None:
        return ()
    names = [entrant.name for entrant in field_of(opponents, policies)]
    if isinstance(file, Path):
        return read_weights(file, names, "deck")
    return weights_of(file, names, "deck")


def field_of(
    opponents: Sequence[DeckReport], policies: Sequence[str]
) -> tuple[Entrant, ...]:
    """The opponents, played by the last of one or two players; UsageError if none."""
    if not opponents:
        raise UsageError("No field given", f"Name opponents with {option('against')}")
    return tuple(enter(opponents, [policies[-1]]))
