"""Fuzzing: damaged inputs for every reader, none of which may end in a traceback."""
