# SPDX-License-Identifier: Apache-2.0
"""Names of a run's files, the link to the latest run, and the reader of files that may be packed."""

import gzip
import json
import zlib
from pathlib import Path
from typing import Any, Final

from cside_suite.files import point

LATEST: Final = "latest"
"""Name of the link to the newest run that has a summary."""
RUN_FILE: Final = "run.json"
"""Name of the file that holds the plan of a run."""
LIBRARY_FILE: Final = "library.json"
"""Name of the file with the subjects and workloads of a run on a user's library."""
NATIVE_FILE: Final = "native.json"
"""Name of the file with C's own time in each workload of a user's library, by interpreter."""
SUMMARY_FILE: Final = "summary.json"
"""Name of the file that holds the summary of a run; see ``docs/results.md``."""
CLAIMS_FILE: Final = "claims.json"
"""Name of the file that holds the judged claims; see ``docs/results.md``."""
RECOMMENDATIONS_FILE: Final = "recommendations.json"
"""Name of the file that holds the recommendations; see ``docs/results.md``."""
DRILL_FILE: Final = "drill.json"
"""Name of the file that holds the header-change drill; see ``docs/results.md``."""


PACKED: Final = ".gz"
"""What the name of a packed file ends with: the reference run has gzip files."""


def read_document(path: Path) -> dict[str, Any]:
    """Read a JSON document, or where there is none of this name its packed form beside it.

    Raises `FileNotFoundError` where neither exists, and `ValueError` where the file is damaged.
    """
    packed = path.with_name(path.name + PACKED)
    if path.exists() or not packed.exists():
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found
    try:
        found = json.loads(gzip.decompress(packed.read_bytes()))
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(str(error)) from error
    return found


def point_latest(folder: Path) -> None:
    """Make the link ``latest`` beside a run's folder point to that folder."""
    point(folder.parent / LATEST, folder.name)
