"""What the views of all games from a seat share: figures, and how they are written."""
