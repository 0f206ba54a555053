"""Stopping rules: they evaluate tallies at fixed numbers of sets."""
