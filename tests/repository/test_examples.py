"""The examples, the sample decks and the notebook do what they say."""

import re
import shutil
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest
from helpers.ci import ROOT, Done, load, run_action, run_hook, run_template
from helpers.commands import stderr_of
from helpers.findings import validate_files

from deckcheck.cards import load_database
from deckcheck.rules import ALL_RULES

# The tournament of `examples/`: a broken list fails at its line, mended it passes.

TOURNAMENT = "examples/tournament"
LIST = "lists/carla_rossi.deck"
LINE = 22


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A copy of the tournament."""
    return shutil.copytree(ROOT / TOURNAMENT, tmp_path / "tournament")


@pytest.fixture
def examples_bin(tmp_path: Path) -> Path:
    return tmp_path / "bin"


def on_github(repository: Path, bin: Path) -> Done:
    """The step of the workflow that uses the action."""
    workflow = load(f"{TOURNAMENT}/.github/workflows/decks.yml")
    steps = workflow["jobs"]["decks"]["steps"]
    [step] = [each for each in steps if "deckcheck/deckcheck@" in each.get("uses", "")]
    return run_action(repository, bin, **step["with"])


def on_gitlab(repository: Path, bin: Path) -> Done:
    """The job that the template gives."""
    [included] = load(f"{TOURNAMENT}/.gitlab-ci.yml")["include"]
    assert (ROOT / included["file"]).is_file()
    return run_template(repository, bin, **included["inputs"])


def before_a_commit(repository: Path, bin: Path) -> Done:
    """The hook, on the files that its configuration names."""
    [repo] = load(f"{TOURNAMENT}/.pre-commit-config.yaml")["repos"]
    [hook] = repo["hooks"]
    return run_hook(hook["id"], repository, bin, hook["files"])


@pytest.mark.parametrize(
    ("check", "places"),
    [
        (
            on_github,
            [
                *(f"::error file={LIST},line={LINE},", "| Ben Ito | no list |"),
                "::error file=event.toml,line=5,",
                "::Player `Ben Ito` has no list%0AAdd the list as",
            ],
        ),
        (
            on_gitlab,
            [
                *(f"--> {LIST}:{LINE}:3", 'testcase name="Ben Ito"'),
                "Player `Ben Ito` has no list",
            ],
        ),
        (before_a_commit, [f"--> {LIST}:{LINE}:3"]),
    ],
)
def test_broken_and_missing_lists_fail_and_mended_they_pass(
    check: Any, places: list[str], repository: Path, examples_bin: Path
) -> None:
    lists = [*(repository / "lists").iterdir()]
    good = {file: file.read_text(encoding="utf-8") for file in lists}
    written = [examples_bin / "summary.md", repository / "players.xml"]
    assert good[repository / LIST].splitlines()[LINE - 1] == "2 Balista"
    broken = good[repository / LIST].replace("2 Balista", "3 Balista")
    (repository / LIST).write_text(broken, encoding="utf-8")
    (repository / "lists" / "ben_ito.yaml").unlink()

    done = check(repository, examples_bin)
    said = [done.stdout, done.stderr]
    said += [file.read_text(encoding="utf-8") for file in written if file.exists()]
    assert done.returncode == 1
    for place in (*places, "3 copies of `Ballista`, at most 2 allowed"):
        assert place in "".join(said)

    if check is on_gitlab:  # which asks the same command as the action
        return
    for file, text in good.items():
        file.write_text(text, encoding="utf-8")
    done = check(repository, examples_bin)
    assert done.returncode == 0
    assert "Ballista" not in done.stdout


def test_the_example_names_the_event_to_the_action_and_to_the_template() -> None:
    """Which then take it from the branch that a pull request goes to."""
    workflow = load(f"{TOURNAMENT}/.github/workflows/decks.yml")
    steps = workflow["jobs"]["decks"]["steps"]
    [inputs] = [step["with"] for step in steps if "paths" in step.get("with", {})]
    [include] = load(f"{TOURNAMENT}/.gitlab-ci.yml")["include"]

    assert inputs["event"] == include["inputs"]["event"] == "event.toml"
    assert not any("deckcheck event" in step.get("run", "") for step in steps)


# The notebook of the documentation, executed as its readers do.

NOTEBOOK = Path(__file__).parents[2] / "docs" / "tutorials" / "notebook.ipynb"
IMAGE = "image/png"


def shown(notebook: Any) -> list[list[str]]:
    """The texts that each cell shows; of a picture, that there is one."""
    return [
        [
            IMAGE if IMAGE in output.data else output.data["text/plain"]
            for output in cell.get("outputs", ())
            if "data" in output
        ]
        for cell in notebook.cells
    ]


@pytest.mark.slow
def test_every_cell_shows_what_it_says() -> None:
    kept = nbformat.read(NOTEBOOK, as_version=4)
    fresh = nbformat.read(NOTEBOOK, as_version=4)
    place = {"metadata": {"path": str(NOTEBOOK.parent)}}
    nbclient.NotebookClient(fresh, timeout=600, resources=place).execute()

    assert shown(fresh) == shown(kept)
    assert sum(texts == [IMAGE] for texts in shown(kept)) == 2


# Sample decks are legal, those of `examples/broken/` get what they expect.

REPOSITORY = Path(__file__).parents[2]
DECKS = REPOSITORY / "decks"

EXPECTED = re.compile(r"(?:#|//) expect: (?P<names>.+)$")
NEIGHBOUR = re.compile(r"line (?P<line>\d+): (?P<names>.+)")

# Found by the size of a file or by several decks of one: no sample would be readable.
WITHOUT_SAMPLE = {
    "ambiguous-card",  # no two cards of Gwent share a name
    "oversized-file",
    "missing-format",  # of a run without `--format`; the others of several files
    "failed-reading",
    "same-cards",
    "banned-leader",  # no format of Gwent bans leaders or restricts a card
    "restricted-card",
    "removed-card",  # no format of ours has a set that removes cards
    "too-many-points",  # no format of ours has points
    "too-low-total",  # no format of Gwent asks for a least strength
}


def good_folders() -> list[Path]:
    return sorted(folder for folder in DECKS.glob("*/*") if folder.is_dir())


def broken_decks() -> list[Path]:
    return sorted(
        file
        for file in (REPOSITORY / "examples" / "broken").glob("*/*")
        if file.suffix != ".expect" and not file.name.startswith(".")
    )


def expected(deck: Path) -> set[tuple[int, str]]:
    """Lines and names of the findings that a broken deck must get."""
    neighbour = deck.with_name(deck.name + ".expect")
    if neighbour.exists():
        lines = neighbour.read_text(encoding="utf-8").splitlines()
        stated = [NEIGHBOUR.fullmatch(line) for line in lines]
        assert all(stated), f"{neighbour.name} has a line that says nothing"
        return {
            (int(match["line"]), name)
            for match in stated
            if match
            for name in match["names"].split(", ")
        }
    return {
        (number, name)
        for number, line in enumerate(
            deck.read_text(encoding="utf-8").splitlines(), start=1
        )
        if (match := EXPECTED.search(line))
        for name in match["names"].split(", ")
    }


@pytest.mark.parametrize("folder", good_folders(), ids=lambda folder: folder.name)
def test_good_decks_are_legal_of_their_format_and_named_differently(
    folder: Path,
) -> None:
    name = "standard" if folder.name == "languages" else folder.name
    validation = validate_files([folder])
    reports = validation.reports
    names = [report.name for report in reports]

    assert [f"{f.path}: {f.message}" for f in validation.findings] == []
    assert {r.format.id for r in reports if r.format} == {
        f"{folder.parent.name}/{name}"
    }
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("folder", sorted({deck.parent for deck in broken_decks()}))
def test_broken_decks_get_their_findings_and_no_others(folder: Path) -> None:
    for deck in broken_decks():
        if deck.parent == folder:
            findings = validate_files([deck]).findings
            found = {(finding.span.start.line, finding.name) for finding in findings}
            assert found == expected(deck), deck


@pytest.mark.parametrize(
    ("deck", "english"),
    [("maestri_d_assedio", "nr_siege_masters"), ("dziki_gon", "mo_wild_hunt")],
)
def test_decks_in_other_languages_hold_the_same_cards(deck: str, english: str) -> None:
    files = [
        DECKS / "gwent" / "languages" / f"{deck}.deck",
        DECKS / "gwent" / "standard" / f"{english}.deck",
    ]
    found = [report.deck for report in validate_files(files).reports]

    assert found[0]
    assert found[1]
    assert found[0].counts() == found[1].counts()
    assert (found[0].leader, found[0].faction) == (found[1].leader, found[1].faction)


def test_every_kind_of_finding_has_a_broken_deck() -> None:
    shown = {name for deck in broken_decks() for _, name in expected(deck)}

    kinds = {rule.name for rule in ALL_RULES if rule.about == "deck"}
    assert kinds - WITHOUT_SAMPLE == shown


def test_every_faction_of_gwent_has_two_standard_decks_and_an_advanced_one() -> None:
    db = load_database("gwent")
    factions = set(db.factions) - {db.game.neutral}
    for name, least in (("standard", 2), ("advanced", 1)):
        reports = validate_files([DECKS / "gwent" / name]).reports
        played = [report.deck.faction for report in reports if report.deck]

        assert all(played.count(faction) >= least for faction in factions), name


def test_sample_decks_stand_as_fmt_writes_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # Those of `languages` keep the names of their language.
    folders = [str(f) for f in good_folders() if f.name != "languages"]

    assert ", 0 would change" in stderr_of(capsys, "fmt", "--check", *folders, code=0)


@pytest.mark.parametrize("format", ["standard", "advanced"])
def test_it_is_said_what_each_deck_is_an_example_of(format: str) -> None:
    lines = (DECKS / "README.md").read_text(encoding="utf-8").splitlines()
    [start] = [
        i for i, line in enumerate(lines) if line.startswith(f"| `gwent/{format}` |")
    ]
    rows = lines[start + 2 : lines.index("", start)]
    names = [
        report.name for report in validate_files([DECKS / "gwent" / format]).reports
    ]

    assert sorted(row.split(" | ")[0].removeprefix("| ") for row in rows) == sorted(
        str(name) for name in names
    )
