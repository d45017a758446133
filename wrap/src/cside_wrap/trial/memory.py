# SPDX-License-Identifier: Apache-2.0
"""Memory between guard pages: an access after a buffer's last byte faults, a write before its first is found."""

from __future__ import annotations

import ctypes
import mmap
from dataclasses import dataclass, field

__all__ = ["Block", "Memory"]

PAGE = mmap.PAGESIZE
NONE, READ, WRITE = 0, 1, 2
CANARY = 0xA5


@dataclass
class Block:
    """`size` bytes at `address`; the page after them cannot be accessed, and the bytes before them are known."""

    start: int
    pages: int
    address: int
    size: int
    writable: bool
    freed: bool = False

    def content(self) -> bytes:
        """The bytes."""
        return ctypes.string_at(self.address, self.size)

    def intact(self) -> bool:
        """Whether the bytes before the buffer are as they were."""
        before = self.address - self.start - PAGE
        return self.freed or ctypes.string_at(self.start + PAGE, before) == bytes([CANARY]) * before


@dataclass
class Memory:
    """Blocks of this process. Only POSIX systems have the calls."""

    blocks: list[Block] = field(default_factory=list)
    libc: ctypes.CDLL = field(default_factory=lambda: ctypes.CDLL(None, use_errno=True))

    def __post_init__(self) -> None:
        self.libc.mmap.restype = ctypes.c_void_p
        self.libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
        self.libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]

    def block(self, content: bytes, *, writable: bool, align: int = 1) -> Block:
        """A block with this content, right before a guard page but for what `align` asks. Raises `MemoryError`."""
        pages = max(1, -(-(len(content) + align) // PAGE))
        total = (pages + 2) * PAGE
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        start = self.libc.mmap(None, total, READ | WRITE, flags, -1, 0)
        if start in (None, ctypes.c_void_p(-1).value):
            raise MemoryError(f"mmap of {total} bytes failed")
        end = start + PAGE + pages * PAGE
        address = (end - len(content)) // align * align
        ctypes.memset(start + PAGE, CANARY, pages * PAGE)
        ctypes.memmove(address, content, len(content))
        self.libc.mprotect(start, PAGE, NONE)
        self.libc.mprotect(end, PAGE, NONE)
        if not writable:
            self.libc.mprotect(start + PAGE, pages * PAGE, READ)
        made = Block(start, pages, address, len(content), writable)
        self.blocks.append(made)
        return made

    def free(self, blocks: list[Block]) -> None:
        """Make blocks inaccessible, so that a pointer that the library kept faults when it is used."""
        for one in blocks:
            self.libc.mprotect(one.start, (one.pages + 2) * PAGE, NONE)
            one.freed = True

    def damaged(self) -> int:
        """How many blocks were written to before their first byte."""
        return sum(1 for one in self.blocks if not one.intact())
