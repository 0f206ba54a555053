"""The best deck of a format, from nothing."""
