"""Every study, a question about decks that games answer: `ENTRIES` has a line for each.

What is written here is all that the rest of deckcheck knows of a study: its command,
its function in Python, its schema and its outputs follow from its entry, and nothing is
imported before it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Literal, NamedTuple


class StudyQuestion(NamedTuple):
    """What the command and the function of a study ask.

    `group`, `example` (without the name of the program) and `page`, below `docs/`, are
    for `deckcheck --help`; `about` is the text of the command. `spec` declares the
    options. `study_of` makes the study of a format, its cards, the decks named first,
    those of the field, and the spec; a study without one has a command and a function
    of its own. `asks_about` are the decks named first: one deck, or all of a format.
    It finds a deck against a field that may be weighed, and can write it to a file.
    """

    group: Literal["measure", "improve"]
    summary: str
    example: str
    page: str
    about: str = ""
    spec: str = ""
    study_of: str = ""
    asks_about: Literal["deck", "format"] = "deck"


class Entry(NamedTuple):
    """A study by its name, which is also that of its runs and its schema.

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
    """The object at `module:name` below `deckcheck`."""
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
        "studies.impact:IMPACT",
        "studies.impact:ImpactResult",
        "studies.impact:ImpactResult",
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
        "studies.redraws:REDRAWS",
        "studies.redraws:RedrawsResult",
        "studies.redraws:RedrawsDocument",
        printed_by="impact --redraws",
    ),
    Entry(
        "tune",
        "studies.search.study:Tuning",
        "studies.search.result:DECK_SEARCH",
        "studies.search.result:FoundDeck",
        "studies.search.result:FoundDeck",
        StudyQuestion(
            "improve",
            "Find a better version of a deck",
            "tune siege.deck --changes 4",
            "how-to/tune.md",
            about="""
            Find a better version of a deck, within some changes, against a field of
            decks.

            Hundreds of legal decks are measured; the figures of the best one are from
            fresh games that had no part in choosing it. Results depend only on deck,
            field, format, policies, seed, games and the changes allowed.
            """,
            spec="specs:TuneSpec",
            study_of="studies.search.study:make_tuning",
        ),
    ),
    Entry(
        "build",
        "studies.search.study:Building",
        "studies.search.result:DECK_SEARCH",
        "studies.search.result:FoundDeck",
        "studies.search.result:FoundDeck",
        StudyQuestion(
            "improve",
            "Build the best deck of a format, from nothing",
            "build gwent/standard --faction Skellige",
            "how-to/tune.md",
            about="""
            Build the best deck of a format, from nothing, against a field of decks.

            The search begins with random legal decks and with those of the field. The
            figures of the deck it finds are from fresh games that had no part in
            choosing it; Ctrl-C prints the best so far. Results depend only on field,
            format, factions, policies, seed and games.
            """,
            spec="specs:BuildSpec",
            study_of="studies.search.study:make_building",
            asks_about="format",
        ),
    ),
    Entry(
        "solve",
        "studies.solve:Solve",
        "studies.solve:SOLUTION",
        "studies.solve:SolveResult",
        "studies.solve:SolveResult",
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
        "studies.lineups:LINEUPS",
        "studies.lineups:LineupsResult",
        "studies.lineups:LineupsDocument",
        printed_by="solve in a format of matches",
        schema="solve-lineups",
    ),
    Entry(
        "balance",
        "studies.balance.study:Balance",
        "studies.balance.result:BALANCE",
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
