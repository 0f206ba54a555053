"""How far the win rates of decks by each bot are from those by the best bot."""
