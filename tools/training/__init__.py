"""How the weights of the player `learned` are made."""

import os

# One thread adds up in one order. numpy reads this when it is imported.
for library in ("OPENBLAS", "MKL", "OMP"):
    os.environ[f"{library}_NUM_THREADS"] = "1"
