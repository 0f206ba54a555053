"""Blocks are handed out to workers, and their tallies gathered."""
