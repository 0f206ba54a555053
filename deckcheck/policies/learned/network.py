"""A small network of whole numbers: what a position is worth, by its features.

The first layer is common to all stages of a game, the two behind it have weights for
each stage. All sums are exact, so every machine, compiled or not, finds the same value.
"""

from __future__ import annotations

from deckcheck.engine.jit import dispatch, jit
from deckcheck.engine.types import Workspace

FIRST, SECOND = 64, 16  # units of the two hidden layers
WEIGHT_BITS = 13  # a weight of 1 is 2 ** 13
UNIT_BITS = 10  # a unit of 1 is 2 ** 10, and so is a logit of 1
UNIT_LIMIT = 8 << UNIT_BITS
LOGIT_LIMIT = 16 << UNIT_BITS
STEP_BITS = 4  # of a logit, from one entry of the table of chances to the next
TABLE = (2 * LOGIT_LIMIT >> STEP_BITS) + 2
LISTED = 511  # features that fit the list of those that changed, as a mask
ONE = 1 << 40
"""A chance of 1."""


@jit
def logit(q: Workspace, stage: int) -> int:
    """The value of `q.features` at this stage of a game, as a logit."""
    sum_first(q)
    for j in range(FIRST):
        unit = q.first_sum[j] >> (WEIGHT_BITS - UNIT_BITS)
        q.unit[j] = min(max(unit, 0), UNIT_LIMIT)
    sum_second(q, stage)
    total = q.last_bias[stage]
    for j in range(SECOND):
        unit = min(max(q.second_sum[j] >> WEIGHT_BITS, 0), UNIT_LIMIT)
        total += unit * q.last[stage, j]
    return min(max(total >> WEIGHT_BITS, -LOGIT_LIMIT), LOGIT_LIMIT)


@jit
def chance(q: Workspace, value: int) -> int:
    """The chance to win of a logit, between 0 and `ONE`: by a table of the sigmoid."""
    place = (value + LOGIT_LIMIT) >> STEP_BITS
    rest = value & ((1 << STEP_BITS) - 1)
    step = q.chance[place + 1] - q.chance[place]
    return q.chance[place] + (step * rest >> STEP_BITS)


def sum_first(q: Workspace) -> None:
    """The sums of the first layer; they fit 32 bits, see `benchmarks.training`."""
    q.first_sum[:] = q.first_bias + q.features.astype("i4") @ q.first


def change_first(q: Workspace) -> None:
    """The same, from the sums of the last position: most features are as they were.

    Those that changed are listed first, without a branch that a processor would have
    to guess, and several are added at once, so that it need not wait for each.
    """
    count = 0
    for i in range(q.first.shape[0]):
        q.changed[count & LISTED] = i
        count += q.features[i] != q.summed[i]
    for place in range(count, count + 4):
        q.changed[place & LISTED] = 0  # a change that was taken before is none
    for place in range(0, count, 4):
        a, a_change = take_change(q, place)
        b, b_change = take_change(q, place + 1)
        c, c_change = take_change(q, place + 2)
        d, d_change = take_change(q, place + 3)
        for j in range(FIRST):
            q.first_sum[j] += a_change * q.first[a, j]
            q.first_sum[j] += b_change * q.first[b, j]
            q.first_sum[j] += c_change * q.first[c, j]
            q.first_sum[j] += d_change * q.first[d, j]


@jit
def take_change(q: Workspace, place: int) -> tuple[int, int]:
    """A listed feature, and by how much it is larger than in the sums; notes it."""
    i = q.changed[place & LISTED]
    change = q.features[i] - q.summed[i]
    q.summed[i] = q.features[i]
    return i, change


def sum_second(q: Workspace, stage: int) -> None:
    """The sums of the second layer."""
    q.second_sum[:] = q.second_bias[stage] + q.second[stage] @ q.unit


def add_second(q: Workspace, stage: int) -> None:
    """The same in loops, for compiled code."""
    for j in range(SECOND):
        total = q.second_bias[stage, j]
        for i in range(FIRST):
            total += q.unit[i] * q.second[stage, j, i]
        q.second_sum[j] = total


dispatch(sum_first, lambda q: change_first)
dispatch(sum_second, lambda q, stage: add_second)
