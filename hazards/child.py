# SPDX-License-Identifier: Apache-2.0
"""One process of the hazards: makes one mistake. It may crash. Run as a script: ``child.py MODULE MISTAKE HOW``.

What happens goes to standard output at once, a line of JSON each. With HOW "memory" the mistake is made often, and what
the process has grown by is told; with "once" it is made once.
"""

import contextlib
import gc
import importlib
import json
import os
import sys
from typing import Any

WARMUP, CALLS = 50, 400


def tell(event: str, **facts: Any) -> None:
    """Write one line at once: nothing is left in a buffer when the process dies."""
    os.write(1, json.dumps({"event": event, **facts}).encode() + b"\n")


def resident() -> int:
    """Bytes of memory that the process has resident."""
    for _ in range(3):
        gc.collect()
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main(module: str, mistake: str, how: str) -> None:
    """Import the module of the approach, and call its function of the mistake."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a crash is an expected result, and needs no core file
    try:
        make = getattr(importlib.import_module(module), mistake)
    except AttributeError:
        raise  # of the catalogue, not an outcome
    except Exception as error:
        tell("import", type=type(error).__name__, error=str(error))
        return
    tell("imported")
    try:
        if how == "memory":
            for _ in range(WARMUP):
                make()
            before = resident()
            for _ in range(CALLS):
                make()
            tell("memory", grown=resident() - before, calls=CALLS)
        else:
            tell("value", value=make())
    except Exception as error:
        tell("raised", type=type(error).__name__, error=str(error))
    tell("done")


if __name__ == "__main__":
    main(*sys.argv[1:])
