"""The number type of the engine, and the two records that every rule works on.

To a compiled function all numbers are 64-bit integers; these names tell the reader.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

State: TypeAlias = Any
"""The record `s` of a game: all that changes as it is played (an `np.record`)."""
States: TypeAlias = Any
"""An array of such records."""
Context: TypeAlias = Any
"""The record `x` of a game: card table, options, players, and buffers."""
Workspace: TypeAlias = Any
"""The record `p`: what players need who are compiled only when seated."""
Card: TypeAlias = int
"""A kind of card by its number, from 1; 0 is no card."""
Player: TypeAlias = int
"""A player by the seat, from 0; -1 is nobody."""
Side: TypeAlias = int
"""A side of the board, from 0: that of a player or of a team; -1 is none."""
Row: TypeAlias = int
"""A row of a side, from 0."""
Move: TypeAlias = int
"""A move as the game writes it; -1 is none."""
Cells: TypeAlias = npt.NDArray[np.int64]
"""An array of a record, such as the four cells of a generator."""
