"""Questions about decks that games answer, a folder for each; `registry` lists them."""

from __future__ import annotations
