"""A deck in figures, without playing."""
