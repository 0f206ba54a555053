"""Replay games of a run, and describe them move by move."""
