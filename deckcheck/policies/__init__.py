"""The players: honest, and written once for all games."""

AUTO = "auto"
"""Stands for the player who usually plays games of a format."""
