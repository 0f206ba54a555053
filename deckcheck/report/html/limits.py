"""The conditions under which a result was played, and the limits of its claims."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckcheck.findings.words import choice, plural
from deckcheck.policies.host.registry import policy_label
from deckcheck.report.html.model import Block, Facts, Figures, Notes, Section
from deckcheck.report.sections import Report
from deckcheck.report.tables import Column, Table, words
from deckcheck.report.units import COUNT
from deckcheck.sim.jobs.program import Program
from deckcheck.sim.provenance import Provenance
from deckcheck.sim.results.played import ResultHeader

BY_CHANCE = ("random", "sane_random", "no_pass")
MOST_NAMED = 8
NO_BREAK = "\u00a0"


def limit_sections(
    run: ResultHeader, report: Report, tool: Program, more: Sequence[str] = ()
) -> Iterator[Section]:
    """Settings, decks, and limits: what a reader needs to judge the rest.

    `tool` is what played, `more` are limits of this kind of result.
    """
    facts = [*report.facts, ("deckcheck", f"{tool.version}, engine {tool.engine}")]
    blocks: list[Block] = [Facts(tuple(facts))]
    if run.provenance is not None:
        facts.append(("cards", f"digest {run.provenance.digest}"))
        blocks = [Facts(tuple(facts)), _options(run.provenance)]
    yield Section("settings", "How it was played", tuple(blocks))
    if run.provenance is not None:
        decks = Figures(_decks(run, run.provenance))
        lists = _lists(run, run.provenance)
        yield Section("decks", "Decks", (decks, *([lists] if lists.facts else [])))
    notes = (*limits_of_players(run.players), *more, *_limits(run))
    yield Section("limits", "What this does not say", (Notes(notes),))


def limits_of_players(policies: Sequence[str]) -> Iterator[str]:
    """What it means that these played."""
    players = [policy_label(name) for name in policies]
    yield (
        f"Programs played: {choice(players, 'and')}. A deck that is hard to play is "
        "worth more in hands that play it better."
    )
    if set(policies) & set(BY_CHANCE):
        yield (
            "Players who choose by chance say how the rules work, and little of what a "
            "deck is worth."
        )


def _options(provenance: Provenance) -> Facts:
    options = tuple(
        (name.replace("_", " "), _word(v)) for name, v in provenance.options
    )
    return Facts(options, title=f"{plural(len(options), 'option')} of play")


def _decks(run: ResultHeader, provenance: Provenance) -> Table:
    rows = tuple(
        (
            deck.name,
            own.faction,
            own.leader,
            own.cards,
            policy_label(deck.policy).replace(" ", NO_BREAK),
            deck.path,
        )
        for deck, own in zip(run.decks, provenance.decks, strict=True)
    )
    columns = (
        *words("deck", "faction", "leader"),
        Column("cards", COUNT),
        *words("player", "file"),
    )
    return Table("The decks as they were played", columns, rows)


def _lists(run: ResultHeader, provenance: Provenance) -> Facts:
    """The decklists, a line for each deck."""
    pairs = zip(run.decks, provenance.decks, strict=True)
    lists = tuple(
        (deck.name, ", ".join(f"{n} {name}" for name, n in own.copies))
        for deck, own in pairs
        if own.copies
    )
    return Facts(lists, title="Decklists")


def _limits(run: ResultHeader) -> Iterator[str]:
    yield "Decks that did not take part are not known: one may beat all of these."
    yield (
        "Where the rulebook is silent, the options of play above decide. Other answers "
        "may lead to other results."
    )
    if run.provenance is not None:
        yield _sources(run.provenance)
    yield (
        "Each interval holds the true rate in 95 of 100 runs. That is said of each "
        "alone: of many intervals some miss."
    )


def _sources(provenance: Provenance) -> str:
    """How sure it is what the cards of the decks can do."""
    if not provenance.guessed:
        names = [source.replace("_", " ") for source in provenance.sources]
        return (
            f"What the {plural(provenance.cards, 'card')} of these decks do is taken "
            f"from sources: {choice(names, 'and')}. None is a guess."
        )
    more = len(provenance.guessed) - MOST_NAMED
    rest = f" and {more} more" if more > 0 else ""
    return (
        f"{len(provenance.guessed)} of {plural(provenance.cards, 'card')} are guesses: "
        f"{', '.join(provenance.guessed[:MOST_NAMED])}{rest}."
    )


def _word(value: str | int | bool) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")
