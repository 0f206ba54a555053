"""Pages of many decks: where a list ends, and where the rest of it is."""

from __future__ import annotations

from dataclasses import replace

from deckcheck.report.html.bars import Outlines
from deckcheck.report.html.model import Block, Figures, Forest, Notes, Page, Section

MOST_ROWS = 450
"""The rows of a list: with all its lists a page stays below 2 MB."""
MOST_BLOCKS = 100
REST = "all are in the outputs json and csv"


def cut(page: Page) -> Page:
    """Return the page without the rows that nobody reads; it says how many there are.

    The first rows stay: all lists begin with what matters most.
    """
    return replace(page, sections=tuple(map(_cut_section, page.sections)))


def _cut_section(section: Section) -> Section:
    blocks = [_cut_block(block) for block in section.blocks[:MOST_BLOCKS]]
    if len(section.blocks) > MOST_BLOCKS:
        blocks.append(Notes((f"{_shown(len(section.blocks), MOST_BLOCKS)}.",)))
    return replace(section, blocks=tuple(blocks))


def _cut_block(block: Block) -> Block:
    if isinstance(block, Forest) and len(block.rows) > MOST_ROWS:
        note = with_rest(block.note, len(block.rows))
        return replace(block, rows=block.rows[:MOST_ROWS], note=note)
    if isinstance(block, Outlines) and len(block.rows) > MOST_ROWS:
        note = with_rest(block.note, len(block.rows))
        return replace(block, rows=block.rows[:MOST_ROWS], note=note)
    if isinstance(block, Figures) and len(block.table.rows) > MOST_ROWS:
        table = block.table
        note = with_rest(table.note or "", len(table.rows))
        return Figures(replace(table, rows=table.rows[:MOST_ROWS], note=note))
    if isinstance(block, Notes) and len(block.notes) > MOST_ROWS:
        rest = f"{_shown(len(block.notes))}."
        return Notes((*block.notes[:MOST_ROWS], rest))
    return block


def with_rest(note: str, rows: int) -> str:
    """A note below a list of which only the first of so many rows are shown."""
    rest = _shown(rows)
    return f"{rest[0].lower()}{rest[1:]}; {note}" if note else rest


def _shown(number: int, most: int = MOST_ROWS) -> str:
    return f"The first {most:,} of {number:,} are shown; {REST}"
