# SPDX-License-Identifier: Apache-2.0
"""Counts the native calls of each workload of a user's library with each package, and their time in C.

``python -m cside_suite.process.library_counts REQUEST`` runs under the audit library of ``cside profile``, whose
counters lie in a file. It is a process of its own, since the audit library slows calls down: nothing is measured here
but time inside the library.
"""

import itertools
import json
import mmap
import statistics
import struct
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self

from cside_suite.files import write_json
from cside_suite.subjects.library import LibrarySet

BATCHES: Final = 20
"""Numbers are those of the median batch, times the number of batches: one in which the process was interrupted, or that
made something for the first time, does not count.
"""


@dataclass(frozen=True, slots=True)
class Request:
    """The work of the process. The counters of each function are a record of numbers of 8 bytes."""

    library: str
    """The file of the set."""
    interpreter: str
    counters: str
    """The file of counters."""
    start: int
    """Bytes before the first record."""
    functions: list[str]
    """In the order of the records."""
    words: int
    """Numbers in a record."""
    columns: list[int]
    """Those of them that are wanted."""
    repeats: int
    """Calls of each workload, in :data:`BATCHES` batches."""
    out: str

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a request."""
        return cls(**json.loads(path.read_text(encoding="utf-8")))

    def save(self, path: Path) -> None:
        """Write the request."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")


def counted(request: Request, counters: mmap.mmap) -> list[tuple[int, ...]]:
    """Return the wanted numbers of each function."""
    found = []
    for place in range(len(request.functions)):
        words = struct.unpack_from(f"={request.words}Q", counters, request.start + place * request.words * 8)
        found.append(tuple(words[column] for column in request.columns))
    return found


def typical(told: list[tuple[int, ...]]) -> list[float]:
    """Return the median difference between consecutive numbers of one function, times the number of batches."""
    differences = [[new - old for old, new in zip(*pair, strict=True)] for pair in itertools.pairwise(told)]
    return [statistics.median(column) * BATCHES for column in zip(*differences, strict=True)]


def run(request: Request) -> dict[str, Any]:
    """Return, by workload and package, the numbers by function of all repeats, or the reason why there are none."""
    library = LibrarySet.load(request.library)
    packages = library.discover(request.interpreter, [])
    found: dict[str, Any] = {}
    with Path(request.counters).open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as shared:
        for name, workload in library.workloads.items():
            own: dict[str, Any] = {}
            for package in packages:
                try:
                    function, arguments = workload.prepared(package.noun(""))
                    told = [counted(request, shared)]
                    for _ in range(BATCHES):
                        for _ in range(request.repeats // BATCHES):
                            function(*arguments)
                        told.append(counted(request, shared))
                except Exception as error:  # the measuring process says what is wrong with it
                    own[package.name] = f"{type(error).__name__}: {error}"
                    continue
                own[package.name] = {
                    it: typical([batch[place] for batch in told])
                    for place, it in enumerate(request.functions)
                    if told[0][place] != told[-1][place]
                }
            found[name] = own
    return found


def main(path: str) -> None:
    """Carry out the request in the file ``path``."""
    request = Request.load(Path(path))
    write_json(Path(request.out), run(request))


if __name__ == "__main__":
    main(sys.argv[1])
