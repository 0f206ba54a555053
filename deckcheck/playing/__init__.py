"""Games between players at a table: engine and policies together.

`kernel` is compiled; `table` and `tally` are plain Python and numpy around it.
"""
