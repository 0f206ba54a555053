"""Converts data to the records of a game, in plain Python that is never compiled."""
