# SPDX-License-Identifier: Apache-2.0
"""Runs the processes that time an import."""

import json
import random
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from cside_suite.files import write_json

from cside_bench.run.child import describe

TIME_LIMIT_S: Final = 600
"""Seconds after which a process that times an import is killed."""


def take(python: str, names: Iterable[str], out: Path, env: Mapping[str, str], seed: int) -> None:
    """Measure the start of each of ``names`` and of the baseline, in random order, and write a list to ``out``.

    The driver calls this function once per block. ``out`` is ``<run>/cold/<block>.json``; an existing file is left
    unchanged. If a subject's process failed, its entry has only ``subject`` and ``failed``, which describes the
    failure.
    """
    if out.exists():
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    order = sorted({"", *names})
    random.Random(seed).shuffle(order)
    found = []
    request, one = out.with_suffix(".request"), out.with_suffix(".one")
    for name in order:
        request.write_text(json.dumps({"binding": name, "out": str(one)}), encoding="utf-8")
        try:
            done = subprocess.run(
                [python, "-m", "cside_suite.process.start", str(request)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                env=dict(env),
                check=False,
                timeout=TIME_LIMIT_S,
            )
        except subprocess.TimeoutExpired:
            found.append({"subject": name, "failed": f"took longer than {TIME_LIMIT_S} s"})
            continue
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["it printed nothing"])[-1]
            found.append({"subject": name, "failed": f"{describe(done.returncode)}: {last}"})
        else:
            found.append(json.loads(one.read_text(encoding="utf-8")))
    request.unlink()
    one.unlink(missing_ok=True)
    write_json(out, found)
