# SPDX-License-Identifier: Apache-2.0
"""Lab 3: any contiguous buffer is read and filled where it is."""

from workshop.checking import Findings

PEAK = """
import tracemalloc

def peak(call, *arguments):
    call(*arguments)
    tracemalloc.start()
    call(*arguments)
    return tracemalloc.get_traced_memory()[1]

BIG = 8 << 20
"""
COPIED = "A buffer of 8 MiB was copied on its way to C, in memory and in time."
LATER = "An export of the buffer is kept after the call: release it, or drop the last reference to what holds it."


def check(found: Findings) -> None:
    """Ask the same questions of both techniques."""
    found.build()
    for name in ("ctypes", "cython"):
        read(found, name)
        fill(found, name)


def read(found: Findings, name: str) -> None:
    """Ask about `bytes_sum`."""
    ask = f"from with_{name} import bytes_sum\nimport array\n"
    found.ask(
        f"{name}: bytes_sum reads bytes, a bytearray and a memoryview",
        ask + "for kind in bytes, bytearray, memoryview: same(bytes_sum(kind(b'abc')), 294)",
        why="Any object with the buffer protocol has to do.",
    )
    found.ask(
        f"{name}: bytes_sum of array('I', [1, 2, 300]) is 48",
        ask + "same(bytes_sum(array.array('I', [1, 2, 300])), 48)",
        why="len() counts items, and C counts bytes: memoryview(data).nbytes. 300 is the bytes 44 and 1.",
    )
    found.ask(
        f"{name}: bytes_sum of an empty buffer is 0", ask + "for kind in bytes, bytearray: same(bytes_sum(kind()), 0)"
    )
    for kind in ("bytes", "bytearray"):
        found.ask(
            f"{name}: bytes_sum does not copy a {kind}",
            ask + PEAK + f"seen = peak(bytes_sum, {kind}(BIG))\n"
            "assert seen < BIG / 8, f'{seen:,} bytes were allocated'",
            why=COPIED,
        )
    found.ask(
        f"{name}: bytes_sum('text') raises TypeError",
        ask + "raises(TypeError, bytes_sum, 'text')",
        why="Text has no bytes until it is encoded.",
    )
    found.ask(
        f"{name}: every second byte of a buffer is refused",
        ask + "raises((BufferError, TypeError, ValueError), bytes_sum, memoryview(b'abcdef')[::2])",
        why="That memory is not contiguous, and C would read the bytes between.",
    )


def fill(found: Findings, name: str) -> None:
    """Ask about `buffer_fill`."""
    ask = f"from with_{name} import buffer_fill\n"
    found.ask(
        f"{name}: buffer_fill fills a part of a bytearray in place",
        ask + "it = bytearray(6)\nbuffer_fill(memoryview(it)[2:4], 7)\nsame(bytes(it), bytes([0, 0, 7, 7, 0, 0]))",
        why="C has to write into the caller's memory, at the address of its first byte.",
    )
    found.ask(
        f"{name}: buffer_fill does not copy",
        ask + PEAK + "seen = peak(buffer_fill, bytearray(BIG), 1)\n"
        "assert seen < BIG / 8, f'{seen:,} bytes were allocated'",
        why=COPIED,
    )
    found.ask(
        f"{name}: buffer_fill refuses bytes, and they keep their value",
        ask + "it = b'a' * 100\nraises((BufferError, TypeError, ValueError), buffer_fill, it, 7)\nsame(it, b'a' * 100)",
        why="A bytes object is shared and may be a key of a dict: nobody may write to it.",
    )
    found.ask(
        f"{name}: a bytearray can grow again after the call",
        ask + "it = bytearray(6)\nbuffer_fill(it, 7)\nit.append(1)\nsame(len(it), 7)",
        why=LATER,
    )
