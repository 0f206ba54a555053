"""Outputs of an event and its page: schemas, colours, and names that are no markup."""

import json
from pathlib import Path

import jsonschema
import pytest
from helpers.commands import stdout_of
from helpers.events import edit, read
from helpers.outputs import SARIF_SCHEMA, check_document
from helpers.pages import WrittenPage

from deckcheck.reporters import OUTPUTS

Captured = pytest.CaptureFixture[str]


def show(capsys: Captured, output: str, *words: str) -> str:
    """Return an output of the event."""
    words = ("--output-format", output, "--reveal", *words)
    return stdout_of(capsys, "event", "event.toml", *words, code=1)


def test_each_output_has_every_problem(troubled: Path, capsys: Captured) -> None:
    for output in {*OUTPUTS, "html"} - {"line"}:
        text = show(capsys, output)
        plain = text.replace("\u201c", "`").replace("\u201d", "`")
        assert "Player `Cleo` has no list" in plain, output
        assert "The list belongs to no player" in plain, output
        assert "5 copies of `Ballista`, at most 2 allowed" in plain, output
        if output not in ("concise", "gitlab"):
            assert "lists/cleo.deck" in plain, output
            assert "Remove 3 copies of `Ballista`" in plain, output
        assert show(capsys, output) == text


def test_outputs_fit_their_schemas(troubled: Path, capsys: Captured) -> None:
    for line in show(capsys, "jsonl").splitlines():
        check_document("validate-jsonl", json.loads(line))
    content = json.loads(show(capsys, "sarif"))
    jsonschema.Draft202012Validator(SARIF_SCHEMA).validate(content)
    rules = {rule["id"]: rule for rule in content["runs"][0]["tool"]["driver"]["rules"]}
    assert set(rules) == {"DE101", "DE102", "DL103"}
    assert "An event with this finding:" in rules["DE101"]["help"]["text"]


def test_colours_and_a_file_for_the_rest(troubled: Path, capsys: Captured) -> None:
    assert "\x1b[1;31merror[DE101]" in show(capsys, "full", "--color", "always")
    words = ("--output-format", "html:page.html", "-o", "found.txt")
    assert show(capsys, "concise", *words) == ""
    assert "<h1>Winter cup</h1>" in read("page.html")
    assert "DE101" in read("found.txt")


def test_names_are_text_and_no_markup(cup: Path, capsys: Captured) -> None:
    """And the page needs no other file."""
    edit("event.toml", "Winter cup", "Winter <b>cup</b> & more")
    edit("event.toml", "Ben Ito", "Zoë <script>")
    Path("lists/ben_ito.deck").rename("lists/zoë script.deck")
    broken = "Name: <i>Nine & more</i>\nLeader: The Siegemaster\n\nScorch\n"
    Path("lists/zoë script.deck").write_text(broken, encoding="utf-8")
    page = show(capsys, "html")
    found = WrittenPage(page)
    tags = {tag for tag, _ in found.tags}
    names = {name for _, attributes in found.tags for name in attributes}

    assert tags & {"b", "i", "link", "img", "script", "iframe"} == set()
    assert found.texts["h1"] == ["Winter <b>cup</b> & more"]
    assert {"src", "onload"} & names == set()
    assert all(str(a["href"]).startswith("#") for a in found.named("a"))
    assert "url(" not in page
    assert "@import" not in page
