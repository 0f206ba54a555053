"""The JSON document of a lineup to bring."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from deckcheck.findings.json_schema import Count, Interval, Ordinal, Share
from deckcheck.sim.results.run_document import RunDocument


class MatchRate(TypedDict):
    """A match win rate with its interval; a drawn match counts half."""

    win_rate: Share
    """The match win rate, 0 to 1."""
    interval: Interval
    """The lower and the upper end of the win rate's interval."""
    matches: Count
    """The number of matches behind the win rate."""


class NamedMatchRate(MatchRate):
    """The match win rate against one lineup."""

    name: str
    """The name of the lineup."""


class LineupDocument(TypedDict):
    """A lineup that did best in the first games."""

    decks: list[str]
    """The names of its decks."""
    share: Share | None
    """The share of matches to bring it to, 0 to 1; null if it is in no mix."""
    share_interval: Interval | None
    """The middle 95 % of the shares when all games are drawn again, 0 to 1."""
    promised: Share
    """The match win rate that the first games promised, 0 to 1."""
    fresh: MatchRate | None
    """The match win rate in fresh matches; null if it played none."""
    confirmed: MatchRate | None
    """The same played by another policy; null if none was asked for."""


class ReplyDocument(TypedDict):
    """A deck to reply with."""

    to: str
    """The deck that the opponent has chosen."""
    deck: str
    """The deck to choose."""


class OpeningDocument(TypedDict):
    """How to choose a deck for the first game against a lineup of the field."""

    opponent: str
    """The name of the opponent's lineup."""
    first: str
    """The deck to choose if the coin lets you choose first."""
    replies: list[ReplyDocument]
    """The decks to choose if the opponent chooses first."""


class MeetingDocument(TypedDict):
    """Two decks that met in the fresh matches of the best lineup."""

    deck: str
    """The deck of the best lineup."""
    opponent: str
    """The deck of the opponent's lineup."""
    games: Ordinal
    """The number of their games."""
    share: Share
    """The part of all games of the best lineup, 0 to 1."""


class LeftOutDeck(TypedDict):
    """A deck that is in no legal lineup."""

    name: str
    """The name of the deck."""
    reason: str
    """What most often forbids it together with others."""


class LineupsDocument(RunDocument):
    """The output of `deckcheck solve --output-format json` in a format of matches."""

    schema_version: Literal[1]
    """The version of this document."""
    answer: str
    """The answer in a sentence or two."""
    decks_to_choose_from: Ordinal
    """The number of different decks that lineups were made of."""
    lineups_compared: Ordinal
    """The number of legal lineups of these decks."""
    in_no_lineup: list[LeftOutDeck]
    """The decks that are in no legal lineup."""
    pair_games: Ordinal
    """The number of games by which the chances of every two decks are known."""
    confirm: str | None
    """The policy that played the matches again; null if none was asked for."""
    lineups: list[LineupDocument]
    """The mix first, where there is no field, then the lineups that did best."""
    field: list[str]
    """The names of the lineups to meet; empty where the mix was asked for."""
    opponents: list[NamedMatchRate]
    """Fresh matches of the best lineup with each of the field."""
    openings: list[OpeningDocument]
    """How the best lineup begins its matches with each of the field."""
    meetings: list[MeetingDocument]
    """How often its decks met those of the field, the most frequent first."""
