"""Players by name: plain Python, never compiled."""
