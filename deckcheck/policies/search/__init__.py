"""The player that tries moves out in possible worlds."""
