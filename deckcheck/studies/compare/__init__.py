"""The better of several versions of a deck."""
