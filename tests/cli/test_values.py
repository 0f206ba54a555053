"""Options and arguments: words turned into values, without pydantic."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import pytest
import typer

from deckcheck.cli import main

seen: dict[str, object] = {}


def rule(
    words: Annotated[list[str] | None, typer.Argument()] = None,
    *,
    number: Annotated[int, typer.Option(min=1, max=9)] = 3,
    share: Annotated[float | None, typer.Option(min=0.5)] = None,
    kind: Annotated[Literal["a", "b"], typer.Option()] = "a",
    folder: Annotated[Path | None, typer.Option()] = None,
    on: Annotated[bool, typer.Option("--on")] = False,
    loud: Annotated[int, typer.Option("-l", count=True)] = 0,
    many: Annotated[list[int] | None, typer.Option()] = None,
) -> None:
    """A command with an option of each type."""
    seen.update(locals())


@pytest.fixture(autouse=True)
def _command(monkeypatch: pytest.MonkeyPatch) -> None:
    seen.clear()
    monkeypatch.setattr("deckcheck.cli.validate.rule", rule)


def test_defaults() -> None:
    assert main(["rule"]) == 0
    assert seen == {
        "words": None,
        "number": 3,
        "share": None,
        "kind": "a",
        "folder": None,
        "on": False,
        "loud": 0,
        "many": None,
    }


def test_values() -> None:
    args = "x y --number 9 --share 0.5 --kind b --folder /f --on -ll --many 1 --many 2"

    assert main(["rule", *args.split()]) == 0
    assert seen == {
        "words": ["x", "y"],
        "number": 9,
        "share": 0.5,
        "kind": "b",
        "folder": Path("/f"),
        "on": True,
        "loud": 2,
        "many": [1, 2],
    }


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--number", "x"], "Invalid value for `--number`: `x` is not a whole number"),
        (
            ["--number", "1.5"],
            "Invalid value for `--number`: `1.5` is not a whole number",
        ),
        (["--number", "10"], "Invalid value for `--number`: 10, from 1 to 9 allowed"),
        (["--number", "0"], "Invalid value for `--number`: 0, from 1 to 9 allowed"),
        (["--share", "0.4"], "Invalid value for `--share`: 0.4, from 0.5 allowed"),
        (["--share", "nan"], "Invalid value for `--share`: nan, from 0.5 allowed"),
        (["--kind", "c"], "Invalid value for `--kind`: `c`, choose `a` or `b`"),
        (["--many", "1", "--many", "b"], "Invalid value for `--many`: `b` is no"),
        (["--number", "9" * 5000], "Invalid value for `--number`: `999"),
    ],
)
def test_bad_values(
    capsys: pytest.CaptureFixture[str], args: list[str], message: str
) -> None:
    assert main(["rule", *args]) == 2
    assert capsys.readouterr().err.startswith(f"error: {message}")
