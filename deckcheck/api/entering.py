"""Shared preparation: from decks, files and names to judged decks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deckcheck.arguments import Judging, Names, names
from deckcheck.decks import Deck, find_deck_files
from deckcheck.findings import UsageError
from deckcheck.findings.words import quote
from deckcheck.sim.defaults import CONFIRM
from deckcheck.validation import DeckReport, Validator

__all__ = [
    "confirming_player",
    "deck_of",
    "known_players",
    "reports_of",
    "validator",
]


def known_players(policies: Names) -> tuple[str, ...]:
    """The names of players; raises UsageError for an unknown one."""
    from deckcheck.policies.host.registry import read_policy

    players = names("policies", policies)
    for player in players:
        read_policy(player)
    return players


def validator(judging: Judging, *, suppressions: bool = True) -> Validator:
    """What judges decks, and whether comments in these have a say."""
    return Validator(
        judging.format,
        judging.root,
        suppressions=suppressions,
        rules=judging.rules,
        as_of=judging.as_of,
    )


def deck_of(report: DeckReport, judging: Judging) -> Deck:
    """The deck of a report, of the format it was read by.

    Raises UsageError where none could be read.
    """
    if report.deck is None:
        reason = report.findings[0].message if report.findings else "no deck"
        raise UsageError(f"{quote(report.source.path)} cannot be read: {reason}")
    read_by = report.format.id if report.format is not None else None
    return replace(report.deck, format=judging.format or report.deck.format or read_by)


def reports_of(
    decks: Sequence[Deck | str], judging: Judging, judge: Validator | None = None
) -> list[DeckReport]:
    """Judge decks that were read before, and read the others."""
    from deckcheck.sim.tables.inputs import judge_again

    judge = judge or validator(judging)
    reports: list[DeckReport] = []
    game_format: str | None = None
    for deck in decks:
        if isinstance(deck, Deck):
            # In a file of several decks only the first has to name the format.
            game_format = deck.format or (game_format if deck.source.index else None)
            reports.append(judge_again(deck, judge, game_format))
        else:
            reports += judge.check_files(find_deck_files([deck])).reports
    return reports


def confirming_player(name: str | None) -> str | None:
    """Who is to confirm: a player by name, or None; UsageError for anything else."""
    if name is None or name in {CONFIRM, "none"}:
        return name
    player = known_players(name)
    if len(player) != 1:
        raise UsageError("`confirm` is for one player", "Name one, such as `search`")
    return player[0]
