"""The event in the working folder: changed, checked and read back."""

from pathlib import Path

from deckcheck.cli import main


def read(name: str) -> str:
    """Return the text of a file."""
    return Path(name).read_text(encoding="utf-8")


def edit(name: str, old: str, new: str) -> None:
    """Replace words of a file, which must be there."""
    text = read(name)
    assert old in text
    Path(name).write_text(text.replace(old, new), encoding="utf-8")


def check_event(*words: str, code: int = 0) -> None:
    """Run `deckcheck event` on the event, quietly."""
    assert main(["event", "event.toml", "-q", *words]) == code


def list_problems(*words: str, code: int = 1) -> list[str]:
    """Return the findings of the event, one on each line."""
    check_event("--output-format", "concise:found", "-q", *words, code=code)
    return read("found").splitlines()
