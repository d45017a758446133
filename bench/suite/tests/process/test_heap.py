# SPDX-License-Identifier: Apache-2.0
"""The heap of a counted process."""

import sys

import pytest
from cside_suite.process.heap import Heap


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="it is CPython's allocator that is brought to rest")
def test_blocks_after_settling_come_from_one_pool() -> None:
    """Whatever was allocated before, the next blocks of a size come from a pool that is neither full nor empty."""
    heap = Heap()
    noise = [bytes(40) for _ in range(1000)]
    for keep in (3, 500, 997):
        del noise[keep:]
        heap.settle()
        blocks = [bytes(40) for _ in range(heap.FREE // 2)]
        assert len({id(block) >> heap.POOL_BITS for block in blocks}) == 1
        noise += [bytes(40) for _ in range(1000)]
