"""The documentation: its commands, links and tables."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from deckcheck.cards import load_database
from deckcheck.cli.schema import FOLDER as SCHEMA_FOLDER
from deckcheck.cli.schema import SCHEMAS, JsonSchemaKind
from deckcheck.controllers.gwen_t import Controller, State
from deckcheck.formats import format_ids, load_format
from tools import stub
from tools.pages import FOLDER, pages

# The pages on Deckmaster agree with its data.

DOCS = Path(__file__).parents[2] / "docs"
RULES = (DOCS / "rules" / "deckmaster.md").read_text(encoding="utf-8")
PAGE = (DOCS / "reference" / "games" / "deckmaster.md").read_text(encoding="utf-8")
OPTIONS = load_database("deckmaster").game.options
FORMAT = load_format("deckmaster/standard")

STATEMENT = re.compile(r"^\*\*(\d+\.\d+)\*\*", re.MULTILINE)
NUMBERS = STATEMENT.findall(RULES)


def as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_statements_are_numbered_once_in_order_and_without_gaps() -> None:
    numbers = [tuple(map(int, number.split("."))) for number in NUMBERS]

    assert numbers == sorted(set(numbers))
    assert all(last == 1 or (section, last - 1) in numbers for section, last in numbers)


def test_data_cites_statements_that_exist() -> None:
    cited = {option.statement for option in OPTIONS}
    cited |= {constraint.statement for constraint in FORMAT.constraints}

    assert cited <= {f"deckmaster {number}" for number in NUMBERS}


def test_the_options_table_is_that_of_the_database() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| (.*?) \| .*? \| ([\d.]+) \|$", PAGE, re.MULTILINE
    )

    assert [row[0] for row in rows] == [option.name for option in OPTIONS]
    for option, (name, values, statement) in zip(OPTIONS, rows, strict=True):
        stated = re.findall(r"`(\w+)`", values)

        assert stated == [as_text(value) for value in option.values], name
        assert stated[0] == as_text(FORMAT.options[name]), name
        assert f"deckmaster {statement}" == option.statement, name


def test_the_rules_page_names_every_option_with_its_default() -> None:
    for name, value in FORMAT.options.items():
        assert f"`{name}: {as_text(value)}`" in " ".join(RULES.split()), name


# The commands and links of the documentation, run and followed as they stand there.

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(
            page
            for each in ("docs", "examples", "tools", "decks")
            for page in ROOT.glob(f"{each}/**/*.md")
        ),
    ],
    key=lambda page: page.as_posix(),
)

# These compile the engine on a fresh machine.
PLAYING = {
    *("balance", "build", "compare", "expect", "impact", "replay", "simulate"),
    *("solve", "tune", "warmup"),
}

# Pages that name runs there keep them: their commands build on each other.
KEPT = "runs/"

# A page of these is followed from its first line to its last, in a folder of its own.
TUTORIALS = ROOT / "docs" / "tutorials"

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
STEPS = re.compile(r"^```(console|diff)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = "$ deckcheck "


@dataclass(frozen=True)
class Example:
    """A command of a page with the output shown below it, `...` for what may vary."""

    page: str
    line: int
    command: str
    output: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def folder(self) -> Path:
        """Where its command runs: an example's own folder, else that of the project."""
        page = ROOT / self.page
        return page.parent if page.is_relative_to(ROOT / "examples") else ROOT

    @property
    def keeps(self) -> bool:
        """Whether its page keeps runs, in a folder of its own."""
        return any(
            KEPT in each.command for each in examples() if each.page == self.page
        )

    @property
    def arguments(self) -> list[str]:
        command, _, _ = self.command.partition(" #")
        return shlex.split(command)[1:]


def examples() -> Iterator[Example]:
    for page in PAGES:
        if page.parent == TUTORIALS:
            continue
        text = page.read_text(encoding="utf-8")
        for block in BLOCK.finditer(text):
            first = text[: block.start(1)].count("\n") + 1
            yield from block_examples(page, first, block[1].splitlines())


def block_examples(page: Path, first: int, lines: list[str]) -> Iterator[Example]:
    starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        if lines[start].startswith(PROMPT):
            yield Example(
                page.relative_to(ROOT).as_posix(),
                first + start,
                lines[start].removeprefix("$ "),
                "\n".join(lines[start + 1 : end]),
            )


def as_pattern(output: str) -> str:
    """A regular expression for `output`: a line `...` stands for any lines.

    Within a line `...` stands for any text, and so does what follows `speed`. Empty
    lines at the end do not count.
    """
    parts = []
    for line in output.rstrip().splitlines():
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        elif line.startswith("speed "):
            parts.append(r"speed .*\n")
        else:
            parts.append(re.escape(line).replace(r"\.\.\.", r".*") + r"[ ]*\n")
    return "".join(parts)


def run(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    start = "import sys; from deckcheck.cli import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", start, *arguments],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folders of pages that keep runs, by page, below that of \"\"."""
    return {"": tmp_path_factory.mktemp("pages")}


def folder_of_its_own(folder: Path) -> Path:
    """A folder in which the project lies as it does here."""
    folder.mkdir()
    for each in ROOT.iterdir():
        if not each.name.startswith("."):
            (folder / each.name).symlink_to(each)
    return folder


def marked(example: Example) -> object:
    plays = example.arguments[0] in PLAYING or example.keeps
    marks = [pytest.mark.slow] if plays else []
    return pytest.param(example, id=str(example), marks=marks)


@pytest.mark.parametrize("example", [marked(example) for example in examples()])
def test_commands_print_what_the_page_shows(
    example: Example, folders: dict[str, Path]
) -> None:
    if example.keeps and example.page not in folders:
        folders[example.page] = folder_of_its_own(folders[""] / str(len(folders)))
    done = run(example.arguments, folders.get(example.page, example.folder))

    assert done.returncode in {0, 1}, done.stderr
    if example.output.strip():
        shown = done.stdout.rstrip() + "\n"
        assert re.fullmatch(as_pattern(example.output), shown), done.stdout


def edit(folder: Path, lines: list[str]) -> None:
    """Make the change that a block `diff` shows: `--- file`, then lines - and +."""
    file = folder / lines[0].removeprefix("--- ")
    text = file.read_text(encoding="utf-8").splitlines()
    for old, new in zip(lines[1::2], lines[2::2], strict=True):
        assert (old[0], new[0]) == ("-", "+"), (old, new)
        assert text.count(old[1:]) == 1, old
        text[text.index(old[1:])] = new[1:]
    file.write_text("\n".join([*text, ""]), encoding="utf-8")


def with_deckcheck(folder: Path) -> dict[str, str]:
    """An environment in which `deckcheck` is the one that is tested."""
    program = folder / "deckcheck"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m deckcheck "$@"\n')
    program.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    python = {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    return {**os.environ, **python, "PATH": path, "NO_COLOR": "1", "COLUMNS": "100"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["first-deck", "first-event"])
def test_a_tutorial_can_be_followed_word_for_word(name: str, tmp_path: Path) -> None:
    page = TUTORIALS / f"{name}.md"
    folder = folder_of_its_own(tmp_path / "project")
    (tmp_path / "bin").mkdir()
    env = with_deckcheck(tmp_path / "bin")
    for block in STEPS.finditer(page.read_text(encoding="utf-8")):
        if block[1] == "diff":
            edit(folder, block[2].splitlines())
            continue
        for command, output in commands(block[2].splitlines()):
            if command.startswith("cd "):
                folder /= command.removeprefix("cd ")
                continue
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=folder,
                env=env,
                capture_output=True,
                text=True,
                encoding="utf-8",
                check=False,
            )
            assert done.returncode in {0, 1}, (command, done.stderr)
            shown = done.stdout.rstrip() + "\n"
            assert re.fullmatch(as_pattern(output), shown) or not output, (
                command,
                done.stdout,
            )


def commands(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Each command of a block, with the output that is shown below it."""
    starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[start].removeprefix("$ "), "\n".join(lines[start + 1 : end])


def test_the_pages_have_examples() -> None:
    assert any(example.page == "README.md" for example in examples())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        linked = (page.parent / path).resolve() if path else page

        assert linked.exists(), f"{page.name} links to {target}"
        if anchor:
            text = linked.read_text(encoding="utf-8")
            assert anchor in {slug(heading) for heading in HEADING.findall(text)}


def slug(heading: str) -> str:
    """The anchor that a heading gets on the usual hosts."""
    kept = re.sub(r"[^\w\- ]", "", heading.lower())
    return kept.replace(" ", "-")


def test_every_page_is_listed_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")

    missing = [
        page.relative_to(ROOT / "docs").as_posix()
        for page in PAGES
        if page.is_relative_to(ROOT / "docs")
        and page.name != "index.md"
        and f"({page.relative_to(ROOT / 'docs').as_posix()})" not in index
    ]
    assert missing == []


def test_every_page_begins_with_whom_it_is_for() -> None:
    openings = {
        page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8")
        for page in PAGES
        if page.is_relative_to(ROOT / "docs") and page.name != "index.md"
    }

    assert [
        name for name, text in openings.items() if "\n\nFor " not in text[:80]
    ] == []


@pytest.mark.parametrize("name", sorted(pages()))
def test_generated_pages_are_up_to_date(name: str) -> None:
    shown = (FOLDER / name).read_text(encoding="utf-8")

    assert shown == pages()[name], "run: python -m tools.pages"


@pytest.mark.parametrize("kind", SCHEMAS, ids=[kind.name for kind in SCHEMAS])
def test_the_files_of_schemas_are_up_to_date(kind: JsonSchemaKind) -> None:
    assert kind.file.read_text("utf-8") == kind.text(), "run: python -m tools.pages"


def test_no_file_of_a_schema_is_left_over() -> None:
    assert set(SCHEMA_FOLDER.iterdir()) == {kind.file for kind in SCHEMAS}


def test_the_stub_of_the_api_is_up_to_date() -> None:
    assert stub.FILE.read_text("utf-8") == stub.api_stub(), "run: python -m tools.pages"


def test_wildcards_stand_for_lines_and_for_parts_of_lines() -> None:
    pattern = as_pattern("seed ...\n...\nend\n")

    assert re.fullmatch(pattern, "seed 7\na\nb\nend\n")
    assert re.fullmatch(pattern, "seed 7\nend\n")
    assert not re.fullmatch(pattern, "need 7\nend\n")


# The pages of Gwen't and their tables agree with the card database.

GWEN_T_PAGE_RULES = (DOCS / "rules" / "gwen_t.md").read_text(encoding="utf-8")
GWEN_T_PAGE_PAGE = (DOCS / "reference" / "games" / "gwen_t.md").read_text(
    encoding="utf-8"
)
DB = load_database("gwen_t")


def table(heading: str) -> dict[str, list[str]]:
    """The rows of the table whose first column is called `heading`, by that column."""
    start = GWEN_T_PAGE_PAGE.index(f"| {heading} |")
    lines = GWEN_T_PAGE_PAGE[start:].partition("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0].strip("`"): row[1:] for row in rows}


def test_statements_are_numbered_without_gaps() -> None:
    numbers = [
        tuple(map(int, n.split("."))) for n in STATEMENT.findall(GWEN_T_PAGE_RULES)
    ]
    last = {section: 0 for section, _ in numbers}
    for section, number in numbers:
        assert number == last[section] + 1
        last[section] = number

    assert list(last) == list(range(1, 8))


def test_data_of_gwen_t_cites_statements_that_exist() -> None:
    cited = {option.statement for option in DB.game.options}
    for entry in load_format("gwen_t/pool").constraints:
        cited.add(entry.statement)

    assert cited <= {
        f"gwen_t {number}" for number in STATEMENT.findall(GWEN_T_PAGE_RULES)
    }


def test_the_formats_table_is_complete() -> None:
    own = [id for id in format_ids() if id.startswith("gwen_t/")]

    assert sorted(table("format")) == sorted(own)


def test_the_options_of_gwen_t_are_those_of_the_database() -> None:
    stated = table("option")
    defaults = load_format("gwen_t/pool").options

    assert list(stated) == [option.name for option in DB.game.options]
    for option in DB.game.options:
        values, _, statement = stated[option.name]
        listed = re.findall(r"`(\w+)`", values)
        if option.values:
            assert listed == [as_text(value) for value in option.values]
        else:
            assert f"or {option.minimum} to {option.maximum}" in values
        assert listed[0] == as_text(defaults[option.name])
        assert f"gwen_t {statement}" == option.statement


@pytest.mark.parametrize("name", [option.name for option in DB.game.options])
def test_the_rules_name_every_option_with_its_default(name: str) -> None:
    value = load_format("gwen_t/pool").options[name]

    assert f"`{name}: {as_text(value)}`" in " ".join(GWEN_T_PAGE_RULES.split())


def test_the_states_table_is_that_of_the_controller() -> None:
    stated = table("state")
    methods = {word for row in stated.values() for word in re.findall(r"\w+", row[0])}

    assert list(stated) == [state.value for state in State]
    assert all(callable(getattr(Controller, name)) for name in methods)


# The rules page of Gwent and its tables agree with the card database.

RULES_PAGE_RULES = (DOCS / "rules" / "gwent.md").read_text(encoding="utf-8")
RULES_PAGE_PAGE = (DOCS / "reference" / "games" / "gwent.md").read_text(
    encoding="utf-8"
)
RULES_PAGE_DB = load_database("gwent")

RULES_PAGE_STATEMENT = re.compile(r"^\*\*(\d+(?:\.\d+)+)\*\*", re.MULTILINE)


def statements() -> list[str]:
    return RULES_PAGE_STATEMENT.findall(RULES_PAGE_RULES)


def rules_page_table(text: str, heading: str) -> list[list[str]]:
    """The cells of the first table whose first column is called `heading`."""
    start = text.index(f"| {heading} |")
    rows = text[start:].partition("\n\n")[0].splitlines()
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def test_statements_are_numbered_once_and_in_order() -> None:
    numbers = [tuple(map(int, number.split("."))) for number in statements()]

    assert numbers == sorted(set(numbers))


def test_no_statement_is_left_out_of_a_count() -> None:
    numbers = set(statements())
    for number in numbers:
        *section, last = number.split(".")
        before = ".".join([*section, str(int(last) - 1)])

        # 4.6 and 4.7, 5.5 and 5.6 are sections whose parts are numbered.
        assert last == "1" or before in numbers or f"{before}.1" in numbers, number


def test_data_of_gwent_cites_statements_that_exist() -> None:
    cited = {option.statement for option in RULES_PAGE_DB.game.options}
    for id in format_ids():
        if id.startswith("gwent/"):
            cited |= {entry.statement for entry in load_format(id).constraints}

    assert cited <= {f"gwent {number}" for number in statements()}


def test_the_leaders_table_is_that_of_the_database() -> None:
    stated = {
        (row[0], row[1], row[2], row[4].strip("`"))
        for row in rules_page_table(RULES_PAGE_RULES, "leader")
    }

    assert stated == {
        (
            leader.full_name,
            RULES_PAGE_DB.factions[leader.faction].name,
            "passive" if leader.passive else "active",
            leader.ability,
        )
        for leader in RULES_PAGE_DB.leaders.values()
    }


def test_the_abilities_table_has_every_ability_and_its_cards() -> None:
    stated = {
        code: row[4]
        for row in rules_page_table(RULES_PAGE_RULES, "code")
        for code in re.findall(r"`(\w+)`", row[0])
    }

    assert set(stated) == set(RULES_PAGE_DB.game.abilities)
    for code, cards in stated.items():
        for card in RULES_PAGE_DB.cards.values():
            assert not card.has(code) or card.name in cards, f"{card.name}: {code}"


def default_options() -> dict[str, Any]:
    """The options of the first format that has them, by option."""
    defaults: dict[str, Any] = {}
    for id in ("gwent/standard", *format_ids()):
        for name, value in load_format(id).options.items():
            if id.startswith("gwent/"):
                defaults.setdefault(name, value)
    return defaults


def test_the_options_of_gwent_are_those_of_the_database() -> None:
    stated = {
        row[0].strip("`"): row for row in rules_page_table(RULES_PAGE_PAGE, "option")
    }
    defaults = default_options()

    assert list(stated) == [option.name for option in RULES_PAGE_DB.game.options]
    for option in RULES_PAGE_DB.game.options:
        values = re.findall(r"`(\w+)`", stated[option.name][1])
        if option.values:
            assert values == [as_text(value) for value in option.values]
        else:
            limits = f"or {option.minimum} to {option.maximum}"
            assert limits in stated[option.name][1]
        assert values[0] == as_text(defaults[option.name])
        assert f"gwent {stated[option.name][3]}" == option.statement


def test_the_rules_of_gwent_name_every_option_with_its_default() -> None:
    for name, value in default_options().items():
        assert f"`{name}: {as_text(value)}`" in " ".join(RULES_PAGE_RULES.split()), name


@pytest.mark.parametrize("game", ["gwent", "gwen_t", "deckmaster"])
def test_every_ability_has_a_text_and_a_statement(game: str) -> None:
    db = load_database(game)
    page = (DOCS / "rules" / f"{game}.md").read_text(encoding="utf-8")
    codes = {*db.game.abilities, *(leader.ability for leader in db.leaders.values())}

    assert {text.ability for text in db.game.texts} == codes
    assert {text.statement for text in db.game.texts} <= {
        f"{game} {number}" for number in RULES_PAGE_STATEMENT.findall(page)
    }


def test_texts_of_leaders_are_those_of_the_page() -> None:
    """But for what is in brackets: options, and other statements."""
    stated = {
        row[4].strip("`"): re.sub(r" \((`[^`]*`|[\d.]+)\)", "", row[3])
        for row in rules_page_table(RULES_PAGE_RULES, "leader")
    }
    texts = {text.ability: text.text for text in RULES_PAGE_DB.game.texts}

    assert {code: texts[code] for code in stated} == stated


# How many statements of the rules rest on a ruling of ours, wherever pages say it.

GAMES = {
    "gwent": "Gwent",
    "sg_gwint": "SG Gwint",
    "gwen_t": "Gwen't",
    "deckmaster": "Deckmaster",
}


def assumed(game: str) -> tuple[int, int, int]:
    """The statements of a game, those that are assumed, and of these those in part."""
    text = (DOCS / "rules" / f"{game}.md").read_text(encoding="utf-8")
    texts = re.split(RULES_PAGE_STATEMENT, text)[2::2]
    bodies = [re.split(r"^#", each, flags=re.MULTILINE)[0] for each in texts]
    marks = [set(re.findall(r"\[(\w[\w ]*)\](?!\()", each)) for each in bodies]
    ours = [each for each in marks if "assumed" in each]
    return len(texts), len(ours), sum(len(each) > 1 for each in ours)


@pytest.mark.parametrize("game", GAMES)
def test_a_page_of_rules_counts_what_is_assumed(game: str) -> None:
    statements, ours, in_part = assumed(game)
    text = (DOCS / "rules" / f"{game}.md").read_text(encoding="utf-8")
    part = f", {in_part} of them in part" if in_part else ""

    assert f"Of its {statements} statements {ours} rest on a ruling of ours{part};" in (
        text
    )


def test_the_index_of_rules_and_the_readme_count_what_is_assumed() -> None:
    counts = [assumed(game) for game in GAMES]
    total = tuple(sum(column) for column in zip(*counts, strict=True))
    index = (DOCS / "rules" / "index.md").read_text(encoding="utf-8")
    rows = [
        (f"[{name}]({game}.md)", *count)
        for (game, name), count in zip(GAMES.items(), counts, strict=True)
    ]

    for row in (*rows, ("all", *total)):
        assert f"| {' | '.join(map(str, row))} |" in index
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"{total[0]} for the four games, of which {total[1]} rest" in readme
