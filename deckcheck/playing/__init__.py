"""Games between players at a table: engine and policies together.

`kernel` is compiled. `table`, `versions` and `redraws` are plain Python and numpy.
"""
