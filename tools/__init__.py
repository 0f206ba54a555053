"""Tools for those who work on deckcheck itself; no part of what is installed."""
