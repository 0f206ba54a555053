"""The players: honest, with the same implementation for every game."""

AUTO = "auto"
"""Stands for the player who usually plays games of a format."""
