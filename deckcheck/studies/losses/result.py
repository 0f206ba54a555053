"""The result: what happened in losses and in wins, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from deckcheck.findings.words import quote
from deckcheck.report.units import count, percent, ranged
from deckcheck.sim.results.data import head_data
from deckcheck.sim.results.figures import Row, effect, ends, rounded
from deckcheck.sim.results.played import ResultHeader
from deckcheck.sim.results.tidy import ALL, NONE, tidy
from deckcheck.stats import Combination, Estimate, Sample
from deckcheck.stats.multiple import level_of
from deckcheck.studies.losses.document import (
    ContrastDocument,
    LossesDocument,
    ShareDocument,
)
from deckcheck.studies.losses.observing import ObservedGame

FEWEST = 10
"""The fewest losses, and wins, against decks with a card for it to be listed."""

EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Numbered:
    """An observed game: whom it was against, and its number for `replay`."""

    opponent: str
    number: int
    game: ObservedGame


@dataclass(frozen=True, slots=True)
class Contrast:
    """Something that happens in games: how often in losses, and in wins.

    `name` says what, `id` is that of a card, or a key. Where there is no win there is
    no difference.
    """

    id: str
    name: str
    losses: Estimate
    wins: Estimate | None
    difference: Estimate | None


@dataclass(frozen=True, slots=True)
class LossKind:
    """The rounds that were lost, and the share of losses in which these were."""

    rounds: tuple[int, ...]
    share: Estimate

    @property
    def in_words(self) -> str:
        """The rounds: `rounds 1 and 3`."""
        *others, last = map(str, self.rounds)
        return f"rounds {', '.join(others)} and {last}" if others else f"round {last}"


@dataclass(frozen=True, slots=True)
class Example:
    """A loss that shows something well, by its number for `replay`."""

    opponent: str
    number: int
    text: str


@dataclass(frozen=True, slots=True, repr=False)
class Losses(ResultHeader):
    """How a deck loses: `deck` by name, in a sample of its games.

    `wins`, `lost` and `drawn` count the sample. `margins` are the quartiles of the
    strength that was missing on the board at the end of losses. The intervals of all
    `signs` hold together, and so do those of all `cards`; these are cards that the
    opponent played, over games against decks that hold them.
    """

    deck: str = ""
    wins: int = 0
    lost: int = 0
    drawn: int = 0
    margins: tuple[int, int, int] | None = None
    kinds: tuple[LossKind, ...] = ()
    signs: tuple[Contrast, ...] = ()
    cards: tuple[Contrast, ...] = ()
    examples: tuple[Example, ...] = ()

    @property
    def sample(self) -> int:
        """The games that were observed."""
        return self.wins + self.lost + self.drawn

    @property
    def answer(self) -> str:
        """What stands out, in a sentence or two."""
        games = f"of {count(self.sample)} games of {quote(self.deck)}"
        if not self.lost:
            return f"None {games} was lost"
        first = f"{count(self.lost)} {games} were lost"
        if self.kinds:
            kind = self.kinds[0]
            share = f"{percent(kind.share.value)} ({ranged(kind.share.interval)})"
            first += f", most often {kind.in_words}: {share} of all losses"
        if not self.wins:
            return f"{first}. No win to compare them with was there"
        sure = [sign for sign in self.signs if _is_more(sign)]
        if not sure:
            return f"{first}. Nothing observed tells losses from wins beyond doubt"
        worst = sure[0]
        assert worst.wins is not None
        return (
            f"{first}. What tells losses from wins best: {worst.name}, in "
            f"{percent(worst.losses.value)} of losses and {percent(worst.wins.value)} "
            "of wins"
        )

    def to_dict(self) -> LossesDocument:
        """The result as `deckcheck schema losses` describes it."""
        return {
            "schema_version": 1,
            **head_data(self),
            "answer": self.answer,
            "deck": self.deck,
            "sample": self.sample,
            "wins": self.wins,
            "losses": self.lost,
            "draws": self.drawn,
            "margins": list(self.margins) if self.margins else None,
            "kinds": [
                {"rounds": list(kind.rounds), **_share(kind.share)}
                for kind in self.kinds
            ],
            "signs": [_contrast(sign) for sign in self.signs],
            "cards": [_contrast(card) for card in self.cards],
            "examples": [
                {"opponent": e.opponent, "game": e.number, "text": e.text}
                for e in self.examples
            ],
        }

    def to_rows(self) -> list[Row]:
        """Tidy rows; `sign` is what happened, `card` what the opponent played."""
        rows: list[Row] = []
        for kind in self.kinds:
            words = {"card": ALL, "sign": f"lost {kind.in_words}"}
            rows += self._tidy("share_of_losses", kind.share, words)
        for sign in self.signs:
            rows += self._rows(sign, {"card": ALL, "sign": sign.name})
        for card in self.cards:
            rows += self._rows(card, {"card": card.name, "sign": NONE})
        return rows

    def _rows(self, contrast: Contrast, words: dict[str, str]) -> Iterator[Row]:
        yield from self._tidy("share_of_losses", contrast.losses, words)
        yield from self._tidy("share_of_wins", contrast.wins, words)
        yield from self._tidy("share_difference", contrast.difference, words)

    def _tidy(
        self, metric: str, figure: Estimate | None, words: dict[str, str]
    ) -> Iterator[Row]:
        yield from tidy(
            metric, figure, figure.games if figure else 0, self.deck, **words
        )


SIGNS: Sequence[tuple[str, str, Callable[[ObservedGame], int], str]] = (
    (
        "destroyed",
        "opponent destroyed cards",
        lambda game: game.destroyed,
        "{} of strength destroyed",
    ),
    (
        "weather",
        "opponent's weather cost strength",
        lambda game: game.weather,
        "{} of strength lost to weather",
    ),
    (
        "draws",
        "opponent drew more cards",
        lambda game: game.draws,
        "opponent drew {} more cards",
    ),
    (
        "behind",
        "fewer cards as the last round began",
        lambda game: game.behind,
        "{} cards behind in the last round",
    ),
    (
        "out",
        "out of cards, the opponent not",
        lambda game: int(game.is_out),
        "",
    ),
)
"""What may happen: a key, what it is, how much of it a game saw, and that in words."""


def signs_of(games: Sequence[ObservedGame]) -> tuple[Contrast, ...]:
    """How often each of SIGNS was there, what tells losses best first."""
    level = level_of(len(SIGNS))
    signs = [
        contrast(key, name, [(game.won, amount(game) > 0) for game in games], level)
        for key, name, amount, _ in SIGNS
    ]
    return tuple(sorted(signs, key=_size, reverse=True))


def contrast(
    id: str, name: str, seen: Sequence[tuple[bool | None, bool]], level: float
) -> Contrast:
    """How often something was seen, in losses and in wins; some games are losses.

    The intervals have this `level`. Draws count on neither side.
    """
    lost, won = (
        share_of([is_seen for result, is_seen in seen if result is outcome])
        for outcome in (False, True)
    )
    assert lost is not None
    return Contrast(
        id,
        name,
        lost.estimate(level),
        None if won is None else won.estimate(level),
        None if won is None else (lost - won).estimate(level),
    )


def share_of(seen: Sequence[bool]) -> Combination | None:
    """The share of games in which something was seen; None without a game."""
    if not seen:
        return None
    yes = sum(seen)
    return Combination.of(Sample((len(seen) - yes, yes), len(seen)))


def kinds_of(lost: Sequence[ObservedGame]) -> tuple[LossKind, ...]:
    """The losses by the rounds that were lost, the most frequent first."""
    rounds = [game.lost_rounds for game in lost]
    kinds = []
    for kind in sorted(set(rounds), key=lambda kind: (-rounds.count(kind), kind)):
        share = share_of([other == kind for other in rounds])
        assert share is not None
        kinds.append(LossKind(kind, share.estimate(level_of(len(set(rounds))))))
    return tuple(kinds)


def examples_of(
    lost: Sequence[Numbered], signs: Sequence[Contrast]
) -> tuple[Example, ...]:
    """The losses that show the first of these signs best, a game for each."""
    amounts = {key: (amount, text) for key, _, amount, text in SIGNS}
    examples: list[Example] = []
    left = list(lost)
    for sign in signs:
        amount, text = amounts[sign.id]
        best = max(left, key=lambda each: amount(each.game), default=None)
        if text and best is not None and amount(best.game) > 0:
            left.remove(best)
            words = text.format(amount(best.game))
            examples.append(Example(best.opponent, best.number, words))
    return tuple(examples[:EXAMPLES])


def _is_more(sign: Contrast) -> bool:
    return sign.difference is not None and sign.difference.interval.low > 0


def _size(contrast: Contrast) -> float:
    return contrast.difference.value if contrast.difference else contrast.losses.value


def _share(share: Estimate) -> ShareDocument:
    return {"share": rounded(share.value), "interval": ends(share.interval)}


def _contrast(contrast: Contrast) -> ContrastDocument:
    return {
        "id": contrast.id,
        "name": contrast.name,
        "losses": _share(contrast.losses),
        "wins": _share(contrast.wins) if contrast.wins else None,
        "difference": effect(contrast.difference) if contrast.difference else None,
    }
