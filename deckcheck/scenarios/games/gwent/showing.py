"""A position of Gwent as text, and as the JSON output shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deckcheck.engine.games.gwent.rules.scoring import side_total
from deckcheck.findings.words import plural
from deckcheck.scenarios.games.gwent.board import Board
from deckcheck.scenarios.games.gwent.facts import Facts
from deckcheck.scenarios.games.gwent.file import ROW_WORDS

__all__ = ["describe", "lines_of"]


def describe(board: Board) -> dict[str, Any]:
    """The position as the JSON output shows it."""
    facts = Facts(board)
    players = {}
    for i, name in enumerate(board.players):
        side = int(board.x.side[i])
        found = facts.player(i)
        for row, word in enumerate(ROW_WORDS):
            found[word] = {"total": found[word], "cards": facts.row(side, row)}
        del found["cards"], found["strengths"]
        players[name] = found
    return {"players": players, **facts.game()}


def lines_of(board: Board) -> list[str]:
    """The position as text."""
    facts = Facts(board)
    lines = []
    if board.has_teams:
        for side, name in enumerate(board.sides):
            gems = plural(int(board.s.gems[side]), "gem")
            lines += [f"{name}: {side_total(board.s, side)} on the board, {gems}"]
            lines += _row_lines(facts, side) + _zone_lines(board, facts.side(side))
    for i, name in enumerate(board.players):
        lines += _player_lines(facts, i, name)
    game = facts.game()
    sky = board.names_of(game["weather"]) or "none"
    end = f"{game['turn']} to move"
    if game["over"]:
        end = "a draw" if game["winner"] == "draw" else f"{game['winner']} wins"
    return [*lines, f"round {game['round']}, weather {sky}, {end}"]


def _player_lines(facts: Facts, i: int, name: str) -> list[str]:
    board, found = facts.board, facts.player(i)
    deck = plural(found["deck_size"], "card")
    if board.has_teams:
        del found["discard"]
        return [f"{name}: {deck} in the deck", *_zone_lines(board, found)]
    score = plural(found["gems"], "gem")
    if "points" in found:
        score = plural(found["points"], "point")
    head = f"{name}: {found['total']} on the board, {score}, {deck} in the deck"
    return [head, *_row_lines(facts, i), *_zone_lines(board, found)]


def _row_lines(facts: Facts, side: int) -> list[str]:
    board, lines = facts.board, []
    specials = facts.specials(side)
    for row, word in enumerate(ROW_WORDS):
        cards = [
            f"{board.cards[unit['card']].name} {unit['strength']}"
            for unit in facts.row(side, row)
        ]
        special = specials[word]
        if special is not None:
            cards.append(f"[{board.cards[special].name}]")
        total = int(board.s.total[side, row])
        lines.append(f"  {word:8}{total:3}  {', '.join(cards)}".rstrip())
    return lines


def _zone_lines(board: Board, found: Mapping[str, Any]) -> list[str]:
    zones = {word: found.get(word, ()) for word in ("hand", "discard", "hidden")}
    for who, seen in found.get("seen_by", {}).items():
        zones[f"seen by {who}"] = seen
    return [
        f"  {word:11}  {board.names_of(cards)}"
        for word, cards in zones.items()
        if cards
    ]
