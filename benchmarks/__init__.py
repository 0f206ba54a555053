"""Speeds of deckcheck, each beside a fixed reference loop of the same run."""
