"""Positions as text and as JSON, both made of their facts (`Position.facts`).

A game without rows has lines of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from deckcheck.findings.words import plural
from deckcheck.scenarios.rows import ROW_WORDS

Facts: TypeAlias = Mapping[str, Any]
Named: TypeAlias = Callable[[str], str]
"""The name of a card, by its id."""

POSSESSIONS = {"gems": "gem", "lives": "life", "points": "point"}


def row_facts(
    rows: Sequence[Sequence[tuple[str, int]]], totals: Sequence[int]
) -> dict[str, Any]:
    """The facts of the rows of a side: their units by id and strength, their totals."""
    return {
        **dict(zip(ROW_WORDS, totals, strict=True)),
        "total": sum(totals),
        "cards": _by_row([[card for card, _ in row] for row in rows]),
        "strengths": _by_row([[strength for _, strength in row] for row in rows]),
    }


def _by_row(rows: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(ROW_WORDS, rows, strict=True))


def described(
    facts: Facts, players: Sequence[str], sides: Sequence[str]
) -> dict[str, Any]:
    """The position as the JSON output shows it."""
    game = {key: fact for key, fact in facts.items() if key not in (*players, *sides)}
    if "weather" in game:
        game["weather"] = [laid["card"] for laid in game["weather"]]
    return {"players": {name: _of_player(facts[name]) for name in players}, **game}


def _of_player(facts: Facts) -> dict[str, Any]:
    """A player's facts, with the units of each row next to its total."""
    shown = dict(facts)
    cards, strengths = shown.pop("cards", {}), shown.pop("strengths", {})
    for row in cards:
        units = zip(cards[row], strengths[row], strict=True)
        listed = [{"card": card, "strength": strength} for card, strength in units]
        shown[row] = {"total": facts[row], "cards": listed}
    return shown


def position_lines(
    facts: Facts,
    players: Sequence[str],
    sides: Sequence[str],
    score: str,
    named: Named,
) -> list[str]:
    """The position as text; `score` is the key of what a match is won by."""
    lines = []
    for side in sides:
        head = f"{side}: {facts[side]['total']} on the board, "
        head += plural(facts[side][score], POSSESSIONS[score])
        if side in players:
            head += f", {_deck(facts[side])}"
        lines += [head, *_rows(facts[side], named), *_zones(facts[side], named)]
    for name in players:
        if name not in sides:
            own = {**facts[name], "discard": ()}
            lines += [f"{name}: {_deck(own)}", *_zones(own, named)]
    sky = ", ".join(named(laid["card"]) for laid in facts["weather"]) or "none"
    return [*lines, f"round {facts['round']}, weather {sky}, {end_of(facts)}"]


def end_of(facts: Facts) -> str:
    """The winner, or the player to move."""
    if not facts["over"]:
        return f"{facts['turn']} to move"
    return "a draw" if facts["winner"] == "draw" else f"{facts['winner']} wins"


def _deck(facts: Facts) -> str:
    return f"{plural(facts['deck_size'], 'card')} in the deck"


def _rows(facts: Facts, named: Named) -> list[str]:
    lines = []
    for row in ROW_WORDS:
        units = zip(facts["cards"][row], facts["strengths"][row], strict=True)
        cards = [f"{named(card)} {strength}" for card, strength in units]
        special = facts.get("row_specials", {}).get(row)
        cards += [f"[{named(special)}]"] if special else []
        cards += ["[doubled]"] if row in facts.get("doubled", ()) else []
        lines.append(f"  {row:8}{facts[row]:3}  {', '.join(cards)}".rstrip())
    return lines


def _zones(facts: Facts, named: Named) -> list[str]:
    zones = {key: facts.get(key) for key in ("hand", "discard", "below", "hidden")}
    for player, seen in facts.get("seen_by", {}).items():
        zones[f"seen by {player}"] = seen
    return [
        f"  {zone:11}  {', '.join(map(named, cards))}"
        for zone, cards in zones.items()
        if cards
    ]
