"""Outputs of an event, and its page."""

import json
import os
from pathlib import Path

import jsonschema
import pytest
from helpers.commands import stderr_of
from helpers.outputs import SARIF_SCHEMA, check_document
from helpers.pages import WrittenPage

from deckcheck.cli import main
from deckcheck.reporters import OUTPUTS

# Every output of an event: what `validate` writes, and what is said of players.

Captured = pytest.CaptureFixture[str]


def written(output: str, capsys: Captured, *words: str) -> str:
    words = ("--output-format", output, "--reveal", *words)
    assert main(["event", "event.toml", *words]) == 1
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


@pytest.mark.parametrize("output", sorted({*OUTPUTS, "html"} - {"line"}))
def test_each_tells_every_problem(
    troubled: Path, capsys: Captured, output: str
) -> None:
    text = written(output, capsys)

    assert "`" in text or "\u201c" in text
    plain = text.replace("\u201c", "`").replace("\u201d", "`")
    assert "Player `Cleo` has no list" in plain
    assert "The list belongs to no player" in plain
    assert "5 copies of `Ballista`, at most 2 allowed" in plain
    if output not in ("concise", "gitlab"):
        assert "lists/cleo.deck" in plain
        assert "Remove 3 copies of `Ballista`" in plain
    assert written(output, capsys) == text


def test_jsonl(troubled: Path, capsys: Captured) -> None:
    lines = [json.loads(line) for line in written("jsonl", capsys).splitlines()]

    for line in lines:
        check_document("validate-jsonl", line)
    assert {(line["code"], line["path"], line["deck"]) for line in lines} == {
        ("DE101", "event.toml", None),
        ("DE102", "lists/dora.deck", None),
        ("DL103", "lists/ben_ito.deck", "Siege masters"),
    }


def test_sarif(troubled: Path, capsys: Captured) -> None:
    content = json.loads(written("sarif", capsys))

    jsonschema.Draft202012Validator(SARIF_SCHEMA).validate(content)
    [run] = content["runs"]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert set(rules) == {"DE101", "DE102", "DL103"}
    assert "An event with this finding:" in rules["DE101"]["help"]["text"]


def test_github(
    troubled: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page of the job gets the page of the event."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", os.path.abspath("summary.md"))
    lines = written("github", capsys).splitlines()

    assert (
        "::error file=event.toml,line=5,endLine=5,col=37,endColumn=43,"
        "title=DE101 missing-list::Player `Cleo` has no list"
        "%0AAdd the list as `lists/cleo.deck`"
    ) in lines
    assert lines[-1].startswith("Winter cup: 3 players, 2 lists, 1 legal, 1 illegal")
    assert "| Cleo |  | no list |" in Path("summary.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--output-format", "htm"], "Did you mean `html`?"),
        (
            ["--output-format", "html", "--output-format", "json", "-o", "a"],
            "Two outputs go to `a`",
        ),
        (["--output-format", "html:a", "-o", "b"], "No output is left for `b`"),
    ],
)
def test_misused_outputs(
    cup: Path, capsys: Captured, words: list[str], message: str
) -> None:
    assert message in stderr_of(capsys, "event", "event.toml", *words)
    assert not Path("a").exists()


def test_colours_quiet_and_a_file_for_the_rest(
    troubled: Path, capsys: Captured
) -> None:
    assert "\x1b[1;31merror[DE101]" in written("full", capsys, "--color", "always")
    assert "Winter cup" not in written("concise", capsys, "-q")
    assert written("full", capsys, "-qq") == ""
    words = ("--output-format", "html:page.html", "-o", "found.txt")
    assert written("concise", capsys, *words) == ""
    assert "<h1>Winter cup</h1>" in Path("page.html").read_text(encoding="utf-8")
    assert "DE101" in Path("found.txt").read_text(encoding="utf-8")


# The page of an event as HTML: whole, safe and alone.

DECKS = Path(__file__).parents[2] / "decks" / "gwent"
FILE = """\
name = "Winter <b>cup</b> & more"
date = 2025-12-06
format = "gwent/standard"
lists = "lists"
players = ["Zoë <script>", "Ben", "Cleo"]
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of an event with a good list, a broken one and a missing one."""
    folder = tmp_path_factory.mktemp("event")
    (folder / "lists").mkdir()
    good = (DECKS / "standard" / "mo_swarm.deck").read_text(encoding="utf-8")
    (folder / "lists" / "ben.deck").write_text(good, encoding="utf-8")
    broken = "Name: <i>Nine & more</i>\nLeader: The Siegemaster\n\nScorch\n"
    (folder / "lists" / "zoë script.deck").write_text(broken, encoding="utf-8")
    (folder / "event.toml").write_text(FILE, encoding="utf-8")
    args = ["event", "event.toml", "--output-format", "html:page.html", "--reveal"]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(args) == 1
    return (folder / "page.html").read_text(encoding="utf-8")


def test_names_are_text_and_no_markup(page: str) -> None:
    """And the page needs no other file."""
    found = WrittenPage(page)
    tags = {tag for tag, _ in found.tags}
    names = {name for _, attributes in found.tags for name in attributes}

    assert tags & {"b", "i", "link", "img", "script", "iframe"} == set()
    assert found.texts["h1"] == ["Winter <b>cup</b> & more"]
    assert {"src", "onload"} & names == set()
    assert all(str(a["href"]).startswith("#") for a in found.named("a"))
    assert "url(" not in page
    assert "@import" not in page


def test_a_game_without_factions_and_leaders_has_no_such_columns(here: Path) -> None:
    (here / "lists").mkdir()
    folder = DECKS.parent / "deckmaster" / "standard"
    deck = sorted(folder.glob("*.deck"))[0].read_text(encoding="utf-8")
    (here / "lists" / "ben.deck").write_text(deck, encoding="utf-8")
    text = FILE.replace("gwent/standard", "deckmaster/standard")
    text = text.replace('"Zoë <script>", "Ben", "Cleo"', '"Ben"')
    (here / "event.toml").write_text(text, encoding="utf-8")

    args = ["event", "event.toml", "--output-format", "html", "-o", "page.html"]
    assert main([*args, "--reveal"]) == 0
    head, _ = WrittenPage((here / "page.html").read_text(encoding="utf-8")).rows
    assert head == ["Player", "Verdict", "Deck"]
