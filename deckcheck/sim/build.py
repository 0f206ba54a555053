"""Builds a Simulation: of decks that were judged, and a request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deckcheck.cards import CardDatabase
from deckcheck.findings import UsageError
from deckcheck.findings.options import option
from deckcheck.findings.words import choice, quote
from deckcheck.formats import Format, database_of
from deckcheck.sim.errors import IllegalDeckError
from deckcheck.sim.simulation import MATCH, Simulation
from deckcheck.sim.tables.entrants import Entrant, file_numbers
from deckcheck.sim.tables.inputs import common_format, enter, facing, first_file
from deckcheck.sim.tables.seating import Request, Setting
from deckcheck.validation import DeckReport, Validator

BOTH_SIDES = 2


def simulation_from_reports(
    fmt: Format,
    database: CardDatabase,
    reports: Sequence[DeckReport],
    request: Request,
) -> Simulation:
    """Return the simulation of the decks of `reports` as `fmt` is played.

    Raises UsageError for what does not fit the format, and EngineError for a deck that
    the engine cannot play.
    """
    _check_request(fmt, reports, request)
    if request.every_policy:
        entrants, request = _every_pair(reports, request)
    else:
        entrants = enter(reports, _policies_of_decks(fmt, reports, request))
    simulation = Simulation(Setting(fmt, database, request), tuple(entrants))
    simulation.check_decks()
    return simulation


def _check_request(
    fmt: Format, reports: Sequence[DeckReport], request: Request
) -> None:
    """Refuse options that do not apply to the format."""
    play = fmt.seating.play
    refused = [
        ("mirror", request.mirror and play != "duel"),
        ("every-policy", request.every_policy and play != "duel"),
        ("select", bool(request.selections) and play != MATCH),
        ("matchups", request.matchups is not None and play != MATCH),
        ("opponent", bool(request.opponents) and play != "solo"),
        (
            "against",
            request.challengers is not None and play not in ("duel", "teams", MATCH),
        ),
        ("random-decks", request.random_decks and play not in ("table", "shared")),
    ]
    for name, is_refused in refused:
        if is_refused:
            message = f"{option(name)} does not apply to {quote(fmt.id)}"
            raise UsageError(message, "Leave it out")
    if request.players is not None and not request.random_decks:
        raise UsageError(
            f"{option('players')} goes with {option('random-decks')} only",
            "Leave it out: there are as many players as decks",
        )
    if request.random_decks and reports:
        raise UsageError(
            f"Both decks and {option('random-decks')} were given",
            f"Leave out the decks, or {option('random-decks')}",
        )


def _policies_of_decks(
    fmt: Format,
    reports: Sequence[DeckReport],
    request: Request,
) -> Sequence[str]:
    """The policies of the decks: those of a file may have one together.

    So may the challengers, and those that they meet. Where a deck is shared, or
    random, policies are those of the players.
    """
    play, policies = fmt.seating.play, request.policies
    if play == "shared" or not reports:
        return policies[:1]
    if request.challengers is not None and len(policies) == BOTH_SIDES:
        first = request.challengers
        return [policies[number >= first] for number in range(len(reports))]
    files = file_numbers([report.source for report in reports])
    is_each = len(files) != len(policies) == max(files) + 1
    if play in ("teams", MATCH) and is_each:
        return [policies[file] for file in files]
    return policies


def _every_pair(
    reports: Sequence[DeckReport], request: Request
) -> tuple[list[Entrant], Request]:
    """Each deck once with each player, and the request that counts them.

    Raises UsageError for a single player, and for one that is named twice.
    """
    policies = request.policies
    if len(policies) == 1 or len(set(policies)) < len(policies):
        raise UsageError(
            f"{option('every-policy')} needs different players, got "
            f"{choice(policies, 'and')}",
            f"Name two or more with {option('policy')}",
        )
    pairs = [report for report in reports for _ in policies]
    if request.challengers is not None:
        number = request.challengers * len(policies)
        request = replace(request, challengers=number)
    return enter(pairs, policies * len(reports)), request


def build_simulation(
    named: Sequence[DeckReport],
    field: Sequence[DeckReport] | None,
    request: Request,
    judge: Validator,
    *,
    gauntlet: bool = False,
    allow_illegal: bool = False,
) -> Simulation:
    """Return the simulation of the decks that were named, or of random ones.

    With a `field` they meet its decks and not each other, in a `gauntlet` those of the
    first file meet the others. Raises IllegalDeckError and UsageError.
    """
    reports = list(named)
    if field is not None:
        reports, challengers = facing(named, field)
        request = replace(request, challengers=challengers)
    elif gauntlet:
        request = replace(request, challengers=first_file(reports))
    if not reports and judge.format is None:
        raise UsageError(
            "Random decks need a format", f"Name one with {option('format')}"
        )
    fmt, database = playable_format(reports, judge, allow_illegal=allow_illegal)
    return simulation_from_reports(fmt, database, reports, request)


def playable_format(
    reports: Sequence[DeckReport], judge: Validator, *, allow_illegal: bool = False
) -> tuple[Format, CardDatabase]:
    """Return the format that all these decks are played by, and its cards.

    Without any deck it is that of `judge`. Raises IllegalDeckError for decks that must
    not play, an unreadable one in any case, and UsageError for several formats.
    """
    refused = [r for r in reports if r.deck is None or not (r.legal or allow_illegal)]
    if refused:
        raise IllegalDeckError.of(refused)
    fmt = (None if reports else judge.format) or common_format(reports)
    return fmt, database_of(fmt, judge.root)
