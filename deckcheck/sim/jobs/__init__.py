"""The unit of work: a job is all sets of one table, a block some of them."""
