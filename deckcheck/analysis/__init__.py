"""What can be said of a deck and of decks: questions answered, for the command line."""
