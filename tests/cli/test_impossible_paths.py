"""Paths that files and options state and that no path can be: a sentence, no crash."""

from __future__ import annotations

from pathlib import Path

import pytest

from deckcheck.cli import main

Captured = pytest.CaptureFixture[str]
LONG = "a" * 300
EVENT = """\
name = "Cup"
date = "2025-12-06"
format = "{format}"
lists = "{lists}"
players = ["Anna"]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.deck").write_text("Format: gwent/standard\n3 Ballista\n")
    (tmp_path / "lists").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    return tmp_path


def said(capsys: Captured, *arguments: str) -> str:
    """What is said on standard error; the command ends as misuse."""
    assert main(list(arguments)) == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "place"),
    [
        (r'extends: "gwent/st\0andard"', "2:10"),
        (r'extends: "./st\0andard.yaml"', "2:10"),
        (f"extends: ./{LONG}.yaml", "2:10"),
        ("extends: ./loop.yaml", "2:10"),
        ('extends: gwent/standard\nsets: ["a\\0.yaml"]', "3:8"),
    ],
)
def test_formats(line: str, place: str, capsys: Captured) -> None:
    Path("loop.yaml").symlink_to("loop.yaml")
    Path("own.yaml").write_text(f"title: W\n{line}\n")

    errors = said(capsys, "validate", "a.deck", "--format", "./own.yaml")

    assert f"own.yaml:{place}: " in errors
    assert "internal error" not in errors


@pytest.mark.parametrize(
    ("format", "lists", "place"),
    [
        (r"gwent/st\u0000andard", "lists", "3:10"),
        (r"./st\u0000.yaml", "lists", "3:10"),
        ("gwent/standard", r"li\u0000sts", "4:9"),
        ("gwent/standard", "loop", "4:9"),
    ],
)
def test_events(format: str, lists: str, place: str, capsys: Captured) -> None:
    Path("event.toml").write_text(EVENT.format(format=format, lists=lists))

    assert f"event.toml:{place}: " in said(capsys, "event", "event.toml")


@pytest.mark.parametrize(
    "line",
    [
        r'extend = "a\u0000.toml"',
        f'extend = "{LONG}.toml"',
        'extend = "loop"',
        r'card-db = "a\u0000"',
        f'card-db = "{LONG}"',
        r'output-format = ["json:a\u0000.json"]',
        r'exclude = ["a\u0000"]',
    ],
)
def test_configurations(line: str, capsys: Captured) -> None:
    Path("deckcheck.toml").write_text(f"{line}\n")

    assert "deckcheck.toml:1:" in said(capsys, "validate", "a.deck")


@pytest.mark.parametrize(
    "arguments",
    [
        ["validate", LONG],
        ["validate", "loop"],
        ["validate", "a.deck", "--format", f"./{LONG}.yaml"],
        ["validate", "a.deck", "--card-db", LONG],
        ["validate", "a.deck", "--config", LONG],
        ["validate", "a.deck", "--output-format", f"json:{LONG}"],
        ["convert", "a.deck", "--to", "text", "-o", f"{LONG}/x"],
        ["generate", "gwent/standard", "--output", LONG],
        ["scenario", LONG],
        ["scenario", "loop"],
        ["event", LONG],
        ["simulate", "a.deck", "a.deck", "--allow-illegal", "--run", LONG],
        ["simulate", "--plan", LONG],
        ["expect", LONG],
        ["balance", LONG],
        ["resume", LONG],
        ["resume", f"{LONG}/a"],
        ["report", LONG],
        ["report", "a.deck", LONG, "--compare"],
        ["meta", LONG],
        ["replay", LONG],
        ["merge", LONG, "--run", "all"],
        ["merge", "lists", "--run", LONG],
    ],
    ids=lambda arguments: " ".join(arguments)[:40],
)
def test_options(arguments: list[str], capsys: Captured) -> None:
    assert "internal error" not in said(capsys, *arguments)
