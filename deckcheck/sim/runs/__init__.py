"""Run directories: what is played, and every block that was."""
