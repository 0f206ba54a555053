"""Suggestions for unknown commands."""

from __future__ import annotations

import os
from collections.abc import Sequence

from deckcheck.findings.words import nearest

_OTHER_WORDS = (
    ("validate", "check, verify, lint, test, judge, legal, ok"),
    ("simulate", "play, run, sim, match, matches, games, duel, battle, winrate"),
    ("scenario", "position, puzzle"),
    ("stats", "odds, curve, probability, probabilities, chance, hand, figures"),
    ("meta", "metagame, nash, equilibrium"),
    ("resume", "continue, restart"),
    ("cards", "search, find, show, list, info"),
    ("formats", "rulesets, snapshots, diff"),
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
    """The commands that a word may stand for, by its sense or its spelling.

    A file is meant to be validated.
    """
    if os.path.isfile(word):
        return [f"deckcheck validate {word}"]
    named = {
        other: f"deckcheck {command}" if command[0] == "-" else command
        for command, words in _OTHER_WORDS
        for other in words.split(", ")
    }
    if word.lower() in named:
        return [named[word.lower()]]
    near = nearest(word, commands, limit=2)
    return near or [named[other] for other in nearest(word, named)]
