"""The engine: rules of the games, compiled with numba, behind one contract."""
