# SPDX-License-Identifier: Apache-2.0
"""Run the fuzzers that are written in Python: of the reader of headers, and of each binding's Python surface."""

import json
import os
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from provision import commands, packages, paths, workshop
from provision.interpreters import Interpreter
from provision.reliability.fuzzing import FINDINGS, Asked, Row

GRAMMAR = "grammar"
SURFACE = "surface"
"""Before a dot and the name of a binding."""


def targets() -> list[str]:
    """The names of the targets."""
    return [GRAMMAR, *(f"{SURFACE}.{name}" for name in packages.binding_names())]


def run(asked: Asked) -> list[Row]:
    """Run the targets in Python that are asked for, two side by side."""
    wanted = [name for name in targets() if name in asked.targets]
    if not wanted:
        return []
    programs: dict[str, list[object]] = {}
    if GRAMMAR in wanted:
        headers = packages.native().folder / "include" / "cside"
        fuzzer = packages.headers().folder / "tests" / "fuzz_grammar.py"
        programs[GRAMMAR] = [workshop.driver().python, fuzzer, *sorted(headers.glob("pkcs11*.h"))]
    if surfaces := [name for name in wanted if name != GRAMMAR]:
        python = workshop.interpreter(asked.python) if asked.python else workshop.driver_interpreter()
        if not isinstance(python, Interpreter):
            raise commands.Problem(str(python))
        env, _ = workshop.prepare([python])[python.label]
        for name in surfaces:
            programs[name] = surface(env.python, name.partition(".")[2])
    FINDINGS.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        return list(pool.map(lambda name: one(name, programs[name], asked.seconds), programs))


def surface(python: Path, binding: str) -> list[object]:
    """The command that calls one binding, and compares it with the reference, or the reference with another."""
    reference = packages.reference()
    other = reference if binding != reference else next(each for each in packages.binding_names() if each != reference)
    module = "cside_suite.conformance.surface"
    return [python, "-X", "faulthandler", "-m", module, binding, "--against", other, "--last", last_call(binding)]


def last_call(binding: str) -> Path:
    """The file in which the fuzzer of a binding notes each call before it makes it."""
    return FINDINGS / f"{SURFACE}.{binding}.last"


def one(name: str, program: Sequence[object], seconds: int) -> Row:
    """Run one fuzzer for its time. A process that dies is a finding, too."""
    began = time.monotonic()
    done = subprocess.run(
        [*map(str, program), "--seconds", str(seconds)],
        capture_output=True,
        text=True,
        errors="replace",
        env=commands.environment(),
        check=False,
    )
    took = time.monotonic() - began
    paths.LOGS.mkdir(parents=True, exist_ok=True)
    (paths.LOGS / f"fuzz-{name}.log").write_text(done.stdout + done.stderr, encoding="utf-8")
    if done.returncode != 0:
        last = last_call(name.partition(".")[2])
        told = last.read_text(encoding="utf-8", errors="replace")[:120] if last.exists() else "see the log"
        return Row(name, 0, took, 0, (f"ended with {done.returncode} after {told}",))
    answer = json.loads(done.stdout.splitlines()[-1])
    for number, finding in enumerate(answer["findings"]):
        (FINDINGS / f"{name}.{number}.txt").write_text(finding, encoding="utf-8", errors="backslashreplace")
    findings = tuple(finding.splitlines()[0][:200] for finding in answer["findings"])
    return Row(name, answer["executions"], took, 0, findings)
