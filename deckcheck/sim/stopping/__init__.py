"""When a run ends: rules that look at tallies at fixed numbers of sets."""
