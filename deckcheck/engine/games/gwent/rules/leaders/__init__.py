"""Leaders (rules 1.9): a file for each kind of leader, all of it in one place.

`using` says which functions belong to a leader, `choosing` which to a choice.
"""
