"""Gwent with open hands and few cards: solved exactly, to see who finds the way."""
