# SPDX-License-Identifier: Apache-2.0
"""Run the conformance suite on each binding under an unusual interpreter or build; a row of a table for each."""

import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

from provision import commands, paths
from provision.commands import Problem
from provision.reliability.rows import Row

WORKERS = min(2, os.cpu_count() or 1)


def run(
    kind: str,
    compiler: str,
    python: Path | str,
    bindings: Sequence[str],
    variables: Mapping[str, str],
    left_out: Sequence[str] = (),
) -> list[Row]:
    """Run the suite on each binding, two side by side, in processes with these environment variables.

    ``kind`` is the first word of the names of rows and logs. Modules of tests in ``left_out`` are left out.
    """

    def one(binding: str) -> Row:
        return test(kind, compiler, python, binding, variables, left_out)

    with ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(one, bindings))


def test(
    kind: str,
    compiler: str,
    python: Path | str,
    binding: str,
    variables: Mapping[str, str],
    left_out: Sequence[str],
) -> Row:
    """Run the suite on one binding. A process that has ended before its tests is a failure that names the log."""
    commands.say(f"{kind}: the suite on {binding}")
    began = time.monotonic()
    file = paths.BUILD / kind / f"{binding}.xml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    log = f"sanitize-{kind}-{binding}"
    suite = ["--pyargs", "cside_suite.conformance", "--binding", binding, "-m", "not alone"]
    ignored = [f"--ignore-glob=*/conformance/{name}.py" for name in left_out]
    wrong = ""
    try:
        commands.run(
            [python, "-m", "pytest", "-p", "no:cacheprovider", *suite, *ignored, f"--junitxml={file}"],
            log=log,
            env=commands.environment(None, **variables),
        )
    except Problem:
        wrong = f"the process ended with an error, see {paths.LOGS / log}.log"
    row = read(file, kind, compiler, binding, time.monotonic() - began, "" if file.exists() else wrong)
    # the file is written before the interpreter ends, where a mistake in the end of a module is found
    return row if row.failed or not wrong else replace(row, failed=(wrong,))


def read(file: Path, kind: str, compiler: str, binding: str, seconds: float, ended: str = "") -> Row:
    """The row of one binding, from the file in JUnit's format; ``ended`` is what to say if there is none."""
    if ended:
        return Row(f"{kind}: {binding}", compiler, 0, (), (ended,), seconds)
    cases = list(ET.parse(file).iter("testcase"))
    if not cases:
        raise Problem(f"the suite has no test for {binding}")
    skipped = sum(case.find("skipped") is not None for case in cases)
    failed = tuple(
        case.get("name", "?") for case in cases if case.find("failure") is not None or case.find("error") is not None
    )
    told = (f"{skipped:,}",) if skipped else ()
    return Row(f"{kind}: {binding}", compiler, len(cases), told, failed, seconds)
