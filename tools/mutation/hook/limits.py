"""How long a test or a scenario may take, before it is one without end."""

from __future__ import annotations

import math
import os
import resource

TEST, SCENARIO = 50, 20
"""Seconds of CPU."""


def end_after(seconds: int) -> None:
    """End the process after this many more seconds of CPU, or at its own limit."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    limit = math.ceil(sum(os.times()[:2])) + seconds
    if most != resource.RLIM_INFINITY:
        limit = min(limit, most)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, most))
