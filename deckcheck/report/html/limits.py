"""How the games of a run were played, and what they do not say."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.findings.words import choice, plural
from deckcheck.policies.host.registry import policy_label
from deckcheck.report.formats import report_of
from deckcheck.report.html.model import Facts, Notes, Section, figures
from deckcheck.report.sections import Table
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.runs.directory import SimulationRun

__all__ = ["limit_sections"]

GUESSED = ("assumed", "placeholder")
BY_CHANCE = ("random", "sane_random", "no_pass")
MOST_NAMED = 8


def limit_sections(run: SimulationRun, result: SimulationResult) -> Iterator[Section]:
    """Settings, decks, and limits: what a reader needs to judge the rest."""
    fmt = run.study.setting.format
    options = tuple(
        (name.replace("_", " "), _word(value)) for name, value in fmt.options.items()
    )
    tool = (
        ("deckcheck", f"{run.file.tool.version}, engine {run.file.tool.engine}"),
        ("cards", f"digest {run.file.cards}"),
    )
    facts = Facts((*report_of(result).facts, *tool))
    rules = Facts(options, title=f"{plural(len(options), 'option')} of play")
    yield Section("settings", "How it was played", (facts, rules))
    yield Section("decks", "Decks", (figures(_decks(run, result)),))
    yield Section(
        "limits", "What this does not say", (Notes(tuple(_limits(run, result))),)
    )


def _decks(run: SimulationRun, result: SimulationResult) -> Table:
    db = run.study.setting.database
    counts = [sum(each.deck.counts().values()) for each in run.study.entrants]
    rows = []
    for deck, cards in zip(result.decks, counts, strict=True):
        faction = db.factions.get(deck.faction or "")
        leader = db.leaders.get(deck.leader or "")
        rows.append(
            (
                deck.name,
                faction.name if faction else "",
                leader.full_name if leader else "",
                str(cards),
                policy_label(deck.policy),
                deck.path,
            )
        )
    columns = ("deck", "faction", "leader", "cards", "player", "file")
    return Table("The decks as they were played", columns, tuple(rows))


def _limits(run: SimulationRun, result: SimulationResult) -> Iterator[str]:
    players = [policy_label(name) for name in result.players]
    yield (
        f"Programs played: {choice(players, 'and')}. A deck that is hard to play is "
        "worth more in hands that play it better."
    )
    if set(result.players) & set(BY_CHANCE):
        yield (
            "Players who choose by chance say how the rules work, and little of what a "
            "deck is worth."
        )
    yield "Decks that did not take part are not known: one may beat all of these."
    yield (
        "Where the rulebook is silent, the options of play above decide. Other answers "
        "may lead to other results."
    )
    yield _sources(run)
    yield (
        "Each interval holds the true rate in 95 of 100 runs. That is said of each "
        "alone: of many intervals some miss."
    )


def _sources(run: SimulationRun) -> str:
    """How sure it is what the cards of the decks can do."""
    db = run.study.setting.database
    ids = {id for each in run.study.entrants for id in each.deck.counts()}
    cards = [db.cards[id] for id in sorted(ids) if id in db.cards]
    guessed = [card.name for card in cards if card.provenance in GUESSED]
    if not guessed:
        found = sorted({card.provenance.replace("_", " ") for card in cards})
        return (
            f"What the {plural(len(cards), 'card')} of these decks do is taken from "
            f"sources: {choice(found, 'and')}. None is a guess."
        )
    more = len(guessed) - MOST_NAMED
    rest = f" and {more} more" if more > 0 else ""
    return (
        f"{len(guessed)} of {plural(len(cards), 'card')} are guesses: "
        f"{', '.join(guessed[:MOST_NAMED])}{rest}."
    )


def _word(value: str | int | bool) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")
