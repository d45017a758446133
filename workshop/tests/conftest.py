# SPDX-License-Identifier: Apache-2.0
"""What the tests of the labs share."""

from pathlib import Path

import pytest
from cside_bench.results import shipped_run


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs, whose newest is the run that ships."""
    folder = tmp_path_factory.mktemp("results")
    (folder / "latest").symlink_to(shipped_run.folder(), target_is_directory=True)
    return folder
