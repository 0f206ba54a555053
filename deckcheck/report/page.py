"""A page of a report: answers, sections, limits, in a single HTML file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from deckcheck.messages import choice, game_count, plural
from deckcheck.pages import render
from deckcheck.policies.registry import policy_label
from deckcheck.report.blocks import (
    Block,
    Figures,
    Notes,
    Outlines,
    PageFacts,
    draw_where_possible,
)
from deckcheck.report.forests import Forest
from deckcheck.report.tables import (
    COUNT,
    ON_PAGE,
    Cell,
    Column,
    Report,
    ReportTable,
    words,
)
from deckcheck.sim.provenance import Program, Provenance
from deckcheck.sim.result_header import ResultHeader


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page with an address, `#id`."""

    id: str
    """The address within the page."""
    title: str
    """The heading."""
    blocks: tuple[Block, ...]
    """The content below the heading."""
    link: str | None = None
    """The text of the link to it: the title if None, no link if empty."""


@dataclass(frozen=True, slots=True)
class Page:
    """The content of a page."""

    title: str
    """The heading of the page."""
    about: str
    """The format and the number of games."""
    answers: tuple[str, ...]
    """The answers in sentences, with which the page begins."""
    warnings: tuple[str, ...]
    """Sentences about settings or results that mislead."""
    sections: tuple[Section, ...]
    """The parts below the answers."""
    fingerprint: str
    """The fingerprint of rules and cards."""


# Pages of many decks, whose lists are cut


Cut = TypeVar("Cut", Forest, Outlines, ReportTable)

MAX_ROWS = 450
"""The rows of a list: with all its lists a page stays below 2 MB."""
MAX_BLOCKS = 100
REST_NOTE = "all are in the outputs json and csv"


def shorten_page(page: Page) -> Page:
    """Return the page without rows far down, and with notes of how many were left out.

    All lists begin with the most important rows.
    """
    return replace(page, sections=tuple(map(_cut_section, page.sections)))


def _cut_section(section: Section) -> Section:
    """Return the section with at most MAX_BLOCKS blocks, each cut."""
    blocks = [_cut_block(block) for block in section.blocks[:MAX_BLOCKS]]
    if len(section.blocks) > MAX_BLOCKS:
        blocks.append(Notes((f"{_count_shown(len(section.blocks), MAX_BLOCKS)}.",)))
    return replace(section, blocks=tuple(blocks))


def _cut_block(block: Block) -> Block:
    """Return the block with at most MAX_ROWS rows, and a note about the others."""
    if isinstance(block, Notes) and len(block.notes) > MAX_ROWS:
        rest = f"{_count_shown(len(block.notes))}."
        return Notes((*block.notes[:MAX_ROWS], rest))
    if isinstance(block, Figures):
        return Figures(_cut_rows(block.table))
    if isinstance(block, Forest):
        return _cut_rows(block)
    if isinstance(block, Outlines):
        return _cut_rows(block)
    return block


def _cut_rows(listed: Cut) -> Cut:
    if len(listed.rows) <= MAX_ROWS:
        return listed
    note = note_hidden_rows(listed.note or "", len(listed.rows))
    return replace(listed, rows=listed.rows[:MAX_ROWS], note=note)


def note_hidden_rows(note: str, rows: int) -> str:
    """Return a note on a list that shows only the first of its `rows`."""
    rest = _count_shown(rows)
    return f"{rest[0].lower()}{rest[1:]}; {note}" if note else rest


def _count_shown(number: int, most: int = MAX_ROWS) -> str:
    return f"The first {most:,} of {number:,} are shown; {REST_NOTE}"


# The conditions under which a result was played, and the limits of its claims


BY_CHANCE = ("random", "sane_random", "no_pass")
MAX_NAMED_CARDS = 8


def limit_sections(
    run: ResultHeader, report: Report, tool: Program, more: Sequence[str]
) -> Iterator[Section]:
    """Yield settings, decks and limits, which a reader needs to judge the rest.

    `tool` is the program that played, `more` are limits of this kind of result.
    """
    facts = [*report.facts, ("deckcheck", f"{tool.version}, engine {tool.engine}")]
    blocks: list[Block] = [PageFacts(tuple(facts))]
    if run.provenance is not None:
        facts.append(("cards", f"fingerprint {run.provenance.fingerprint}"))
        blocks = [PageFacts(tuple(facts)), _option_facts(run.provenance)]
    yield Section("settings", "How it was played", tuple(blocks))
    if run.provenance is not None:
        blocks = [Figures(_deck_table(run, run.provenance))]
        lists = _decklist_facts(run, run.provenance)
        if lists.facts:
            blocks.append(lists)
        yield Section("decks", "Decks", tuple(blocks))
    notes = (*player_limits(run.players), *more, *_yield_limits(run))
    yield Section("limits", "What this does not say", (Notes(notes),))


def player_limits(policies: Sequence[str]) -> Iterator[str]:
    """Yield the limits of results that these policies played."""
    players = [policy_label(name) for name in policies]
    yield (
        f"Bots played: {choice(players, 'and')}. A deck that is hard to play is "
        "worth more in hands that play it better."
    )
    if set(policies) & set(BY_CHANCE):
        yield (
            "Bots that choose at random show how the rules work, and little about how "
            "good a deck is."
        )


def _option_facts(provenance: Provenance) -> PageFacts:
    """Return the options of play with their values."""
    facts: list[tuple[str, str]] = []
    for name, value in provenance.options:
        facts.append((name.replace("_", " "), _option_word(value)))
    return PageFacts(tuple(facts), title=f"{plural(len(facts), 'option')} of play")


def _option_word(value: str | int | bool) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")


def _deck_table(run: ResultHeader, provenance: Provenance) -> ReportTable:
    """Return the decks with their leaders, players and files."""
    rows: list[tuple[Cell, ...]] = []
    for deck, source in zip(run.decks, provenance.decks, strict=True):
        origin = (source.faction, source.leader, source.cards)
        rows.append((deck.name, *origin, policy_label(deck.policy), deck.path))
    columns = (
        *words("deck", "faction", "leader"),
        Column("cards", COUNT),
        *words("player", "file"),
    )
    return ReportTable("The decks as they were played", columns, tuple(rows))


def _decklist_facts(run: ResultHeader, provenance: Provenance) -> PageFacts:
    """Return the decklists, a line for each deck."""
    lists = []
    for deck, source in zip(run.decks, provenance.decks, strict=True):
        if source.copies:
            copies = ", ".join(f"{number} {name}" for name, number in source.copies)
            lists.append((deck.name, copies))
    return PageFacts(tuple(lists), title="Decklists")


def _yield_limits(run: ResultHeader) -> Iterator[str]:
    """Yield the limits of every result."""
    yield "Decks that did not take part are not known: one may beat all of these."
    yield (
        "Where the rulebook is silent, the options of play above decide. Other answers "
        "may lead to other results."
    )
    if run.provenance is not None:
        yield _sources_sentence(run.provenance)
    yield (
        "Each interval holds the true rate by these bots in 95 of 100 runs. That is "
        "said of each alone: of many intervals some miss."
    )


def _sources_sentence(provenance: Provenance) -> str:
    """Return a sentence about the reliability of the cards' data."""
    if not provenance.guessed:
        names = [source.replace("_", " ") for source in provenance.sources]
        return (
            f"What the {plural(provenance.cards, 'card')} of these decks do is taken "
            f"from sources: {choice(names, 'and')}. None is a guess."
        )
    more = len(provenance.guessed) - MAX_NAMED_CARDS
    rest = f" and {more} more" if more > 0 else ""
    return (
        f"{len(provenance.guessed)} of {plural(provenance.cards, 'card')} are guesses: "
        f"{', '.join(provenance.guessed[:MAX_NAMED_CARDS])}{rest}."
    )


# The parts that the pages of all studies share


def page_with(
    title: str,
    run: ResultHeader,
    report: Report,
    tool: Program,
    sections: Iterable[Section],
    *,
    limits: tuple[str, ...] = (),
    answers: Iterable[str] | None = None,
) -> Page:
    """Return the page of a result with these sections, its settings and limits below.

    `report` has all tables, and the answers unless `answers` are given. `tool` is the
    program that played, `limits` are the limits of this kind of study.
    """
    return Page(
        title=title,
        about=f"{run.format} ({run.month}) · {game_count(run.games_played)}",
        answers=report.answers if answers is None else tuple(answers),
        warnings=report.warnings,
        sections=(*sections, *limit_sections(run, report, tool, limits)),
        fingerprint=run.fingerprint,
    )


def make_table_page(run: ResultHeader, report: Report, tool: Program) -> Page:
    """Return the page of a study: its tables by section, drawn where possible."""
    sections: dict[tuple[str, str], list[Block]] = {}
    for table in report.for_output(ON_PAGE).tables:
        sections.setdefault(table.section, []).append(draw_where_possible(table))
    title = report.title or f"A result of {run.format}"
    parts = [Section(*names, tuple(blocks)) for names, blocks in sections.items()]
    return page_with(title, run, report, tool, parts, limits=report.limits)


def make_plan_page(pages: Sequence[tuple[str, Page]], games: int) -> Page:
    """Return the pages of the experiments of a plan as a single page, by name.

    `games` is the number of games played in all of them.
    """
    answers: list[str] = []
    warnings: list[str] = []
    sections: list[Section] = []
    for number, (name, page) in enumerate(pages, start=1):
        answers += [f"{name}: {answer}" for answer in page.answers[:1]]
        warnings += [f"{name}: {warning}" for warning in page.warnings]
        link = name  # of the first section
        for section in page.sections:
            id = f"part-{number}-{section.id}"
            title = f"{name}: {section.title}"
            sections.append(replace(section, id=id, title=title, link=link))
            link = ""
    return Page(
        title=plural(len(pages), "experiment"),
        about=f"{', '.join(name for name, _ in pages)} · {game_count(games)}",
        answers=tuple(answers),
        warnings=tuple(warnings),
        sections=tuple(sections),
        fingerprint=", ".join(dict.fromkeys(page.fingerprint for _, page in pages)),
    )


def render_page(page: Page) -> str:
    """Return a page as HTML, a single file without dependencies."""
    return render(Path(__file__).with_name("page.html"), page=shorten_page(page))
