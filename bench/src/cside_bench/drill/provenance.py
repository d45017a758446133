# SPDX-License-Identifier: Apache-2.0
"""The provenance of a drill: the command, the platform, the versions of the tools, and the digests of the sources."""

import platform
from typing import Any

from cside_bench.drill.prepared import Prepared
from cside_bench.machine import checkout
from cside_bench.results import drill_sources


def of_drill(prepared: Prepared, command: str) -> dict[str, Any]:
    """Return fields of ``drill.json`` that no outcome depends on; ``command`` is what the user typed."""
    libc = " ".join(platform.libc_ver()).strip()
    return {
        "command": command,
        "platform": ", ".join(part for part in (f"{platform.system()} {platform.machine()}", libc) if part),
        "interpreters": [
            {"label": each.label, "release": each.release, "versions": dict(each.versions)}
            for each in prepared.interpreters
        ],
        "sources": drill_sources.digests(checkout.root()),
    }
