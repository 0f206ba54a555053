"""`tune` and `build`: a found deck, its documents and tables, and the search for it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Any, Generic, Literal, TypeVar

from typing_extensions import TypedDict

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.decks.model import Header, make_sheet
from deckcheck.decks.rewriting import write_decks
from deckcheck.documents.records import Count, DifferenceInterval, Share, one_of
from deckcheck.documents.records import Difference as RateDifference
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.generating import leaders_allowed
from deckcheck.messages import choice, game_count, option, plural, quote
from deckcheck.playing.kernel import CHECKSUM_MASK
from deckcheck.policies.registry import is_weaker, policy_label
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
    difference_text,
    more_games,
    numbers,
    rate_text,
    said_by,
    shares_fact,
    study_report,
    words,
)
from deckcheck.sim.confirming import choosing_player, usual_games
from deckcheck.sim.documents import RunDocument, WinRate
from deckcheck.sim.entrants import Entrant, count_errors
from deckcheck.sim.figures import (
    ALL,
    Claim,
    Row,
    depending,
    make_document,
    plain,
    tidy,
    win_rate,
)
from deckcheck.sim.result import result_document
from deckcheck.sim.scheduler import GameSession
from deckcheck.sim.standings import ResultHeader
from deckcheck.sim.study import Interrupted
from deckcheck.specs import BuildSpec, HuntSpec, TuneSpec
from deckcheck.stats import Verdict, agreed
from deckcheck.studies.duels import (
    DuelStudy,
    OpponentEntry,
    VersionDifference,
    card_of,
    check_meetings,
    confirmed_in,
    deck_and_field,
    field_of,
    played_by,
    shares_in,
    size_of,
)
from deckcheck.studies.proof import Gain, Measure, Proof, prove
from deckcheck.studies.search.search import (
    FEWEST_GAMES,
    DeckSearch,
    Judge,
    SearchOutcome,
)
from deckcheck.studies.search.space import DeckSpace, space_around, spaces_of
from deckcheck.validation import DeckReport


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

    policy: str
    """The policy that played these games; that of the proof played the last ones."""
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
    """The best deck that a search found, see `SearchedDeckDocument`.

    `deck` and `base` are the same when nothing better was found within
    `changes_allowed`. `games` are those of each deck with each opponent in the proof.
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
    search: Searched = Searched("", 0, 0, 0.0, None)
    proof: Proof | None = None
    confirmed: Proof | None = None

    @property
    def is_new(self) -> bool:
        """Whether the deck differs from the base."""
        return self.base is None or self.deck != self.base

    def verdict(self, step: int) -> Verdict | None:
        """What the players make of a step, by its place; None if nobody played it."""
        proofs = [proof for proof in (self.proof, self.confirmed) if proof is not None]
        asked = [p for p in proofs if not is_weaker(p.policy, proofs[0].policy)]
        gains = [proof.gains[step].own.verdict for proof in asked]
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
            none = "No better deck was found" if self.complete else "No better deck yet"
            return f"{none} within {most} of {quote(self.deck)}"
        if self.proof is None:
            return self._expected()
        rate = self.proof.field.win_rates[-1]
        wins = f"{quote(self.deck)} wins {rate_text(rate)} of its games"
        if self.base is None:
            return f"{wins} against this field{self._again(_won)}"
        [gain] = self.proof.field.differences
        if gain.verdict.is_sure:
            more = "more" if gain.verdict is Verdict.BETTER else "less"
            than = f"{size_of(gain)} {more} than {quote(self.base)}"
            return f"{wins}, {than}{self._again(_gained)}"
        return (
            f"It is not clear whether {quote(self.deck)} is better than "
            f"{quote(self.base)}: {difference_text(gain)}{self._again(_gained)}"
            f"{more_games(gain, rate.games)}"
        )

    def _again(self, what: Callable[[Proof], str]) -> str:
        """Who played, and what another player came to, if one confirmed it."""
        if self.proof is None:
            return ""
        said = [(self.proof.policy, "")]
        if self.confirmed is not None:
            said.append((self.confirmed.policy, what(self.confirmed)))
        return said_by(said)

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
            "gain": _difference(own.own if own else None),
            "so_far": _difference(own.so_far if own else None),
            "confirmed_gain": _difference(again.own if again else None),
            "confirmed_so_far": _difference(again.so_far if again else None),
        }

    def _proof(self, proof: Proof | None) -> ProofDocument | None:
        if proof is None:
            return None
        return {
            "policy": proof.policy,
            "games": proof.games,
            "field": self._against(proof.field),
            "opponents": [
                {"name": against.name, **self._against(against)}
                for against in proof.opponents
            ],
        }

    def _against(self, against: OpponentEntry) -> AgainstDocument:
        difference = against.differences[0] if against.differences else None
        return {
            "win_rate": win_rate(against.win_rates[-1]),
            "win_rate_of_base": win_rate(against.win_rates[0]) if difference else None,
            "difference": _difference(difference),
        }


def _copies(cards: Iterable[CopiesChange]) -> str:
    """Cards with the numbers of their copies, where there are several."""
    return ", ".join(
        f"{abs(card.copies)} {card.name}" if abs(card.copies) > 1 else card.name
        for card in cards
    )


def _won(proof: Proof) -> str:
    return rate_text(proof.field.win_rates[-1])


def _gained(proof: Proof) -> str:
    """What another player made of the difference, after a first one."""
    [gain] = proof.field.differences
    if gain.verdict is Verdict.BETTER:
        return f"{size_of(gain)} more"
    if gain.verdict is Verdict.WORSE:
        return f"but {size_of(gain)} less"
    return f"{difference_text(gain)}, which is not clear,"


def _difference(difference: VersionDifference | None) -> DeckDifferenceDocument | None:
    if difference is None:
        return None
    return make_document(DeckDifferenceDocument, difference)


# Tables of a deck that a search found


def found_report(result: FoundDeck) -> Report:
    """Return the tables of `result`, its answer first."""
    search = result.search
    by = f" by {policy_label(search.policy)}" if search.policy else ""
    what = f"{count(search.decks)} decks in {game_count(search.games)}{by}"
    facts = [("searched", what)]
    if (again := result.confirmed) is not None:
        played = game_count(again.field.win_rates[-1].games)
        by = policy_label(again.policy)
        facts.append(("confirmed", f"by {by} in {played} of each deck"))
    games = f"{count(result.games_played)} in mirrored pairs"
    if result.proof is not None:
        fresh = count(result.proof.field.win_rates[-1].games)
        games += f", {fresh} fresh ones of each deck in the proof"
    tables = [_steps(result)] if result.steps else _list_changes(result)
    tables += [_opponents(result, result.proof)] if result.proof else []
    # Of one that was built the cards are the answer, of one that was tuned the changes.
    place = 0 if result.base is None else len(tables)
    tables[place:place] = [_deck(result)] if result.is_new else []
    return study_report(
        result,
        games,
        tables,
        [*facts, *shares_fact(result.shares)],
        title=f"Can {result.base} be better?"
        if result.base is not None
        else "What is the best deck against this field?",
    )


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
        "intervals of a player hold jointly. With only some of the cards at hand, "
        "begin at the top"
    )
    title = f"{result.base}: what to change, in this order"
    shown = note if proofs else None
    return ReportTable(
        title, tuple(columns), tuple(rows), ranked=True, note=shown, whole=True
    )


def _list_changes(result: FoundDeck) -> list[ReportTable]:
    """Return the cards that go and come, where their order is not known yet."""
    if result.base is None or not result.swaps:
        return []
    columns = (Column("card"), Column("copies", COUNT))
    rows = tuple((card.name, card.copies) for card in result.swaps)
    note = "copies that go, with a minus, and that come; the proof will order them"
    title = f"{result.base}: what to change"
    return [ReportTable(title, columns, rows, note=note)]


def _opponents(result: FoundDeck, proof: Proof) -> ReportTable:
    """The fresh games, by opponent; with a base, by what it gained."""
    confirmed = result.confirmed
    again = {}
    if confirmed is not None:
        again = {own.name: own for own in (confirmed.field, *confirmed.opponents)}
    opponents = sorted(proof.opponents, key=_gain, reverse=True)
    rows = [
        _row(against, again.get(against.name))
        for against in (proof.field, *(opponents if len(opponents) > 1 else ()))
    ]
    unit = PERCENT if result.base is None else POINTS
    more = () if confirmed is None else (policy_label(confirmed.policy),)
    if result.base is None:
        names = ("win rate", *more)
        columns = (Column(""), *(Column(n, unit, "95 % interval") for n in names))
        title = f"{result.deck}: win rate in fresh games"
        return ReportTable(title, columns, tuple(rows))
    columns = (
        Column(""),
        *numbers(IN_PERCENT, "old", "new"),
        *(Column(name, unit, "95 % interval") for name in ("points", *more)),
    )
    title = f"Old: {result.base}; new: {result.deck}, in fresh games"
    note = (
        "old and new: win rates in %; points: what the new deck has more; the "
        "interval over all opponents holds by itself, those against one each hold "
        "jointly"
    )
    return ReportTable(title, columns, tuple(rows), note=note)


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


# A search as a study: it finds a deck, proves it on fresh games, and tells of it


PROOF, PROOF_OF_CHANGES = 0.15, 0.2
"""The share of the games that is kept for the proof; changes need a larger one."""

MARGIN = 0.005


H = TypeVar("H", bound=HuntSpec)


class Hunt(DuelStudy[H, FoundDeck], Generic[H]):
    """A search for the best deck against a field; `run` does it."""

    field: tuple[Entrant, ...]

    @property
    @abstractmethod
    def spaces(self) -> list[DeckSpace]:
        """The decks that may be found."""

    @property
    def base(self) -> Entrant | None:
        """The deck that is to become better, if there is one."""
        return None

    @property
    def policy(self) -> str:
        """The policy that plays the searched deck."""
        return self.question.policies[0]

    @property
    def choosing(self) -> str | None:
        """The policy that plays the games of the search, None for the usual ones."""
        policies, thorough = self.question.policies, self.question.thorough
        return choosing_player(policies, thorough=thorough)

    @property
    def played_again(self) -> int:
        """The games of each deck that another player plays."""
        question = self.question
        if question.confirm is None:
            return 0
        return question.confirm_games or usual_games(question.confirm, question.budget)

    @property
    def proof_share(self) -> float:
        """The share of the games that is kept for the proof."""
        return PROOF if self.base is None else PROOF_OF_CHANGES

    @abstractmethod
    def name_of(self, deck: SearchOutcome) -> str:
        """What a deck that was found is called."""

    @property
    def least_games(self) -> int:
        """The fewest games that are of use."""
        return FEWEST_GAMES * len(self.field) * len(self.spaces)

    def check_games(self) -> None:
        """Raise UsageError for too few games to search with."""
        if self.question.budget < self.least_games:
            raise UsageError(
                f"{self.question.budget:,} games are too few for this search, "
                f"which needs at least {self.least_games:,}",
                f"Give more with {option('games')}, or name a smaller field",
            )

    def answer(self, games: GameSession) -> FoundDeck:
        """Search, and prove what was found; an interrupt has the best deck so far."""
        question = self.question
        proofs: list[Proof] = []
        # The proof may be about the base, and one more deck for each change.
        proved = 1 + max(space.changes or 0 for space in self.spaces)
        measure = Measure(
            self.format,
            self.database,
            played_by(self.field, self.choosing),
            self.choosing or self.policy,
            games,
            question.weights,
            budget=question.budget + proved * self.played_again,
        )
        budget = int((1 - self.proof_share) * question.budget)
        judge = None if self.choosing is None else Judge(self.policy, self.field)
        search = DeckSearch(
            self.spaces, measure, budget, question.seed, undoes=True, judge=judge
        )
        try:
            best_deck = search.run()
            self._prove(best_deck, measure, proofs)
        except KeyboardInterrupt:
            best = search.best()
            result = self._result(best, proofs, measure) if best else None
            raise Interrupted(result and replace(result, complete=False)) from None
        return self._result(best_deck, proofs, measure)

    def _prove(
        self, deck: SearchOutcome, measure: Measure, proofs: list[Proof]
    ) -> None:
        """Play fresh games, by the usual player and by the one who is to confirm."""
        if deck.is_base:
            return
        decks = [self._named(deck)]
        if self.base is not None:
            between = map(deck.space.deck, deck.path[1:-1])
            decks = [self.base.deck, *between, *decks]
        measure.note = "proof on fresh games"
        games = int(self.proof_share * self.question.budget / len(decks))
        again = len(decks) * self.played_again
        measure.budget = measure.played + games * len(decks) + again
        # The measure is that of the search: its games and its jobs count on.
        measure.seat_players(self.policy, self.field)
        proofs.append(prove(measure, decks, games, MARGIN))
        confirm = self.question.confirm
        if confirm is not None:
            measure.seat_players(confirm, played_by(self.field, confirm))
            measure.note = f"proof played by {confirm}"
            proofs.append(prove(measure, decks, self.played_again, MARGIN))

    def _named(self, best_deck: SearchOutcome) -> Deck:
        """The deck that was found under its own name."""
        if best_deck.is_base:
            return best_deck.deck
        name = self.name_of(best_deck)
        deck = best_deck.deck
        headers = {**deck.headers, "name": (Header(name, deck.span),)}
        return replace(deck, name=name, headers=headers)

    def _result(
        self, best_deck: SearchOutcome, proofs: Sequence[Proof], measure: Measure
    ) -> FoundDeck:
        deck, base = self._named(best_deck), self.base
        leaders = self.database.leaders
        own = Entrant(deck, deck.name, self.policy)
        is_new = base is not None and not best_deck.is_base
        entrants = (*([base] if base and is_new else []), own, *self.field)
        return FoundDeck(
            **self.head(measure.games, entrants, self.question.confirm),
            games=proofs[0].games if proofs else 0,
            games_played=measure.played,
            shares=shares_in(self.field, self.question.weights),
            checksum=f"{measure.checksum & CHECKSUM_MASK:012x}",
            deck=deck.name,
            base=base.name if base else None,
            faction=deck.faction,
            leader=leaders[deck.leader].full_name if deck.leader else None,
            base_leader=(
                leaders[base.deck.leader].full_name
                if base and base.deck.leader
                else None
            ),
            cards=self._cards(deck.counts()),
            swaps=self._swaps(self.base.deck, deck) if self.base else (),
            steps=self._steps(best_deck),
            changes_allowed=best_deck.space.changes,
            text=write_decks(
                "text", [make_sheet(deck, self.database)], self.database
            ).text,
            search=Searched(
                self.choosing or self.policy,
                best_deck.played,
                best_deck.decks,
                best_deck.rate,
                best_deck.base_rate,
            ),
            proof=proofs[0] if proofs else None,
            confirmed=proofs[1] if len(proofs) > 1 else None,
        )

    def _steps(self, best_deck: SearchOutcome) -> tuple[DeckStep, ...]:
        """The changes in the order in which to make them."""
        decks = [best_deck.space.deck(candidate) for candidate in best_deck.path]
        return tuple(
            DeckStep(self._swaps(before, after), self._leader(before, after))
            for before, after in pairwise(decks)
        )

    def _leader(self, before: Deck, after: Deck) -> str | None:
        """The name of the leader that comes, None if it is the same."""
        if after.leader is None or after.leader == before.leader:
            return None
        return self.database.leaders[after.leader].full_name

    def _swaps(self, before: Deck, after: Deck) -> tuple[CopiesChange, ...]:
        """The cards that go, then those that come."""
        old, new = before.counts(), after.counts()
        changed = {card: new[card] - old[card] for card in (*old, *new)}
        ordered = sorted(changed, key=lambda card: changed[card] > 0)
        return self._cards({card: changed[card] for card in ordered if changed[card]})

    def _cards(self, counts: Mapping[str, int]) -> tuple[CopiesChange, ...]:
        cards = self.database.cards
        return tuple(CopiesChange(id, cards[id].name, n) for id, n in counts.items())


@dataclass(frozen=True)
class Tuning(Hunt[TuneSpec]):
    """A deck that is to become better; `run` tries."""

    KIND = "tune"
    QUESTION = TuneSpec

    deck: Entrant
    field: tuple[Entrant, ...]

    @cached_property
    def spaces(self) -> list[DeckSpace]:
        """The decks around the base."""
        return [
            space_around(
                self.deck.deck,
                self.format,
                self.database,
                changes=self.question.changes,
                kept=self.question.keep,
                changes_leader=self.question.change_leader,
            )
        ]

    @property
    def base(self) -> Entrant:
        """The deck that is to become better."""
        return self.deck

    def name_of(self, deck: SearchOutcome) -> str:
        """What a better deck is called."""
        return f"{self.deck.name}, tuned"


def tuning_of(
    fmt: Format,
    database: CardDatabase,
    deck: Sequence[DeckReport],
    opponents: Sequence[DeckReport],
    question: TuneSpec,
) -> Tuning:
    """The search for a better version of a deck as `fmt` is played.

    Raises UsageError unless there is one legal deck and a field, for a card to keep
    that it does not hold, for too few games, and for a format in which no two decks
    meet.
    """
    use = "Name the file of the deck to tune, which holds no other"
    entrant, field, question = deck_and_field(fmt, deck, opponents, question, use)
    if count_errors(deck[0]):
        raise UsageError(
            f"{quote(deck[0].source.path)} is illegal in {quote(fmt.id)}",
            "Only a legal deck can be tuned; `deckcheck validate` says what is wrong",
        )
    keep = (card_of(c, "keep", entrant.deck, database) for c in question.keep)
    question = replace(question, keep=tuple(dict.fromkeys(keep)))
    tuning = Tuning(fmt, database, question, entrant, field)
    tuning.check_games()
    return tuning


@dataclass(frozen=True)
class Building(Hunt[BuildSpec]):
    """A deck that is to be made; `run` makes it."""

    KIND = "build"
    QUESTION = BuildSpec

    field: tuple[Entrant, ...]

    @cached_property
    def spaces(self) -> list[DeckSpace]:
        """A space for each faction, with the decks of the field that are of it."""
        spaces = spaces_of(self.format, self.database, self.question.factions)
        decks = [opponent.deck for opponent in self.field]
        return [space.beginning_with(decks) for space in spaces]

    def name_of(self, deck: SearchOutcome) -> str:
        """What the deck is called."""
        faction = deck.space.template.faction
        if faction is None:
            return "Built"
        return f"{self.database.factions[faction].name}, built"


def building_of(
    fmt: Format,
    database: CardDatabase,
    _: Sequence[DeckReport],
    opponents: Sequence[DeckReport],
    question: BuildSpec,
) -> Building:
    """The search for the best deck of `fmt`, which begins with no deck.

    Raises UsageError without a field, for a faction without decks, for too few games,
    and for a format in which no two decks meet.
    """
    check_meetings(fmt)
    question = question.played_in(fmt)
    field = field_of(opponents, question.policies)
    factions = factions_of(question.factions, fmt, database)
    spec = replace(question, confirm=confirmed_in(fmt, question), factions=factions)
    building = Building(fmt, database, spec, field)
    building.check_games()
    return building


def factions_of(
    names: Sequence[str], fmt: Format, database: CardDatabase
) -> tuple[str, ...]:
    """The ids of factions that have decks, each once; UsageError for another name."""
    factions = dict.fromkeys(own.faction for own in leaders_allowed(fmt, database))
    ids = [database.find_faction(name).id for name in names]
    for id, name in zip(ids, names, strict=True):
        if id is None or id not in factions:
            known = [database.factions[faction].name for faction in factions]
            raise UsageError(
                f"No decks of the faction {quote(name)} in {quote(fmt.id)}",
                f"Factions are {choice(known, 'and')}"
                if known
                else f"Leave {option('faction')} out",
            )
    return tuple(id for id in dict.fromkeys(ids) if id is not None)
