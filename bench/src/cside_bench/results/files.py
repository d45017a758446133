# SPDX-License-Identifier: Apache-2.0
"""Names of a run's files, and the link to the latest run."""

from cside_suite.files import point
from pathlib import Path
from typing import Final
import os


LATEST: Final = "latest"


RUN_FILE: Final = "run.json"


CLAIMS_FILE: Final = "claims.json"


RECOMMENDATIONS_FILE: Final = "recommendations.json"


DRILL_FILE: Final = "drill.json"
"""Files of a run that are drawn from its evidence, or copied beside it; see ``docs/results.md``."""


RUN_FILE: Final = "run.json"


def point_latest(folder: Path) -> None:
    """Let ``results/latest`` name the newest run."""
    point(folder.parent / LATEST, folder.name)



