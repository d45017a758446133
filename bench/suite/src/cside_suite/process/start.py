# SPDX-License-Identifier: Apache-2.0
"""The cost of starting: ``python -m cside_suite.process.start REQUEST``.

For one binding this program starts bare processes (:mod:`.start_bare`), one after the other: one for each noun alone,
and one that imports all nouns of the binding in their order and then calls a function of each for the first time.
Before them it starts one process whose result is not used, so that bytecode is written and the files are in the
system's cache: the processes start cold, the disk is not. REQUEST is a JSON file, ``{"binding": "…", "out": "…"}``. An
empty name asks for the baseline: a process that imports ``cside_native`` and no binding, and one that loads libcside
and imports an empty extension, which is the least that a binding has to do. The result is written to ``out``.

The driver decides which processes are replicates: it starts this program once in each block.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import cside_native

from cside_suite.process import start_bare
from cside_suite.subjects.bindings import BindingError, discover
from cside_suite.subjects.groups import NOUNS
from cside_suite.workloads import _empty

TIMED_TOGETHER: Final = frozenset({"idioms", "codec"})
"""The modules whose import the workload ``import`` times."""
PARTIAL: Final = "a partial variant has some functions of the other nouns only"
"""Why a partial variant does not have a noun."""
TIME_LIMIT_S: Final = 60
"""A bare process that takes longer is stopped."""


class ColdError(Exception):
    """A bare process failed; the text is the last line that it printed."""


def run_bare(target: str, nouns: tuple[str, ...]) -> dict[str, Any]:
    """Start one bare process and return what it measured. Raises `ColdError` if it fails or takes too long.

    The script is run by its path and with ``-P``, since otherwise this package or the folder of the script could be
    imported.
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
    """Measure the cost of starting one binding or variant, or, for an empty name, of what all bindings share.

    For the baseline, ``base_ns`` is the time in ns to load libcside and to import an empty extension, in a process that
    does nothing else (None if the interpreter cannot load a library by itself); ``base`` is what that process returned.

    The result has ``subject``; ``ns``, the nanoseconds to import ``idioms`` and then ``codec`` in one process (None if
    one of them is missing, and for the baseline); ``missing``, the nouns that the binding does not have, each with the
    reason; and what :func:`run_bare` returned, as ``alone`` by noun and ``together``. Raises `ColdError` if a process
    fails, `BindingError` for a name that no installed distribution registers.
    """
    if not name:
        extension = (_empty.__file__,)
        run_bare("", ())
        run_bare("", extension)
        base = run_bare("", extension)
        parts = {step["step"]: step["ns"] for step in base["steps"]}
        return {
            "subject": "",
            "ns": None,
            "alone": {},
            "together": run_bare("", ()),
            "base": base,
            "base_ns": sum(parts.values()) if len(parts) == 2 and None not in parts.values() else None,
        }
    subjects = [found for found in discover([name], partial=True) if found.name == name]
    if not subjects:
        raise BindingError(f"no binding or variant has the full name {name!r}")
    (subject,) = subjects
    target, nouns = subject.target, subject.nouns
    run_bare(target, nouns)
    alone = {noun: run_bare(target, (noun,)) for noun in nouns}
    together = run_bare(target, nouns)
    timed = [step["ns"] for step in together["steps"] if step["step"] in TIMED_TOGETHER]
    return {
        "subject": name,
        "ns": sum(timed) if timed and None not in timed else None,
        "missing": {noun: subject.lacks(noun) or PARTIAL for noun in NOUNS if noun not in nouns},
        "alone": alone,
        "together": together,
    }


def main(path: str) -> None:
    """Carry out the request in the file ``path``."""
    request = json.loads(Path(path).read_text(encoding="utf-8"))
    try:
        found = measure(request["binding"])
    except (ColdError, BindingError) as error:
        raise SystemExit(str(error)) from error
    Path(request["out"]).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
