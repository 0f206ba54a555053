"""Finding the figures of Gwent's heuristic by play."""
