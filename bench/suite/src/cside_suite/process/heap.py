# SPDX-License-Identifier: Apache-2.0
"""The state of CPython's allocator, on which instructions of a call can depend by some per cent."""

from typing import Final


class Heap:
    """Brings CPython's allocator of small objects to a state in which no count depends on what came before.

    It takes blocks of one size class (16 to 512 bytes, in steps of 16) from pools of 16 KiB (``Objects/obmalloc.c``). A
    call that takes the last block of a pool, or gives back its first, does more than any other, and does it each time
    in a loop. Here every class gets a pool that is neither full nor empty, which is the one that blocks come from next.
    """

    POOL_BITS: Final = 14
    LARGEST: Final = 512
    FREE: Final = 12
    """Blocks of each class that a call may hold at a time."""

    def __init__(self) -> None:
        self._kept: list[list[object]] = []

    def settle(self) -> None:
        """Do so; before each cell."""
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
