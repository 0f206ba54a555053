"""The players: honest, and written once for all games."""
