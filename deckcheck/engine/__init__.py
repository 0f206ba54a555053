"""Rules of the games, compiled with numba, behind a common contract."""
