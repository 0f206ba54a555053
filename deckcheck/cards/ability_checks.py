"""Checks of abilities: no card says anything that would not be played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from deckcheck.cards.models import Ability, Card, Game, Leader, Parameters
from deckcheck.findings.documents import Defect, Source, did_you_mean
from deckcheck.findings.words import choice

PARAMETERS = ("group", "target", "row", "amount", "rows", "kind", "tag", "cards")
"""What may be said of an ability: behind the word of a card, in a leader's own keys."""


def check_parameters(source: Source, game: Game) -> Iterator[Defect]:
    """Parameters of abilities that the game does not have, or that are given twice."""
    seen: set[str] = set()
    for index, parameter in enumerate(game.parameters):
        at = ("parameters", index, "ability")
        if parameter.ability not in (*game.abilities, *game.leader_abilities):
            hint = did_you_mean(parameter.ability, game.abilities)
            yield source.defect(at, f"unknown ability `{parameter.ability}`{hint}")
        if parameter.ability in seen:
            yield source.defect(at, f"`{parameter.ability}` is given twice")
        seen.add(parameter.ability)
        if parameter.needs is not None and parameter.needs not in game.abilities:
            hint = did_you_mean(parameter.needs, game.abilities)
            at = ("parameters", index, "needs")
            yield source.defect(at, f"unknown ability `{parameter.needs}`{hint}")
        for place, name in enumerate(parameter.must):
            if name in parameter.may:
                message = f"`{name}` cannot be both in `may` and in `must`"
                yield source.defect(("parameters", index, "must", place), message)


def check_abilities(
    source: Source,
    cards: Sequence[tuple[int | str, Card]],
    ids: Collection[str],
    game: Game,
    others: Collection[Card],
) -> Iterator[Defect]:
    """Parameters that an ability does not take or lacks, and what they refer to."""
    families = Counter(
        (ability.code, ability.group)
        for card in (*others, *(card for _, card in cards))
        for ability in card.abilities
    )
    for index, card in cards:
        for place, ability in enumerate(card.abilities):
            at = (index, "abilities", place)
            if ability.code not in game.abilities:
                continue
            wanted = _wanted(ability.code, game)
            yield from _parameters(source, at, ability, wanted)
            yield from _references(source, at, ability, ids, game)
            is_family = ability.group and "group" in (*wanted.may, *wanted.must)
            if is_family and families[ability.code, ability.group] == 1:
                message = (
                    f"`{card.id}` is alone in the group `{ability.group}`: "
                    f"write `{ability.code}`, which is about copies of the card"
                )
                yield source.defect(at, message)


def check_leader_abilities(
    source: Source,
    leaders: Sequence[tuple[int | str, Leader]],
    ids: Collection[str],
    game: Game,
) -> Iterator[Defect]:
    """The same for leaders."""
    words = game.leader_abilities
    for index, leader in leaders:
        if words and leader.ability not in words:
            hint = did_you_mean(leader.ability, words)
            message = f"unknown ability `{leader.ability}`{hint}"
            yield source.defect((index, "ability"), message)
            continue
        yield from _parameters(source, (index,), leader, _wanted(leader.ability, game))
        yield from _references(source, (index,), leader, ids, game)


def _wanted(code: str, game: Game) -> Parameters:
    taken = {parameter.ability: parameter for parameter in game.parameters}
    return taken.get(code, Parameters(code))


def _given(ability: Ability | Leader, name: str) -> Any:
    """A parameter of an ability, None or nothing if it is not given."""
    return getattr(ability, name, None)


def _references(
    source: Source,
    at: tuple[str | int, ...],
    ability: Ability | Leader,
    ids: Collection[str],
    game: Game,
) -> Iterator[Defect]:
    """Cards, rows and kinds that do not exist."""
    for what, single, several, allowed in (
        ("card", "target", "cards", ids),
        ("row", "row", "rows", game.rows),
        ("kind", "kind", "", game.kinds),
    ):
        for word in (_given(ability, single), *(_given(ability, several) or ())):
            if word is not None and word not in allowed:
                hint = did_you_mean(word, allowed)
                yield source.defect(at, f"unknown {what} `{word}`{hint}")


def _parameters(
    source: Source,
    at: tuple[str | int, ...],
    ability: Ability | Leader,
    wanted: Parameters,
) -> Iterator[Defect]:
    """An ability as it is written, against what the game says that it takes."""
    code = wanted.ability
    allowed = (*wanted.must, *wanted.may)
    for name in PARAMETERS:
        if _given(ability, name) and name not in allowed:
            only = f", only {choice(allowed, 'and')}" if allowed else ""
            message = f"`{code}` takes no `{name}`{only}"
            yield source.key_defect((*at, name), message)
    for name in wanted.must:
        if not _given(ability, name):
            example = f"`{code}: {{{name}: ...}}`"
            if isinstance(ability, Leader):
                example = f"`{name}: ...`"
            yield source.defect(at, f"`{code}` needs `{name}`, write {example}")
    if _given(ability, "group") and _given(ability, "target"):
        message = f"`{code}` takes a `group` or a `target`, not both"
        yield source.key_defect((*at, "target"), message)
