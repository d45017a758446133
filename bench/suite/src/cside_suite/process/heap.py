# SPDX-License-Identifier: Apache-2.0
"""The state of CPython's allocator, which can change the number of instructions of a call by a few percent."""

from typing import Final


class Heap:
    """Brings CPython's allocator of small objects into a state in which counts do not depend on earlier calls.

    The allocator takes blocks of one size class (16 to 512 bytes, in steps of 16) from pools of 16 KiB
    (``Objects/obmalloc.c``). A call that takes the last block of a pool or frees its first one executes more
    instructions than others, and in a loop it does so each time. This class gives every size class a pool that is
    neither full nor empty, from which the next blocks come.
    """

    POOL_BITS: Final = 14
    """The binary logarithm of the size of a pool in bytes."""
    LARGEST: Final = 512
    """The largest size class, in bytes."""
    FREE: Final = 12
    """Blocks of each class that a call may hold at a time."""

    def __init__(self) -> None:
        self._kept: list[list[object]] = []

    def settle(self) -> None:
        """Bring the allocator into that state; to be called before each cell is counted."""
        self._kept.clear()
        for nbytes in range(16, self.LARGEST + 1, 16):
            kept: list[object] = []
            own: list[object] = []
            pool = 0
            number = 1 << 40
            while True:
                number += 1
                block: object = object() if nbytes == 16 else number + 0 if nbytes == 32 else bytes(nbytes - 33)
                at = id(block) >> self.POOL_BITS
                if at != pool:
                    kept += own
                    if len(own) >= 2 * self.FREE:
                        kept.append(block)
                        break
                    own.clear()
                    pool = at
                own.append(block)
            del kept[-1 - self.FREE : -1]
            own.clear()
            self._kept.append(kept)
