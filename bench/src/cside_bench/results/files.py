# SPDX-License-Identifier: Apache-2.0
"""Names of a run's files, and the link to the latest run."""

from pathlib import Path
from typing import Final

from cside_suite.files import point

LATEST: Final = "latest"
"""Name of the link to the newest run that has a summary."""
RUN_FILE: Final = "run.json"
"""Name of the file that holds the plan of a run."""
SUMMARY_FILE: Final = "summary.json"
"""Name of the file that holds the summary of a run; see ``docs/results.md``."""
CLAIMS_FILE: Final = "claims.json"
"""Name of the file that holds the judged claims; see ``docs/results.md``."""
RECOMMENDATIONS_FILE: Final = "recommendations.json"
"""Name of the file that holds the recommendations; see ``docs/results.md``."""
DRILL_FILE: Final = "drill.json"
"""Name of the file that holds the header-change drill; see ``docs/results.md``."""


def point_latest(folder: Path) -> None:
    """Make the link ``latest`` beside a run's folder point to that folder."""
    point(folder.parent / LATEST, folder.name)
