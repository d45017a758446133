"""How much memory the process gets with each call: ``python grow.py "blob(1000)"``.

The expression may use ``repeat``, ``blob`` and ``blobs``; what it raises is ignored. Bytes per call near 0 are no leak.
"""

import contextlib
import re
import resource
import sys
from pathlib import Path

import with_cext

ROUNDS = 20_000


def size():
    """The memory that the process has asked for, in bytes; where the system does not tell it, the most that it had."""
    status = Path("/proc/self/status")
    if status.exists():
        return 1024 * int(re.search(r"VmData:\s+(\d+) kB", status.read_text())[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # macOS counts it in bytes


def grow(expression):
    """Bytes that the process grows by with each evaluation of an expression."""
    code = compile(expression, "expression", "eval")

    def calls():
        for _ in range(ROUNDS):
            with contextlib.suppress(Exception):
                eval(code, vars(with_cext))

    calls()  # caches and free lists are full after these
    before = size()
    calls()
    return (size() - before) / ROUNDS


if __name__ == "__main__":
    print(f"{grow(sys.argv[1]):.0f} bytes per call")
