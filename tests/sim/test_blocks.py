"""How jobs are cut into blocks."""

from __future__ import annotations

import pytest
from fake_engine import jobs_of

from deckcheck.sim.jobs import SMALLEST_BLOCK, Block, BlockQueue, Pacer


def cut(queue: BlockQueue) -> list[Block]:
    blocks: list[Block] = []
    while queue:
        blocks += queue.take()
    return blocks


def test_every_set_is_handed_out_once() -> None:
    blocks = cut(BlockQueue(jobs_of(3, sets=1_000), Pacer(fixed=300)))

    assert [b.first_set for b in blocks if b.job.number == 1] == [0, 300, 600, 900]
    assert [b.sets for b in blocks] == [300] * 9 + [100] * 3


def test_jobs_take_turns() -> None:
    blocks = cut(BlockQueue(jobs_of(3, sets=600), Pacer(fixed=300)))

    assert [b.job.number for b in blocks] == [1, 3, 4, 1, 3, 4]


def test_only_what_is_missing_is_handed_out() -> None:
    (job,) = jobs_of(2, sets=1_000)
    queue = BlockQueue(
        [job], Pacer(fixed=300), lambda _: [range(100, 500), range(990, 1_000)]
    )

    assert queue.sets_left == 410
    assert [(b.first_set, b.sets) for b in cut(queue)] == [
        (100, 300),
        (990, 10),
        (400, 100),
    ]


def test_a_block_can_be_put_back() -> None:
    queue = BlockQueue(jobs_of(3, sets=300), Pacer(fixed=300))
    blocks = queue.take()
    queue.put_back(blocks)

    assert queue.sets_left == 900
    assert queue.take() == blocks


def test_a_block_takes_about_half_a_second() -> None:
    (job,) = jobs_of(2, sets=100_000)
    pacer = Pacer()
    queue = BlockQueue([job], pacer)

    [block] = queue.take()
    pacer.record(block, seconds=0.016)

    [block] = queue.take()
    assert block.sets == 2_000


@pytest.mark.parametrize(("played", "sets"), [(600, 500), (4_000, 2_000), (9e4, 4_000)])
def test_blocks_of_long_runs_take_longer(played: float, sets: int) -> None:
    (job,) = jobs_of(2, sets=100_000)
    pacer = Pacer()
    pacer.record(Block(job, 0, round(1_000 * played)), seconds=played)

    assert pacer.size(job, 100_000) == sets


def test_slow_policies_have_blocks_of_their_own() -> None:
    slow, _, fast = jobs_of(3, 10_000, ("search", "random", "random"))
    pacer = Pacer()

    pacer.record(Block(fast, 0, 1_000), seconds=0.01)
    pacer.record(Block(slow, 0, 100), seconds=1)

    assert (pacer.size(slow, 10_000), pacer.size(fast, 10_000)) == (50, 50_000)


def test_who_thinks_for_long_shows_progress_soon() -> None:
    long, short = jobs_of(3, 10_000, ("search:8", "random", "random"))[::2]
    pacer = Pacer()

    assert (pacer.size(long, 10_000), pacer.size(short, 10_000)) == (1, 64)

    pacer.record(Block(long, 0, 1), seconds=0.2)

    assert pacer.size(long, 10_000) == 3


def test_the_last_blocks_of_several_workers_are_smaller() -> None:
    (job,) = jobs_of(2, sets=10_000)
    pacer = Pacer(jobs=2)
    pacer.record(Block(job, 0, 1_000), seconds=0.1)

    assert [pacer.size(job, left) for left in (100_000, 8_000, 400, 8)] == [
        5_000,
        2_000,
        100,
        16,
    ]


def test_short_blocks_are_handed_out_together() -> None:
    pacer = Pacer()
    work = jobs_of(9, sets=2)
    pacer.record(Block(work[0], 0, 32), seconds=1)
    queue = BlockQueue(work, pacer)
    sizes = []
    while queue:
        sizes.append([block.sets for block in queue.take()])

    assert pacer.size(work[0], 100) == SMALLEST_BLOCK
    assert sizes == [[2] * 8] * 4 + [[2] * 4]


def test_tables_that_are_handed_out_together_fit_into_a_pipe() -> None:
    queue = BlockQueue(jobs_of(9, sets=1), Pacer())

    assert [len(queue.take()) for _ in range(3)] == [16, 16, 4]


def test_knows_how_long_the_rest_takes() -> None:
    work = jobs_of(3, sets=1_000)
    pacer = Pacer(fixed=500)
    queue = BlockQueue(work, pacer)

    assert queue.seconds_left() == 0
    [block] = queue.take()
    pacer.record(block, seconds=0.5)

    assert queue.seconds_left() == pytest.approx(2.5)


def test_refuses_empty_blocks() -> None:
    with pytest.raises(ValueError, match="at least one set"):
        Pacer(fixed=0)
