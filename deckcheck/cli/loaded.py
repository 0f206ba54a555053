"""Stores the loaded configuration in the click context."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from deckcheck.config.settings import Settings


_SETTINGS = "deckcheck.config.settings"


def keep_settings(ctx: typer.Context, settings: Settings) -> None:
    """Let `settings_of` answer with these from now on."""
    ctx.meta[_SETTINGS] = settings


def settings_of(ctx: typer.Context) -> Settings | None:
    """The configuration of this run, None without a file."""
    settings: Settings | None = ctx.meta.get(_SETTINGS)
    return settings
