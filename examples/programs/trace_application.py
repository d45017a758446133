# SPDX-License-Identifier: Apache-2.0
"""Run a Python program, and print which C functions it called, how often, and how long they took inside C.

The library counts by itself, so that the program is not changed. What is not inside C is Python, and the binding.

Example: python trace_application.py --binding cffi -- gzip_folder.py docs out/ --binding cffi
"""

import argparse
import importlib
import runpy
import sys
import time
from pathlib import Path
from types import ModuleType


def table(idioms: ModuleType, wall_ns: int) -> str:
    """The functions that were called, those that took longest first."""
    rows = []
    for index in range(idioms.trace_count()):
        record = idioms.trace_read(index)
        if record.calls:
            rows.append((record.total_ns, record.calls, record.errors, record.in_nbytes, idioms.trace_name(index)))
    lines = [f"{'function':<28}{'calls':>10}{'errors':>8}{'bytes in':>14}{'ms in C':>10}{'of all':>8}"]
    for ns, calls, errors, nbytes, name in sorted(rows, reverse=True):
        lines.append(f"{name:<28}{calls:>10,}{errors:>8,}{nbytes:>14,}{ns / 1e6:>10.2f}{ns / wall_ns:>8.1%}")
    return "\n".join(lines)


def main() -> None:
    """Read the command line, run the program with the trace on, print the table on standard error."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binding", default="cext", help="the binding by which the trace is read")
    parser.add_argument("program", type=Path)
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    asked = parser.parse_args()
    idioms = importlib.import_module(f"cside_{asked.binding}.idioms")
    sys.argv = [str(asked.program), *asked.arguments]
    sys.path.insert(0, str(asked.program.resolve().parent))
    idioms.trace_enable(True)
    began = time.perf_counter_ns()
    try:
        runpy.run_path(str(asked.program), run_name="__main__")
    finally:
        wall_ns = time.perf_counter_ns() - began
        idioms.trace_enable(False)
        print(table(idioms, wall_ns), file=sys.stderr)


if __name__ == "__main__":
    main()
