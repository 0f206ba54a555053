"""The Python API: a function for each command, by topic."""
