"""Reads the raw rounds of a run, by interpreter, process, workload and subject."""

import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from cside_suite.subjects.names import SINGLE
from numpy.typing import NDArray

Array = NDArray[np.float64]
Key = tuple[str, str]
"""(workload, subject)."""

RESOLUTION_NS = 0.3
"""Least net time in ns to which ratios are computed. A shorter call, of a clock cycle or less, was compiled away."""


def median(values: Array) -> float:
    """Return the median of a few values, NaN if one of them is; numpy's takes 25 µs, a million times."""
    ordered = np.sort(values)
    if not len(ordered) or math.isnan(ordered[-1]):
        return math.nan
    half = len(ordered) // 2
    return float(ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2)


@dataclass(slots=True)
class Process:
    """The measurements of one replicate: a process, or the processes among which a block is divided.
    Arrays are ns per call, with one element for each round that included the workload.

    A block may be divided by workloads, and by bindings that measure in turns, so that rounds of one number are paired
    between their processes too (:mod:`cside_bench.run.turns`).
    """

    raw: dict[Key, Array] = field(default_factory=dict)
    """Times including the loop."""
    net: dict[Key, Array] = field(default_factory=dict)
    """Times minus those of the empty loop of the same chunk."""
    warm: dict[Key, Array] = field(default_factory=dict)
    """ns per call of each chunk before the rounds, in order from the first chunk on, including the loop."""
    first: dict[Key, float] = field(default_factory=dict)
    """ns of the first call in the process."""
    iterations: dict[Key, int] = field(default_factory=dict)
    """Number of calls in a chunk."""
    warm_calls: dict[Key, Array] = field(default_factory=dict)
    """Number of calls in each chunk before the rounds, where they differ."""
    settling: dict[Key, int] = field(default_factory=dict)
    """Number of the last chunks before the rounds that ran in turns with other cells; 0 where it is missing."""
    agreed: dict[Key, bool] = field(default_factory=dict)
    """Whether the last windows of a warm-up by calls agreed."""
    number: dict[Key, Array] = field(default_factory=dict)
    """Numbers of the rounds."""
    position: dict[Key, Array] = field(default_factory=dict)
    """Place of the cell's chunk among the chunks of the workload in each round, from 0."""
    latency: dict[Key, dict[str, Any]] = field(default_factory=dict)
    """Sketches of calls timed one by one, as :mod:`cside_suite.process.calls_singly` writes them."""
    work: dict[Key, tuple[str | None, dict[str, list[int]]]] = field(default_factory=dict)
    """Digest of the results of a cell whose binding had a process of its own, and its calls of native functions."""
    reference: str = ""
    """The binding to which ratios refer, where bindings have processes of their own."""
    _medians: dict[Key, float] = field(default_factory=dict)
    _paired: dict[tuple[Key, Key], Array] = field(default_factory=dict)

    def ratio(self, key: Key, reference: Key) -> float:
        """Median over rounds of the paired ratio of net times; NaN if either is missing or below the resolution."""
        mine, other = self.median_net(key), self.median_net(reference)
        if not min(mine, other) >= RESOLUTION_NS:
            return math.nan
        if key[0] != reference[0]:  # different workloads are part of different rounds
            return mine / other
        return median(self.rounds_of(key, reference))

    def rounds_of(self, key: Key, reference: Key) -> Array:
        """Return the ratios of two cells of a workload, one for each round; empty if one has rounds of its own."""
        found = self._paired.get((key, reference))
        if found is None:
            mine, other = self.net.get(key), self.net.get(reference)
            if mine is None or other is None or len(mine) != len(other):
                found = np.empty(0)
            else:
                with np.errstate(divide="ignore", invalid="ignore"):
                    found = mine / other
            self._paired[(key, reference)] = found
        return found

    def median_net(self, key: Key) -> float:
        """Return the median net time over rounds; NaN if the cell was not measured."""
        if key not in self.net:
            return math.nan
        found = self._medians.get(key)
        if found is None:
            found = self._medians[key] = median(self.net[key])
        return found


@dataclass(slots=True)
class Sample:
    """The measurements of all processes of one interpreter."""

    label: str
    processes: list[Process] = field(default_factory=list)
    gil: dict[Key, str] = field(default_factory=dict)
    """What each cell's call does with the GIL: ``held``, ``released`` or ``none``."""
    void: dict[Key, str] = field(default_factory=dict)
    """Reasons of void cells. A cell that failed in one process is void in all of them."""
    unsteady: dict[Key, str] = field(default_factory=dict)
    """Reasons of cells that were measured and are not steady, which have no ratio; see
    :mod:`cside_bench.summary.steady`, which finds them.
    """
    single: dict[str, str] = field(default_factory=dict)
    """Why a binding cannot be loaded twice that declares so, by the name of the twin that is missing. It is no cell."""
    skips: dict[Key, str] = field(default_factory=dict)
    """Reasons that subjects declare for workloads which they cannot run."""
    engines: set[str] = field(default_factory=set)
    inside: dict[Key, list[float]] = field(default_factory=dict)
    """Share of a call's time spent inside a PKCS #11 module, one number per process."""
    freed: int = 0
    """Compiled loops and bridges that PyPy freed in all processes."""
    compiled: int = 0
    """Compiled loops and bridges of all processes."""
    loads: list[float] = field(default_factory=list)
    """Load average at the end of each process."""

    def usable(self, key: Key) -> bool:
        """Whether a cell's times may be compared: it is neither void nor unsteady."""
        return key not in self.void and key not in self.unsteady

    def cells(self) -> list[Key]:
        """Return the keys of all cells, valid and void, in order."""
        found = dict.fromkeys(self.void)
        for process in self.processes:
            found |= dict.fromkeys(process.net)
        return sorted(found)


def read_block(path: Path, sample: Sample, process: Process) -> None:
    """Add the contents of one block's file to its process and to its interpreter's sample.

    Raises `ValueError` for a file of an earlier version whose process had one binding and did not measure in turns.
    """
    document = json.loads(path.read_text(encoding="utf-8"))
    facts = document["cside"]
    alone = facts.get("alone", "")
    if alone and not facts.get("in_turns"):
        raise ValueError(
            f"{path.name} has one binding, and did not measure in turns with those of others: measure anew"
        )
    process.reference = facts.get("reference", "")
    for entry in document["benchmarks"]:
        extra = entry["extra_info"]
        key = (extra["workload"], extra["subject"])
        raw = np.asarray(entry["stats"]["data"]) * 1e9
        process.raw[key] = raw
        process.net[key] = raw - np.asarray(extra["empty"]) * 1e9
        if alone == key[1]:
            process.work[key] = (extra.get("digest"), extra.get("counts", {}))
        process.warm[key] = np.asarray(extra.get("warm", ())) * 1e9
        if "warm_calls" in extra:
            process.warm_calls[key] = np.asarray(extra["warm_calls"], dtype=np.float64)
            process.agreed[key] = extra["warm_agreed"]
        process.settling[key] = extra.get("settling", 0)
        process.first[key] = extra.get("first", np.nan) * 1e9
        process.iterations[key] = entry["stats"]["iterations"]
        if "positions" in extra:
            process.number[key] = np.asarray(extra["rounds"], dtype=np.float64)
            process.position[key] = np.asarray(extra["positions"], dtype=np.float64)
        if "latency" in extra:
            process.latency[key] = extra["latency"]
        sample.gil[key] = extra["gil"]
        if "inside" in extra:
            sample.inside.setdefault(key, []).append(extra["inside"])
    for entry in facts["void"]:
        if entry["reason"].startswith(SINGLE):
            sample.single[entry["subject"]] = entry["reason"]
            continue
        key = (entry["workload"], entry["subject"])
        sample.void.setdefault(key, entry["reason"])
        sample.gil.setdefault(key, entry["gil"])
    for entry in facts["skips"]:
        sample.skips[(entry["workload"], entry["subject"])] = entry["reason"]
    sample.engines.add(facts["engine_version"])
    jit = facts.get("jit", {})
    sample.freed += jit.get("freed_loops", 0) + jit.get("freed_bridges", 0)
    sample.compiled += jit.get("compiled_loops", 0) + jit.get("compiled_bridges", 0)
    if facts["load_average"]:
        sample.loads.append(facts["load_average"][0])


def compare_work(process: Process, sample: Sample) -> None:
    """Void the cells that did other work than the reference's in the same block, where each had a process of its own.

    Processes of a block draw the same values. Where bindings share a process, it compares them itself.
    """
    reference = process.reference
    for key, (digest, counts) in process.work.items():
        known = process.work.get((key[0], reference))
        if known is None:
            continue
        unequal = sorted(name for name in counts.keys() | known[1].keys() if counts.get(name) != known[1].get(name))
        if digest != known[0]:
            sample.void.setdefault(key, f"result differs from that of {reference}")
        elif unequal:
            sample.void.setdefault(key, f"unequal native work: other calls of {', '.join(unequal)} than {reference}")


def read_run(folder: Path) -> dict[str, Sample]:
    """Read the samples of a run by the interpreter's label, from the blocks that are complete."""
    samples: dict[str, Sample] = {}
    processes: dict[str, Process] = {}
    for path in sorted((folder / "blocks").glob("*.json")):
        block = path.stem.partition("@")[0].partition("+")[0]
        sample = samples.setdefault(label := block.rpartition("-")[0], Sample(label))
        if block not in processes:
            processes[block] = Process()
            sample.processes.append(processes[block])
        read_block(path, sample, processes[block])
    for sample in samples.values():
        for process in sample.processes:
            compare_work(process, sample)
    crashes = folder / "crashes.json"
    for entry in json.loads(crashes.read_text(encoding="utf-8")) if crashes.exists() else []:
        if entry["interpreter"] in samples:
            samples[entry["interpreter"]].void[(entry["workload"], entry["subject"])] = entry["reason"]
    return samples


def whole_bindings(folder: Path, label: str) -> frozenset[str]:
    """Return the bindings and variants with the whole contract, as the calibration of an interpreter found them."""
    path = folder / "calibration" / f"{label}.json"
    if not path.exists():
        return frozenset()
    return frozenset(json.loads(path.read_text(encoding="utf-8")).get("whole", ()))
