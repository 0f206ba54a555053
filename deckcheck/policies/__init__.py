"""The players: honest, and one implementation for every game."""

AUTO = "auto"
"""Stands for the player who usually plays games of a format."""
