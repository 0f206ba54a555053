"""Searching the legal decks of a format for good ones."""
