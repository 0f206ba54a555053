"""Findings for programs: every output and its schema."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import junitparser
import pytest
from helpers.findings import (
    TEXT,
    finding,
    found_in,
    report,
    span,
    validate_files,
    written,
)
from helpers.outputs import SARIF_SCHEMA, check_document, other_types

from deckcheck.cards import card_db_root
from deckcheck.cli import main
from deckcheck.findings import Position, Related, Severity, Span
from deckcheck.reporters import machine
from deckcheck.reporters.baseline import fingerprint_findings
from deckcheck.validation import DeckReport, Validation

# The outputs `jsonl`, `gitlab`, `rdjson`, `junit` and `markdown`.

ERROR = finding(
    span(5, 4, 10),
    notes=("A note",),
    help="Some help",
    related=(Related(span(3, 3, 9), "3 here"),),
)
WARNING = finding(span(1, 1, 5), "A | <warning>: `a|b` *100* %", Severity.WARNING)
CAUTION = finding(span(1, 1, 5), "A, warning: 100%", Severity.WARNING)
NOTE = finding(span(2, 1, 7), "A note", Severity.NOTE)


def test_a_line_of_jsonl_ends_nowhere_else() -> None:
    strange = finding(span(1, 1, 5), "A\x85b\u2028c\u2029d")
    [line] = written("jsonl", report(strange)).splitlines()

    assert json.loads(line)["message"] == "A\x85b\u2028c\u2029d"


def test_columns_of_rdjson_count_bytes() -> None:
    found = report(finding(span(1, 8, 11)), text="3 Eithné 希 x")
    [diagnostic] = json.loads(written("rdjson", found))["diagnostics"]
    place = diagnostic["location"]["range"]

    assert (place["start"]["column"], place["end"]["column"]) == (8, 14)


def test_no_text_breaks_the_document_of_junit() -> None:
    for odd in ("\0", "\x1b[31m", "\ufffe", "\ud800", "]]>&\n\"'"):
        shown = written("junit", report(finding(span(1, 1, 2), odd, path=odd)))
        ElementTree.fromstring(shown.encode())


def test_junit_is_read_back() -> None:
    parts = report(WARNING), report(WARNING, ERROR, ERROR, index=1)
    [suite] = junitparser.JUnitXml.fromstring(written("junit", *parts).encode())

    legal, illegal = suite
    assert (suite.tests, suite.failures, suite.errors) == (2, 1, 0)
    assert legal.is_passed
    assert "A | <warning>: `a|b` *100* %" in legal.system_out
    [failure] = illegal.result
    assert failure.text.count("swarm.deck:5:4: error[DL103]") == 2


def test_text_is_no_markup_of_markdown() -> None:
    shown = written("markdown", report(WARNING))
    path = written("markdown", report(finding(span(1, 1, 2), path="a`b\n|c")))

    assert r"| A \| \<warning\>: `a\|b` \*100\* % |" in shown
    assert "| ``a`b\\n\\|c:1:1`` |" in path


def test_of_legal_decks_there_is_a_summary_at_most() -> None:
    summary = "1 deck checked, 1 legal\n"
    shown = {"concise": summary, "github": summary, "gitlab": "[]\n", "jsonl": ""}
    for name, text in shown.items():
        color = name == "github"
        assert written(name, report(), color=color, with_summary=True) == text, name
    assert written("markdown", report()) == ""
    assert json.loads(written("json"))["fingerprint"] is None
    run = run_of(report())
    assert run["results"] == run["tool"]["driver"]["rules"] == []


# What a finding is known by survives what people do to a deck list.


def prints(*reports: DeckReport) -> list[str]:
    return [known for _, known in fingerprint_findings(Validation(reports))]


OWN = report(finding(span(3, 3, 9)))
BEFORE = prints(OWN)


def test_lines_may_move_and_numbers_may_change() -> None:
    moved = report(finding(span(5, 3, 9)), text="# new\n# lines\n" + TEXT)
    more = finding(span(3, 4, 10), "9 copies of `Nekker`, at most 3 allowed")
    other = report(more, text=TEXT.replace("3 Nekker", "30 Nekker"))

    assert prints(moved) == prints(other) == BEFORE
    # Decks of other files do not matter.
    first = report(finding(span(1, 1, 2), path="a.deck"), text="Other text")
    assert prints(first, report(finding(span(3, 3, 9))))[1:] == BEFORE


def test_what_tells_findings_apart() -> None:
    for other in (
        report(finding(span(4, 3, 8))),
        report(replace(finding(span(3, 3, 9)), code="DL104")),
        report(finding(span(3, 3, 9), path="decks/other.deck")),
        replace(OWN, deck=replace(OWN.deck, name="Other")),
        report(finding(span(3, 3, 8))),
        report(finding(span(99, 1, 2)), text=""),  # behind the text
    ):
        assert prints(other) != BEFORE, other
        assert len({*prints(other, report(finding(span(3, 3, 9))))}) == 2, other
    twice = prints(report(finding(span(3, 3, 9)), finding(span(5, 4, 10))))
    assert twice[0] == BEFORE[0]
    assert len(set(twice)) == 2


def test_commands_of_github_are_escaped() -> None:
    odd = finding(span(1, 1, 2), "x\n::error::y", path="a,b:c%\n.deck")
    [line] = written("github", report(odd)).splitlines()

    assert line.startswith("::error file=a%2Cb%3Ac%25%0A.deck,line=1,")
    assert line.endswith(r"::x\n::error::y")
    assert "::A, warning: 100%25\n" in written("github", report(CAUTION))
    # A span over lines has no end column.
    long = finding(Span(Position(1, 5), Position(3, 2)))
    assert "line=1,endLine=3,col=5,title=" in written("github", report(long))


# What we print fits the schemas that we publish.


def test_the_document_of_python_has_plain_values() -> None:
    root = card_db_root().parent
    folders = (root / "examples/broken/gwent", root / "decks/gwent/standard")
    document = validate_files(folders).to_dict()

    assert other_types(document) == set()
    check_document("validate", document)


# The output `sarif`: what the standard asks for, and what services rely on.


def run_of(*reports: DeckReport) -> dict[str, Any]:
    """The run of a log that fits the schema."""
    log = json.loads(written("sarif", *reports))
    jsonschema.Draft202012Validator(SARIF_SCHEMA).validate(log)
    [run] = log["runs"]
    assert isinstance(run, dict)
    return run


def test_rules_are_explained_by_their_own_texts() -> None:
    run = run_of(report(CAUTION, ERROR, NOTE, ERROR))

    [rule] = run["tool"]["driver"]["rules"]
    assert "```" in rule["help"]["markdown"]
    assert "```" not in rule["help"]["text"]
    levels = [result["level"] for result in run["results"]]
    assert levels == ["warning", "error", "note", "error"]
    known = [result["partialFingerprints"]["deckcheck/v1"] for result in run["results"]]
    assert len(set(known)) == 4


def test_paths_are_addresses() -> None:
    root = "%SRCROOT%"
    for path, address in {
        "a b/Eithné #1.deck": ("a%20b/Eithn%C3%A9%20%231.deck", root),
        "<stdin>": ("%3Cstdin%3E", root),
        "../up.deck": ("../up.deck", root),
        "/tmp/x.deck": ("file:///tmp/x.deck", None),
        "bad\udcff.deck": ("bad%FF.deck", root),
        "a:b.deck": ("a%3Ab.deck", root),
    }.items():
        [result] = run_of(report(finding(span(1, 1, 2), path=path)))["results"]
        artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert (artifact["uri"], artifact.get("uriBaseId")) == address, path


def test_no_more_results_than_services_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors come before warnings and notes, and what is left out is said."""
    monkeypatch.setattr(machine, "MAX_RESULTS", 2)
    run = run_of(report(NOTE, CAUTION, ERROR))
    [invocation] = run["invocations"]
    [notification] = invocation["toolExecutionNotifications"]

    assert [result["level"] for result in run["results"]] == ["warning", "error"]
    assert invocation["executionSuccessful"]
    assert notification["message"]["text"] == (
        "Only the 2 most severe of 3 findings are results, since code scanning takes "
        "no more. The output `json` has all findings"
    )
    assert "invocations" not in run_of(report(CAUTION, ERROR))


# Paths start from the root of the repository, whatever the working folder.


ROOTS = (".git", "GITHUB_WORKSPACE", "CI_PROJECT_DIR", "")


@pytest.fixture(params=ROOTS)
def repository(
    request: pytest.FixtureRequest, here: Path, monkeypatch: pytest.MonkeyPatch
) -> Path | None:
    """A league in a repository, which a folder or a variable shows; None without."""
    for variable in ROOTS[1:3]:
        monkeypatch.delenv(variable, raising=False)
    if request.param in ROOTS[1:3]:
        monkeypatch.setenv(request.param, str(here))
    elif request.param:
        (here / request.param).mkdir()
    lists = here / "league" / "lists"
    lists.mkdir(parents=True)
    (lists / "a.deck").write_text("Format: gwent/standard\n9 Nekker\n")
    event = 'name = "Cup"\ndate = "2026-01-01"\nformat = "gwent/standard"\n'
    event += 'lists = "lists"\nplayers = ["a", "b"]\n'
    (here / "league" / "event.toml").write_text(event)
    return here if request.param else None


LOCATED = ("github", "gitlab", "sarif", "junit", "rdjson")
"""The outputs whose paths a CI service looks up in the repository."""


def shown_paths(name: str, text: str) -> set[str]:
    """Return the paths of the findings that an output has."""
    return {path for path, _, _ in found_in(name, text)}


def written_paths(folder: Path, words: list[str]) -> dict[str, set[str]]:
    """Run a command with all outputs, and return the paths that each has."""
    files = {name: folder / name for name in LOCATED}
    outputs = [f"--output-format={name}:{file}" for name, file in files.items()]
    assert main([*words, *outputs]) == 1
    return {name: shown_paths(name, file.read_text()) for name, file in files.items()}


@pytest.mark.parametrize(
    ("folder", "words"),
    [
        (".", ["league/lists"]),
        ("league", ["lists"]),
        ("league", ["lists", "--checkout", "."]),
        ("league/lists", ["a.deck"]),
        ("league/lists", ["../lists/a.deck"]),
        ("elsewhere", ["../league/lists"]),
        ("elsewhere", ["lists", "--checkout", "../league"]),
    ],
)
def test_paths_start_from_the_root_of_the_repository(
    folder: str, words: list[str], repository: Path | None, here: Path
) -> None:
    Path("elsewhere").mkdir()
    os.chdir(folder)
    paths = written_paths(here, ["validate", *words])

    shown = "a.deck" if words[0].endswith(".deck") else f"{words[0]}/a.deck"
    if repository is not None:
        shown = "league/lists/a.deck"
    assert paths == {name: {shown} for name in LOCATED}


def test_so_do_those_of_an_event(repository: Path | None, here: Path) -> None:
    os.chdir("league")
    paths = written_paths(here, ["event", "event.toml"])

    top = "" if repository is None else "league/"
    shown = {f"{top}event.toml", f"{top}lists/a.deck"}
    assert all(paths[name] == shown for name in LOCATED)


def test_what_has_no_path_in_the_repository_keeps_its_name(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_WORKSPACE", str(here))
    (here / "league").mkdir()
    (here / "..old").mkdir()
    os.chdir("league")
    names = {"<stdin>": "<stdin>", "DC1_…S7JOg": "DC1_…S7JOg"}
    outside = "../../a.deck"

    inside = {"b.deck": "league/b.deck", "../..old/c.deck": "..old/c.deck"}

    for path, shown in {**names, outside: outside, **inside}.items():
        found = report(finding(span(3, 3, 9), path=path))
        assert shown_paths("rdjson", written("rdjson", found)) == {shown}


# Baselines: only what is new.


@pytest.fixture
def list_with_three(here: Path) -> Path:
    """A list with one copy too many, and the working folder that it is in."""
    decks = card_db_root().parent / "decks" / "gwent" / "standard"
    text = (decks / "nr_siege_masters.deck").read_text(encoding="utf-8")
    text = text.replace("2 Ballista", "3 Ballista")
    Path("a.deck").write_text(text, encoding="utf-8")
    assert main(["validate", "a.deck", "-qq"]) == 1
    assert main(["validate", "a.deck", "-qq", "--write-baseline", "known.json"]) == 0
    return Path("a.deck")


LEADER = "Leader: Foltest, The Siegemaster\n"


def checked_again(*more: str) -> int:
    return main(["validate", ".", "--baseline", "known.json", *more])


class TestBaseline:
    """What a baseline has is known, wherever it stands by now."""

    def test_a_finding_is_known_by_code_deck_and_card(
        self, list_with_three: Path
    ) -> None:
        content = json.loads(Path("known.json").read_text())
        [known] = [row for row in content["baseline"] if row["code"] == "DL103"]

        assert known["card"] == "Ballista"
        assert known["path"] == "a.deck"
        assert set(known) == {"code", "path", "deck", "card", "number", "excess"}
        moved = list_with_three.read_text().replace("3 Ballista", "\n\n3x Ballista")
        list_with_three.write_text(moved)
        assert checked_again("-qq") == 0

    @pytest.mark.parametrize(
        ("name", "rule", "cards"),
        [
            ("too-many-copies", "", ("4 Ballista", "5 Ballista", "3 Ballista")),
            ("banned-card", "ban Decoy", ("2 Decoy", "3 Decoy", "1 Decoy")),
            ("too-few-cards", "min specials 4", ("1 Decoy", "", "2 Decoy")),
            ("too-many-cards", "max specials 1", ("3 Decoy", "4 Decoy", "2 Decoy")),
            ("foreign-card", "", ("2 Ekimmara", "3 Ekimmara", "1 Ekimmara")),
            ("too-many-leaders", "", (LEADER * 2, LEADER * 3, LEADER)),
        ],
    )
    @pytest.mark.usefixtures("here")
    def test_a_finding_that_got_worse_is_new(
        self,
        name: str,
        rule: str,
        cards: tuple[str, str, str],
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        known, worse, better = cards
        options = ["--format", "gwent/standard", *(["--rule", rule] if rule else [])]
        Path("a.deck").write_text(f"{LEADER}{known}\n")
        main(["validate", "a.deck", *options, "--output-format", "concise"])
        assert name in capsys.readouterr().out
        main(["validate", "a.deck", "-qq", "--write-baseline", "known.json", *options])
        are_new = {}
        for lines in (known, worse, better):
            Path("a.deck").write_text(f"{LEADER}{lines}\n")
            checked_again("--output-format", "concise", *options)
            are_new[lines] = name in capsys.readouterr().out

        assert are_new == {known: False, worse: True, better: False}

    @pytest.mark.parametrize("git", [True, False], ids=["repository", "folder"])
    @pytest.mark.parametrize("folder", [".", "lists", "other"])
    def test_it_is_known_from_whatever_folder(
        self, list_with_three: Path, folder: str, git: bool
    ) -> None:
        for name in ("lists", "other", ".git") if git else ("lists", "other"):
            Path(name).mkdir()
        list_with_three.rename("lists/a.deck")
        main(["validate", "lists", "-qq", "--write-baseline", "known.json"])
        os.chdir(folder)
        top = "." if folder == "." else ".."
        options = ["-qq", "--baseline", f"{top}/known.json"]

        assert main(["validate", f"{top}/lists", *options]) == 0
        lists = Path(top, "lists/a.deck")
        lists.write_text(lists.read_text().replace("3 Ballista", "4 Ballista"))
        assert main(["validate", f"{top}/lists", *options]) == 1

    def test_sarif_has_all_and_says_what_is_new(self, list_with_three: Path) -> None:
        text = list_with_three.read_text()
        list_with_three.write_text(text.replace("Thaler", "4 Thaler"))
        checked_again("-qq", "--output-format", "sarif:out.sarif")
        log = json.loads(Path("out.sarif").read_text())
        jsonschema.validate(log, SARIF_SCHEMA)

        results = log["runs"][0]["results"]
        states = {
            result["message"]["text"].split("`")[1]: result["baselineState"]
            for result in results
            if result["ruleId"] == "DL103"
        }
        assert states == {"Ballista": "unchanged", "Thaler": "new"}

    def test_something_else_is_refused(
        self, list_with_three: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for text in ("", "[]", "{}", '{"baseline": 1}', '{"baseline": [{"code": 1}]}'):
            Path("known.json").write_text(text)
            assert checked_again() == 2, text
            assert "`known.json` is not a baseline" in capsys.readouterr().err, text
