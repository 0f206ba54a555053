"""A deck made from nothing."""
