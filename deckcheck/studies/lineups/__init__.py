"""Which lineup of some decks to bring to tournament matches."""
