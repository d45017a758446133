# SPDX-License-Identifier: Apache-2.0
"""One process of the drill: imports a binding, asks it, and compares its answers with those of C. It may crash.

Run as a script, by any interpreter, with nothing but the standard library; its job comes as JSON on standard input:
``site`` (folder that holds the binding and the library), ``package``, ``rounds`` (lists of four numbers), ``asks``
(names to Python expressions) and ``truth`` (for each round, names to values; a name that is missing has no right
answer). What it finds goes to standard output at once, a line of JSON each, since the next call may be the last.
"""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import json
import os
import sys
from types import SimpleNamespace
from typing import Any

BOXES = 200
"""The number of objects that are allocated together, so that an allocator puts some of them side by side."""


def tell(event: str, **facts: Any) -> None:
    """Write one line at once: nothing is left in a buffer when the process dies."""
    os.write(1, json.dumps({"event": event, **facts}).encode() + b"\n")


def memory_of(numbers: list[int]) -> bytes:
    """Return the bytes of a C array ``uint64_t[4]`` of these numbers."""
    return b"".join(number.to_bytes(8, sys.byteorder) for number in numbers)


def tools_for(idioms: Any) -> dict[str, Any]:
    """Functions that expressions may call in addition to those of the binding."""

    def filled_box(tag: int) -> Any:
        box = idioms.Box()
        idioms.box_fill(box, tag)
        return box

    def boxes_overwritten(tag: int) -> int:
        """Return how many boxes lost their contents after their neighbours were written to."""
        boxes = [idioms.Box() for _ in range(BOXES)]
        for box in (*boxes, *reversed(boxes)):  # memory may be handed out upwards or downwards
            idioms.box_fill(box, tag)
        right = (tag, tag + 1, tag + 2, tag + 4, tag)
        return sum(idioms.box_unpack(box) != right for box in boxes)

    return {"filled_box": filled_box, "boxes_overwritten": boxes_overwritten, "memory_of": memory_of}


def mapped_libraries() -> list[str] | None:
    """Return the files named libcside that this process has mapped; ``None`` if the system does not report them."""
    try:
        with open("/proc/self/maps", encoding="utf-8") as maps:
            lines = maps.read().splitlines()
    except OSError:
        return None
    mapped = {line.split(maxsplit=5)[5] for line in lines if len(line.split(maxsplit=5)) == 6}
    return sorted(path for path in mapped if os.path.basename(path).startswith("libcside."))


def same(answer: Any, right: Any) -> bool:
    """Return whether an answer is right; numbers compare by value, and True is not a number."""
    return type(answer) in (int, float, str) and answer == right


def main() -> None:
    """Read the job from standard input, and carry it out."""
    job = json.load(sys.stdin)
    sys.path.insert(0, job["site"])
    faulthandler.enable()
    tell("started")
    try:
        nouns = SimpleNamespace(
            **{noun: importlib.import_module(f"{job['package']}.{noun}") for noun in ("idioms", "codec")}
        )
    except BaseException as error:
        tell("import", error=f"{type(error).__name__}: {error}")
        return
    tell("imported", libraries=mapped_libraries())
    tools = tools_for(nouns.idioms)
    told = set()
    for numbers, truth in zip(job["rounds"], job["truth"], strict=True):
        scope = {"idioms": nouns.idioms, "codec": nouns.codec, "n": numbers, **tools}
        for name, expression in job["asks"].items():
            try:
                answer = eval(expression, dict(scope))
            except Exception as error:
                found: dict[str, str | None] = {"kind": "error", "error": f"{type(error).__name__}: {error}"}
            else:
                if name in truth and same(answer, truth[name]):
                    continue
                found = {"kind": "wrong", "answer": repr(answer), "right": repr(truth[name]) if name in truth else None}
            if (name, found["kind"]) not in told:  # the first of a kind is enough
                told.add((name, found["kind"]))
                tell("found", name=name, expression=expression, **found)
    tell("done")


if __name__ == "__main__":
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a crash is an expected result, and needs no core file
    main()
