"""Searching the legal decks of a format for good ones, and for changes of cards."""
