"""Cards and leaders that no game could be played with, by what their game says.

The words are those of `game.yaml`: `bounds`, `sizes`, `single`, `several_rows` and
`beside_decks`. Of what is not `known` only the name is public, so nothing is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from deckcheck.cards.models import Ability, Bounds, Card, Game, Leader
from deckcheck.findings.documents import Defect, Location, Source, did_you_mean
from deckcheck.findings.words import choice


def check_bounds(source: Source, game: Game) -> Iterator[Defect]:
    """Words of these keys that the game does not have."""
    words = (*game.abilities, *game.leader_abilities)
    for index, bounds in enumerate(game.bounds):
        for field, what, given, allowed in (
            ("abilities", "ability", bounds.abilities, words),
            ("kinds", "kind", bounds.kinds, game.kinds),
            ("rows", "row", bounds.rows, game.rows),
        ):
            at = ("bounds", index, field)
            yield from _unknown(source, at, what, given, allowed)
    yield from _unknown(source, ("single",), "ability", game.single, game.abilities)
    yield from _unknown(
        source, ("beside_decks",), "kind", game.beside_decks, game.kinds
    )
    several = game.several_rows
    if several is not None and several not in game.abilities:
        hint = did_you_mean(several, game.abilities)
        message = f"unknown ability `{several}`{hint}"
        yield source.defect(("several_rows",), message)


def check_odds(source: Source, game: Game) -> Iterator[Defect]:
    """Words of `odds` that the game does not have."""
    odds = game.odds
    at: Location = ("odds", "untouchable")
    yield from _unknown(source, at, "kind", odds.untouchable, game.kinds)
    at = ("odds", "weatherproof")
    yield from _unknown(source, at, "ability", odds.weatherproof, game.abilities)
    for field, allowed in (
        ("weather", game.abilities),
        ("draws", game.abilities),
        ("opening", game.leader_abilities),
    ):
        for index, word in enumerate(getattr(odds, field)):
            if word.ability not in allowed:
                hint = did_you_mean(word.ability, allowed)
                message = f"unknown ability `{word.ability}`{hint}"
                yield source.defect(("odds", field, index, "ability"), message)


def _unknown(
    source: Source,
    at: Location,
    what: str,
    words: Sequence[str],
    allowed: Collection[str],
) -> Iterator[Defect]:
    for place, word in enumerate(words):
        if word not in allowed:
            hint = did_you_mean(word, allowed)
            yield source.defect((*at, place), f"unknown {what} `{word}`{hint}")


def unplayed_card(
    source: Source, at: Location, card: Card, game: Game
) -> Iterator[Defect]:
    """Why games with a card could not be played; it stands at `at`."""
    if not card.known:
        return
    most = game.sizes.strength
    if most is not None and (card.strength or 0) > most:
        message = f"a strength is at most {most}, found {card.strength}"
        yield source.defect((*at, "strength"), message)
    if card.deckable and card.kind in game.beside_decks:
        message = f"`{card.id}` is a {card.kind}, which no deck holds"
        yield source.defect((*at, "kind"), f"{message}: add `deckable: false`")
    for place, ability in enumerate(card.abilities):
        where = (*at, "abilities", place)
        yield from _unplayed_ability(source, where, card, ability, game)
    yield from _too_many(source, at, card, game)


def _unplayed_ability(
    source: Source, at: Location, card: Card, ability: Ability, game: Game
) -> Iterator[Defect]:
    """What an ability asks of its card, and how large it may be."""
    mine = [bound for bound in game.bounds if ability.code in bound.abilities]
    least = [bound_word.most for bound_word in mine if bound_word.most is not None]
    most = min(
        (*least, *((game.sizes.amount,) if game.sizes.amount else ())), default=0
    )
    if most and (ability.amount or 0) > most:
        yield _too_large(source, at, ability, most)
    for bounds in mine:
        if bounds.kinds and card.kind in game.kinds and card.kind not in bounds.kinds:
            kinds = choice(bounds.kinds)
            message = f"`{ability.code}` is for cards of the kind {kinds}"
            yield source.defect(at, f"{message}, `{card.id}` is a {card.kind}")
        elif bounds.rows and card.rows and {*card.rows} != {*bounds.rows}:
            rows = choice(bounds.rows, "and")
            message = f"a card with `{ability.code}` has the rows {rows}"
            yield source.defect(at, message)
        elif bounds.deckable is False and card.deckable:
            message = f"no deck holds a card with `{ability.code}`"
            yield source.defect(at, f"{message}, add `deckable: false` to `{card.id}`")


def _too_large(
    source: Source, at: Location, ability: Ability | Leader, most: int
) -> Defect:
    code = ability.code if isinstance(ability, Ability) else ability.ability
    message = f"the amount of `{code}` is at most {most}, found {ability.amount}"
    return source.defect((*at, "amount"), message)


def _too_many(source: Source, at: Location, card: Card, game: Game) -> Iterator[Defect]:
    """Abilities that exclude each other, and rows that ask for an ability."""
    codes = [ability.code for ability in card.abilities]
    single = [place for place, code in enumerate(codes) if code in game.single]
    if card.kind not in game.unit_kinds and len(single) > 1:
        first, second = (codes[place] for place in single[:2])
        message = f"a {card.kind} cannot have both `{first}` and `{second}`"
        yield source.defect((*at, "abilities", single[1]), message)
    several = game.several_rows
    if several is not None and len(card.rows) > 1 and several not in codes:
        message = f"a card of several rows needs the ability `{several}`"
        yield source.defect((*at, "rows"), message)


def unplayed_leader(
    source: Source, at: Location, leader: Leader, game: Game
) -> Iterator[Defect]:
    """Why games with a leader could not be played; the leader stands at `at`."""
    if not leader.known:
        return
    if leader.free and leader.passive:
        message = "a passive leader is never played, so `free` means nothing"
        yield source.defect((*at, "free"), message)
    for bounds in game.bounds:
        if leader.ability in bounds.abilities:
            yield from _unplayed_leader(source, at, leader, bounds)


def _unplayed_leader(
    source: Source, at: Location, leader: Leader, bounds: Bounds
) -> Iterator[Defect]:
    code, most = leader.ability, bounds.most
    if most is not None and (leader.amount or 0) > most:
        yield _too_large(source, at, leader, most)
    if most is not None and len(leader.cards) > most:
        message = f"`{code}` names at most {most} cards, found {len(leader.cards)}"
        yield source.defect((*at, "cards"), message)
    if bounds.kinds and leader.kind is not None and leader.kind not in bounds.kinds:
        message = f"`{code}` finds no {leader.kind}, only {choice(bounds.kinds)}"
        yield source.defect((*at, "kind"), message)
    if bounds.passive is not None and leader.passive != bounds.passive:
        word = str(bounds.passive).lower()
        message = f"a leader with `{code}` has `passive: {word}`"
        yield source.defect((*at, "passive"), message)
    if bounds.known is False:
        message = f"`{code}` is for leaders with `known: false`"
        yield source.defect((*at, "ability"), message)


def check_sizes(
    source: Source, cards: Collection[Card], leaders: Collection[Leader], game: Game
) -> Iterator[Defect]:
    """More cards and leaders than can be played; `cards` are all that there will be."""
    places = len(cards) + len(leaders)
    beside = sum(not card.deckable for card in cards)
    for what, number, most in (
        ("cards and leaders", places, game.sizes.cards),
        ("cards that no deck holds", beside, game.sizes.reserves),
    ):
        if most is not None and number > most:
            message = f"the game would have {number} {what}, at most {most} are played"
            yield source.defect((), message)
