"""The player who has learned what a position is worth."""
