"""Recognises files of deckcheck's own that lie among decks: they are none.

What tells them is what no deck has: the code of a finding, the digest of a format, a
heading of columns, a key of a format. What is doubtful is a deck, and judged as one.
"""

from __future__ import annotations

import re
from pathlib import PurePath

__all__ = ["HEAD", "not_a_deck"]

HEAD = 16_384
"""How many bytes of a file are looked at."""

OUTPUT = "an output of deckcheck"
SCHEMA = "a JSON Schema"
DATA = "a format, a scenario or card data"
SETTINGS = "a configuration or an event"
# A share code, or a file that nothing else is called.
_DECKS_ALONE = (".deck", ".code", ".csv")

_COLOUR = re.compile("\x1b\\[[0-9;]*m")
_CODE = r"D[A-Z]\d{3}"
_JSON = (
    (r'\{(?:\s*"\w+"\s*:\s*"[^"]*",)*\s*"schema_version"\s*:', OUTPUT),
    (r'\{\s*"event"\s*:\s*"[^"]*",\s*"lists"\s*:\s*\{', OUTPUT),
    (r'\{\s*"scenarios"\s*:\s*\[', OUTPUT),
    (r'\{\s*"source"\s*:\s*\{\s*"name"\s*:\s*"deckcheck"', OUTPUT),
    (r'\{\s*"\$schema"\s*:\s*"[^"]*sarif', OUTPUT),
    (r'\{\s*"\$schema"\s*:\s*"[^"]*json-schema\.org/', SCHEMA),
    (r'\[\s*\{\s*"description"\s*:[^\n]*\s*"check_name"\s*:', OUTPUT),
    # Counts of findings, and findings a line each.
    (rf'(?:\[\s*)?\{{\s*"code"\s*:\s*"{_CODE}"', OUTPUT),
    (r"\[\s*\]\s*\Z", OUTPUT),
)

_LEVEL = rf"(?:error|warning|note)\[{_CODE}\] "
_DECK_FILE = r"[^\n]*\.(?:deck|txt|ya?ml|json|code|csv)"
# How an output begins.
_STARTS = (
    # Misuse; findings, in all ways for people, and counts of them.
    r"error: [^\n]+\n(?:help: |\Z)"
    rf"|{_LEVEL}|\S[^\n]*:\d+:\d+: {_LEVEL}|::(?:error|warning|notice) file="
    rf"|\d+  {_LEVEL}|(?:\#\# )?\d+ decks? checked",
    # Of an event: findings below the name of a player, and the summary.
    rf"[^\n]+\n\n{_LEVEL}|[^\n]*: \d+ players?, \d+ lists?\b",
    # Kinds of findings: all, and one.
    rf"{_CODE}  [a-z]+(?:-[a-z]+)+  |[a-z]+(?:-[a-z]+)+ \({_CODE}, ",
    # A heading of columns, none of which is of counts or, further on, of cards.
    r"(?:card|leader|format)(?: {2,}(?!count\b)[a-z]+){2,}\n"
    r"|(?!count,)[a-z]+(?:_[a-z]+)*(?:,(?!(?:count|card)\b)[a-z0-9_]+){4,}\n",
    # One card, and where decks are legal.
    r"[^\n]+\n  id +\w+\n|[^\n]+\n  [a-z_]+/\S+ +(?:legal|\d+ errors?)\n",
    # A format with its snapshot; differences of files.
    r"(?!(?i:format))[^\n#]{0,200}/[^\s/]{1,100} \(\d{4}-\d\d\)(?:: [^\n]*)?\n"
    r"|--- [^\n]+\n\+\+\+ |would change ",
    # Names of files, settings, help.
    rf"{_DECK_FILE}(?:\n{_DECK_FILE})*\n?\Z",
    r"\# (?:no )?configuration\b[^\n]*\n(?:\# configuration [^\n]+\n)*"
    r"(?:\# )?[a-z-]+ (?:= |is not set)",
    r"\# changes of cards by deckcheck |Example: deckcheck |<(?:\?xml|!DOCTYPE|html)\b",
)
# What stands further below.
_LINES = (
    # Simulations, and what a format is made of.
    r"(?:- )?digest:? +[0-9a-f]{12}|from [^\n]+, digest [0-9a-f]{12}",
    # A game told again.
    r"\S+, digest [0-9a-f]{12}, seed \d+",
    # Events: letters and the page.
    r"\| player \| deck \| verdict \||Digest of rules and cards: [0-9a-f]+",
    r"\d+ scenarios?: (?:ok|\d+ )[^\n]*",
)
_TEXT = re.compile(rf"\A(?:{'|'.join(_STARTS)})|^(?:{'|'.join(_LINES)})$", re.MULTILINE)

_KEY = re.compile(r"^(?:- )?([A-Za-z_-]+)\s*:", re.MULTILINE)
_ID = re.compile(r"(?:^[ \t-]*|[{,][ \t]*)id[ \t]*:[ \t]", re.MULTILINE)
_OF_DECKS = frozenset({"cards", "decks", "faction", "leader", "name"})
_OF_DATA = frozenset(
    {
        *("abilities", "change", "constraints", "deal", "expect", "extends", "history"),
        *("kinds", "leaders", "moves", "options", "players", "remove", "rule"),
        *("seating", "sets", "snapshot", "title"),
    }
)


def not_a_deck(text: str, path: str) -> str | None:
    """What a text is, by its first lines, when it is a file of deckcheck's own.

    What has no file, as `<stdin>`, is what it is given as.
    """
    suffix = PurePath(path).suffix.lower()
    if suffix in _DECKS_ALONE or path.startswith("<"):
        return None
    if suffix == ".toml":
        return SETTINGS
    head = text if len(text) < HEAD else text[: text.rfind("\n", 0, HEAD) + 1]
    shown = _COLOUR.sub("", head).lstrip()
    if shown.startswith(("{", "[")):
        return next((kind for form, kind in _JSON if re.match(form, shown)), None)
    if _TEXT.search(shown):
        return OUTPUT
    return DATA if suffix in (".yaml", ".yml") and _is_data(shown) else None


def _is_data(text: str) -> bool:
    """Whether YAML has keys of ours: those of cards, or others and none of a deck."""
    keys = {key.lower() for key in _KEY.findall(text)}
    is_other = bool(keys & _OF_DATA) and not keys & _OF_DECKS
    is_card = "decks" not in keys and _ID.search(text) is not None
    return is_other or is_card or "language" in keys
