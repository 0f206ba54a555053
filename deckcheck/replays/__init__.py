"""Games of a run played again, and told move by move."""
