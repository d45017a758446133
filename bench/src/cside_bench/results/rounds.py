"""The raw rounds of a run, read back: per interpreter, per process, per workload and subject."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray



Array = NDArray[np.float64]
ANCHOR = "anchor"
"""Subject beside each workload of an isolated process; see :mod:`cside_suite.process.rounds`."""
Key = tuple[str, str]
"""(workload, subject)."""

RESOLUTION_NS = 0.3
"""A net time below this is one clock cycle or less: the call was compiled away, and no ratio is taken to it."""


@dataclass(slots=True)
class Process:
    """One measuring process. Arrays have one element per round that the workload took part in; ns per call.

    In isolated mode it stands for the processes of one block, one for each binding, whose times are those of the
    anchor of the same round times a common factor; ratios are then of medians, since rounds have no pairs.
    """

    paired: bool = True
    raw: dict[Key, Array] = field(default_factory=dict)
    net: dict[Key, Array] = field(default_factory=dict)
    """With the empty loop of the same chunk subtracted."""
    warm: dict[Key, Array] = field(default_factory=dict)
    """ns per call of each chunk before the rounds, in order, from the very first on; the loop included."""
    first: dict[Key, float] = field(default_factory=dict)
    """ns of the first call in the process."""
    iterations: dict[Key, int] = field(default_factory=dict)
    """Calls in a chunk."""
    number: dict[Key, Array] = field(default_factory=dict)
    """Of the round."""
    position: dict[Key, Array] = field(default_factory=dict)
    """Place among the chunks of the workload in that round, from 0."""
    latency: dict[Key, dict[str, Any]] = field(default_factory=dict)
    """Calls timed one by one, as :mod:`cside_suite.process.calls_singly` keeps them."""

    def ratio(self, key: Key, reference: Key) -> float:
        """Median over rounds of the paired ratio of net times; NaN where either is missing or not resolved."""
        mine, other = self.net.get(key), self.net.get(reference)
        if mine is None or other is None or min(np.median(mine), np.median(other)) < RESOLUTION_NS:
            return float("nan")
        if key[0] != reference[0] or not self.paired:  # different workloads took part in different rounds
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
    anchors: dict[str, float] = field(default_factory=dict)
    """In isolated mode, ns of the anchor by workload, in the process that was read first."""

    def keys(self) -> list[Key]:
        """Every cell, valid or void."""
        found = dict.fromkeys(self.void)
        for process in self.processes:
            found |= dict.fromkeys(process.net)
        return sorted(found)


def read_block(path: Path, sample: Sample, process: Process) -> None:
    """Add one file to its process, and to its interpreter's sample."""
    document = json.loads(path.read_text(encoding="utf-8"))
    own = document["cside"]
    alone = own.get("alone", "")
    net: dict[Key, Array] = {}
    for entry in document["benchmarks"]:
        extra = entry["extra_info"]
        key = (extra["workload"], extra["subject"])
        raw = np.asarray(entry["stats"]["data"]) * 1e9
        net[key] = raw - np.asarray(extra["empty"]) * 1e9
        if alone and key in process.net:  # a reference, which each of the processes has: the first one's counts
            continue
        process.raw[key] = raw
        process.warm[key] = np.asarray(extra.get("warm", ())) * 1e9
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
    if alone:
        process.paired = False
        anchored(net, sample)
    process.net |= {key: values for key, values in net.items() if key not in process.net}
    for entry in own["void"]:
        key = (entry["workload"], entry["subject"])
        sample.void.setdefault(key, entry["reason"])
        sample.gil.setdefault(key, entry["gil"])
    for entry in own["skips"]:
        sample.skips[(entry["workload"], entry["subject"])] = entry["reason"]
    sample.engines.add(own["engine_version"])
    if own["load_average"]:
        sample.loads.append(own["load_average"][0])


def anchored(net: dict[Key, Array], sample: Sample) -> None:
    """Bring times of a process that holds one binding to the speed of the interpreter's first one, by its anchors."""
    for key in list(net):
        anchor = net.get((key[0], ANCHOR))
        if anchor is not None and key[1] != ANCHOR:
            common = sample.anchors.setdefault(key[0], float(np.median(anchor)))
            net[key] = net[key] / anchor * common
    for key in [key for key in net if key[1] == ANCHOR]:
        del net[key]


def read_run(folder: Path) -> dict[str, Sample]:
    """All samples of a run by the interpreter's label, as far as its blocks are done."""
    samples: dict[str, Sample] = {}
    processes: dict[str, Process] = {}
    for path in sorted((folder / "blocks").glob("*.json")):
        block = path.stem.partition("@")[0]
        sample = samples.setdefault(label := block.rpartition("-")[0], Sample(label))
        if block not in processes:
            processes[block] = Process()
            sample.processes.append(processes[block])
        read_block(path, sample, processes[block])
    crashes = folder / "crashes.json"
    for entry in json.loads(crashes.read_text(encoding="utf-8")) if crashes.exists() else []:
        if entry["interpreter"] in samples:
            samples[entry["interpreter"]].void[(entry["workload"], entry["subject"])] = entry["reason"]
    return samples
