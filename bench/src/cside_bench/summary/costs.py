# SPDX-License-Identifier: Apache-2.0
"""Computes the section ``costs`` of ``summary.json``, costs other than speed, from the files in a run's folder.

There are two sources. *Static* costs (lines, builds, wheels, requirements) are properties of the source tree:
:func:`cside_bench.run.costs.static.keep` measures them and writes them into the run's folder. *Cold* costs (import,
memory, modules, first calls) are measured in fresh processes by :mod:`cside_suite.process.start`, which
:func:`cside_bench.run.starts.take` runs once per block. A cold cost is the median over processes with its range. What
was not measured is ``null``, with a reason.
"""

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import jsonschema
import numpy as np
from cside_suite.subjects.groups import NOUNS

from cside_bench.results.starts import NOT_BUILT_HERE, STATIC_FILE, TOGETHER, read_cold

MEMORY: Final = ("private_bytes", "proportional_bytes", "resident_bytes")
"""Measures of memory in the files of fresh processes."""


def spread(values: Sequence[float | None]) -> dict[str, float | int] | None:
    """Return median, lowest and highest of the values that are known, and their number; ``None`` if none is known."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    return {
        "median": float(np.median(known)),
        "low": float(min(known)),
        "high": float(max(known)),
        "processes": len(known),
    }


def collect(folder: Path) -> dict[str, Any]:
    """Return the section ``costs`` for the run in ``folder``; its schema is ``costs.schema.json``.

    Raises `jsonschema.ValidationError` if the run's files do not have the required contents.
    """
    path = folder / STATIC_FILE
    static: dict[str, Any] = (
        json.loads(path.read_text(encoding="utf-8"))
        if path.exists()
        else {"reason": NOT_BUILT_HERE, "counter": None, "interpreter": None, "bindings": {}}
    )
    observed = read_cold(folder)
    section = {
        "static_reason": static["reason"],
        "cold_reason": None if observed else "no process has finished",
        "counter": static["counter"],
        "build_interpreter": static["interpreter"],
        "bindings": [_binding(name, entry) for name, entry in sorted(static["bindings"].items())],
        "cold": [
            _start(label, name, entries)
            for label, by_name in sorted(observed.items())
            for name, entries in sorted(by_name.items())
        ],
    }
    jsonschema.validate(section, schema())
    return section


def schema() -> dict[str, Any]:
    """Return the schema of the section; it has an ``$id``, so that another schema can contain it unchanged."""
    return dict(json.loads(files("cside_bench.summary").joinpath("costs.schema.json").read_text(encoding="utf-8")))


def _binding(name: str, static: Mapping[str, Any]) -> dict[str, Any]:
    """Return the static costs of one binding; the list of files stays in the run's folder."""
    build = static["build"]
    return {
        "binding": name,
        "distribution": static["distribution"],
        "lines": static["lines"]["groups"] if static["lines"] is not None else None,
        "written_by_tools": build["written_by_tools"] if build is not None else None,
        **{
            name: _builds(build[key]) if build is not None else None
            for name, key in (
                ("clean_build_s", "clean_seconds"),
                ("clean_build_cpu_s", "clean_cpu_seconds"),
                ("rebuild_s", "rebuild_seconds"),
                ("rebuild_cpu_s", "rebuild_cpu_seconds"),
            )
        },
        "rebuild_edited": build["rebuild_edited"] if build is not None else None,
        "build_variants_compiled": build["variants_compiled"] if build is not None else None,
        "wheels": [{"interpreter": label, **wheel} for label, wheel in sorted(static["wheels"].items())],
        "coverage": static["coverage"],
        "requirements": static["requirements"],
        "reasons": static["reasons"],
    }


def _builds(seconds: Sequence[float | None]) -> dict[str, float | int] | None:
    found = spread(seconds)
    return {("builds" if name == "processes" else name): value for name, value in found.items()} if found else None


def _start(label: str, name: str, entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the cold costs of one subject on one interpreter."""
    good = [entry for entry in entries if "failed" not in entry]
    binding, _, variant = name.partition(".")

    def figure(what: str) -> dict[str, Any]:
        if not name:  # the baseline has other steps than the nouns
            steps = {step["step"]: None for entry in good for step in entry["together"]["steps"]}
            return {step: spread([_step(entry["together"], step, what) for entry in good]) for step in steps}
        alone = {noun: spread([_step(entry["alone"].get(noun), noun, what) for entry in good]) for noun in NOUNS}
        return alone | {TOGETHER: spread([_total(entry["together"], what) for entry in good])}

    return {
        "interpreter": label,
        "subject": name,
        "binding": binding,
        "variant": variant,
        "processes": len(good),
        "failed": sorted({entry["failed"] for entry in entries if "failed" in entry}),
        "memory_source": next((entry["together"]["memory_source"] for entry in good), None),
        "import_ns": figure("ns"),
        "import_cpu_ns": figure("cpu_ns"),
        "modules": figure("modules"),
        **{f"grown_{what}": figure(what) for what in MEMORY},
        "imported": sorted(good[-1]["together"]["modules"]) if good else [],
        "first_call_ns": _calls(good, "first_ns"),
        "second_call_ns": _calls(good, "second_ns"),
        "clock_ns": spread([entry["together"]["clock_ns"] for entry in good]),
        "reasons": sorted(
            {
                f"{step['step']}: {step['reason']}"
                for entry in good
                for step in entry["together"]["steps"]
                if step["ns"] is None
            }
            | {f"{noun}: {reason}" for entry in good for noun, reason in entry.get("missing", {}).items()}
        ),
    }


def _step(process: Mapping[str, Any] | None, name: str, what: str) -> float | None:
    steps = process["steps"] if process is not None else []
    return next((step.get(what) for step in steps if step["step"] == name), None)


def _total(process: Mapping[str, Any], what: str) -> float | None:
    values = [step.get(what) for step in process["steps"] if step["ns"] is not None]
    return sum(values) if values and None not in values else None


def _calls(entries: Sequence[Mapping[str, Any]], what: str) -> dict[str, Any]:
    names = dict.fromkeys(call["call"] for entry in entries for call in entry["together"]["calls"])
    by_process = [{call["call"]: call[what] for call in entry["together"]["calls"]} for entry in entries]
    return {name: spread([values.get(name) for values in by_process]) for name in names}
