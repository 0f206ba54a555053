"""How strong the players are: against each other, by budget, and for the decks."""
