"""The mix of decks that a strong team would bring."""
