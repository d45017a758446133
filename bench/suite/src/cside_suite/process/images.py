"""The images of ``libcside`` that a process has mapped, compared with the library that was built."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

MAPS: Final = Path("/proc/self/maps")
"""The list of a process's mappings on Linux."""
STEM: Final = "libcside"
"""The name of the library's file up to the first dot."""


@cache
def sha256(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def mapped(stem: str = STEM) -> frozenset[Path]:
    """Return the files named ``libcside`` or ``libcside.*``, or of another stem, that this process has mapped.

    The result is empty if the system has no list of mappings.
    """
    if not MAPS.exists():
        return frozenset()
    found = set()
    for line in MAPS.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        path = line.partition("/")
        if path[1] and Path(path[2]).name.partition(".")[0] == stem:
            found.add(Path("/" + path[2]))
    return frozenset(found)


def foreign(before: frozenset[Path], expected_sha256: str, stem: str = STEM) -> str | None:
    """Return why a library that was loaded since ``before`` is not the one that was built; None if all is well."""
    for path in sorted(mapped(stem) - before):
        if str(path).endswith(" (deleted)"):
            return f"loaded {path}, which has been replaced since"
        if (actual := sha256(path)) != expected_sha256:
            return f"loaded another {stem}: {path} with SHA-256 {actual[:12]}…, built was {expected_sha256[:12]}…"
    return None


def several(stem: str = STEM) -> str | None:
    """Return why bindings cannot be compared: the process has mapped more than one file of the library; else None.

    The content of the files may be the same. What one of them counts and keeps, the other does not know.
    """
    found = sorted(str(path) for path in mapped(stem))
    return f"loaded {len(found)} files of {stem}: {', '.join(found)}" if len(found) > 1 else None
