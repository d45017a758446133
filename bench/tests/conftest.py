# SPDX-License-Identifier: Apache-2.0
"""Tests of the bench. Folders mirror its packages: `statistics/test_warmup.py` tests `cside_bench.statistics.warmup`.

Files of tests may have the same name in two folders, so they need ``--import-mode=importlib``. Modules that several of
them import lie in ``support/``.
"""

import sys
from pathlib import Path

import pytest

SUPPORT = Path(__file__).resolve().parent / "support"
ROOT = SUPPORT.parents[2]

sys.path[:0] = [str(folder) for folder in (SUPPORT, ROOT) if str(folder) not in sys.path]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with a run in it, and the current folder somewhere inside."""
    from synthetic_run import write_run

    top = tmp_path / "checkout"
    inside = top / "bindings" / "some" / "src"
    inside.mkdir(parents=True)
    (top / "bench" / "src" / "cside_bench").mkdir(parents=True)
    (top / "noxfile.py").write_text("", encoding="utf-8")
    (top / "results").mkdir()
    write_run(top / "results" / "20260101-000000", 1)
    monkeypatch.chdir(inside)
    return top


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line("markers", "alone: run the test with no other beside it: it looks at a clock or a CPU")
