"""Spoiled lists, in a folder, an event, Python and the action: none is silent.

Each gets a verdict that names the cause, and is legal once its help line is followed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ci_runs import run_action
from spoiled_lists import DECK, SPOILED, Spoiled, follow

import deckcheck
from deckcheck.cli import main

FORMAT = "gwent/standard"
ROUNDS = 5
DECKS = [each for each in SPOILED if each.is_deck and each.cause != "other-player"]
OTHERS = [each for each in SPOILED if not each.is_deck]
EVENT = """\
name = "Spring cup"
date = "2026-03-14"
format = "gwent/standard"
lists = "lists"
players = [{}]
"""


def named(spoiled: Spoiled) -> str:
    return spoiled.name


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an event in which every list is spoiled but one."""
    monkeypatch.chdir(tmp_path)
    lists = tmp_path / "lists"
    lists.mkdir()
    (lists / "good.deck").write_text(DECK, encoding="utf-8")
    for each in SPOILED:
        (lists / each.file).write_bytes(each.data)
    players = ", ".join(f'"{each.player}"' for each in SPOILED)
    event = EVENT.format(f'"Good", {players}')
    (tmp_path / "event.toml").write_text(event, encoding="utf-8")
    return tmp_path


def test_there_are_sixty() -> None:
    assert len(SPOILED) >= 60
    assert len({each.player for each in SPOILED}) == len(SPOILED)


def validated(code: int) -> dict[str, Any]:
    words = ["validate", "lists", "--no-suppress", "--format", FORMAT]
    assert main([*words, "--output-format", "json:found.json"]) == code
    content = json.loads(Path("found.json").read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return content


def test_in_a_folder(folder: Path) -> None:
    found = validated(1)

    verdicts = {deck["path"]: deck for deck in found["decks"]}
    for each in DECKS:
        deck = verdicts[f"lists/{each.file}"]
        assert not deck["legal"], each.name
        causes = {finding["name"]: finding["help"] for finding in deck["findings"]}
        assert causes[each.cause], (each.name, causes)
    legal = {path for path, deck in verdicts.items() if deck["legal"]}
    assert legal == {"lists/good.deck", "lists/of_another.deck"}
    assert found["left_out"] == {
        "others": {
            each.suffix.lower(): 1 for each in sorted(OTHERS, key=lambda o: o.suffix)
        },
        "own": 0,
        "excluded": 0,
    }


def test_in_the_summary_of_every_output(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for output in ("full", "concise", "markdown", "github", "junit"):
        words = ["validate", "lists", "--format", FORMAT, "--output-format", output]
        assert main(words) == 1
        out = capsys.readouterr().out
        assert "1 .jpg" in out, output
        assert "1 .zip" in out, output


@pytest.mark.parametrize("spoiled", DECKS, ids=named)
def test_its_help_is_followed(spoiled: Spoiled, folder: Path) -> None:
    file = folder / "lists" / spoiled.file
    for _ in range(ROUNDS):
        run = deckcheck.validate(file, format=FORMAT, suppressions=False)
        errors = [f for f in run.findings if f.severity == "error"]
        if not errors:
            return
        first = next((f for f in errors if f.name == spoiled.cause), errors[0])
        file = follow(spoiled, file, as_data(first))
    pytest.fail(f"{spoiled.name} is not mended: {errors}")


def as_data(finding: deckcheck.Finding) -> dict[str, Any]:
    span = finding.span
    return {
        "help": finding.help,
        "start": span.start._asdict(),
        "end": span.end._asdict(),
    }


@pytest.mark.parametrize("spoiled", DECKS, ids=named)
def test_as_a_text_in_python(spoiled: Spoiled) -> None:
    """As a web form hands it over: without a suffix, its way is guessed."""
    try:
        text = spoiled.data.decode("utf-8")
    except UnicodeDecodeError:
        return
    run = deckcheck.validate(text=text, format=FORMAT, suppressions=False)

    is_one_way = spoiled.name in ("json_as_text", "json_as_deck", "table_as_text")
    assert run.legal == is_one_way, run.findings
    assert bool(run.findings) != is_one_way


def judged(code: int) -> dict[str, Any]:
    assert main(["event", "event.toml", "--output-format", "json:event.json"]) == code
    content = json.loads(Path("event.json").read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return content


def test_in_an_event(folder: Path) -> None:
    """Every player has a verdict, and none has no list."""
    found = judged(1)
    decks = {deck["path"]: deck["findings"] for deck in found["decks"]}
    players = {each["name"]: each for each in found["event"]["players"]}

    for each in SPOILED:
        player = players[each.player]
        findings = [*player["findings"], *decks[f"lists/{each.file}"]]
        assert player["verdict"] in ("illegal", "of another player"), each.name
        assert each.cause in {f["name"] for f in findings if f["help"]}, each.name
        assert "missing-list" not in {f["name"] for f in findings}
    assert players["Good"]["verdict"] == "legal"


def test_an_event_whose_lists_are_mended_is_sealed(folder: Path) -> None:
    for _ in range(ROUNDS):
        assert main(["event", "event.toml", "--output-format", "json:e.json"]) in (0, 1)
        found = json.loads(Path("e.json").read_text(encoding="utf-8"))
        told = [one for p in found["event"]["players"] for one in p["findings"]]
        told += [one for deck in found["decks"] for one in deck["findings"]]
        errors = {f["path"]: f for f in reversed(told) if f["severity"] == "error"}
        if not errors:
            break
        for each in SPOILED:
            for path in sorted(Path("lists").glob(f"{each.name}*")):
                if path.stem == each.name and path.as_posix() in errors:
                    follow(each, path, errors[path.as_posix()])

    words = ["--seal", "seal.json", "--salts", "salts.json", "-qq"]
    assert main(["event", "event.toml", *words]) == 0
    seal = json.loads(Path("seal.json").read_text(encoding="utf-8"))["seals"][0]
    assert len(seal["lists"]) == len(SPOILED) + 1


def test_in_the_action(folder: Path) -> None:
    inputs = {"paths": "lists", "format": FORMAT, "options": "--no-suppress"}
    done = run_action(folder, folder / "bin", **inputs)

    assert done.returncode == 1
    lines = done.stdout.splitlines()
    for each in DECKS:
        start = f"::error file=lists/{each.file},"
        assert any(
            line.startswith(start) and f" {each.cause}::" in line for line in lines
        ), each.name
    [notice] = [line for line in lines if line.startswith("::notice title=Files that")]
    assert "1 .zip" in notice
    page = (folder / "bin" / "summary.md").read_text(encoding="utf-8")
    for each in DECKS:
        assert f"| `lists/{each.file}` | {FORMAT}" in page or each.file in page
