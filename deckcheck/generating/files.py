"""Files of random decks: one deck, or the lineup, team or table that a file holds."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from deckcheck.cards import Card
from deckcheck.decks import DeckText
from deckcheck.decks.headers import HEADERS
from deckcheck.decks.writers import Sheet, write_decks
from deckcheck.findings import UsageError
from deckcheck.findings.words import quote
from deckcheck.formats import Condition, Constraint, Format, database_of
from deckcheck.formats.ids import is_file_name
from deckcheck.formats.whole import whole_faction
from deckcheck.generating.drawing import draw_cards
from deckcheck.generating.limits import copies_allowed, has_leaders, leaders_allowed
from deckcheck.validation import Validator

TRIES = 20
"""Random files of which one must be legal."""


class NoDeckError(UsageError):
    """A format of which no legal deck was found."""


class Generator:
    """Makes random legal decks of one format."""

    def __init__(self, fmt: Format, validator: Validator) -> None:
        """`validator` judges by `fmt`, additions of a single run included."""
        self.fmt = fmt
        self.validator = validator
        self.db = database_of(fmt, validator.root)

    def file(self, seed: int, number: int) -> str:
        """A text of random decks, as many as a file of the format holds.

        It depends on format, seed and number alone. Raises NoDeckError if no legal
        deck was found.
        """
        chance = Random(f"{self.fmt.id} {seed} {number}")
        for _ in range(TRIES):
            sheets = self._sheets(chance, f"Random {seed}-{number}")
            if sheets is None:
                continue
            text = write_decks("text", sheets, self.db).text
            reports = self.validator.check_file(DeckText("random.deck", text))
            if all(report.legal for report in reports):
                return text
        raise NoDeckError(
            f"No legal deck of {quote(self.fmt.id)} was found in {TRIES} tries",
            "Its limits may exclude each other, or leave few decks",
        )

    def _sheets(self, chance: Random, name: str) -> list[Sheet] | None:
        """The decks of one file; None if one could not be drawn."""
        seating = self.fmt.seating
        number = 1
        if seating.holds != "deck":
            number = chance.randint(seating.min_decks, seating.max_decks)
        sheets: list[Sheet] = []
        for index in range(number):
            own = name if number == 1 else f"{name}, deck {index + 1}"
            sheet = self._sheet(chance, own, sheets)
            if sheet is None:
                return None
            sheets.append(sheet)
        return sheets

    def _sheet(self, chance: Random, name: str, others: list[Sheet]) -> Sheet | None:
        leader, faction = self._leader(chance, others)
        cards = [
            card
            for card in self.db.cards.values()
            if faction is None or card.faction in (faction, self.db.game.neutral, None)
        ]
        allowed = copies_allowed(self.fmt, self.db, self._unshared(cards, others))
        whole = self._constraint("whole_faction")
        if whole is not None and faction is not None:
            deck = whole_faction(self.db, faction, whole.condition)
        else:
            drawn = draw_cards(self.fmt, self.db, allowed, chance)
            if drawn is None:
                return None
            deck = drawn
        headers = {"name": name}
        if not is_file_name(self.fmt.id):
            # A format of the user's own is passed by `--format`.
            headers["format"] = self.fmt.id
        if faction is not None:
            headers["faction"] = self.db.factions[faction].name
        if leader is not None:
            headers["leader"] = self.db.leaders[leader].full_name
        ordered = {key: (headers[key],) for key in HEADERS if key in headers}
        return Sheet(ordered, dict(deck), faction, leader)

    def _leader(
        self, chance: Random, others: list[Sheet]
    ) -> tuple[str | None, str | None]:
        """A leader and its faction, all factions equally likely, where there are any.

        Where the decks of a file have different factions, one that is not taken.
        """
        taken = {sheet.faction for sheet in others}
        if self._constraint("distinct_factions") is None:
            taken = set()
        leaders = [
            leader
            for leader in leaders_allowed(self.fmt, self.db)
            if leader.faction not in taken
        ]
        factions = sorted({leader.faction for leader in leaders})
        if not factions:
            return None, None
        faction = chance.choice(factions)
        if not has_leaders(self.fmt):
            return None, faction
        own = [leader.id for leader in leaders if leader.faction == faction]
        return chance.choice(own), faction

    def _unshared(self, cards: Iterable[Card], others: list[Sheet]) -> list[Card]:
        """The cards that no other deck of the file keeps this one from holding."""
        unshared = self._constraint("no_shared_cards")
        if unshared is None:
            return list(cards)
        condition = unshared.condition
        taken = {id for sheet in others for id in sheet.cards}
        return [
            card
            for card in cards
            if card.id not in taken
            or not (condition == Condition() or condition.matches(card))
        ]

    def _constraint(self, rule: str) -> Constraint | None:
        return next((c for c in self.fmt.constraints if c.rule == rule), None)
