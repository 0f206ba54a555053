"""Tournament matches: lineups of decks that are chosen game by game."""
