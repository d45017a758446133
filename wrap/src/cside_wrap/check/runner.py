# SPDX-License-Identifier: Apache-2.0
"""Calls one package with the cases of a file. It runs in the interpreter that has the package, and needs nothing else.

``python runner.py PACKAGE CASES OUTCOMES FIRST [COUNTS]``: writes one line of JSON for each case, from case number
FIRST on, and before each call one with its number, so that a crash shows which one it was. COUNTS is the file in which
the counter of calls counts.
"""

import array
import ctypes
import gc
import hashlib
import importlib
import json
import mmap
import struct
import sys
import time
from typing import Any

LEAK_S = 0.002
"""Seconds that a call may take, so that leaks are looked for."""
LEAK_CALLS = 96
ROUNDS = 4


class Index:
    """A number that only ``__index__`` gives."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class Package:
    """A package, and the evaluation of trees with it."""

    def __init__(self, name: str) -> None:
        self.module = importlib.import_module(name)

    def value(self, tree: dict[str, Any], it: Any = None) -> Any:
        """The value of a tree."""
        if "it" in tree:
            return it
        found = self.plain(tree, it)
        if "pick" in tree:
            found = found[tree["pick"]]
        for step in tree.get("then", ()):
            self.value(step, found)
        if "closed" in tree:
            found.close()
        return found

    def plain(self, tree: dict[str, Any], it: Any) -> Any:
        """The value of a tree without what is done with it afterwards."""
        if "int" in tree:
            return tree["int"]
        if "index" in tree:
            return Index(tree["index"])
        if "float" in tree:
            return tree["float"]
        if "text" in tree:
            return tree["text"]
        if "surrogate" in tree:
            return "a\udc80"
        if "raw" in tree:
            return bytes.fromhex(tree["raw"])
        if "none" in tree:
            return None
        if "object" in tree:
            return object()
        if "callable" in tree:
            return lambda *_: 0
        if "bytes" in tree:
            count = tree["bytes"]
            count = getattr(self.module, count)() if isinstance(count, str) else count
            return buffer(bytes(n % 251 for n in range(count)), tree)
        if "record" in tree:
            made = getattr(self.module, tree["record"])()
            for name, size in tree["buffers"].items():
                setattr(made, name, bytearray(n % 251 for n in range(size)))
            return made
        if "new" in tree:
            return getattr(self.module, tree["new"])()
        return getattr(self.module, tree["call"])(*[self.value(one, it) for one in tree["args"]])


def buffer(data: bytes, tree: dict[str, Any]) -> Any:
    """Bytes as an object of the kind that a tree asks for."""
    kind = tree.get("as", "bytearray" if tree.get("writable") else "bytes")
    if kind == "bytearray":
        return bytearray(data)
    if kind == "memoryview":
        return memoryview(bytearray(data))
    if kind == "array":
        return array.array("i", data)
    if kind == "strided":
        return memoryview(bytearray(data))[::2]
    return data


def shown(value: Any) -> Any:
    """A result as plain data that can be compared: contents, but no addresses."""
    if isinstance(value, (bytes, bytearray)):
        return f"{len(value)} bytes {hashlib.sha256(value).hexdigest()[:16]}"
    if isinstance(value, tuple):
        return [shown(one) for one in value]
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, (bool, int, str)) or value is None:
        return value
    slots = type(value).__slots__ if hasattr(type(value), "__init__") and hasattr(type(value), "__slots__") else ()
    fields = {name: shown(getattr(value, name)) for name in slots if not name.startswith("_")}
    return {type(value).__name__: fields} if fields else "an object"


def outcome(package: Package, case: dict[str, Any]) -> dict[str, Any]:
    """What a case does: the result with the arguments that were changed, or the exception."""
    try:
        args = [package.value(tree) for tree in case["args"]]
    except Exception as error:
        return {"preparing": f"{type(error).__name__}: {error}"}
    try:
        result = getattr(package.module, case["function"])(*args)
    except Exception as error:
        kind = type(error).__name__
        return (
            {"raises": kind, "status": shown(getattr(error, "status", None)), "text": str(error)}
            if kind == "Error"
            else {
                "raises": kind,
                "text": str(error),
            }
        )
    changed = [shown(one) for one in args if isinstance(one, bytearray) or type(one).__module__.endswith("_records")]
    several = result if len(case["kinds"]) > 1 else (result,)
    told = [
        "an address" if kind == "address" and one is not None else shown(one)
        for kind, one in zip(case["kinds"] or ["none"], several, strict=True)
    ]
    return {"returns": told, "changed": changed}


class MallInfo(ctypes.Structure):
    """``struct mallinfo2`` of glibc."""

    _fields_ = [
        *((name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd")),
        *((name, ctypes.c_size_t) for name in ("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")),
    ]


def allocated() -> int | None:
    """Bytes that malloc has given out; None where nobody says."""
    try:
        function = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError):
        return None
    function.restype = MallInfo
    info = function()
    return int(info.uordblks + info.hblkhd)


def leaked(package: Package, case: dict[str, Any]) -> list[float] | None:
    """Bytes that each call of a case leaves behind, and Python objects; None where it cannot be said.

    The least of several rounds: what caches and free lists take once is no leak, and a leak is there in each round.
    """
    if sys.implementation.name == "pypy":
        return None

    def some(count: int) -> None:
        for _ in range(count):
            outcome(package, case)

    started = time.perf_counter()
    some(4)
    if time.perf_counter() - started > 4 * LEAK_S:
        return None  # too slow for as many calls as it takes
    count = LEAK_CALLS
    found = []
    for _ in range(ROUNDS):
        gc.collect()
        blocks, before = sys.getallocatedblocks(), allocated()
        some(count)
        gc.collect()
        nbytes = 0 if before is None else (allocated() or 0) - before
        found.append((nbytes / count, (sys.getallocatedblocks() - blocks) / count))
    return [round(min(one[place] for one in found), 2) for place in (0, 1)]


def main(name: str, cases: str, outcomes: str, first: str, counts: str = "") -> None:
    """Run the cases."""
    with open(cases, encoding="utf-8") as stream:
        every = json.load(stream)
    package = Package(name)
    memory = None
    if counts:
        with open(counts, "r+b") as shared:
            memory = mmap.mmap(shared.fileno(), 0)

    def counted() -> tuple[int, ...]:
        return struct.unpack(f"<{len(memory) // 8}Q", memory) if memory is not None else ()

    gc.collect()
    if hasattr(gc, "freeze"):
        gc.freeze()  # what is there already need not be looked at for each function
    with open(outcomes, "a", encoding="utf-8", buffering=1) as stream:
        for number in range(int(first), len(every)):
            case = every[number]
            stream.write(json.dumps({"begins": number}) + "\n")
            before = counted()
            found = outcome(package, case)
            grown = [after - ago for ago, after in zip(before, counted(), strict=True)]
            calls = {place: count for place, count in enumerate(grown) if count}
            again = None if case["bad"] else outcome(package, case)
            leak = leaked(package, case) if case.get("leak") else None
            stream.write(
                json.dumps({"case": number, "found": found, "again": again, "calls": calls, "leak": leak}) + "\n"
            )


if __name__ == "__main__":
    main(*sys.argv[1:])
