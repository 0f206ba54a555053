"""Every study, a question about decks that games answer: `ENTRIES` has a line for each.

The help of a command, the schema, runs and outputs of a study follow from its entry.
Nothing is imported before it is asked for. The command is the function of its name in
`cli/studies.py` or `cli/compare.py`, the function for scripts in `api/studies.py`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Literal, NamedTuple


class StudyQuestion(NamedTuple):
    """The question of a study that has a command and a function of its name.

    `group`, `example` (without the name of the program) and `page`, below `docs/`, are
    for `deckcheck --help`.
    """

    group: Literal["measure", "improve"]
    summary: str
    example: str
    page: str


class Entry(NamedTuple):
    """A study by its name, which its runs and its schema have as well.

    Objects are named as `module:name`, the module below `deckcheck`: what plays it, how
    results are shown, the result and its JSON document. `printed_by` is what prints
    that, if not the command of this name, and `schema` its name, if that is another.
    """

    name: str
    study: str
    presentation: str
    result: str
    document: str
    question: StudyQuestion | None = None
    printed_by: str | None = None
    schema: str | None = None


def named(place: str) -> Any:
    """Return the object at `module:name` below `deckcheck`."""
    module, name = place.split(":")
    return getattr(import_module(f"deckcheck.{module}"), name)


ENTRIES = (
    Entry(
        "simulate",
        "sim.simulation:Simulation",
        "studies.simulation_page:SIMULATION",
        "sim.result:SimulationResult",
        "sim.documents:SimulationDocument",
    ),
    Entry(
        "compare",
        "studies.compare:Comparison",
        "studies.compare:COMPARISON",
        "studies.compare:ComparisonResult",
        "studies.compare:ComparisonResult",
        StudyQuestion(
            "measure",
            "Find out which version of a deck is better",
            "compare old.deck new.deck --against decks/gwent/standard reference",
            "how-to/compare.md",
        ),
    ),
    Entry(
        "impact",
        "studies.impact:Impact",
        "studies.impact_result:IMPACT",
        "studies.impact_result:ImpactResult",
        "studies.impact_result:ImpactResult",
        StudyQuestion(
            "measure",
            "Find out what each card of a deck is worth",
            "impact siege.deck --against meta/*.deck",
            "how-to/impact.md",
        ),
    ),
    Entry(
        "redraws",
        "studies.redraws:RedrawsStudy",
        "studies.redraws_result:REDRAWS",
        "studies.redraws_result:RedrawsResult",
        "studies.redraws_result:RedrawsResult",
        printed_by="impact --redraws",
    ),
    Entry(
        "tune",
        "studies.search.study:Tuning",
        "studies.search.report:DECK_SEARCH",
        "studies.search.result:FoundDeck",
        "studies.search.result:FoundDeck",
        StudyQuestion(
            "improve",
            "Find a better version of a deck",
            "tune siege.deck --changes 4",
            "how-to/tune.md",
        ),
    ),
    Entry(
        "build",
        "studies.search.study:Building",
        "studies.search.report:DECK_SEARCH",
        "studies.search.result:FoundDeck",
        "studies.search.result:FoundDeck",
        StudyQuestion(
            "improve",
            "Build the best deck of a format, from nothing",
            "build gwent/standard --faction Skellige",
            "how-to/tune.md",
        ),
    ),
    Entry(
        "solve",
        "studies.solve:Solve",
        "studies.solve_result:SOLUTION",
        "studies.solve_result:SolveResult",
        "studies.solve_result:SolveResult",
        StudyQuestion(
            "improve",
            "Find the mix of decks that a strong team would bring",
            "solve gwent/standard --against decks/gwent/standard --decks field.txt",
            "how-to/meta.md",
        ),
    ),
    Entry(
        "lineups",
        "studies.lineups:LineupChoice",
        "studies.lineups_result:LINEUPS",
        "studies.lineups_result:LineupsResult",
        "studies.lineups_result:LineupsDocument",
        printed_by="solve in a format of matches",
        schema="solve-lineups",
    ),
    Entry(
        "balance",
        "studies.balance.study:Balance",
        "studies.balance.report:BALANCE",
        "studies.balance.result:BalanceResult",
        "studies.balance.result:BalanceDocument",
        StudyQuestion(
            "improve",
            "Find the smallest changes of cards that balance a field",
            "balance plan.toml --output-format set:changes.yaml",
            "how-to/balance.md",
        ),
    ),
)
"""Every study that run directories may hold, in the order of `deckcheck --help`."""

BY_NAME = {entry.name: entry for entry in ENTRIES}
