"""The result of a search: the deck, its changes, and its worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from deckcheck.findings.words import plural, quote
from deckcheck.policies.host.registry import policy_in_words
from deckcheck.report.units import IN_PERCENT, points, ranged
from deckcheck.sim.results.data import head_data
from deckcheck.sim.results.figures import Row, ends, rounded, win_rate
from deckcheck.sim.results.played import ResultHeader
from deckcheck.sim.results.tidy import ALL, NONE, tidy
from deckcheck.stats import Estimate
from deckcheck.studies.differences import Against, Difference, Verdict
from deckcheck.studies.search.document import (
    AgainstDocument,
    CopiesDocument,
    DifferenceDocument,
    OpponentDocument,
    ProofDocument,
    SearchedDeckDocument,
    StepDocument,
)
from deckcheck.studies.search.proof import Gain, Proof


@dataclass(frozen=True, slots=True)
class CardChange:
    """How many copies of a card more than in the base; negative for fewer."""

    id: str
    name: str
    copies: int


@dataclass(frozen=True, slots=True)
class Step:
    """One change of a deck: the copies of cards that go and come, or a new leader.

    Where a change is legal only with another one, both are one step.
    """

    cards: tuple[CardChange, ...]
    leader: str | None = None

    @property
    def in_words(self) -> str:
        """What to do: `Ves for Ballista`, `Clear Weather out`."""
        out = _copies(card for card in self.cards if card.copies < 0)
        into = _copies(card for card in self.cards if card.copies > 0)
        cards = f"{into} for {out}" if out and into else ""
        if not cards and (out or into):
            cards = f"{out} out" if out else f"{into} in"
        leader = f"{self.leader} as leader" if self.leader else ""
        return ", ".join(filter(None, (leader, cards)))


@dataclass(frozen=True, slots=True)
class Searched:
    """What the search did: its games, and how many decks it measured.

    `rate` is what it expects of the deck found, and `base_rate` of the base: its games
    chose the deck, so they flatter it.
    """

    games: int
    decks: int
    rate: float
    base_rate: float | None


@dataclass(frozen=True, slots=True, repr=False)
class FoundDeck(ResultHeader):
    """The best deck that a search found.

    `deck` is its name, `base` that of the deck it was made of, if any; they are the
    same when nothing better was found within `changes_allowed`. `steps` are its changes
    in the order in which to make them, `swaps` all of them together. `leader` is
    the full name, `base_leader` that of the base. `text` is the deck as a file.
    `shares` are those of the opponents in the field, () for all alike.
    `proof` are fresh games, None if none were played; `confirmed` are those of another
    player, where one was asked for. `games` are those of each deck with each opponent
    in the proof.
    """

    deck: str = ""
    base: str | None = None
    faction: str | None = None
    leader: str | None = None
    base_leader: str | None = None
    cards: tuple[CardChange, ...] = ()
    swaps: tuple[CardChange, ...] = ()
    steps: tuple[Step, ...] = ()
    changes_allowed: int | None = None
    text: str = ""
    shares: tuple[tuple[str, float], ...] = ()
    searched: Searched = Searched(0, 0, 0.0, None)
    proof: Proof | None = None
    confirmed: Proof | None = None

    @property
    def is_new(self) -> bool:
        """Whether the deck is another one than the base."""
        return self.base is None or self.deck != self.base

    @property
    def answer(self) -> str:
        """What was found, in a sentence or two."""
        if not self.is_new:
            most = plural(self.changes_allowed or 0, "change")
            claim = (
                "No better deck was found" if self.complete else "No better deck yet"
            )
            return f"{claim} within {most} of {quote(self.deck)}"
        if self.proof is None:
            return self._expected()
        rate = self.proof.field.win_rates[-1]
        wins = f"{quote(self.deck)} wins {_percent(rate)} of its games"
        if self.base is None:
            return f"{wins} against this field{self._again(_won)}"
        [gain] = self.proof.field.differences
        if gain.verdict in (Verdict.BETTER, Verdict.WORSE):
            more = "more" if gain.verdict is Verdict.BETTER else "less"
            than = f"{_size(gain)} {more} than {quote(self.base)}"
            return f"{wins}, {than}{self._again(_gained)}"
        return (
            f"It is not clear whether {quote(self.deck)} is better than "
            f"{quote(self.base)}: {_signed(gain)}{self._again(_gained)}"
        )

    def _again(self, what: Callable[[Proof], str]) -> str:
        """Who played, and what another player came to, if one confirmed it."""
        if self.proof is None or self.confirmed is None:
            return ""
        first, other = self.proof.policy, self.confirmed.policy
        return (
            f" played by {policy_in_words(first)}, {what(self.confirmed)} by "
            f"{policy_in_words(other, first)}"
        )

    def _expected(self) -> str:
        """What is known without fresh games."""
        expected = f"{100 * self.searched.rate:.1f} %"
        if self.searched.base_rate is not None:
            expected += (
                f", and {quote(self.base or '')} {100 * self.searched.base_rate:.1f} %"
            )
        return (
            f"{quote(self.deck)} is the best of {self.searched.decks:,} decks so far. "
            f"The search expects it to win {expected}; these games chose it, so that "
            "is more likely too high than too low, and no others were played"
        )

    def to_dict(self) -> SearchedDeckDocument:
        """The result as `deckcheck schema tune` and `build` describe it."""
        return {
            "schema_version": 2,
            **head_data(self),
            "answer": self.answer,
            "deck": self.deck,
            "base": self.base,
            "faction": self.faction,
            "leader": self.leader,
            "base_leader": self.base_leader,
            "cards": [_card(card) for card in self.cards],
            "swaps": [_card(swap) for swap in self.swaps],
            "steps": [self._step(place) for place in range(len(self.steps))],
            "text": self.text,
            "shares": {name: rounded(share) for name, share in self.shares},
            "search": {
                "games": self.searched.games,
                "decks": self.searched.decks,
                "expected_win_rate": rounded(self.searched.rate),
                "expected_win_rate_of_base": rounded(self.searched.base_rate),
            },
            "proof": self._proof(self.proof),
            "confirmed": self._proof(self.confirmed),
        }

    def to_rows(self) -> list[Row]:
        """Tidy rows: the deck and its base in fresh games, over the field, by opponent.

        `policy` is who played them, `baseline` the deck that a difference is from.
        """
        proofs = [proof for proof in (self.proof, self.confirmed) if proof is not None]
        words = {"baseline": NONE, "policy": NONE}
        rate, games = self.searched.rate, self.searched.games
        rows = [*tidy("win_rate_in_search", rate, games, self.deck, **words)]
        return rows + [
            row
            for proof in proofs
            for against in (proof.field, *proof.opponents)
            for row in self._rows(proof.policy, against)
        ]

    def _rows(self, policy: str, against: Against) -> Iterator[Row]:
        opponent = against.opponent or ALL
        names = [self.deck] if self.base is None else [self.base, self.deck]
        rates = against.win_rates
        for name, rate in zip(names[-len(rates) :], rates, strict=True):
            words = {"baseline": NONE, "policy": policy}
            yield from tidy("win_rate", rate, rate.games, name, opponent, **words)
        for d in against.differences:
            words = {"baseline": names[0], "policy": policy}
            n = rates[-1].games
            yield from tidy("difference", d, n, names[-1], opponent, **words)

    def gains(self, step: int) -> tuple[Gain, ...]:
        """What a step, by its place, gained with each player who played it."""
        proofs = (self.proof, self.confirmed)
        return tuple(proof.gains[step] for proof in proofs if proof is not None)

    def _step(self, place: int) -> StepDocument:
        step = self.steps[place]
        own, again, *_ = (*self.gains(place), None, None)
        return {
            "cards": [_card(card) for card in step.cards],
            "leader": step.leader,
            "gain": _difference(own.own) if own else None,
            "so_far": _difference(own.so_far) if own else None,
            "confirmed_gain": _difference(again.own) if again else None,
            "confirmed_so_far": _difference(again.so_far) if again else None,
        }

    def _proof(self, proof: Proof | None) -> ProofDocument | None:
        if proof is None:
            return None
        return {
            "policy": proof.policy,
            "games": proof.games,
            "field": self._against(proof.field),
            "opponents": [self._opponent(opponent) for opponent in proof.opponents],
        }

    def _opponent(self, against: Against) -> OpponentDocument:
        assert against.opponent is not None
        return {"name": against.opponent, **self._against(against)}

    def _against(self, against: Against) -> AgainstDocument:
        difference = against.differences[0] if against.differences else None
        return {
            "win_rate": win_rate(against.win_rates[-1]),
            "win_rate_of_base": win_rate(against.win_rates[0]) if difference else None,
            "difference": _difference(difference) if difference else None,
        }


def _copies(cards: Iterable[CardChange]) -> str:
    """Cards with the numbers of their copies, where there are several."""
    return ", ".join(
        f"{abs(card.copies)} {card.name}" if abs(card.copies) > 1 else card.name
        for card in cards
    )


def _card(change: CardChange) -> CopiesDocument:
    return {"id": change.id, "name": change.name, "copies": change.copies}


def _percent(rate: Estimate) -> str:
    low, high = rate.interval
    return f"{100 * rate.value:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def _size(difference: Difference) -> str:
    """The size of a difference that is sure."""
    seen = difference if difference.value > 0 else difference.opposite()
    return f"{IN_PERCENT.number(seen.value)} points ({ranged(seen.interval)})"


def _signed(difference: Difference) -> str:
    return f"{points(difference.value)} points ({ranged(difference.interval)})"


def _won(proof: Proof) -> str:
    """The win rate of a deck without a base, again."""
    return _percent(proof.field.win_rates[-1])


def _gained(proof: Proof) -> str:
    """What another player made of the difference, after a first one."""
    [gain] = proof.field.differences
    if gain.verdict is Verdict.BETTER:
        return f"{_size(gain)} more"
    if gain.verdict is Verdict.WORSE:
        return f"but {_size(gain)} less"
    return f"{_signed(gain)}, which may be chance,"


def _difference(difference: Difference) -> DifferenceDocument:
    return {
        "difference": rounded(difference.value),
        "interval": ends(difference.interval),
        "verdict": difference.verdict.value,
    }
