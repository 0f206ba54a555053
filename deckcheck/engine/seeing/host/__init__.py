"""What a game says of its view in plain Python."""
