"""The documentation: its commands, links and tables."""

import io
import os
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from helpers.ci import environment
from helpers.ci import run as run_program

from deckcheck.cards import load_database
from deckcheck.cli import main
from deckcheck.cli.schema import FOLDER as SCHEMA_FOLDER
from deckcheck.cli.schema import SCHEMAS
from deckcheck.formats import format_ids, load_format
from tools import pages, stub
from tools.schemas import text_of

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

# The rules of each game, its page and their tables agree with the card database.

GAMES = {
    "gwent": "Gwent",
    "sg_gwint": "SG Gwint",
    "gwen_t": "Gwen't",
    "deckmaster": "Deckmaster",
}
FIRST = {"gwent": "gwent/standard", "gwen_t": "gwen_t/pool"}
FIRST |= {"deckmaster": "deckmaster/standard"}
"""The format with the usual options, of games with a table of options."""
STATEMENT = re.compile(r"^\*\*(\d+(?:\.\d+)+)\*\*", re.MULTILINE)


def rules_of(game: str) -> str:
    return (DOCS / "rules" / f"{game}.md").read_text(encoding="utf-8")


def page_of(game: str) -> str:
    return (DOCS / "reference" / "games" / f"{game}.md").read_text(encoding="utf-8")


def rows_of(text: str, heading: str) -> dict[str, list[str]]:
    """The cells of the table whose first column is called `heading`, by that column."""
    start = text.index(f"| {heading} |")
    lines = text[start:].partition("\n\n")[0].splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0].strip("`"): row[1:] for row in rows}


def as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def formats_of(game: str) -> list[str]:
    """The formats of a game, the usual one first."""
    ids = [id for id in format_ids() if id.startswith(f"{game}/")]
    return sorted(ids, key=lambda id: id != FIRST.get(game))


def default_options(game: str) -> dict[str, Any]:
    """The options of the first format that has them."""
    options = [load_format(id).options for id in reversed(formats_of(game))]
    return {name: value for each in options for name, value in each.items()}


@pytest.mark.parametrize("game", GAMES)
def test_statements_are_numbered_once_in_order_and_without_gaps(game: str) -> None:
    numbers = STATEMENT.findall(rules_of(game))
    parts = [tuple(map(int, number.split("."))) for number in numbers]
    sections = [section for section, *_ in parts]

    assert parts == sorted(set(parts))
    assert sorted({*sections}) == list(range(1, sections[-1] + 1))
    for number in numbers:
        *section, last = number.split(".")
        before = ".".join([*section, str(int(last) - 1)])

        # 4.6 and 4.7 of Gwent, 5.5 and 5.6 are sections whose parts are numbered.
        assert last == "1" or before in numbers or f"{before}.1" in numbers, number


@pytest.mark.parametrize("game", GAMES)
def test_data_cites_statements_that_exist(game: str) -> None:
    cited = {option.statement for option in load_database(game).game.options}
    for id in formats_of(game):
        cited |= {entry.statement for entry in load_format(id).constraints}

    assert cited <= {f"{game} {number}" for number in STATEMENT.findall(rules_of(game))}


@pytest.mark.parametrize("game", FIRST)
def test_options_are_those_of_the_database(game: str) -> None:
    stated, defaults = rows_of(page_of(game), "option"), default_options(game)
    options = load_database(game).game.options

    assert list(stated) == [option.name for option in options]
    for option in options:
        values, _, statement = stated[option.name]
        listed = re.findall(r"`(\w+)`", values)
        if option.values:
            assert listed == [as_text(value) for value in option.values], option.name
        else:
            assert f"or {option.minimum} to {option.maximum}" in values, option.name
        assert listed[0] == as_text(defaults[option.name]), option.name
        assert f"{game} {statement}" == option.statement
    rules = " ".join(rules_of(game).split())
    for name, value in defaults.items():
        assert f"`{name}: {as_text(value)}`" in rules, name


@pytest.mark.parametrize("game", FIRST)
def test_every_ability_has_a_text_and_a_statement(game: str) -> None:
    db = load_database(game)
    codes = {*db.game.abilities, *(leader.ability for leader in db.leaders.values())}

    assert {text.ability for text in db.game.texts} == codes
    assert {text.statement for text in db.game.texts} <= {
        f"{game} {number}" for number in STATEMENT.findall(rules_of(game))
    }


def test_the_tables_of_gwen_t_are_complete() -> None:
    page = page_of("gwen_t")
    source = (ROOT / "examples" / "gwen_t" / "controller.py").read_text("utf-8")
    states = rows_of(page, "state")
    actions = {word for row in states.values() for word in re.findall(r"\w+", row[0])}

    assert sorted(rows_of(page, "format")) == sorted(formats_of("gwen_t"))
    assert list(states) == re.findall(r'^    [A-Z_]+ = "(\w+)"$', source, re.MULTILINE)
    assert all(f"    def {name}(" in source for name in actions)


def test_the_leaders_table_is_that_of_the_database() -> None:
    """Texts but for what is in brackets: options, and other statements."""
    db = load_database("gwent")
    texts = {text.ability: text.text for text in db.game.texts}
    stated = {
        (
            name,
            faction,
            kind,
            re.sub(r" \((`[^`]*`|[\d.]+)\)", "", text),
            code.strip("`"),
        )
        for name, (faction, kind, text, code, *_) in rows_of(
            rules_of("gwent"), "leader"
        ).items()
    }

    assert stated == {
        (
            leader.full_name,
            db.factions[leader.faction].name,
            "passive" if leader.passive else "active",
            texts[leader.ability],
            leader.ability,
        )
        for leader in db.leaders.values()
    }


def test_the_abilities_table_has_every_ability_and_its_cards() -> None:
    db = load_database("gwent")
    stated = {
        code: row[3]
        for names, row in rows_of(rules_of("gwent"), "code").items()
        for code in re.findall(r"\w+", names)
    }

    assert set(stated) == set(db.game.abilities)
    for code, cards in stated.items():
        for card in db.cards.values():
            assert not card.has(code) or card.name in cards, f"{card.name}: {code}"


# The commands and links of the documentation, run and followed as they stand there.

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


def commands(lines: list[str]) -> Iterator[tuple[int, str, str]]:
    """Each command of a block, with its line and the output that is shown below it."""
    starts = [i for i, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        output = "\n".join(lines[start + 1 : end])
        yield start, lines[start].removeprefix("$ "), output


def block_examples(page: Path, first: int, lines: list[str]) -> Iterator[Example]:
    for line, command, output in commands(lines):
        if command.startswith("deckcheck "):
            name = page.relative_to(ROOT).as_posix()
            yield Example(name, first + line, command, output)


def as_pattern(output: str) -> str:
    """A regular expression for `output`: a line `...` stands for any lines.

    Within a line `...` stands for any text. Empty lines at the end do not count.
    """
    parts = []
    for line in output.rstrip().splitlines():
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(re.escape(line).replace(r"\.\.\.", r".*") + r"[ ]*\n")
    return "".join(parts)


def run(arguments: list[str], folder: Path) -> tuple[int, str, str]:
    """Run a command: its exit code, what it printed and its errors."""
    # Games are kept, as they are for a reader, who sees no speed.
    fixed = {"NO_COLOR": "1", "COLUMNS": "100", "DECKCHECK_NO_KEEP": "0"}
    if arguments[0] == "scenario":  # which plays uncompiled
        words = [sys.executable, "-m", "deckcheck", *arguments]
        done = run_program(words, folder, {**os.environ, **fixed})
        return done.returncode, done.stdout, done.stderr
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in "12")
    printing = redirect_stdout(out), redirect_stderr(err)
    with chdir(folder), patch.dict(os.environ, fixed), printing[0], printing[1]:
        code = main(arguments)
    for stream in (out, err):
        stream.seek(0)
    return code, out.read(), err.read()


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
    folder = folders.get(example.page, example.folder)
    code, out, err = run(example.arguments, folder)

    assert code in {0, 1}, err
    if example.output.strip():
        assert re.fullmatch(as_pattern(example.output), out.rstrip() + "\n"), out


def edit(folder: Path, lines: list[str]) -> None:
    """Make the change that a block `diff` shows: `--- file`, then lines - and +."""
    file = folder / lines[0].removeprefix("--- ")
    text = file.read_text(encoding="utf-8").splitlines()
    for old, new in zip(lines[1::2], lines[2::2], strict=True):
        assert (old[0], new[0]) == ("-", "+"), (old, new)
        assert text.count(old[1:]) == 1, old
        text[text.index(old[1:])] = new[1:]
    file.write_text("\n".join([*text, ""]), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["first-deck", "first-event"])
def test_a_tutorial_can_be_followed_word_for_word(name: str, tmp_path: Path) -> None:
    page = TUTORIALS / f"{name}.md"
    folder = folder_of_its_own(tmp_path / "project")
    env = environment(tmp_path / "bin", NO_COLOR="1", COLUMNS="100")
    blocks = [*STEPS.finditer(page.read_text(encoding="utf-8"))]
    assert blocks
    for block in blocks:
        if block[1] == "diff":
            edit(folder, block[2].splitlines())
            continue
        for _, command, output in commands(block[2].splitlines()):
            if command.startswith("cd "):
                folder /= command.removeprefix("cd ")
                continue
            done = run_program(["bash", "-c", command], folder, env)
            assert done.returncode in {0, 1}, (command, done.stderr)
            shown = done.stdout.rstrip() + "\n"
            assert re.fullmatch(as_pattern(output), shown) or not output, (
                command,
                done.stdout,
            )


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in LINK.findall(full_text(page)):
            if "://" in target:
                continue
            path, _, anchor = target.partition("#")
            linked = (page.parent / path).resolve() if path else page

            assert linked.exists(), f"{page.name} links to {target}"
            if anchor:
                text = full_text(linked)
                headings = {slug(heading) for heading in HEADING.findall(text)}
                assert anchor in headings, f"{page.name} links to {target}"


@cache
def full_text(page: Path) -> str:
    """Return the text of a page as the site has it."""
    if page.is_relative_to(DOCS):
        make_page = pages.PAGES.get(page.relative_to(DOCS).as_posix())
        if make_page:
            return make_page()
    return page.read_text(encoding="utf-8")


def slug(heading: str) -> str:
    """The anchor that a heading gets on the usual hosts."""
    kept = re.sub(r"[^\w\- ]", "", heading.lower())
    return kept.replace(" ", "-")


def test_every_page_is_in_the_index_and_begins_with_whom_it_is_for() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    for page in PAGES:
        if page.is_relative_to(DOCS) and page.name != "index.md":
            assert f"({page.relative_to(DOCS).as_posix()})" in index
            assert "\n\nFor " in page.read_text(encoding="utf-8")[:80], page


def test_generated_files_are_up_to_date() -> None:
    stale = [
        *(kind.name for kind in SCHEMAS if read(kind.file) != text_of(kind)),
        *(
            {each.name for each in SCHEMA_FOLDER.iterdir()}
            - {k.file.name for k in SCHEMAS}
        ),
        *([stub.FILE] if read(stub.FILE) != stub.api_stub() else []),
    ]

    assert stale == [], "run: python -m tools.pages"


def read(file: Path) -> str | None:
    return file.read_text("utf-8") if file.exists() else None


def test_wildcards_stand_for_lines_and_for_parts_of_lines() -> None:
    pattern = as_pattern("seed ...\n...\nend\n")

    assert any(example.page == "README.md" for example in examples())
    assert re.fullmatch(pattern, "seed 7\na\nb\nend\n")
    assert re.fullmatch(pattern, "seed 7\nend\n")
    assert not re.fullmatch(pattern, "need 7\nend\n")


# How many statements of the rules rest on a ruling of ours, wherever pages say it.


def assumed(game: str) -> tuple[int, int, int]:
    """The statements of a game, those that are assumed, and of these those in part."""
    texts = re.split(STATEMENT, rules_of(game))[2::2]
    bodies = [re.split(r"^#", each, flags=re.MULTILINE)[0] for each in texts]
    marks = [set(re.findall(r"\[(\w[\w ]*)\](?!\()", each)) for each in bodies]
    ours = [each for each in marks if "assumed" in each]
    return len(texts), len(ours), sum(len(each) > 1 for each in ours)


@pytest.mark.parametrize("game", GAMES)
def test_a_page_of_rules_counts_what_is_assumed(game: str) -> None:
    statements, ours, in_part = assumed(game)
    part = f", {in_part} of them in part" if in_part else ""
    count = f"Of its {statements} statements {ours} rest on a ruling of ours{part};"

    assert count in rules_of(game)


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
