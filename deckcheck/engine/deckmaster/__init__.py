"""The game Deckmaster."""
