"""The result of `impact --redraws`: the cards of the dealt hand to send back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from deckcheck.findings.words import plural, quote
from deckcheck.policies.host.registry import policy_in_words
from deckcheck.report.units import points, ranged
from deckcheck.sim.results.data import head_data
from deckcheck.sim.results.figures import Row, effect, rounded, win_rate
from deckcheck.sim.results.played import ResultHeader
from deckcheck.sim.results.tidy import tidy
from deckcheck.stats import Estimate, Interval
from deckcheck.studies.impact.trial import Effect
from deckcheck.studies.redraws.document import (
    CardRedrawDocument,
    FreshDocument,
    RedrawsDocument,
)
from deckcheck.studies.redraws.trial import Redraw

NOTHING = Estimate(0.0, Interval(0.0, 1.0), 0)
NO_REDRAW = Redraw("", 0, 0, NOTHING, NOTHING, Effect(0.0, Interval(-1.0, 1.0)))


@dataclass(frozen=True, slots=True)
class CardRedraw:
    """A card of the deck by its name and copies, with its figures."""

    name: str
    copies: int
    figures: Redraw


@dataclass(frozen=True, slots=True)
class FreshRedraws:
    """Cards to send back as `policy` plays them in games that did not choose them.

    Last comes the player's own choice.
    """

    policy: str
    redraws: tuple[Redraw, ...]

    def gain(self, card: str) -> Effect | None:
        """What sending a card back gains; None if no hand had it."""
        gains = (redraw.gain for redraw in self.redraws if redraw.card == card)
        return next(gains, None)


@dataclass(frozen=True, slots=True, repr=False)
class RedrawsResult(ResultHeader):
    """The cards of dealt hands, kept and sent back: `games` are the hands dealt.

    `hand` names the cards of a certain hand, () for any; then a card is compared with
    the whole hand kept. The intervals of the gains of `cards` hold together. `own` are
    the redraws of the player's own choice. The best cards to send back were played
    again: `fresh` has these, by the same player and by the one who confirms. `shares`
    are those of the opponents in the field, () for all alike.
    """

    deck: str = ""
    hand: tuple[str, ...] = ()
    cards: tuple[CardRedraw, ...] = ()
    own: Redraw = NO_REDRAW
    fresh: tuple[FreshRedraws, ...] = ()
    shares: tuple[tuple[str, float], ...] = ()

    @property
    def ranked(self) -> tuple[CardRedraw, ...]:
        """The cards by the gain from sending them back, the largest first."""
        return tuple(sorted(self.cards, key=lambda card: -card.figures.gain.value))

    @property
    def to_send_back(self) -> tuple[CardRedraw, ...]:
        """The cards that are better sent back, in the first trial and in fresh games.

        Of a certain hand one card is chosen, which fresh games alone have to bear out.
        """
        return tuple(
            card
            for card in self._measured_again
            if (self.hand or card.figures.gain.interval.low > 0)
            and (gain := self.fresh[0].gain(card.figures.card))
            and gain.interval.low > 0
        )

    @property
    def to_keep(self) -> tuple[CardRedraw, ...]:
        """The cards that are better kept, the most valuable first."""
        cards = reversed(self.ranked)
        return tuple(card for card in cards if card.figures.gain.interval.high < 0)

    @property
    def _measured_again(self) -> tuple[CardRedraw, ...]:
        if not self.fresh:
            return ()
        cards = {card.figures.card: card for card in self.cards}
        ids = [figures.card for figures in self.fresh[0].redraws if figures.card]
        return tuple(cards[id] for id in ids if id in cards)

    @property
    def answer(self) -> str:
        """Which cards to send back and which to keep, in a few sentences."""
        sent = self.to_send_back
        if not self.fresh:
            answers = ["The games that test the cards to send back were not played"]
        elif self.hand:
            answers = [self._of_hand()]
        elif sent:
            answers = [
                f"Send back {quote(card.name)}: {self._by_both(card)}" for card in sent
            ]
        else:
            answers = [self._nothing_clear()]
        keeps = self.to_keep
        if keeps and not self.hand:
            most = keeps[0]
            above = ", above all" if len(keeps) > 1 else ","
            answers.append(
                f"{plural(len(keeps), 'card')} should be kept{above} "
                f"{quote(most.name)}: {_told(most.figures.gain)} if it is sent back"
            )
        return ". ".join(answers)

    def _of_hand(self) -> str:
        """Whether to send back a card of a certain hand."""
        again = self._measured_again
        if not again:
            return "Nobody was dealt this hand before a redraw"
        [best] = again[:1]
        told = f"{self._by_both(best)}, compared with keeping the whole hand"
        if self.to_send_back:
            return f"Send back {quote(best.name)} first: {told}"
        if len(self.to_keep) == len(self.cards):
            return f"Keep this hand: even {quote(best.name)} first loses: {told}"
        return (
            "No redraw of this hand was shown to be better than keeping it; the best "
            f"looks {quote(best.name)} first: {told}"
        )

    def _nothing_clear(self) -> str:
        again = self._measured_again
        told = "The first games showed of no card that it is better sent back"
        if not again:
            return told
        best = again[0]
        return f"{told}; the best, {quote(best.name)}, in fresh games: " + (
            self._by_both(best)
        )

    def _by_both(self, card: CardRedraw) -> str:
        """What a card gains in fresh games, by the same player and by another one."""
        gains = [(part.policy, part.gain(card.figures.card)) for part in self.fresh]
        told = [
            (policy_in_words(policy, self.players[0]), _told(gain))
            for policy, gain in gains
            if gain is not None
        ]
        if len(told) == 1:
            return told[0][1]
        by = ", ".join(f"{gain} by {player}" for player, gain in told)
        return by.replace(" by ", " played by ", 1)

    def to_dict(self) -> RedrawsDocument:
        """The result as `deckcheck schema redraws` describes it."""
        own = self.own
        return {
            "schema_version": 1,
            **head_data(self),
            "answer": self.answer,
            "deck": self.deck,
            "hand": list(self.hand),
            "shares": {name: rounded(share) for name, share in self.shares},
            "own": {
                "share": rounded(own.by_player / max(1, own.games)),
                "win_rate": win_rate(own.sent),
                "gain": effect(own.gain),
            },
            "cards": [_card(card) for card in self.ranked],
            "fresh": [self._fresh(part) for part in self.fresh],
        }

    def _fresh(self, part: FreshRedraws) -> FreshDocument:
        names = {card.figures.card: card.name for card in self.cards}
        return {
            "policy": part.policy,
            "cards": [
                {
                    "id": redraw.card,
                    "name": names[redraw.card],
                    "games": redraw.games,
                    **effect(redraw.gain),
                }
                for redraw in part.redraws
                if redraw.card in names
            ],
        }

    def to_rows(self) -> list[Row]:
        """Tidy rows of each card, the best to send back first."""
        return [row for card in self.ranked for row in self._rows(card)]

    def _rows(self, card: CardRedraw) -> Iterator[Row]:
        figures = card.figures
        for metric, figure in (
            ("sent_back", figures.share),
            ("win_rate_kept", figures.kept),
            ("win_rate_sent", figures.sent),
            ("gain_sent", figures.gain),
        ):
            yield from tidy(metric, figure, figures.games, self.deck, card=card.name)
        metrics = ("gain_sent_fresh", "gain_sent_confirmed")
        for metric, part in zip(metrics, self.fresh, strict=False):
            for redraw in part.redraws:
                if redraw.card == figures.card:
                    n, gain = redraw.games, redraw.gain
                    yield from tidy(metric, gain, n, self.deck, card=card.name)


def _told(gain: Effect) -> str:
    return f"{points(gain.value)} points ({ranged(gain.interval)})"


def _card(card: CardRedraw) -> CardRedrawDocument:
    figures = card.figures
    return {
        "id": figures.card,
        "name": card.name,
        "copies": card.copies,
        "share": rounded(figures.share),
        "kept": win_rate(figures.kept),
        "sent": win_rate(figures.sent),
        "gain": effect(figures.gain),
    }
