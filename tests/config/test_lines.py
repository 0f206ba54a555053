"""Where keys stand in a TOML text."""

from __future__ import annotations

import pytest

from deckcheck.config.lines import place_of

TEXT = '''\
# severity = 1
fail-on = "error"
exclude = [
  "severity = 2",
]
note = """
isolated = true
[formats]
"""
  [formats]
"league/**" = "gwent/advanced"
'a.b' = "x"

[tool.deckcheck.severity]
DL103 = "off"
table = { inner = 1 }
dotted.key = 2
'''


@pytest.mark.parametrize(
    ("keys", "place"),
    [
        (("fail-on",), (2, 1)),
        (("exclude",), (3, 1)),
        (("isolated",), (1, 1)),
        (("formats",), (10, 4)),
        (("formats", "league/**"), (11, 1)),
        (("formats", "a.b"), (12, 1)),
        (("tool", "deckcheck"), (14, 2)),
        (("tool", "deckcheck", "severity", "DL103"), (15, 1)),
        (("tool", "deckcheck", "severity", "table", "inner"), (16, 1)),
        (("tool", "deckcheck", "severity", "dotted", "key"), (17, 1)),
        (("tool", "deckcheck", "severity", "missing"), (14, 2)),
    ],
)
def test_places(keys: tuple[str, ...], place: tuple[int, int]) -> None:
    assert place_of(TEXT, keys) == place
