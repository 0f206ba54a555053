"""What was probably meant by a word that is no command."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["commands_like"]

_OTHER_WORDS = (
    ("validate", "check, verify, lint, test, judge, legal, ok"),
    ("simulate", "play, run, sim, match, matches, games, duel, battle, winrate"),
    ("scenario", "position, replay, puzzle"),
    ("cards", "search, find, show, list, info"),
    ("formats", "rulesets, snapshots, diff, compare"),
    ("event", "tournament, tourney, seal"),
    ("rule", "explain, why, finding, error, code"),
    ("convert", "export, import, share, to"),
    ("generate", "random, new, make, create, deal"),
    ("fmt", "tidy, clean, fix, prettify, reformat"),
    ("schema", "json-schema"),
    ("warmup", "compile, cache, prepare"),
    ("--help", "help, usage, man, commands"),
    ("--version", "version, about"),
)
"""Words that people use elsewhere for what a command or option does."""


def commands_like(word: str, commands: Sequence[str]) -> list[str]:
    """The commands that a word may stand for, by its sense or its spelling."""
    from difflib import get_close_matches

    wanted = word.lower()
    for command, words in _OTHER_WORDS:
        if wanted in words.split(", "):
            return [f"deckcheck {command}" if command[0] == "-" else command]
    return get_close_matches(wanted, commands, n=2)
