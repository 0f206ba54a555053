"""Games played step by step by a person, where a game has such states of its own."""
