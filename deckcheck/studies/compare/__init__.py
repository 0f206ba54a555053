"""Which version of a deck is better."""
