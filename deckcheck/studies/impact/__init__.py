"""The worth of each card of a deck."""
