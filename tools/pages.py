"""Make the pages, schemas and the stub that follow from the program itself.

`python -m tools.pages` writes schemas and the stub. The site makes the pages.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from unittest import mock

from deckcheck.cli import help as help_pages
from deckcheck.cli.application import LoadedCommand, load_command, write_program_help
from deckcheck.cli.commands import COMMAND_GROUPS, COMMANDS, PROGRAM
from deckcheck.cli.help import (
    HELP,
    SECTION_OPTIONS,
    Row,
    find_section,
    format_table,
    make_row,
    write_command_page,
)
from deckcheck.cli.schema import SCHEMAS
from deckcheck.cli.settings import CliOption
from deckcheck.findings import Rule
from deckcheck.rules import ALL_RULES, difference, explain
from deckcheck.sim.figures import METRICS
from tools import schemas, stub

DOCS = Path(__file__).resolve().parent.parent / "docs"
FOLDER = DOCS / "reference"

COLUMNS = 106
"""How wide the help is that pages show, which is wider than on a terminal."""

FEWEST = 2
"""As many commands with the same option, and it is a shared one."""

EVERYWHERE = "Options of every command"

_HEAD = f"""\
# Commands

For anyone looking up a command or an option.
Each command is shown with its usage and with the options that it alone has.
A line below names those it shares, which are [after the commands](#shared-options).
Every command also has the [options of every command](#options-of-every-command).
`{PROGRAM} COMMAND --help` prints all of them together.
Most options can also be set in the [configuration](configuration.md).
"""


def commands_page() -> str:
    """Write the page of all commands, which the site has in `reference/commands.md`."""
    with mock.patch.object(help_pages, "find_page_width", return_value=COLUMNS):
        commands = [load_command(entry.name) for entry in COMMANDS]
        shared = _shared(commands)
        parts = [_HEAD, f"```text\n{write_program_help()}```\n"]
        for title, entries in COMMAND_GROUPS.items():
            parts.append(f"## {title}\n")
            for command in commands:
                if command.command in entries:
                    parts += _command(command, shared)
        parts += ["## Shared options\n", *_shared_sections(shared)]
        return "\n".join(parts)


def _shared(commands: Sequence[LoadedCommand]) -> Mapping[Row, str]:
    """The options that several commands have in the same words, with their sections.

    Of an option that commands describe in several ways, the most common way is shared.
    """
    options = [s for command in commands for s in command.settings if s.is_option]
    times = Counter(map(make_row, options))
    common: dict[str, CliOption] = {}
    for option in sorted(options, key=lambda s: -times[make_row(s)]):
        common.setdefault(option.key, option)
    return {
        row: EVERYWHERE if times[row] == len(commands) else find_section(option)
        for option in options
        if (row := make_row(option)) == make_row(common[option.key])
        if times[row] >= FEWEST
    }


def _shared_sections(shared: Mapping[Row, str]) -> Iterator[str]:
    for title in (*SECTION_OPTIONS, EVERYWHERE):
        rows = [row for row in shared if shared[row] == title]
        rows += [HELP] if title == EVERYWHERE else []
        if rows:
            yield f"### {title}\n"
            yield "\n".join(["```text", *format_table(rows, COLUMNS), "```\n"])


def _command(loaded: LoadedCommand, shared: Mapping[Row, str]) -> Iterator[str]:
    """The help of a command without its shared options, then the names of these."""
    command = loaded.command
    rows = {make_row(s): s for s in loaded.settings if s.is_option}
    text = write_command_page(
        f"{PROGRAM} {command.name}",
        command.example,
        loaded.function.__doc__ or "",
        loaded.settings,
        {"Options": [row for row in rows if row not in shared]},
    )
    yield f"### {command.name}\n"
    yield f"```text\n{text}```\n"
    named: dict[str, list[str]] = {title: [] for title in SECTION_OPTIONS}
    for row, option in rows.items():
        if shared.get(row, EVERYWHERE) != EVERYWHERE:
            named[shared[row]].append(f"`--{option.key}`")
    sections = [
        f"[{title.lower()}](#{title.lower().replace(' ', '-')}): {', '.join(names)}"
        for title, names in named.items()
        if names
    ]
    also = f" Shared options: {'; '.join(sections)}." if sections else ""
    heading = (DOCS / command.page).read_text(encoding="utf-8").partition("\n")[0]
    title = heading.removeprefix("# ")
    link = Path(os.path.relpath(DOCS / command.page, FOLDER)).as_posix()
    yield f"More: [{title}]({link}).{also}\n"


# The page of findings


FAMILIES: tuple[tuple[str, str], ...] = (
    ("DP", "Reading a deck"),
    ("DC", "Cards and names"),
    ("DL", "Sizes and limits"),
    ("DF", "Faction and leader"),
    ("DB", "Banned and restricted cards, banned leaders"),
    ("DX", "Across the decks of a file"),
    ("DE", "Events: players, lists and seals"),
    ("DW", "Plans: what is expected of win rates"),
    ("DS", "Suppression comments"),
)

_FINDINGS = """\
# Findings

For anyone whose deck, event or plan has a finding.
`deckcheck rule NAME` prints the same text, with complete examples.
Codes and names are permanent.

In an example, `-` marks lines that cause the finding, and `+` lines that replace them.
An error makes a deck illegal, an event invalid, or a plan fail.
A warning or a note does not.
A reason such as "gwent 1.1.3" is a [statement of the rules](../rules/index.md).
"""


def findings_page() -> str:
    """Write the page of all findings, which the site has in `reference/findings.md`."""
    parts = [_FINDINGS]
    for family, title in FAMILIES:
        parts.append(f"## {title}\n")
        for rule in ALL_RULES:
            if rule.family == family:
                parts.extend(_finding(rule))
    return "\n".join(parts)


def _finding(rule: Rule) -> Iterator[str]:
    what, why, bad, good = explain(rule)
    yield f"### {rule.name} ({rule.code})\n"
    yield f"*{rule.severity.value.capitalize()}.* {rule.summary}.\n{_sentences(what)}"
    yield f"**Why:** {_sentences(why)}\n"
    if bad and rule.about != "event":  # Event files: the text says as much.
        yield "\n".join(["```diff", *difference(bad, good), "```\n"])


def _sentences(text: str) -> str:
    """A paragraph with each sentence on a line of its own."""
    return " ".join(text.split()).replace(". ", ".\n")


# The page of outputs

METRICS_SENTENCE = re.compile(r"^The \[site\].* lists all metrics .*$", re.MULTILINE)


def outputs_page() -> str:
    """Write the page of outputs with a table of all metrics."""
    rows = ["| metric | unit | value |", "|---|---|---|"]
    rows += [f"| `{name}` | {' | '.join(METRICS[name])} |" for name in METRICS]
    text = (FOLDER / "outputs.md").read_text(encoding="utf-8")
    return METRICS_SENTENCE.sub("\n".join(rows), text)


PAGES: Mapping[str, Callable[[], str]] = {
    "reference/commands.md": commands_page,
    "reference/findings.md": findings_page,
    "reference/outputs.md": outputs_page,
}
"""The generated pages. In the repository a file of each leads to the command."""


if __name__ == "__main__":
    for kind in SCHEMAS:
        kind.file.write_text(schemas.text_of(kind), encoding="utf-8")
    stub.FILE.write_text(stub.api_stub(), encoding="utf-8")
