"""The version, where every layer may read it."""

__version__ = "0.3.0.dev0"

SEMANTIC_VERSION = __version__.replace(".dev", "-dev.")
"""The same as https://semver.org writes it, which knows no `.dev0`."""
