# SPDX-License-Identifier: Apache-2.0
"""A run of two workloads with known times, written to files."""

import json
from pathlib import Path
from typing import Any

from cside_bench.results.plan import Tier
from plans import LABELS, plan


def block(label: str, number: int, *, void: bool = False) -> dict[str, Any]:
    """A raw file of two bindings and the controls on one workload; positions and rounds tell nothing."""

    def entry(subject: str, ns: float) -> dict[str, Any]:
        extra: dict[str, Any] = {"workload": "idioms.noop", "subject": subject, "gil": "held", "empty": [1e-9] * 5}
        extra |= {"rounds": list(range(5)), "positions": [(len(subject) + at) % 4 for at in (2, 0, 3, 1, 0)]}
        return {"extra_info": extra, "stats": {"data": [(ns + 1 + i % 2) * 1e-9 for i in range(5)], "iterations": 10}}

    reference = Tier.named("quick").reference
    own: dict[str, Any] = {"void": [], "skips": [], "engine_version": "1.3", "load_average": [0.5, 0.5, 0.5]}
    if void:
        own["void"] = [{"workload": "idioms.noop", "subject": "b.v", "gil": "held", "reason": "spoiled"}]
    own["skips"] = [{"workload": "idioms.x", "subject": "b.v", "reason": "lacks something: it cannot"}]
    controls = [entry(reference, 20), entry("twin", 20), entry("delayed", 21.1)]
    return {"benchmarks": [*controls, entry("b.v", 40 + number / 10)], "cside": own}


def write_run(folder: Path, tier: str, *, processes: int, void: bool = False) -> None:
    """A run's files as the driver leaves them."""
    made = plan(tier)
    made.save(folder)
    (folder / "blocks").mkdir()
    for label in LABELS:
        for number in range(processes):
            path = folder / "blocks" / f"{label}-{number:02d}.json"
            path.write_text(json.dumps(block(label, number, void=void and number == 1)), encoding="utf-8")
    facts = {"version": "3", "compiler": "c", "pgo": False, "lto": None, "shared": True}
    recorded = {
        "started": "now",
        "commit": None,
        "machine": {"cpu": "c", "cpus": 1, "architecture": "a", "system": "s", "libc": "l", "governor": None},
        "process_environment": {"GLIBC_TUNABLES": "t"},
        "corpora": {"text": "0"},
        "interpreters": [{"label": label, **facts} for label in LABELS],
    }
    (folder / "environment.json").write_text(json.dumps(recorded), encoding="utf-8")
