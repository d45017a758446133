# SPDX-License-Identifier: Apache-2.0
"""The cost of a start: ``python -m cside_suite.process.start REQUEST``.

For one binding it starts bare processes (:mod:`.bare`), one after the other: one for each noun alone, and one that
imports all nouns in their order and then calls a function of each for the first time. A first one is started and
thrown away, so that bytecode is written and files are in the system's cache: what is cold is the process, not the
disk. REQUEST is a JSON file, ``{"binding": "…", "out": "…"}``; an empty name asks for the baseline, a process that
imports ``cside_native`` and no binding. The result goes to ``out``.

Which processes are the replicates is the driver's affair: it asks once per block.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import cside_native

from cside_suite.process import start_bare
from cside_suite.subjects.bindings import BindingError, discover

NOUNS: Final = ("idioms", "codec", "pkcs11")
"""In the order in which the process that imports all of them does."""
TIMED_TOGETHER: Final = frozenset({"idioms", "codec"})
"""What the workload ``import`` is about."""
TIME_LIMIT_S: Final = 60


class ColdError(Exception):
    """A bare process that did not end well; the text is the last line that it printed."""


def run_bare(target: str, nouns: tuple[str, ...]) -> dict[str, Any]:
    """What one fresh process measured. Raises `ColdError`.

    It is run by its path and with ``-P``, since otherwise this package, or the folder of the script, would be there
    to be imported from.
    """
    command = [sys.executable, "-P", start_bare.__file__, target, ",".join(nouns), str(cside_native.library())]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=TIME_LIMIT_S
        )
    except subprocess.TimeoutExpired as error:
        raise ColdError(f"took longer than {TIME_LIMIT_S} s") from error
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["it printed nothing"]
        raise ColdError(f"exit code {done.returncode}: {lines[-1]}")
    return dict(json.loads(done.stdout))


def measure(name: str) -> dict[str, Any]:
    """The cost of the start of one binding or variant, or, for an empty name, of what all bindings share.

    ``subject``; ``ns``, nanoseconds to import ``idioms`` and then ``codec`` in one process (``None`` where one of them
    is missing, and for the baseline); ``alone``, by noun, and ``together``: what :func:`run_bare` returned.
    Raises `ColdError`, and `BindingError` for a name that no installed distribution registers.
    """
    if not name:
        run_bare("", ())
        return {"subject": "", "ns": None, "alone": {}, "together": run_bare("", ())}
    targets = [found.target for found in discover([name], partial=True) if found.name == name]
    if not targets:
        raise BindingError(f"no binding or variant has the full name {name!r}")
    (target,) = targets
    run_bare(target, NOUNS)
    alone = {noun: run_bare(target, (noun,)) for noun in NOUNS}
    together = run_bare(target, NOUNS)
    parts = [step["ns"] for step in together["steps"] if step["step"] in TIMED_TOGETHER]
    return {
        "subject": name,
        "ns": sum(parts) if parts and None not in parts else None,
        "alone": alone,
        "together": together,
    }


def main(path: str) -> None:
    """Do what the request in the file ``path`` says."""
    request = json.loads(Path(path).read_text(encoding="utf-8"))
    try:
        found = measure(request["binding"])
    except (ColdError, BindingError) as error:
        raise SystemExit(str(error)) from error
    Path(request["out"]).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
