"""How a text without a suffix is written."""

from __future__ import annotations

import pytest

from deckcheck.decks.reader import guess_by_content


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("", "text"),
        ("Leader: X\n\n2 Ballista\n", "text"),
        ("Cards:\n3 Ballista\n- 2x Catapult\n", "text"),
        ("cards:\n- 3 Ballista\n", "text"),
        ("[ ] 3 Ballista\n[x] 2 Catapult\n", "text"),
        ("Ballista, card of cards\n", "text"),
        ("card\nBallista\n", "text"),
        ("name: X\ncards:\n  Ballista: 2\n", "yaml"),
        ("cards: {Ballista: 2}\n", "yaml"),
        ("cards:\n- Blue Stripes Commando: 3\n", "yaml"),
        ("decks:\n- name: X\n  cards: [Ballista]\n", "yaml"),
        ('\ufeff {"cards": ["Ballista"]}', "json"),
        ('[{"cards": ["Ballista"]}]', "json"),
        pytest.param("[" * 100_000, "json", id="brackets"),
        ("count,card\n2,Ballista\n", "csv"),
        ('"Card";"Count"\r\nBallista;2\r\n', "csv"),
        ("deck\tcount\tcard\nA\t2\tBallista\n", "csv"),
    ],
)
def test_content_tells(text: str, way: str) -> None:
    assert guess_by_content(text) == way
