"""deckcheck: validate decklists, and measure them by fast, reproducible play."""

__version__ = "0.1.0"
