# SPDX-License-Identifier: Apache-2.0
"""Tests of the bench. Folders mirror its packages: `statistics/test_warmup.py` tests `cside_bench.statistics.warmup`.

Files of tests may have the same name in two folders, so they need ``--import-mode=importlib``. Modules that several of
them import lie in ``support/``.
"""

import sys
from pathlib import Path

SUPPORT = Path(__file__).resolve().parent / "support"
ROOT = SUPPORT.parents[2]

sys.path[:0] = [str(folder) for folder in (SUPPORT, ROOT) if str(folder) not in sys.path]
