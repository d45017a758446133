# SPDX-License-Identifier: Apache-2.0
"""A run's processes in the formats of other tools: pyperf's and pytest-benchmark's.

Both tools judge a difference by the spread of the values they are given, as if each were a replicate. In a run only
processes are: so, unless every round is asked for, a process becomes one value, the median of its rounds.
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
    """Nothing can be exported, and why."""


@dataclass(frozen=True, slots=True)
class Series:
    """One cell in one process."""

    values: list[float]
    """Seconds per call: of each round, or one number, their median."""
    calls: int
    """Calls that a round's value is the mean of."""
    chunks_s: float
    """Seconds that all its rounds took."""


@dataclass(slots=True)
class Replicate:
    """One process; in isolated mode the processes of one block."""

    machine: dict[str, Any]
    started: datetime
    own: dict[str, Any]
    """What its file tells in the section ``cside``."""
    series: dict[Key, Series]


@dataclass(slots=True)
class Exportable:
    """All processes of one interpreter, without the cells that do not count."""

    label: str
    processes: list[Replicate]
    cells: dict[str, list[str]]
    """Workloads by subject: those that every process measured."""
    left_out: dict[Key, str]
    """Cells that are not exported, and why."""


@dataclass(frozen=True, slots=True)
class Way:
    """What a value is."""

    net: bool = True
    """With the empty loop subtracted, as all of our tables have it."""
    rounds: bool = False
    """Every round is a value, instead of one value per process."""

    def words(self) -> str:
        """For the metadata."""
        time = "net time per call, the empty loop subtracted" if self.net else "time per call, the loop included"
        return f"{time}; {'one value per round' if self.rounds else 'one value per process, the median of its rounds'}"


def read_exportables(folder: Path, way: Way, wanted: Selection) -> list[Exportable]:
    """The run in ``folder``, interpreter by interpreter. Raises :class:`ExportError` where nothing is selected."""
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
    """The first file of each process of an interpreter, in the order in which :func:`read_run` has them."""
    by_block: dict[str, Path] = {}
    for path in sorted((folder / "blocks").glob("*.json")):
        block = path.stem.partition("@")[0]
        if block.rpartition("-")[0] == label:
            by_block.setdefault(block, path)
    return list(by_block.values())


def replicate(path: Path, process: Process, way: Way, wanted: Selection) -> Replicate:
    """A process's series, with what the head of its file tells."""
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
    """Workloads by subject, and what is left out: void in one process, not in all of them, or not resolved in one."""
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
    """A name and a `pyperf.BenchmarkSuite` per subject; benchmarks are called as workloads, so that subjects line up.

    A process is a ``Run``. Raises `ImportError` where pyperf is not installed.
    """
    pyperf: Any = import_module("pyperf")  # optional, and without types
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
    """Metadata of one run, under pyperf's names where it has some, else under ``cside_…``."""
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
    """Metadata that all runs share."""
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
    """One file of pytest-benchmark's format: the given subjects of one interpreter.

    With ``own``, for a file of one subject, a benchmark is called as its workload, so that files of several subjects
    line up by name; else as the workload and the subject, so that files of several interpreters do. The group is
    always the workload.
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
    """One benchmark; its statistics are pytest-benchmark's own, over the values of all processes."""
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
    """JSON has no infinities: ``None`` for them."""
    return {name: number(it) if isinstance(it, float) and not np.isfinite(it) else it for name, it in values.items()}
