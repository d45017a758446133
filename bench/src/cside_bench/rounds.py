"""The raw rounds of a run, read back: per interpreter, per process, per workload and subject."""

import json
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Key = tuple[str, str]
"""(workload, subject)."""

RESOLUTION_NS = 0.3
"""A net time below this is one clock cycle or less: the call was compiled away, and no ratio is taken to it."""


@dataclass(slots=True)
class Process:
    """One measuring process. Arrays have one element per round that the workload took part in; ns per call."""

    raw: dict[Key, Array] = field(default_factory=dict)
    net: dict[Key, Array] = field(default_factory=dict)
    """With the empty loop of the same chunk subtracted."""

    def ratio(self, key: Key, reference: Key) -> float:
        """Median over rounds of the paired ratio of net times; NaN where either is missing or not resolved."""
        mine, other = self.net.get(key), self.net.get(reference)
        if mine is None or other is None or min(np.median(mine), np.median(other)) < RESOLUTION_NS:
            return float("nan")
        if key[0] != reference[0]:  # different workloads took part in different rounds
            return float(np.median(mine) / np.median(other))
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.median(mine / other))

    def median_net(self, key: Key) -> float:
        """Median over rounds; NaN where there is none."""
        return float(np.median(self.net[key])) if key in self.net else float("nan")


@dataclass(slots=True)
class Sample:
    """All processes of one interpreter."""

    label: str
    processes: list[Process] = field(default_factory=list)
    gil: dict[Key, str] = field(default_factory=dict)
    void: dict[Key, str] = field(default_factory=dict)
    """Why a cell does not count: it does in no process, once it failed in one."""
    skips: dict[Key, str] = field(default_factory=dict)
    engines: set[str] = field(default_factory=set)
    inside: dict[Key, list[float]] = field(default_factory=dict)
    """Share of a call's time that passes inside a PKCS #11 module, one number a process."""
    loads: list[float] = field(default_factory=list)
    """Load average at the end of each process."""

    def keys(self) -> list[Key]:
        """Every cell, valid or void."""
        found = dict.fromkeys(self.void)
        for process in self.processes:
            found |= dict.fromkeys(process.net)
        return sorted(found)


def read_block(path: Path, sample: Sample) -> None:
    """Add one process's file to its interpreter's sample."""
    document = json.loads(path.read_text(encoding="utf-8"))
    process = Process()
    for entry in document["benchmarks"]:
        extra = entry["extra_info"]
        key = (extra["workload"], extra["subject"])
        raw = np.asarray(entry["stats"]["data"]) * 1e9
        process.raw[key] = raw
        process.net[key] = raw - np.asarray(extra["empty"]) * 1e9
        sample.gil[key] = extra["gil"]
        if "inside" in extra:
            sample.inside.setdefault(key, []).append(extra["inside"])
    own = document["cside"]
    for entry in own["void"]:
        key = (entry["workload"], entry["subject"])
        sample.void.setdefault(key, entry["reason"])
        sample.gil.setdefault(key, entry["gil"])
    for entry in own["skips"]:
        sample.skips[(entry["workload"], entry["subject"])] = entry["reason"]
    sample.engines.add(own["engine_version"])
    if own["load_average"]:
        sample.loads.append(own["load_average"][0])
    sample.processes.append(process)


def read_run(folder: Path) -> dict[str, Sample]:
    """All samples of a run by the interpreter's label, as far as its blocks are done."""
    samples: dict[str, Sample] = {}
    for path in sorted((folder / "blocks").glob("*.json")):
        label = path.stem.rpartition("-")[0]
        read_block(path, samples.setdefault(label, Sample(label)))
    crashes = folder / "crashes.json"
    for entry in json.loads(crashes.read_text(encoding="utf-8")) if crashes.exists() else []:
        if entry["interpreter"] in samples:
            samples[entry["interpreter"]].void[(entry["workload"], entry["subject"])] = entry["reason"]
    return samples


def read_imports(folder: Path) -> dict[str, dict[str, list[float]]]:
    """ns of each import in a fresh process, by the interpreter's label and the binding's name."""
    found: dict[str, dict[str, list[float]]] = {}
    for path in sorted((folder / "imports").glob("*.json")):
        by_name = found.setdefault(path.stem.rpartition("-")[0], {})
        for entry in json.loads(path.read_text(encoding="utf-8")):
            by_name.setdefault(entry["subject"], []).append(entry["ns"])
    return found
