"""Win rates: decks play each other."""
