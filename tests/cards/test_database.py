"""The database as a whole: digest, cache, records."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from deckcheck.cards import GameOption, load_database

Tiny = Callable[..., Path]


def test_digest_ignores_comments_and_order_of_keys(
    tiny: Tiny, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tiny()
    before = load_database("tiny", root)
    file = root / "tiny" / "cards.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text("# a comment\n" + text, encoding="utf-8")
    copy = root.rename(tmp_path_factory.mktemp("copy") / "db")

    assert load_database("tiny", copy).digest == before.digest
    assert len(before.digest) == 12


def test_digest_tells_data_apart(
    tiny: Tiny, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tiny()
    before = load_database("tiny", root).digest
    file = root / "tiny" / "cards.yaml"
    text = file.read_text(encoding="utf-8").replace("strength: 4", "strength: 5")
    file.write_text(text, encoding="utf-8")
    copy = root.rename(tmp_path_factory.mktemp("copy") / "db")

    assert load_database("tiny", copy).digest != before


def test_loaded_once() -> None:
    assert load_database("gwent") is load_database("gwent")


def test_records_travel_between_processes() -> None:
    card = load_database("gwent").cards["cow"]

    assert pickle.loads(pickle.dumps(card)) == card


def test_options_keep_numbers_and_switches_apart() -> None:
    number = GameOption(name="gems", minimum=0, maximum=5, statement="tiny 1")
    switch = GameOption(name="summons", values=(False, True), statement="tiny 1")

    assert [number.allows(value) for value in (0, 5, 6, True, "2")] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert [switch.allows(value) for value in (True, False, 1, "true")] == [
        True,
        True,
        False,
        False,
    ]
    assert number.describe() == "0 to 5"
    assert switch.describe() == "`false` or `true`"
