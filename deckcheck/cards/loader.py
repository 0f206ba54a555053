"""Reads and checks the files of a card database."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from deckcheck.cards.checks import check_cards, check_game, check_leaders
from deckcheck.cards.database import CardDatabase
from deckcheck.cards.errors import DatabaseError, list_defects
from deckcheck.cards.models import Card, Game, Leader
from deckcheck.cards.names import closest
from deckcheck.cards.root import card_db_root, game_ids, shown_path
from deckcheck.findings.documents import Defect, Source, SourceError

__all__ = ["all_ids", "load_database", "records"]

R = TypeVar("R", Card, Leader)


def load_database(game: str, root: Path | None = None) -> CardDatabase:
    """Load and check the card database of a game; cached per process and folder.

    `root` is the folder of card databases, see `card_db_root`. Raises DatabaseError
    for an unknown game and, with all of them at once, for defects in its files.
    """
    return _load(game, card_db_root(root).resolve())


@lru_cache(maxsize=16)
def _load(game_id: str, root: Path) -> CardDatabase:
    if game_id not in game_ids(root):
        known = game_ids(root)
        close = closest(game_id, known, limit=1)
        names = ", ".join(f"`{name}`" for name in known) or f"none in `{root}`"
        help = f"Did you mean `{close[0]}`?" if close else f"Known games: {names}"
        raise DatabaseError(f"unknown game `{game_id}`", help)
    defects: list[Defect] = []
    try:
        game = _read_game(root, game_id, defects)
        if game is not None:
            cards, leaders = _read_cards(root, game, defects)
    except SourceError as error:
        raise _error(game_id, [error.defect]) from None
    if defects or game is None:
        raise _error(game_id, defects)
    return CardDatabase(game, cards, leaders, root)


def _error(game_id: str, defects: list[Defect]) -> DatabaseError:
    return DatabaseError(list_defects(f"card database `{game_id}`", defects))


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
        message = f"the id is `{game.id}` but the folder `{game_id}`"
        wrong.append(source.defect(("id",), message))
    defects += wrong
    return None if wrong else game


def _read_cards(
    root: Path, game: Game, defects: list[Defect]
) -> tuple[dict[str, Card], dict[str, Leader]]:
    if game.attributes:
        from deckcheck.cards.attributes import described_cards

        return {card.id: card for card in described_cards(game)}, {}
    source = _open(root, game.id, "cards.yaml")
    cards = list(records(source, Card, defects))
    defects.extend(check_cards(source, cards, all_ids(source), game))
    by_id = {card.id: card for _, card in cards}
    if not game.factions and not (root / game.id / "leaders.yaml").exists():
        return by_id, {}
    source = _open(root, game.id, "leaders.yaml")
    leaders = list(records(source, Leader, defects))
    defects.extend(check_leaders(source, leaders, game))
    return by_id, {leader.id: leader for _, leader in leaders}


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
