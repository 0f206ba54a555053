"""Who wins, and how often: decks play each other."""
