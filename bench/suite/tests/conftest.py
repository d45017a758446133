# SPDX-License-Identifier: Apache-2.0
"""Tests of the suite. Folders mirror its packages: `process/test_chunks.py` tests `cside_suite.process.chunks`.

They are imported with ``--import-mode=importlib``, as those of the bench, and share helpers with them.
"""

import sys
from pathlib import Path

import pytest

SUPPORT = Path(__file__).resolve().parents[2] / "tests" / "support"

sys.path[:0] = [] if str(SUPPORT) in sys.path else [str(SUPPORT)]


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line("markers", "alone: run the test with no other beside it: it looks at a clock or a CPU")
