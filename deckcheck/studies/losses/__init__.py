"""How does a deck lose? What happened in its losses, and how often in its wins."""
