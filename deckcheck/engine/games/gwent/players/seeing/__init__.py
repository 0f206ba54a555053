"""What a seat sees of a duel, as numbers for a learned value."""
