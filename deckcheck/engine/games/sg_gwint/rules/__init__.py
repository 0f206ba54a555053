"""The rules of play, compiled."""
