"""Names of players: their order, and the names of files that belong to them."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePath

from deckcheck.cards.names import normalise
from deckcheck.decks import SUFFIXES

_WORDS = re.compile(r"[\W_]+")
_MAX_BYTES = 200
# Windows knows no files of these names, whatever their suffix.
_DEVICES = {"aux", "con", "nul", "prn"}
_DEVICES |= {f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)}


def sort_key(name: str) -> tuple[list[str], str, str]:
    """Names by their letters, word by word; accents decide between equal letters.

    That is the order of the Unicode collation without any language: `Å` is an `A`, as
    in English, German or Dutch, and does not follow `Z`, as in Swedish.
    """
    words = [normalise(word) for word in _WORDS.split(name)]
    letters = [word for word in words if word]
    return letters, unicodedata.normalize("NFKD", name).casefold(), name


def list_keys(file: str) -> tuple[str, ...]:
    """What a player may be called whose list a file is, as `normalise` has names.

    The suffix does not matter, nor several of them: `anna_nowak.deck.txt`.
    """
    path = PurePath(file)
    stem = path.stem
    while PurePath(stem).suffix.lower() in SUFFIXES:
        stem = PurePath(stem).stem
    return normalise(stem), normalise(path.name)


def agrees(stated: str, name: str) -> bool:
    """Whether a list that names its player so may be of this one.

    Words may stand in any order, and some may be missing or more: `Nowak, Anna`,
    `Anna`, `Anna Nowak (Kraków)`.
    """
    one, other = _words(stated), _words(name)
    return one <= other or other <= one


def _words(name: str) -> set[str]:
    return {normalise(word) for word in _WORDS.split(name)} - {""}


def file_stem(name: str) -> str:
    """A safe name of a file for a player, without suffix: `anna_nowak`.

    Different players have different ones, as far as 200 bytes can tell.
    """
    words = (normalise(word) for word in _WORDS.split(name))
    whole = "_".join(word for word in words if word)
    stem = whole.encode("utf-8")[:_MAX_BYTES].decode("utf-8", errors="ignore")
    if not stem:
        return "player_" + "_".join(f"{ord(character):x}" for character in name[:8])
    return f"{stem}_" if stem in _DEVICES else stem
