"""What to bring, from the games of a round robin."""
