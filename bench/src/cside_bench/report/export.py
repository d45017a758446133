# SPDX-License-Identifier: Apache-2.0
"""Exports the processes of a run in the formats of pyperf and pytest-benchmark.

Both tools judge a difference by the spread of the values that they are given, as if each value were a replicate. In a
run only processes are replicates. Therefore one value is exported per process, the median of its rounds, unless every
round is asked for.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
from pytest_benchmark.stats import Stats

from cside_bench.results.digits import number
from cside_bench.results.rounds import RESOLUTION_NS, Key, Process, Sample, read_run
from cside_bench.results.selection import Selection

UNRESOLVED: Final = "not resolved: some value is less than a clock cycle"


class ExportError(Exception):
    """Nothing can be exported; the message says why."""


@dataclass(frozen=True, slots=True)
class Series:
    """The values of one cell in one process."""

    values: list[float]
    """Seconds per call, of each round or as their median alone."""
    calls: int
    """Number of calls that the value of a round is the mean of."""
    chunks_s: float
    """Seconds that all rounds took."""


@dataclass(slots=True)
class Replicate:
    """One process, or the processes among which a block is divided."""

    machine: dict[str, Any]
    started: datetime
    own: dict[str, Any]
    """The section ``cside`` of the process's file."""
    series: dict[Key, Series]


@dataclass(slots=True)
class Exportable:
    """All processes of one interpreter, without void cells."""

    label: str
    processes: list[Replicate]
    cells: dict[str, list[str]]
    """Workloads that every process measured, by subject."""
    left_out: dict[Key, str]
    """Cells that are not exported, with the reason."""


@dataclass(frozen=True, slots=True)
class Way:
    """The meaning of an exported value."""

    net: bool = True
    """Whether the time of the empty loop is subtracted, as in all tables of a report."""
    rounds: bool = False
    """Whether every round is a value, rather than every process."""

    def words(self) -> str:
        """Describe the values, for the metadata."""
        time = "net time per call, the empty loop subtracted" if self.net else "time per call, the loop included"
        return f"{time}; {'one value per round' if self.rounds else 'one value per process, the median of its rounds'}"


def read_exportables(folder: Path, way: Way, wanted: Selection) -> list[Exportable]:
    """Read the run in ``folder``, by interpreter. Raises :class:`ExportError` if no timed cell is selected."""
    found = []
    for label, sample in read_run(folder).items():
        if wanted.interpreter(label):
            replicates = [
                replicate(path, process, way, wanted)
                for path, process in zip(first_files(folder, label), sample.processes, strict=True)
            ]
            chosen, left_out = choose(sample, replicates, wanted)
            if chosen:
                found.append(Exportable(label, replicates, chosen, left_out))
    if not found:
        selected = f" among {wanted.words()}" if wanted.words() else ""
        raise ExportError(f"{folder.name} has no timed cell that counts{selected}")
    return found


def first_files(folder: Path, label: str) -> list[Path]:
    """Return the first file of each process of an interpreter, in the order of :func:`read_run`."""
    by_block: dict[str, Path] = {}
    for path in sorted((folder / "blocks").glob("*.json")):
        block = path.stem.partition("@")[0].partition("+")[0]
        if block.rpartition("-")[0] == label:
            by_block.setdefault(block, path)
    return list(by_block.values())


def replicate(path: Path, process: Process, way: Way, wanted: Selection) -> Replicate:
    """Return the series of a process, with the metadata from the head of its file."""
    document = json.loads(path.read_text(encoding="utf-8"))
    series = {}
    for key, raw in process.raw.items():
        if wanted.cell(*key):
            seconds = (process.net[key] if way.net else raw) * 1e-9
            values = seconds.tolist() if way.rounds else [float(np.median(seconds))]
            calls = process.iterations[key]
            series[key] = Series(values, calls, float(raw.sum()) * 1e-9 * calls)
    started = datetime.fromisoformat(document["datetime"]).astimezone(UTC)
    return Replicate(document["machine_info"], started, document["cside"], series)


def choose(
    sample: Sample, processes: list[Replicate], wanted: Selection
) -> tuple[dict[str, list[str]], dict[Key, str]]:
    """Return workloads by subject, and the cells left out: void or unresolved in a process, or missing in one."""
    left_out = {key: f"void: {reason}" for key, reason in sample.void.items() if wanted.cell(*key)}
    chosen: dict[str, list[str]] = {}
    for workload, subject in sorted({key for process in processes for key in process.series}):
        key = (workload, subject)
        if key in left_out:
            continue
        there = [process.series[key] for process in processes if key in process.series]
        if len(there) < len(processes):
            left_out[key] = f"measured in {len(there)} of {len(processes)} processes"
        elif min(min(it.values) for it in there) * 1e9 < RESOLUTION_NS:
            left_out[key] = UNRESOLVED
        else:
            chosen.setdefault(subject, []).append(workload)
    return chosen, left_out


def pyperf_files(exportable: Exportable, facts: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield a name and a `pyperf.BenchmarkSuite` per subject, with one ``Run`` per process.

    Benchmarks have the names of workloads, so that the files of several subjects can be compared.
    """
    pyperf: Any = import_module("pyperf")  # imported where it is needed, and without types
    for subject, workloads in exportable.cells.items():
        benchmarks = []
        for workload in workloads:
            runs = [
                pyperf.Run(
                    process.series[(workload, subject)].values,
                    metadata=pyperf_metadata(process, (workload, subject), facts),
                    collect_metadata=False,
                )
                for process in exportable.processes
            ]
            benchmarks.append(pyperf.Benchmark(runs))
        yield f"{exportable.label}-{subject}", pyperf.BenchmarkSuite(benchmarks)


def pyperf_metadata(process: Replicate, key: Key, facts: dict[str, Any]) -> dict[str, Any]:
    """Return the metadata of one ``Run``, under pyperf's names where they exist, else under ``cside_…``."""
    machine, series = process.machine, process.series[key]
    load = process.own.get("load_average")
    found = {
        "name": key[0],
        "unit": "second",
        "loops": series.calls,
        "inner_loops": 1,
        "duration": series.chunks_s,
        "date": process.started.strftime("%Y-%m-%d %H:%M:%S.%f"),
        "timer": "time.perf_counter_ns()",
        "load_avg_1min": load[0] if load else None,
        "python_implementation": machine["python_implementation"].lower(),
        "python_version": machine["python_version"],
        "python_compiler": machine["python_compiler"],
        "platform": f"{machine['system']}-{machine['release']}-{machine['machine']}",
        "cside_subject": key[1],
        "cside_process_seed": process.own.get("seed"),
        "cside_engine_version": process.own.get("engine_version"),
        **facts,
    }
    return {name: value for name, value in found.items() if value not in (None, "")}


def facts_for_pyperf(run: str, plan: dict[str, Any], environment: dict[str, Any], way: Way) -> dict[str, Any]:
    """Return the metadata that all ``Run`` objects share."""
    machine = environment.get("machine", {})
    return {
        "cpu_count": machine.get("cpus"),
        "cpu_model_name": machine.get("cpu"),
        "aslr": {"0": "No randomization", "1": "Conservative randomization", "2": "Full randomization"}.get(
            str(machine.get("aslr"))
        ),
        "cpu_affinity": ",".join(map(str, machine.get("affinity") or [])),
        "cside_run": run,
        "cside_tier": plan["tier"],
        "cside_seed": plan["seed"],
        "cside_commit": environment.get("commit"),
        "cside_library_sha256": plan["library_sha256"],
        "cside_values": way.words(),
    }


def pytest_document(exportable: Exportable, subjects: list[str], run: str, way: Way, *, own: bool) -> dict[str, Any]:
    """Return a file of pytest-benchmark's format with the given subjects of one interpreter.

    With ``own``, for a file of one subject, the name of a benchmark is its workload, so that files of several subjects
    can be compared by name. Otherwise the name is the workload and the subject, so that files of several interpreters
    can be compared. The group is always the workload.
    """
    first = exportable.processes[0]
    return {
        "machine_info": {**first.machine, "node": ""},
        "commit_info": {},
        "benchmarks": [
            pytest_entry(exportable, (workload, subject), way, own=own)
            for subject in subjects
            for workload in exportable.cells[subject]
        ],
        "datetime": first.started.isoformat(),
        "version": first.own.get("pytest_benchmark", ""),
        "cside": {"run": run, "interpreter": exportable.label, "values": way.words()},
    }


def pytest_entry(exportable: Exportable, key: Key, way: Way, *, own: bool) -> dict[str, Any]:
    """Return one benchmark; pytest-benchmark's own class computes its statistics over the values of all processes."""
    workload, subject = key
    series = [process.series[key] for process in exportable.processes]
    stats: Any = Stats()  # type: ignore[no-untyped-call]  # pytest-benchmark has no types
    for it in series:
        for value in it.values:
            stats.update(value)
    return {
        "group": workload,
        "name": workload if own else f"{workload} {subject}",
        "fullname": f"{workload}::{subject}",
        "params": {"subject": subject, "interpreter": exportable.label},
        "param": subject,
        "extra_info": {"workload": workload, "subject": subject, "processes": len(series), "values": way.words()},
        "options": {
            "disable_gc": True,
            "timer": "perf_counter_ns",
            "min_rounds": 1,
            "max_time": 0.0,
            "min_time": 0.0,
            "warmup": True,
        },
        "stats": finite(stats.as_dict()) | {"data": stats.data, "iterations": series[0].calls},
    }


def finite(values: dict[str, Any]) -> dict[str, Any]:
    """Replace infinities and NaN by ``None``, since JSON has none."""
    return {name: number(it) if isinstance(it, float) and not np.isfinite(it) else it for name, it in values.items()}
