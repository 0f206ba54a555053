"""The result of a simulation: statistics of tables and matches, as data."""
