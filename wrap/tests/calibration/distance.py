# SPDX-License-Identifier: Apache-2.0
"""Times functions of a package that the templates wrote beside those of the binding of libcside written by hand.

``python distance.py HAND_WRITTEN GENERATED [SECONDS]``, in an interpreter that has both: for each idiom the median,
over rounds in which both take turns, of the ratio generated / hand-written, as JSON. Both are called with the same
values, and first have to give the same.
"""

import importlib
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

DATA = bytes(range(256)) * 16
PAIRS = {
    "no argument": ("noop()", "cs_noop()"),
    "one byte each": ("i8_add(3, -4)", "cs_i8_add(3, -4)"),
    "four bytes each": ("i32_add(1 << 30, -7)", "cs_i32_add(1 << 30, -7)"),
    "eight bytes each": ("u64_add(1 << 62, 7)", "cs_u64_add(1 << 62, 7)"),
    "doubles": ("f64_add(1.5, 2.5)", "cs_f64_add(1.5, 2.5)"),
    "a bool": ("bool_not(True)", "cs_bool_not(True)"),
    "six of all kinds": ("mixed_sum(1, 2, 3.0, True, 5, 6.0)", "cs_mixed_sum(1, 2, 3.0, True, 5, 6.0)"),
    "16 bytes in": ("bytes_sum(SHORT)", "cs_bytes_sum(SHORT)"),
    "16 bytes in, a bytearray": ("bytes_sum(ARRAY)", "cs_bytes_sum(ARRAY)"),
    "writes to a bytearray": ("buffer_fill(ARRAY, 7)", "cs_buffer_fill(ARRAY, 7)"),
    "text in": ("string_length('sixteen letters.')", "cs_string_length('sixteen letters.')"),
    "borrowed text": ("string_borrow(0)", "cs_string_borrow(0)"),
    "text by name": ("const_text('CS_NAME')", "cs_const_text('CS_NAME')"),
    "status of success": ("status_raise(0)", "cs_status_return(0)"),
    "a number out": ("flags_toggle(5, 3)", "cs_flags_toggle(5, 3)"),
    "bytes out": ("runs_expand(RUNS)", "cs_runs_expand(RUNS, 256)"),
    "structs by value": ("point_add(POINT, POINT)", "cs_point_add(POINT, POINT)"),
    "ten callbacks": ("each_call(10, SAME)", "cs_each_call(10, SAME_TWO)"),
    "crc32 of 16 bytes": ("crc32(SHORT, 0)", "cs_crc32(0, SHORT)"),
    "adler32 of 4096 bytes": ("adler32(DATA, 1)", "cs_adler32(1, DATA)"),
}
"""Calls by what they show: of the binding written by hand, and of the generated package."""
UNROLLED = 10
CHUNK_S = 0.0002


def names(package: str, *, by_hand: bool) -> dict[str, Any]:
    """What expressions may use."""
    space: dict[str, Any] = {
        "SHORT": b"sixteen letters.",
        "ARRAY": bytearray(16),
        "DATA": DATA,
        "RUNS": bytes((3, 65, 2, 66)),
        "SAME": lambda number: number,
        "SAME_TWO": lambda user, number: number,
    }
    if by_hand:
        for noun in ("idioms", "codec"):
            module = importlib.import_module(f"{package}.{noun}")
            space |= {name: getattr(module, name) for name in dir(module) if not name.startswith("_")}
        space["POINT"] = space["Point"](1.5, 2.5)
    else:
        module = importlib.import_module(package)
        space |= {name: getattr(module, name) for name in module.__all__}
        space["POINT"] = space["cs_point"](1.5, 2.5)
    return space


def timer(text: str, space: dict[str, Any]) -> Callable[[int], float]:
    """A function that makes a number of calls and returns the seconds that they took; names are locals of it."""
    function, _, rest = text.partition("(")
    used = sorted({name for name in space if name in text} - {function})
    header = "".join(f", {name}={name}" for name in used)
    lines = "\n".join(f"        f({rest}" for _ in range(UNROLLED))
    head = f"def calls(n, f={function}, clock=clock{header}):\n    began = clock()\n    for _ in range(n):\n"
    exec(f"{head}{lines}\n    return clock() - began\n", found := {**space, "clock": time.perf_counter})
    made: Callable[[int], float] = found["calls"]
    return made


def alike(one: Any, other: Any) -> bool:
    """Whether two results are the same; structs by their coordinates."""
    if hasattr(one, "x"):
        return (one.x, one.y) == (other.x, other.y)
    return bool(one == other)


def main(by_hand: str, generated: str, seconds: float = 0.5) -> dict[str, Any]:
    """The ratios by idiom, and what each took, in ns for a call; ``None`` where one lacks the function."""
    spaces = names(by_hand, by_hand=True), names(generated, by_hand=False)
    found: dict[str, Any] = {}
    pypy = sys.implementation.name == "pypy"
    for idiom, texts in PAIRS.items():
        if any(text.partition("(")[0] not in space for text, space in zip(texts, spaces, strict=True)):
            found[idiom] = None
            continue
        one, other = (eval(text, space) for text, space in zip(texts, spaces, strict=True))
        if not alike(one, other):
            raise SystemExit(f"{idiom}: {one!r} by hand, {other!r} generated")
        timers = [timer(text, space) for text, space in zip(texts, spaces, strict=True)]
        counts = []
        for each in timers:
            began = time.perf_counter()
            while time.perf_counter() - began < (0.4 if pypy else 0.02):
                each(10)
            counts.append(max(1, int(CHUNK_S / max(each(50) / 50, 1e-9))))
        ratios, taken = [], [[], []]
        ends = time.perf_counter() + seconds
        while time.perf_counter() < ends:
            per_call = [0.0, 0.0]
            for which in random.sample((0, 1), 2):
                per_call[which] = timers[which](counts[which]) / counts[which] / UNROLLED
                taken[which].append(per_call[which])
            ratios.append(per_call[1] / per_call[0])
        nanoseconds = [round(statistics.median(each) * 1e9, 1) for each in taken]
        found[idiom] = {"ratio": round(statistics.median(ratios), 3), "ns": nanoseconds}
    return found


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:3], *(float(one) for one in sys.argv[3:]))))
