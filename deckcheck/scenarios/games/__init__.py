"""What the scenarios of one game have of their own, one folder per game."""
