"""The smallest changes of cards that balance a field."""
