"""The view of a duel from one seat, as numbers for a learned value."""
