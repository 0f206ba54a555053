"""What each card of a deck is worth."""
