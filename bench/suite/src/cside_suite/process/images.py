"""Which images of ``libcside`` a process has mapped, and whether they are the one that was built."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

MAPS: Final = Path("/proc/self/maps")
STEM: Final = "libcside"


@cache
def sha256(path: Path) -> str:
    """Digest of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def mapped() -> frozenset[Path]:
    """Files named ``libcside`` or ``libcside.*`` among the process's mappings; empty where the system has no
    such list.
    """
    if not MAPS.exists():
        return frozenset()
    found = set()
    for line in MAPS.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
        path = line.partition("/")
        if path[1] and Path(path[2]).name.partition(".")[0] == STEM:
            found.add(Path("/" + path[2]))
    return frozenset(found)


def foreign(before: frozenset[Path], expected_sha256: str) -> str | None:
    """Why what was loaded since ``before`` is not the library that was built; ``None`` if it is."""
    for path in sorted(mapped() - before):
        if str(path).endswith(" (deleted)"):
            return f"loaded {path}, which has been replaced since"
        if (actual := sha256(path)) != expected_sha256:
            return f"loaded another libcside: {path} with SHA-256 {actual[:12]}…, built was {expected_sha256[:12]}…"
    return None
