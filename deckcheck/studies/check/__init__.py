"""Whether the expectations of a plan hold."""
