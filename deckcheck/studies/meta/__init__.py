"""Recommended decks, from the games of a round robin."""
