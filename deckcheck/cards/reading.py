"""Reads and checks the files of a card database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from deckcheck.cards.checks import check_cards, check_game, check_leaders
from deckcheck.cards.errors import DatabaseError, list_defects
from deckcheck.cards.models import Card, Game, Leader
from deckcheck.cards.play_checks import check_sizes
from deckcheck.cards.root import shown_path
from deckcheck.findings.documents import Defect, Source, SourceError

R = TypeVar("R", Card, Leader)


def read_game(
    root: Path, game_id: str
) -> tuple[Game, tuple[Card, ...], tuple[Leader, ...]]:
    """A game, its cards as far as a file lists them, and its leaders.

    Raises DatabaseError with every defect of the files.
    """
    defects: list[Defect] = []
    try:
        game = _read_game(root, game_id, defects)
        if game is not None:
            cards, leaders = _read_cards(root, game, defects)
    except SourceError as error:
        defects.append(error.defect)
    if defects or game is None:
        raise DatabaseError(list_defects(f"card database `{game_id}`", defects))
    return game, cards, leaders


def _open(root: Path, game_id: str, name: str) -> Source:
    file = root / game_id / name
    return Source.open(file, shown_path(file, root))


def _read_game(root: Path, game_id: str, defects: list[Defect]) -> Game | None:
    source = _open(root, game_id, "game.yaml")
    data = source.document.data
    game = source.read(Game, data, (), defects)
    if game is None:
        return None
    wrong = list(check_game(source, game))
    if game.id != game_id:
        message = f"the id is `{game.id}`, but the folder is called `{game_id}`"
        wrong.append(source.defect(("id",), message))
    defects += wrong
    return None if wrong else game


def _read_cards(
    root: Path, game: Game, defects: list[Defect]
) -> tuple[tuple[Card, ...], tuple[Leader, ...]]:
    if game.attributes:
        return (), ()
    source = _open(root, game.id, "cards.yaml")
    cards = list(records(source, Card, defects))
    defects.extend(check_cards(source, cards, all_ids(source), game))
    known_cards = tuple(card for _, card in cards)
    leaders: tuple[Leader, ...] = ()
    if game.factions or (root / game.id / "leaders.yaml").exists():
        leaders = _read_leaders(root, game, [card.id for card in known_cards], defects)
    defects.extend(check_sizes(source, known_cards, leaders, game))
    return known_cards, leaders


def _read_leaders(
    root: Path, game: Game, cards: Sequence[str], defects: list[Defect]
) -> tuple[Leader, ...]:
    source = _open(root, game.id, "leaders.yaml")
    leaders = list(records(source, Leader, defects))
    defects.extend(check_leaders(source, leaders, game, cards))
    return tuple(leader for _, leader in leaders)


def records(
    source: Source, model: type[R], defects: list[Defect]
) -> Iterator[tuple[int, R]]:
    """The valid records of a file, each with its index; defects are added."""
    entries = source.document.data
    if not isinstance(entries, list):
        defects.append(source.defect((), "expected a list of records"))
        return
    for index, entry in enumerate(entries):
        record = source.read(model, entry, (index,), defects)
        if record is not None:
            yield index, record


def all_ids(source: Source) -> frozenset[str]:
    """The ids of all records of a file, those of invalid ones too."""
    entries = source.document.data
    if not isinstance(entries, list):
        return frozenset()
    ids = (entry.get("id") for entry in entries if isinstance(entry, dict))
    return frozenset(id for id in ids if isinstance(id, str))
