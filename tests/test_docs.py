"""The commands and links of the documentation, run and followed as they stand there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from benchmarks import stub
from benchmarks.pages import FOLDER, pages
from deckcheck.cli.schema import FOLDER as SCHEMA_FOLDER
from deckcheck.cli.schema import SCHEMAS, JsonSchemaKind

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(
            page
            for each in ("docs", "examples", "benchmarks", "decks")
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
        return shlex.split(self.command, comments=True)[1:]


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

    assert shown == pages()[name], "run: python -m benchmarks.pages"


@pytest.mark.parametrize("kind", SCHEMAS, ids=[kind.name for kind in SCHEMAS])
def test_the_files_of_schemas_are_up_to_date(kind: JsonSchemaKind) -> None:
    assert kind.file.read_text("utf-8") == kind.text(), (
        "run: python -m benchmarks.pages"
    )


def test_no_file_of_a_schema_is_left_over() -> None:
    assert set(SCHEMA_FOLDER.iterdir()) == {kind.file for kind in SCHEMAS}


def test_the_stub_of_the_api_is_up_to_date() -> None:
    assert stub.FILE.read_text("utf-8") == stub.api_stub(), (
        "run: python -m benchmarks.pages"
    )


def test_wildcards_stand_for_lines_and_for_parts_of_lines() -> None:
    pattern = as_pattern("seed ...\n...\nend\n")

    assert re.fullmatch(pattern, "seed 7\na\nb\nend\n")
    assert re.fullmatch(pattern, "seed 7\nend\n")
    assert not re.fullmatch(pattern, "need 7\nend\n")
