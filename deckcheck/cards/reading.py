"""Read the files of a card database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from deckcheck.cards.checks import Checker
from deckcheck.cards.game_checks import GameChecker
from deckcheck.cards.models import Card, GameRecord, LeaderRecord
from deckcheck.cards.storage import DatabaseError, list_defects, shown_path
from deckcheck.documents.readers import Source, SourceDefect, SourceError

R = TypeVar("R", bound=Card | LeaderRecord)


def read_game(
    root: Path, game_id: str
) -> tuple[GameRecord, tuple[Card, ...], tuple[LeaderRecord, ...]]:
    """Read a game, its cards if a file lists them, and its leaders.

    Raises DatabaseError with every defect of the files.
    """
    defects: list[SourceDefect] = []
    try:
        source = _open_file(root, game_id, "game.yaml")
        game = _read_record(source, game_id, defects)
        if game is not None:
            cards, leaders = _read_cards(root, game, defects)
    except SourceError as error:
        defects.append(error.defect)
    if defects or game is None:
        raise DatabaseError(list_defects(f"card database `{game_id}`", defects))
    return game, cards, leaders


def _open_file(root: Path, game_id: str, name: str) -> Source:
    file = root / game_id / name
    return Source.open(file, shown_path(file, root))


def _read_record(
    source: Source, game_id: str, defects: list[SourceDefect]
) -> GameRecord | None:
    game = source.read_record(GameRecord, source.document.data, (), defects)
    if game is None:
        return None
    game_defects = list(GameChecker(source, game).check_game())
    if game.id != game_id:
        message = f"the id is `{game.id}`, but the folder is called `{game_id}`"
        game_defects.append(source.defect(("id",), message))
    defects += game_defects
    return None if game_defects else game


def _read_cards(
    root: Path, game: GameRecord, defects: list[SourceDefect]
) -> tuple[tuple[Card, ...], tuple[LeaderRecord, ...]]:
    if game.attributes:
        return (), ()
    source = _open_file(root, game.id, "cards.yaml")
    checker = Checker(source, game)
    placed = list(read_records(source, Card, defects))
    defects += checker.check_cards(placed, read_ids(source))
    cards = tuple(card for _, card in placed)
    leaders: tuple[LeaderRecord, ...] = ()
    if game.factions or (root / game.id / "leaders.yaml").exists():
        leader_source = _open_file(root, game.id, "leaders.yaml")
        placed_leaders = list(read_records(leader_source, LeaderRecord, defects))
        ids = [card.id for card in cards]
        leader_checker = Checker(leader_source, game)
        defects += leader_checker.check_leaders(placed_leaders, ids)
        leaders = tuple(leader for _, leader in placed_leaders)
    defects += checker.check_sizes(cards, leaders)
    return cards, leaders


def read_records(
    source: Source, model: type[R], defects: list[SourceDefect]
) -> Iterator[tuple[int, R]]:
    """Yield the valid records of a file, each with its index, and add the defects."""
    entries = source.document.data
    if not isinstance(entries, list):
        defects.append(source.defect((), "expected a list of records"))
        return
    for index, entry in enumerate(entries):
        record = source.read_record(model, entry, (index,), defects)
        if record is not None:
            yield index, record


def read_ids(source: Source) -> frozenset[str]:
    """Return the ids of all records of a file, valid or not."""
    entries = source.document.data
    if not isinstance(entries, list):
        return frozenset()
    ids = (entry.get("id") for entry in entries if isinstance(entry, dict))
    return frozenset(id for id in ids if isinstance(id, str))
