"""What cards say of their abilities: nothing that would not be played as it stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from deckcheck.cards.models import Ability, Card, Game, Parameters
from deckcheck.findings.documents import Defect, Source, did_you_mean
from deckcheck.findings.words import choice

__all__ = ["PARAMETERS", "check_abilities", "check_parameters"]

PARAMETERS = ("group", "target", "row")
"""The fields of `Ability` that a file writes behind the word."""


def check_parameters(source: Source, game: Game) -> Iterator[Defect]:
    """Parameters of abilities that the game does not have, or that are given twice."""
    seen: set[str] = set()
    for index, each in enumerate(game.parameters):
        at = ("parameters", index, "ability")
        if each.ability not in game.abilities:
            hint = did_you_mean(each.ability, game.abilities)
            yield source.defect(at, f"unknown ability `{each.ability}`{hint}")
        if each.ability in seen:
            yield source.defect(at, f"`{each.ability}` is given twice")
        seen.add(each.ability)
        for place, name in enumerate(each.must):
            if name in each.may:
                message = f"`{name}` cannot be both in `may` and in `must`"
                yield source.defect(("parameters", index, "must", place), message)


def check_abilities(
    source: Source,
    cards: Sequence[tuple[int, Card]],
    ids: Collection[str],
    game: Game,
    others: Collection[Card],
) -> Iterator[Defect]:
    """Parameters that an ability does not take or lacks, and what they refer to."""
    taken = {each.ability: each for each in game.parameters}
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
            wanted = taken.get(ability.code, Parameters(ability.code))
            yield from _parameters(source, at, ability, wanted)
            if ability.target is not None and ability.target not in ids:
                hint = did_you_mean(ability.target, ids)
                yield source.defect(at, f"unknown card `{ability.target}`{hint}")
            if ability.row is not None and ability.row not in game.rows:
                hint = did_you_mean(ability.row, game.rows)
                yield source.defect(at, f"unknown row `{ability.row}`{hint}")
            is_family = ability.group and "group" in (*wanted.may, *wanted.must)
            if is_family and families[ability.code, ability.group] == 1:
                message = f"`{card.id}` is alone in the group `{ability.group}`"
                yield source.defect(at, message)


def _parameters(
    source: Source, at: tuple[str | int, ...], ability: Ability, wanted: Parameters
) -> Iterator[Defect]:
    """An ability as a card has it, against what the game says that it takes."""
    code = ability.code
    allowed = (*wanted.must, *wanted.may)
    for name in PARAMETERS:
        if getattr(ability, name) is not None and name not in allowed:
            only = f", only {choice(allowed, 'and')}" if allowed else ""
            message = f"`{code}` takes no `{name}`{only}"
            yield source.key_defect((*at, name), message)
    for name in wanted.must:
        if getattr(ability, name) is None:
            example = f"`{code}: {{{name}: ...}}`"
            yield source.defect(at, f"`{code}` needs a `{name}`, write {example}")
    if ability.group is not None and ability.target is not None:
        message = f"`{code}` takes a `group` or a `target`, not both"
        yield source.key_defect((*at, "target"), message)
