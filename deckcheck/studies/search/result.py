"""A found deck: result, documents of `tune` and `build`, tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from typing_extensions import TypedDict

from deckcheck.documents.records import Count, DifferenceInterval, Share, one_of
from deckcheck.documents.records import Difference as RateDifference
from deckcheck.messages import choice, game_count, plural, quote
from deckcheck.policies.registry import policy_in_words, policy_label
from deckcheck.report.outputs import Presentation
from deckcheck.report.tables import (
    COUNT,
    IN_PERCENT,
    PERCENT,
    POINTS,
    Cell,
    Column,
    Report,
    ReportTable,
    count,
    more_games,
    numbers,
    ranged,
    shares_fact,
    study_report,
    told,
    words,
)
from deckcheck.sim.documents import RunDocument, WinRate
from deckcheck.sim.figures import (
    ALL,
    Claim,
    Row,
    depending,
    document_of,
    plain,
    tidy,
    win_rate,
)
from deckcheck.sim.result import result_document
from deckcheck.sim.standings import ResultHeader
from deckcheck.stats import Estimate, Verdict, agreed
from deckcheck.studies.duels import (
    OVER_FIELD,
    OpponentEntry,
    VersionDifference,
)
from deckcheck.studies.proof import Gain, Proof

# The JSON documents of decks that a search found: those of `tune` and `build`


@dataclass(frozen=True, slots=True)
class CopiesChange:
    """Copies of a card."""

    id: str
    """The id of the card."""
    name: str
    """The name of the card."""
    copies: int
    """The number of copies; in a change negative for copies that are taken out."""


class DeckDifferenceDocument(TypedDict):
    """The difference of the deck and the one that it was made of."""

    difference: RateDifference
    """The win rate of the deck less that of its base, -1 to 1."""
    interval: DifferenceInterval
    """The lower and the upper end of the difference's 95 % interval, -1 to 1."""
    verdict: Annotated[str, one_of(Verdict)]
    """Whether the deck is better, worse, equal within the margin, or neither."""


class DeckStepDocument(TypedDict):
    """One change on the way from the base to the deck."""

    cards: list[CopiesChange]
    """The cards that go and come; empty for a leader."""
    leader: str | None
    """The name of the new leader; null if the step changes none."""
    gain: DeckDifferenceDocument | None
    """The gain after the steps before it; null if no fresh games were played."""
    so_far: DeckDifferenceDocument | None
    """The gain of it and all steps before it; null if no fresh games were played."""
    confirmed_gain: DeckDifferenceDocument | None
    """The same as `gain` with the other policy; null if none played."""
    confirmed_so_far: DeckDifferenceDocument | None
    """The same as `so_far` with the other policy; null if none played."""


class AgainstDocument(TypedDict):
    """The deck and its base in the same fresh games."""

    win_rate: WinRate
    """The win rate of the deck."""
    win_rate_of_base: WinRate | None
    """The win rate of the deck it was made of; null if there is none."""
    difference: DeckDifferenceDocument | None
    """The difference of both; null without a base."""


class OpponentDocument(AgainstDocument):
    """The same against one opponent."""

    name: str
    """The name of the opponent."""


class ProofDocument(TypedDict):
    """Fresh games that had no part in choosing the deck."""

    policy: str
    """The policy that played the deck and its base."""
    games: Count
    """The number of games of each deck with each opponent."""
    field: AgainstDocument
    """The figures over the whole field; every opponent weighs the same."""
    opponents: list[OpponentDocument]
    """The figures against each opponent."""


@dataclass(frozen=True, slots=True)
class Searched:
    """The search; its games chose the deck, so they flatter it."""

    games: Count
    """The number of games of the search."""
    decks: Count
    """The number of decks that were measured."""
    expected_win_rate: Share
    """The win rate that the search expects of the deck, 0 to 1."""
    expected_win_rate_of_base: Share | None
    """The win rate that it expects of the base, 0 to 1; null if there is none."""


class SearchedDeckDocument(RunDocument):
    """The best deck that a search found."""

    schema_version: Literal[2]
    """The version of this document; 1 had intervals that held one at a time."""
    answer: str
    """The answer in a sentence or two."""
    deck: str
    """The name of the deck; that of the base if nothing better was found."""
    base: str | None
    """The name of the deck it was made of; null if there is none."""
    faction: str | None
    """The id of the deck's faction; null if it has none."""
    leader: str | None
    """The name of the deck's leader; null if it has none."""
    base_leader: str | None
    """The name of the base's leader; null if it has none."""
    cards: list[CopiesChange]
    """The cards of the deck."""
    swaps: list[CopiesChange]
    """The differences of the deck from its base."""
    steps: list[DeckStepDocument]
    """The same, change by change, in the order in which to make them."""
    text: str
    """The deck as the text of a deck file."""
    shares: dict[str, Share]
    """The share of each opponent in the field, by name; empty if all come alike."""
    search: Searched
    """The search: its games and decks."""
    proof: ProofDocument | None
    """Fresh games of the deck and its base; null if none were played."""
    confirmed: ProofDocument | None
    """Fresh games played by another policy; null if none was asked for."""


class TuneDocument(SearchedDeckDocument):
    """The output of `deckcheck tune --output-format json`."""


class BuildDocument(SearchedDeckDocument):
    """The output of `deckcheck build --output-format json`."""


# The result of a search: the deck, its changes, and its worth


@dataclass(frozen=True, slots=True)
class DeckStep:
    """One change of a deck: the copies of cards that go and come, or a new leader.

    Where a change is legal only with another one, both are one step.
    """

    cards: tuple[CopiesChange, ...]
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
    cards: tuple[CopiesChange, ...] = ()
    swaps: tuple[CopiesChange, ...] = ()
    steps: tuple[DeckStep, ...] = ()
    changes_allowed: int | None = None
    text: str = ""
    shares: tuple[tuple[str, float], ...] = ()
    search: Searched = Searched(0, 0, 0.0, None)
    proof: Proof | None = None
    confirmed: Proof | None = None

    @property
    def is_new(self) -> bool:
        """Whether the deck is another one than the base."""
        return self.base is None or self.deck != self.base

    def verdict(self, step: int) -> Verdict | None:
        """What the players make of a step, by its place; None if nobody played it."""
        gains = [gain.own.verdict for gain in self.gains(step)]
        return agreed(*gains) if gains else None

    @property
    def harmful(self) -> tuple[int, ...]:
        """The places of the changes that are worse than none."""
        places = range(len(self.steps))
        return tuple(i for i in places if self.verdict(i) is Verdict.WORSE)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The deck and its base by each player, and the changes that do harm."""
        claims = []
        for proof in filter(None, (self.proof, self.confirmed)):
            if self.base is None:
                rate, by = proof.field.win_rates[-1], proof.policy
                claims.append(Claim.of(self.deck, "", rate, even=0.5, by=by))
            elif self.is_new:
                [gain] = proof.field.differences
                claim = Claim(self.deck, self.base, gain, gain.verdict, proof.policy)
                claims.append(claim)
            claims += [
                Claim(self.steps[i].in_words, "", own, own.verdict, proof.policy)
                for i in self.harmful
                if (own := proof.gains[i].own).verdict is not Verdict.NOT_CLEAR
            ]
        return tuple(claims)

    @property
    def answer(self) -> str:
        """What was found, in a sentence or two."""
        bad = [self.steps[place].in_words for place in self.harmful]
        without = f". Leave out {choice(bad, 'and')}: by itself that does harm"
        return depending(self.claims, self._found() + (without if bad else ""))

    def _found(self) -> str:
        """Whether the deck is better, and by how much."""
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
        if gain.verdict.is_sure:
            more = "more" if gain.verdict is Verdict.BETTER else "less"
            than = f"{_size(gain)} {more} than {quote(self.base)}"
            return f"{wins}, {than}{self._again(_gained)}"
        return (
            f"It is not clear whether {quote(self.deck)} is better than "
            f"{quote(self.base)}: {told(gain)}{self._again(_gained)}"
            f"{more_games(gain, rate.games)}"
        )

    def _again(self, what: Callable[[Proof], str]) -> str:
        """Who played, and what another player came to, if one confirmed it."""
        if self.proof is None:
            return ""
        first = self.proof.policy
        who = f" played by {policy_in_words(first)}"
        if self.confirmed is None:
            return who
        other = self.confirmed.policy
        return (
            f"{who}, and {what(self.confirmed)} played by "
            f"{policy_in_words(other, first)}"
        )

    def _expected(self) -> str:
        """What is known without fresh games."""
        search = self.search
        expected = f"{100 * search.expected_win_rate:.1f} %"
        if (base := search.expected_win_rate_of_base) is not None:
            expected += f", and {quote(self.base or '')} {100 * base:.1f} %"
        return (
            f"{quote(self.deck)} is the best of {self.search.decks:,} decks so far. "
            f"The search expects it to win {expected}; these games chose it, so that "
            "is more likely too high than too low, and no others were played"
        )

    def to_dict(self) -> SearchedDeckDocument:
        """The result as `deckcheck schema tune` and `build` describe it."""
        return result_document(
            SearchedDeckDocument,
            self,
            steps=[self._step(place) for place in range(len(self.steps))],
            shares=plain(dict(self.shares)),
            proof=self._proof(self.proof),
            confirmed=self._proof(self.confirmed),
        )

    def to_rows(self) -> list[Row]:
        """Tidy rows: the deck and its base in fresh games, over the field, by opponent.

        `policy` is who played them, `baseline` the deck that a difference is from.
        """
        proofs = [proof for proof in (self.proof, self.confirmed) if proof is not None]
        words: dict[str, Any] = {"baseline": None, "policy": None}
        rate, games = self.search.expected_win_rate, self.search.games
        rows = [*tidy("win_rate_in_search", rate, games, self.deck, **words)]
        return rows + [
            row
            for proof in proofs
            for against in (proof.field, *proof.opponents)
            for row in self._rows(proof.policy, against)
        ]

    def _rows(self, policy: str, against: OpponentEntry) -> Iterator[Row]:
        opponent = against.name or ALL
        names = [self.deck] if self.base is None else [self.base, self.deck]
        rates = against.win_rates
        for name, rate in zip(names[-len(rates) :], rates, strict=True):
            n, own = rate.games, (name, opponent)
            yield from tidy("win_rate", rate, n, *own, baseline=None, policy=policy)
        for d in against.differences:
            n, own = rates[-1].games, (names[-1], opponent)
            yield from tidy("difference", d, n, *own, baseline=names[0], policy=policy)

    def gains(self, step: int) -> tuple[Gain, ...]:
        """What a step, by its place, gained with each player who played it."""
        proofs = (self.proof, self.confirmed)
        return tuple(proof.gains[step] for proof in proofs if proof is not None)

    def _step(self, place: int) -> DeckStepDocument:
        step = self.steps[place]
        own, again, *_ = (*self.gains(place), None, None)
        return {
            "cards": plain(step.cards),
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

    def _opponent(self, against: OpponentEntry) -> OpponentDocument:
        return {"name": against.name, **self._against(against)}

    def _against(self, against: OpponentEntry) -> AgainstDocument:
        difference = against.differences[0] if against.differences else None
        return {
            "win_rate": win_rate(against.win_rates[-1]),
            "win_rate_of_base": win_rate(against.win_rates[0]) if difference else None,
            "difference": _difference(difference) if difference else None,
        }


def _copies(cards: Iterable[CopiesChange]) -> str:
    """Cards with the numbers of their copies, where there are several."""
    return ", ".join(
        f"{abs(card.copies)} {card.name}" if abs(card.copies) > 1 else card.name
        for card in cards
    )


def _percent(rate: Estimate) -> str:
    low, high = rate.interval
    return f"{100 * rate.value:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def _size(difference: VersionDifference) -> str:
    """The size of a difference that is sure."""
    seen = difference if difference.value > 0 else difference.opposite()
    return f"{IN_PERCENT.number(seen.value)} points ({ranged(seen.interval)})"


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
    return f"{told(gain)}, which is not clear,"


def _difference(difference: VersionDifference) -> DeckDifferenceDocument:
    return document_of(DeckDifferenceDocument, difference)


# Tables of a deck that a search found


def found_report(result: FoundDeck) -> Report:
    """Return the tables of `result`, its answer first."""
    searched = result.search
    what = f"{count(searched.decks)} decks in {game_count(searched.games)}"
    again = result.confirmed
    confirmed = [] if again is None else [("confirmed", _confirmed(again))]
    tables = [_steps(result)] if result.steps else []
    tables += [_opponents(result, result.proof)] if result.proof else []
    # Of one that was built the cards are the answer, of one that was tuned the changes.
    place = 0 if result.base is None else len(tables)
    tables[place:place] = [_deck(result)] if result.is_new else []
    return study_report(
        result,
        _games(result),
        tables,
        [("searched", what), *confirmed, *shares_fact(result.shares)],
        title=f"Can {result.base} be better?"
        if result.base is not None
        else "What is the best deck against this field?",
    )


def _games(result: FoundDeck) -> str:
    games = f"{count(result.games_played)} in mirrored pairs"
    if result.proof is None:
        return games
    fresh = count(result.proof.field.win_rates[-1].games)
    return f"{games}, {fresh} fresh ones of each deck in the proof"


def _confirmed(proof: Proof) -> str:
    games = game_count(proof.field.win_rates[-1].games)
    return f"by {policy_label(proof.policy)} in {games} of each deck"


def _steps(result: FoundDeck) -> ReportTable:
    """The changes in their order, and what each gains."""
    proofs = [proof for proof in (result.proof, result.confirmed) if proof]
    names = [f"by {policy_label(proof.policy)}" for proof in proofs]
    columns = [
        Column("change"),
        *(Column(name, POINTS, "95 % interval") for name in names),
        *words(*(["verdict"] if result.harmful else [])),
    ]
    rows: list[tuple[Cell, ...]] = []
    for place, step in enumerate(result.steps):
        verdict = result.verdict(place)
        gains = [gain.own for gain in result.gains(place)]
        word = [verdict.value] if verdict and result.harmful else []
        rows.append((step.in_words, *gains, *word))
    note = (
        "points that a change gains after those above it, in fresh games; the "
        "intervals of a player hold together. With only some of the cards at hand, "
        "begin at the top"
    )
    title = f"{result.base}: what to change, in this order"
    shown = note if proofs else None
    return ReportTable(
        title, tuple(columns), tuple(rows), ranked=True, note=shown, whole=True
    )


def _opponents(result: FoundDeck, proof: Proof) -> ReportTable:
    """The fresh games, by opponent; with a base, by what it gained."""
    confirmed = result.confirmed
    again = {
        against.name: against for against in (confirmed.opponents if confirmed else ())
    }
    if confirmed is not None:
        again[OVER_FIELD] = confirmed.field
    opponents = sorted(proof.opponents, key=_gain, reverse=True)
    rows = [
        _row(against, again.get(against.name))
        for against in (proof.field, *(opponents if len(opponents) > 1 else ()))
    ]
    unit = PERCENT if result.base is None else POINTS
    again_columns = (
        (Column(policy_label(confirmed.policy), unit, "95 % interval"),)
        if confirmed
        else ()
    )
    if result.base is None:
        rates = (Column(""), Column("win rate", unit, "95 % interval"))
        title = f"{result.deck}: win rate in fresh games"
        return ReportTable(title, (*rates, *again_columns), tuple(rows))
    columns = (
        Column(""),
        *numbers(IN_PERCENT, "old", "new"),
        Column("points", unit, "95 % interval"),
    )
    title = f"Old: {result.base}; new: {result.deck}, in fresh games"
    note = (
        "old and new: win rates in %; points: what the new deck has more; the "
        "interval over all opponents holds by itself, those against one each hold "
        "together"
    )
    return ReportTable(title, (*columns, *again_columns), tuple(rows), note=note)


def _gain(against: OpponentEntry) -> float:
    if against.differences:
        return against.differences[0].value
    return against.win_rates[-1].value


def _row(against: OpponentEntry, again: OpponentEntry | None) -> tuple[Cell, ...]:
    """The figures against one opponent, by the other player as well."""
    name = against.name or "all opponents"
    trials = [trial for trial in (against, again) if trial]
    if not against.differences:
        return (name, *(trial.win_rates[-1] for trial in trials))
    old, new = (rate.value for rate in against.win_rates)
    return (name, old, new, *(trial.differences[0] for trial in trials))


def _deck(result: FoundDeck) -> ReportTable:
    """The deck, card by card; `deck` among the outputs is the file."""
    rows = tuple((card.name, card.copies) for card in result.cards)
    leader = f", {result.leader}" if result.leader else ""
    columns = (Column("card"), Column("copies", COUNT))
    return ReportTable(f"{result.deck}{leader}", columns, rows)


DECK_SEARCH = Presentation[FoundDeck](
    found_report, own=(("deck", lambda result: result.text),)
)
