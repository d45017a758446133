# SPDX-License-Identifier: Apache-2.0
"""Calls that reach the library are counted, those by ctypes too."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cside_wrap.check.counter import Counter, available

pytestmark = pytest.mark.skipif(not available(), reason="needs glibc's loader, and a stub for the processor")

PROGRAM = """
import ctypes, sys
box = ctypes.CDLL(sys.argv[1])
box.box_sum.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
for _ in range(1000):
    assert box.box_sum(b"ab", 2) == 195
assert box.box_count() == box.box_count()
"""


def test_calls_are_counted(box_folder: Path, tmp_path: Path) -> None:
    """Each one, and with its arguments and result untouched."""
    library = box_folder / "libbox.so"
    counter = Counter(tmp_path, ["box_sum", "box_count", "box_check"], [library])
    assert counter.failed == ""
    environment = {**os.environ, **counter.variables()}
    subprocess.run([sys.executable, "-c", PROGRAM, library], env=environment, check=True)
    assert counter.counts() == {"box_sum": 1000, "box_count": 2, "box_check": 0}
