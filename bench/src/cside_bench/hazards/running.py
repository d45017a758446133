# SPDX-License-Identifier: Apache-2.0
"""Makes every mistake of the catalogue, by every approach, in processes of its own."""

import json
import os
import re
import signal
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from cside_bench.hazards import building, catalogue
from cside_bench.hazards.building import Built
from cside_bench.hazards.catalogue import Approach, Hazard
from cside_bench.hazards.outcomes import Answer, Finding, classify, proven, worst
from cside_bench.hazards.prepared import Interpreter, Prepared
from cside_bench.results.hazards import HazardError

TIMES: Final = 3
"""Processes per mistake: what freed memory holds differs from one to the next. One that hangs is not repeated."""

PATIENCE_S: Final = 6.0
"""Seconds after which a process counts as hanging; each works for less than one, and PyPy starts in less than two."""

LEFT_OUT: Final = ("PYTHON", "LD_PRELOAD", "MALLOC_")
"""Prefixes of environment variables that are removed, because users do not have them."""

Cell = tuple[Interpreter, Approach, Hazard]


def run(
    prepared: Prepared,
    command: str,
    *,
    python: Sequence[str] = (),
    approaches: Sequence[str] = (),
    only: Sequence[str] = (),
    say: Callable[[str], None] = lambda text: None,
    advance: Callable[[int, int], None] = lambda done, all_of_them: None,
) -> dict[str, Any]:
    """Build and make all mistakes that are asked for, and return the document.

    Raises `HazardError` if anything is no outcome of the catalogue.
    """
    sources = prepared.sources
    hazards = catalogue.read(sources, only)
    wanted = [each for each in catalogue.approaches(sources, approaches) if each.name not in prepared.left_out]
    chosen = [each for each in prepared.interpreters if not python or each.label in python]
    library = building.library(sources, prepared.built, prepared.compilers)
    alone: dict[str, dict[tuple[str, str], Built]] = {}
    for each in chosen:
        say(f"{each.label}: building")
        place = building.Place(sources, prepared.built / each.label, each, prepared.compilers)
        alone[each.label] = building.modules(place, wanted)
    cells = [(each, approach, hazard) for each in chosen for hazard in hazards for approach in wanted]
    outcomes = []
    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        jobs = [
            pool.submit(_cell, cell, alone[cell[0].label].get((cell[1].name, cell[2].id)), sources, library)
            for cell in cells
        ]
        failed = []
        try:
            for count, (cell, job) in enumerate(zip(cells, jobs, strict=True), 1):
                try:
                    finding = job.result()
                except HazardError as error:
                    failed.append(f"{cell[0].label}, {cell[1].name}: {error}")
                else:
                    outcomes.append(_told(cell, finding, alone[cell[0].label].get((cell[1].name, cell[2].id))))
                advance(count, len(cells))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    if failed:
        raise HazardError("\n".join(failed))
    return {
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command,
        "digest": catalogue.digest(sources),
        "compiler": prepared.compiler,
        "interpreters": [{"label": each.label, "release": each.release, "versions": each.versions} for each in chosen],
        "approaches": [each.name for each in wanted],
        "titles": {each.name: each.title for each in wanted},
        "hazards": [
            {"id": each.id, "title": each.title, "wrong": each.wrong, "instead": each.instead} for each in hazards
        ],
        "outcomes": outcomes,
    }


def has_case(sources: Path, approach: Approach, hazard: str) -> bool:
    """Return whether the module of an approach has a function of this name."""
    text = (sources / approach.name / approach.cases).read_text(encoding="utf-8")
    return re.search(rf"^def {hazard}\(\):", text, re.MULTILINE) is not None


def _cell(cell: Cell, built: Built | None, sources: Path, library: Path) -> Finding:
    interpreter, approach, hazard = cell
    reason = hazard.reason(approach.name, interpreter.label)
    if reason and not has_case(sources, approach, hazard.id):
        return proven(hazard, reason, None)
    if built is not None and built.problem:
        found = Finding("build", built.problem)
    else:
        findings: list[Finding] = []
        while len(findings) < TIMES and not (findings and findings[-1].hung):
            answer = make(interpreter, approach, hazard, sources, library)
            findings.append(classify(hazard, answer, refused=bool(reason)))
        found = worst(findings)
    return proven(hazard, reason, found) if reason else found


def make(
    interpreter: Interpreter,
    approach: Approach,
    hazard: Hazard,
    sources: Path,
    library: Path,
    patience_s: float = PATIENCE_S,
) -> Answer:
    """Make one mistake in a fresh process, which has a session of its own, so that what it starts ends with it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(LEFT_OUT)}
    path = os.pathsep.join(map(str, (library.parent / interpreter.label, sources / approach.name, sources)))
    how = "memory" if hazard.measure == "memory" else "once"
    words = [str(interpreter.python), "-B", str(sources / "child.py"), Path(approach.cases).stem, hazard.id, how]
    with subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**kept, "PYTHONPATH": path, "HZ_LIBRARY": str(library)},
        start_new_session=True,
    ) as process:
        try:
            output, errors = process.communicate(timeout=patience_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
            return Answer(_events(output), None, _text(errors))
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return Answer(_events(output), process.returncode, _text(errors))


def _told(cell: Cell, finding: Finding, built: Built | None) -> dict[str, str]:
    interpreter, approach, hazard = cell
    return {
        "interpreter": interpreter.label,
        "approach": approach.name,
        "hazard": hazard.id,
        "outcome": finding.outcome,
        "says": re.sub(r"/\S+/", "…/", finding.says),
        "warned": "" if built is None else built.warned,
    }


def _events(output: bytes) -> list[dict[str, Any]]:
    """The events that a process wrote, without a line that was cut off when it died."""
    found = []
    for line in output.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict) and "event" in event:
            found.append(event)
    return found


def _text(output: bytes) -> str:
    return output.decode("utf-8", "replace")
