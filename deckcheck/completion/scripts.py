"""The shells that deckcheck writes a script for."""

from __future__ import annotations

from collections.abc import Callable

from deckcheck.completion.bash import bash_script
from deckcheck.completion.fish import fish_script
from deckcheck.completion.program import Program
from deckcheck.completion.zsh import zsh_script

__all__ = ["SCRIPTS"]

SCRIPTS: tuple[tuple[str, Callable[[Program], str]], ...] = (
    ("bash", bash_script),
    ("zsh", zsh_script),
    ("fish", fish_script),
)
"""The function that writes the script of each shell."""
