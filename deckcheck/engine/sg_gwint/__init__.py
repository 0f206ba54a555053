"""The game SG Gwint."""
