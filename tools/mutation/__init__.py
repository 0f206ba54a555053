"""Mutation testing: single faults are put into the code; do the tests notice?

A runner of our own, since `mutmut` leaves decorated functions alone, as all rules of
play are, and `cosmic-ray` runs the same tests for all mutants: all take 9 minutes.
"""
