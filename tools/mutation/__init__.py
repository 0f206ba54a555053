"""Mutation testing: single faults are put into the code; do the tests notice?

A runner of our own, since the two that are known do not fit an engine of numba:

* `mutmut` 3 makes trampolines of functions and leaves decorated ones alone: the rules
  of play, all decorated with `@jit`, and the constants of modules would get no mutant.
* `cosmic-ray` edits the tree it stands in, and runs the same tests for all mutants. All
  tests take 9 minutes of CPU; here a mutant meets those nearest to its module.

Here a mutant lies over a private copy of the tree as its module is imported. The files
stay as they are, so the engine, whose cache is named by a hash of its sources and their
place, is compiled once for all mutants, and spawned workers import the mutant as well.
Mutants of what numba compiles run uncompiled.
"""
