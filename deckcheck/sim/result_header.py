"""The header of every result: how its games were played, and by which decks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from deckcheck.cards.models import CardChange
from deckcheck.policies.registry import policy_label
from deckcheck.sim.bot_errors import BotError, find_bot_error
from deckcheck.sim.figures import Tabular
from deckcheck.sim.provenance import Provenance
from deckcheck.sim.stopping import StoppingOutcome


@dataclass(frozen=True, slots=True)
class SimulatedDeck:
    """A deck of the run."""

    name: str
    """The name, unique within the run."""
    path: str
    """The file of the deck, or the name of another source."""
    index: int
    """The place of the deck in its file, from 0."""
    faction: str | None
    leader: str | None
    policy: str
    findings: int
    """The number of errors that make the deck illegal."""

    @property
    def legal(self) -> bool:
        """Whether the deck is legal in the format of the run."""
        return self.findings == 0


@dataclass(frozen=True, slots=True, repr=False)
class ResultHeader(Tabular):
    """How games were played. Every result, and every report of it, begins with this."""

    format: str
    """The id of the format."""
    snapshot: str
    """The snapshot of the format's cards."""
    month: str
    """The snapshot as it is printed, see `Format.month`."""
    play: str
    """The word of the seating: `duel`, `table`, `teams`, `solo`, `shared`, `match`."""
    decks: tuple[SimulatedDeck, ...]
    players: tuple[str, ...]
    """The policies that played, each named once."""
    stand_ins: tuple[str, ...]
    """The policies that do not know the game: the heuristic played for them."""
    games: int
    """The games at each table, or the matches of each pair of lineups."""
    games_played: int
    """The games of the whole run."""
    seed: int
    checksum: str
    """A hash of every game. Equal decks, policies, seeds and games have the same."""
    fingerprint: str
    """A short hash of rules and card data."""
    changes: tuple[CardChange, ...]
    """The changes by a user's own sets."""
    seconds: float | None
    """The time of play, None for a run directory, of perhaps several machines."""
    jobs: int | None
    """The workers, None for a run directory."""
    complete: bool = True
    """Whether all requested games were played."""
    challengers: tuple[str, ...] = ()
    """The decks that met others, which did not meet each other."""
    stopped: StoppingOutcome | None = None
    """The outcome of a stopping rule, whose intervals hold at every checkpoint."""
    provenance: Provenance | None = field(default=None, repr=False)
    """The basis of the games."""
    only_heuristic_knows: bool = False
    """Whether only the heuristic knows the game, so no bot cross-checks by default."""

    @property
    def games_per_second(self) -> float | None:
        """Games played per second of wall time, the start of workers included."""
        return self.games_played / self.seconds if self.seconds else None

    @property
    def policies(self) -> Mapping[str, str]:
        """The policy that played each deck."""
        return {deck.name: deck.policy for deck in self.decks}

    @property
    def only_bot(self) -> tuple[str, str, str] | None:
        """The game, the way to play and the bot, None if several bots played."""
        bots = {deck.policy for deck in self.decks}
        if len(bots) != 1 or self.provenance is None:
            return None
        [policy] = bots
        bot = policy_label("heuristic" if policy in self.stand_ins else policy)
        return self.provenance.game, self.play, bot

    @property
    def bot_error(self) -> BotError | None:
        """How far figures may be wrong by the bot, if one bot played all decks."""
        return self.find_matchup_error()

    def find_matchup_error(self) -> BotError | None:
        """Return the error of a matchup, None where it was not measured."""
        if self.only_bot is None or self.provenance is None:
            return None
        return find_bot_error(*self.only_bot, self.provenance.known_share)

    @property
    def illegal(self) -> tuple[SimulatedDeck, ...]:
        """The decks that played although they are illegal."""
        return tuple(deck for deck in self.decks if not deck.legal)
