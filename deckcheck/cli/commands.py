"""The register of commands, which imports no command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from deckcheck.studies import ENTRIES

PROGRAM = "deckcheck"

MANUAL = "https://github.com/deckcheck/deckcheck/blob/main/docs"
"""Where the pages are for everyone, also without a copy of the repository."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command, which is the function of its name in a module of `deckcheck.cli`."""

    name: str
    summary: str
    example: str
    """The arguments shown first in its help, without the name of the program."""
    page: str
    """The page below `docs/` that explains it."""
    plays: bool = False
    """Whether it plays games, or shows played games, with the compiled engine."""
    module: str = ""
    """The module below `deckcheck.cli`, by default of its own name."""


def _list_study_commands(group: str) -> Iterator[Command]:
    """Yield the commands of studies that `measure` or `improve`."""
    for entry in ENTRIES:
        asked = entry.question
        if asked is not None and asked.group == group:
            yield Command(
                entry.name,
                asked.summary,
                asked.example,
                asked.page,
                plays=True,
                module="compare" if entry.name == "compare" else "studies",
            )


COMMAND_GROUPS: Mapping[str, tuple[Command, ...]] = {
    "Check lists": (
        Command(
            "validate",
            "Check decks against the rules of a format",
            "validate decks/gwent/standard",
            "how-to/check-decks.md",
        ),
        Command(
            "event",
            "Check the lists of a whole tournament",
            "event event.toml",
            "how-to/run-an-event.md",
        ),
        Command(
            "collect",
            "Turn emails and form exports into the lists of a tournament",
            "collect inbox event.toml",
            "how-to/run-an-event.md",
            module="event",
        ),
        Command(
            "fmt",
            "Write text decks in canonical form",
            "fmt decks/",
            "how-to/deck-files.md",
            module="decks",
        ),
        Command(
            "convert",
            "Write a deck as text, YAML, JSON, CSV or a share code",
            "convert siege.deck --to code",
            "how-to/deck-files.md",
            module="decks",
        ),
    ),
    "Measure decks": (
        Command(
            "simulate",
            "Play decks against each other and report win rates",
            "simulate siege.deck swarm.deck --games 10000",
            "how-to/simulate.md",
            plays=True,
        ),
        *_list_study_commands("measure"),
        Command(
            "meta",
            "Recommend decks to bring, from a run or for a known field",
            "meta --mine mine/*.deck --against decks/gwent/standard",
            "how-to/meta.md",
            plays=True,
        ),
        Command(
            "stats",
            "Show a deck in numbers, without playing",
            "stats siege.deck --group medic",
            "how-to/improve-a-deck.md",
        ),
        Command(
            "diff",
            "Show the changes from a list to another, without playing",
            "diff siege.deck siege2.deck",
            "how-to/improve-a-deck.md",
            module="stats",
        ),
        Command(
            "expect",
            "Test the expectations of a plan by games",
            "expect balance.toml --output-format junit:balance.xml",
            "how-to/balance.md",
            plays=True,
            module="simulate",
        ),
    ),
    "Improve decks and formats": (*_list_study_commands("improve"),),
    "Look things up": (
        Command(
            "cards",
            "List, find and show cards",
            "cards list --faction nilfgaard --ability spy",
            "reference/card-database.md",
        ),
        Command(
            "formats",
            "List and compare formats, or see where a deck is legal",
            "formats diff gwent/standard gwent/advanced",
            "reference/formats.md",
            module="cards",
        ),
        Command(
            "rule",
            "Explain a legality rule, with a bad and a good deck",
            "rule too-many-copies",
            "reference/findings.md",
            module="validate",
        ),
        Command(
            "scenario",
            "Play out a position and check the outcome",
            "scenario position.yaml",
            "how-to/judge-a-ruling.md",
            module="replay",
        ),
    ),
    "Runs": (
        Command(
            "resume",
            "Continue a run, or print its result again",
            "resume runs/field1 --output-format json",
            "how-to/long-runs.md",
            plays=True,
            module="runs",
        ),
        Command(
            "merge",
            "Combine shards into a single run",
            "merge shards/* --run runs/field1",
            "how-to/long-runs.md",
            plays=True,
            module="runs",
        ),
        Command(
            "report",
            "Show a run as a page, as tables or as data",
            "report runs/field1 --html report.html",
            "how-to/share-results.md",
            plays=True,
            module="runs",
        ),
        Command(
            "replay",
            "Replay any game of a simulation, move by move",
            "replay siege.deck swarm.deck --game 1234",
            "how-to/share-results.md",
            plays=True,
        ),
    ),
    "Tools": (
        Command(
            "generate",
            "Write random legal decks of a format",
            "generate gwent/standard --seed 7 --count 100 --output decks/",
            "how-to/deck-files.md",
            module="decks",
        ),
        Command(
            "schema",
            "Print a JSON Schema of data or output",
            "schema cards",
            "reference/outputs.md",
        ),
        Command(
            "warmup",
            "Compile the engine ahead of time",
            "warmup",
            "explanation/engine.md",
            plays=True,
            module="simulate",
        ),
    ),
}
"""Every command, in the groups and the order of `deckcheck --help`."""

COMMANDS = tuple(command for group in COMMAND_GROUPS.values() for command in group)
