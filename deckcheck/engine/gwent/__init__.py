"""The game Gwent."""
