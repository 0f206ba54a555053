"""The configuration of a project: `deckcheck.toml` or a table of `pyproject.toml`."""
