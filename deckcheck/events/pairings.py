"""The pairings of an event: who meets whom, and pages with space for results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from deckcheck.events.event import Event
from deckcheck.events.pages import format_line

_MAX_TABLES = 16
"""The most tables on a page."""
_MAX_ALL_AGAINST_ALL = 10
"""The most players of an event in which everybody meets everybody."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at a table."""

    player: str
    deck: str
    """The name of the deck; empty for a player with several decks, or with none."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players who meet."""

    round: int
    table: int
    first: Seat
    second: Seat


@dataclass(frozen=True, slots=True)
class RoundSheet:
    """One page with tables of a round."""

    event: str
    about: str
    """The date and the format."""
    round: int
    pairings: tuple[Pairing, ...]
    resting: str
    """The player without an opponent, or empty text."""
    shows_decks: bool
    results: str
    """The name of the file to type the results into."""


def pair_players(event: Event) -> list[Pairing]:
    """Pair the players for some rounds, nobody twice with the same opponent.

    Up to 10 players all meet each other. More players play the fewest rounds after
    which at most one player can have won every game. The order is the circle method: in
    each round all players but the first move on by a seat.
    """
    seats: list[Seat | None] = []
    for player in event.players:
        if player.departure is None:
            names = [report.name or "" for report in player.decks]
            seats.append(Seat(player.title, names[0] if len(names) == 1 else ""))
    if len(seats) % 2:
        seats.append(None)
    count = len(seats)
    rounds = count - 1
    if count > _MAX_ALL_AGAINST_ALL:
        rounds = (count - 1).bit_length()
    pairings: list[Pairing] = []
    for shift in range(rounds):
        order = [seats[0], *seats[1 + shift :], *seats[1 : 1 + shift]]
        table = 0
        for first, second in zip(order[: count // 2], order[::-1], strict=False):
            # The opponent None is a round without a game.
            if first is not None and second is not None:
                table += 1
                pairings.append(Pairing(shift + 1, table, first, second))
    return pairings


def make_round_sheets(event: Event, results: str) -> list[RoundSheet]:
    """Make the pages of all rounds. Decks are on them once the event is revealed."""
    about = f"{event.file.date}, {format_line(event.format)}"
    names = {player.title for player in event.players if player.departure is None}
    pages: list[RoundSheet] = []
    for number, group in groupby(pair_players(event), key=lambda each: each.round):
        pairings = list(group)
        playing = {pairing.first.player for pairing in pairings}
        playing |= {pairing.second.player for pairing in pairings}
        resting = next(iter(names - playing), "")
        for start in range(0, len(pairings), _MAX_TABLES):
            part = tuple(pairings[start : start + _MAX_TABLES])
            pages.append(
                RoundSheet(
                    event=event.file.name,
                    about=about,
                    round=number,
                    pairings=part,
                    resting=resting,
                    shows_decks=event.is_revealed,
                    results=results,
                )
            )
    return pages


def make_result_rows(event: Event) -> Iterator[dict[str, object]]:
    """Yield a row for each game, whose winner is still to be typed."""
    for pairing in pair_players(event):
        yield {
            "round": pairing.round,
            "table": pairing.table,
            "player": pairing.first.player,
            "deck": pairing.first.deck,
            "opponent player": pairing.second.player,
            "opponent": pairing.second.deck,
            "winner": "",
            "date": event.file.date,
            "format": event.format.id,
        }
