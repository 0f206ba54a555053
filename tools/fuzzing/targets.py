"""What fuzzing feeds: every reader, from the bytes of a file to what is said of it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from random import Random
from xml.etree import ElementTree

from deckcheck.cards import load_database
from deckcheck.cli.application import all_options
from deckcheck.cli.configuration import file_options
from deckcheck.config import load_settings
from deckcheck.decks import decode_deck
from deckcheck.decks.codes import ShareCodeError, decode, encode
from deckcheck.decks.rewriting import (
    Converter,
    fix_text,
    format_text,
    is_broken,
    write_decks,
)
from deckcheck.events import check_event, make_seal, read_seals, seals_json, verify
from deckcheck.events.event import Salts
from deckcheck.events.letters import letters
from deckcheck.events.pages import EVENT_WRITERS
from deckcheck.findings import UsageError
from deckcheck.formats import load_format
from deckcheck.formats.adhoc import apply_rules
from deckcheck.reporters import REPORTERS
from deckcheck.terminal import PLAIN
from deckcheck.validation import Validator
from tools.fuzzing.mutations import damaged

__all__ = ["ROOT", "Target", "targets"]

SECONDS = 20

ROOT = Path(__file__).resolve().parents[2]
GWENT = ROOT / "decks" / "gwent"
BROKEN = ROOT / "examples" / "broken" / "gwent"

EVENT = b"""\
name = "Winter cup" # of the guild
date = 2025-12-06
format = "gwent/standard"
lists = "lists"
players = ["Anna Nowak", "Ben",
  'Cleo']
"""
SALTS = Salts("5a" * 32)
CONFIG = b"""\
fail-on = "warning"
exclude = ["drafts", "old/*.txt"]
default-format = "gwent/standard"
[formats]
"league/**" = "gwent/advanced"
[severity]
DL103 = "off"
repeated-card = "warning"
"""
LEAGUE = b"""\
title: Winter league
extends: gwent/standard
sets: [own.yaml]
constraints:
  specials: {max: 6}
  bans: {rule: banned, cards: [Scorch, White Wolf], leaders: [The Siegemaster]}
  limits: {rule: restricted, cards: [Decoy], max: 1}
  copies:
options: {gems: 3}
history:
  - snapshot: 2026-01
    constraints: {specials: {max: 8}}
"""
OWN = b"""\
- id: white_wolf
  name: The White Wolf
  faction: neutral
  kind: hero
  rows: [close]
  strength: 15
  abilities: [medic, muster: {target: roach}]
  copies: 1
  aliases: [Gwynbleidd]
"""
RULES = (b"max specials 4", b"ban Scorch", b"limit Decoy 1", b"min Northern Realms 20")
TABLE = b'deck,name,leader,count,card\n1,A,"Foltest, The Siegemaster",2,Ballista\n'


@dataclass(frozen=True, slots=True)
class Target:
    """One reader: texts that it can read, and the function that takes any bytes.

    `feed` may raise UsageError, which is what a user gets to see; nothing else.
    `damage` makes an input of the texts, which counts as one that never ends after so
    many `seconds`.
    """

    name: str
    seeds: tuple[bytes, ...]
    feed: Callable[[bytes], object]
    damage: Callable[[Random, Sequence[bytes]], bytes] = damaged
    seconds: float = SECONDS


def targets(folder: Path) -> list[Target]:
    """Every reader; those of files write theirs to `folder`, the working folder."""
    files = sorted((ROOT / "decks").glob("*/*/*.deck"))
    # One deck of each folder for the other ways of writing, all as text.
    first = {file.parent: file.read_bytes() for file in reversed(files)}
    texts = tuple(file.read_bytes() for file in files)
    (folder / "lists").mkdir(exist_ok=True)
    for player in ("anna nowak", "ben"):
        (folder / "lists" / f"{player}.deck").write_bytes(first[GWENT / "standard"])
    (folder / "own.yaml").write_bytes(OWN)
    (folder / "league.yaml").write_bytes(LEAGUE)
    (folder / "event.toml").write_bytes(EVENT)
    return [*_deck_targets(texts, list(first.values())), *_file_targets()]


def _deck_targets(texts: tuple[bytes, ...], few: list[bytes]) -> list[Target]:
    def way(name: str) -> tuple[bytes, ...]:
        return tuple(filter(None, (_written(text, name) for text in few)))

    def suffix(name: str) -> tuple[bytes, ...]:
        return tuple(f.read_bytes() for f in sorted(BROKEN.glob(f"*.{name}")))

    return [
        Target("text", texts, _Decks(".deck")),
        Target("yaml", way("yaml") + suffix("yaml"), _Decks(".yaml")),
        Target("json", way("json") + suffix("json"), _Decks(".json")),
        Target("csv", (*way("csv"), TABLE), _Decks(".csv")),
        Target("gwent-classic", way("gwent-classic"), _Decks(".json")),
        Target("share code", way("code"), _Decks(".code")),
        Target("share code alone", way("code"), _decode),
        Target("fmt and --fix", texts, _rewrite),
    ]


def _file_targets() -> list[Target]:
    return [
        Target("configuration", (CONFIG,), _Configuration()),
        Target("event", (EVENT,), _event),
        Target("seal", (_seal(),), _Seal()),
        Target("format", (LEAGUE,), _format),
        Target("set of cards", (OWN,), _set),
        Target("--rule", RULES, _rule),
    ]


def _written(text: bytes, way: str) -> bytes:
    """A text deck in another way of writing, nothing when it cannot be."""
    converter = Converter()
    raws = converter.read_decks(decode_deck(text, "a.deck"))
    sheets, db, findings = converter.sheets(raws)
    if is_broken(findings):
        return b""
    try:
        return write_decks(way, sheets, db).text.encode()
    except UsageError:
        return b""


class _Decks:
    """`validate` on one file, with every output for one file of eight."""

    def __init__(self, suffix: str) -> None:
        self.path = f"lists/a{suffix}"
        self.number = 0
        self.validator = Validator(fallback=lambda path: ("gwent/standard", "here"))

    def __call__(self, data: bytes) -> None:
        run = self.validator.check_all([decode_deck(data, self.path)])
        self.number += 1
        if self.number % 8 == 0:
            for name, write in REPORTERS:
                stream = StringIO()
                write(run, stream, PLAIN, True)
                _read_back(name, stream.getvalue())


def _read_back(output: str, text: str) -> None:
    if output == "junit":
        ElementTree.fromstring(text.encode())
    elif output == "jsonl":
        for line in text.splitlines():
            json.loads(line)
    elif output in ("json", "gitlab", "sarif", "rdjson"):
        json.loads(text)


def _decode(data: bytes) -> None:
    code = data.decode("utf-8", errors="replace").strip()
    position, content = 1, None
    try:
        content = decode(code)
    except ShareCodeError as error:
        position = error.position
    assert 1 <= position <= len(code) + 1
    assert content is None or encode(content) == code


def _rewrite(data: bytes) -> None:
    source = decode_deck(data, "a.deck")
    converter = Converter()
    raws = converter.read_decks(source, "text")
    _, db, findings = converter.sheets(raws)
    if source.finding is not None:
        return
    fix_text(source.text, raws, db)
    if not is_broken(findings):
        once = format_text(source.text, raws, db)
        assert once is not None
        again = converter.read_decks(decode_deck(once.encode(), "a.deck"), "text")
        assert format_text(once, again, db) == once, "a second run changes something"


class _Configuration:
    def __init__(self) -> None:
        self.options = list(file_options(all_options()).values())

    def __call__(self, data: bytes) -> None:
        Path("deckcheck.toml").write_bytes(data)
        settings = load_settings(Path("deckcheck.toml"), self.options)
        settings.formats_by_path()(os.path.abspath("league/a.deck"))


def _event(data: bytes) -> None:
    Path("fuzzed.toml").write_bytes(data)
    event = replace(check_event(Path("fuzzed.toml")), salts=SALTS)
    for _, write in EVENT_WRITERS:
        write(event, StringIO(), PLAIN, True)
    letters(event)
    seals_json([make_seal(event, datetime.fromtimestamp(0, UTC))])


def _seal() -> bytes:
    event = replace(check_event(Path("event.toml")), salts=SALTS)
    return seals_json([make_seal(event, datetime.fromtimestamp(0, UTC))]).encode()


class _Seal:
    def __init__(self) -> None:
        self.event = check_event(Path("event.toml"))

    def __call__(self, data: bytes) -> None:
        Path("seal.json").write_bytes(data)
        verify(self.event, read_seals(Path("seal.json")))


def _format(data: bytes) -> None:
    Path("fuzzed.yaml").write_bytes(data)
    load_format("fuzzed.yaml")


def _set(data: bytes) -> None:
    Path("own.yaml").write_bytes(data)
    try:
        load_format("league.yaml")
    finally:
        Path("own.yaml").write_bytes(OWN)


def _rule(data: bytes) -> None:
    rules = data.decode("utf-8", errors="replace").split("\n")
    apply_rules(load_format("gwent/standard"), rules, load_database("gwent"))
