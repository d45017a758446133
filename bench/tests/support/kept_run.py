# SPDX-License-Identifier: Apache-2.0
"""The kept run with changes: fewer interpreters, subjects or workloads, gaps, void cells, other tiers, other machines.

A :class:`Shape` names the changes. They are made to the raw files, and everything else is computed from these by cside,
so that all files of a run agree with each other. What was computed once is kept in ``.cside`` of the checkout, for
these sources and these files.
"""

import functools
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final
from unittest import mock

import cside_bench
import cside_suite
from cside_bench.claims import judging
from cside_bench.recommend import document as recommendations
from cside_bench.results.evidence import Run
from cside_bench.summary import build
from repository import ROOT
from synthetic_drill import drill

KEPT: Final = ROOT / "bench" / "tests" / "kept_run"
CACHE: Final = ROOT / ".cside" / "kept-run"
MARKUP: Final = 'exit code -11: <lambda> & "x"</script>'
"""The reason of every gap and void cell that a shape makes: a page that forgets to escape one breaks."""
CPYTHON: Final = "cpython-3.14"
PYPY: Final = "pypy-3.11"
WHOLE: Final = ("cext", "cffi", "cffi.abi", "ctypes", "cython", "swig")
OTHERS: Final = (
    *("cext.abi3", "ctypes.bare", "cython.limited"),
    *("floor.direct", "floor.ffi", "floor.shim", "stdlib", "PyKCS11", "empty-builtin", "twin", "relinked", "delayed"),
)
COMPUTED: Final = ("models", "steady", "threads", "costs", "targets")
"""Sections of ``summary.json``."""
WRITTEN: Final = ("claims", "recommendations", "drill")
"""Files that are argued from the summary."""
ALL_SECTIONS: Final = frozenset({*COMPUTED, *WRITTEN, "latency", "inside"})
RAW: Final = ("blocks", "threads", "cold")


@dataclass(frozen=True, slots=True)
class Shape:
    """What a run holds. ``sections`` are those of :data:`ALL_SECTIONS` that it has; no ``workloads`` are all.

    Every interpreter is trusted but for the ``untrusted``. In ``lacking`` and ``void`` are subjects and workloads.
    """

    labels: tuple[str, ...] = (CPYTHON, PYPY)
    whole: tuple[str, ...] = WHOLE
    others: tuple[str, ...] = OTHERS
    workloads: tuple[str, ...] = ()
    tier: str = "default"
    untrusted: tuple[str, ...] = ()
    sections: frozenset[str] = field(default=ALL_SECTIONS)
    machine: str | None = None
    run: str = "20261121-120000"
    lacking: tuple[tuple[str, str], ...] = (("cffi", "idioms.spin_held[1]"),)
    void: tuple[tuple[str, str], ...] = (("swig", "idioms.bytes_sum[bytes]"),)
    multiplied: bool = False
    """Whether it is made large; see :func:`multiply`."""

    @property
    def processes(self) -> int:
        """Of each interpreter; the quick tier has three, which are too few for verdicts."""
        return 3 if self.tier == "quick" else 7

    @property
    def text(self) -> str:
        """The shape as text, the same in every process."""
        return str(asdict(self) | {"sections": sorted(self.sections)})

    def has(self, workload: str, subject: str) -> bool:
        """Whether a cell is measured."""
        return (
            subject in (*self.whole, *self.others)
            and (not self.workloads or workload in self.workloads)
            and (subject, workload) not in self.lacking
            and (subject, workload) not in self.void
        )


def write_kept_run(folder: Path, shape: Shape | None = None) -> Path:
    """Write the run of a shape into ``folder / shape.run``; return that."""
    shape = shape or Shape()

    def make(into: Path) -> None:
        write_raw(into / shape.run, shape)
        compute(into / shape.run, shape)

    return Path(shutil.copytree(made_once(shape.text, make) / shape.run, folder / shape.run))


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """A folder that ``make`` fills; one that is there already, for the same name, sources and kept files, is taken.

    Nobody may write into it: other tests, and other processes, take the same one.
    """
    known = CACHE / digest() / hashlib.sha256(name.encode()).hexdigest()[:16]
    if not known.is_dir():
        for old in CACHE.glob("*"):
            if old.name != digest():
                shutil.rmtree(old, ignore_errors=True)
        partial = known.with_name(f"{known.name}.{os.getpid()}")
        make(partial)
        try:
            partial.rename(known)
        except OSError:  # another process was faster
            shutil.rmtree(partial)
    return known


@functools.cache
def digest() -> str:
    """SHA-256 over what a computed run depends on."""
    total = hashlib.sha256()
    folders = [Path(str(package.__file__)).parent for package in (cside_bench, cside_suite)]
    for folder in (*folders, KEPT, Path(__file__).parent):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                total.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return total.hexdigest()[:16]


def read(path: Path) -> Any:
    """A JSON document."""
    return json.loads(path.read_text(encoding="utf-8"))


def write(path: Path, document: Any) -> None:
    """A JSON document."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")


def edit(path: Path, change: Callable[[Any], None]) -> None:
    """Let a function change a document in place."""
    document = read(path)
    change(document)
    write(path, document)


def write_raw(folder: Path, shape: Shape) -> None:
    """The raw files, as the driver leaves them."""
    plan = read(KEPT / "run.json")
    plan |= {
        "tier": shape.tier,
        "reference": shape.whole[0],
        "interpreters": [it for it in plan["interpreters"] if it["label"] in shape.labels],
        "blocks": [it for it in plan["blocks"] if it["interpreter"] in shape.labels and it["number"] < shape.processes],
    }
    write(folder / "run.json", plan)
    environment = read(KEPT / "environment.json")
    environment["interpreters"] = [it for it in environment["interpreters"] if it["label"] in shape.labels]
    environment["machine"] |= {"name": shape.machine} if shape.machine else {}
    write(folder / "environment.json", environment)
    if "costs" in shape.sections:
        shutil.copy(KEPT / "costs.json", folder)
    for label in shape.labels:
        pilot = read(KEPT / "calibration" / f"{label}.json")
        write(folder / "calibration" / f"{label}.json", {"whole": [it for it in pilot["whole"] if it in shape.whole]})
        for kind in RAW:
            for path in sorted((KEPT / kind).glob(f"{label}-*.json"))[: shape.processes]:
                if found := SELECTIONS[kind](read(path), shape):
                    write(folder / kind / path.name, found)


def block(document: dict[str, Any], shape: Shape) -> dict[str, Any]:
    """The cells of a process that a shape has."""
    entries = document["benchmarks"]
    document["benchmarks"] = []
    own = document["cside"]
    own["skips"] = [it for it in own["skips"] if shape.has(it["workload"], it["subject"])]
    own["skips"] += [
        {"workload": workload, "subject": subject, "reason": f"lacks it: {MARKUP}"}
        for subject, workload in shape.lacking
        if subject in (*shape.whole, *shape.others) and workload in (shape.workloads or (workload,))
    ]
    for entry in entries:
        extra = entry["extra_info"]
        key = (extra["subject"], extra["workload"])
        if key in shape.void:
            own["void"].append({"workload": key[1], "subject": key[0], "gil": extra["gil"], "reason": MARKUP})
        if shape.has(extra["workload"], extra["subject"]):
            entry["extra_info"] = {
                name: value
                for name, value in extra.items()
                if name not in ("latency", "inside") or name in shape.sections
            }
            document["benchmarks"].append(entry)
    return document


def threads(document: dict[str, Any], shape: Shape) -> dict[str, Any]:
    """Calls in threads."""
    for process in document["processes"]:
        process["subjects"] = [it for it in process["subjects"] if it in shape.whole]
        process["cells"] = [it for it in process["cells"] if it["subject"] in (*shape.whole, "native")]
    return document if "threads" in shape.sections else {}


def cold(document: list[dict[str, Any]], shape: Shape) -> list[dict[str, Any]]:
    """Starts of interpreters."""
    wanted = ("", *shape.whole) if "costs" in shape.sections else ()
    return [it for it in document if it["subject"] in wanted]


SELECTIONS: Final[dict[str, Callable[[Any, Shape], Any]]] = {"blocks": block, "threads": threads, "cold": cold}


def compute(folder: Path, shape: Shape) -> None:
    """What cside computes from the raw files; trust is as the shape says."""
    trusted = [label not in shape.untrusted for label in sorted(shape.labels)]
    with mock.patch.object(build.statistics_checks, "trustworthy", side_effect=trusted):
        build.summarise(folder)
    edit(folder / "summary.json", functools.partial(_edit_summary, shape=shape))
    run = Run.load(folder)
    if "claims" in shape.sections:
        judging.write(run)
    if "recommendations" in shape.sections:
        recommendations.write(run)
    if "drill" in shape.sections:
        write(folder / "drill.json", drill(shape.labels, shape.whole, MARKUP))
    if shape.multiplied:
        multiply(folder)


def _edit_summary(summary: dict[str, Any], shape: Shape) -> None:
    for name in COMPUTED:
        if name not in shape.sections:
            summary[name] = None if name in ("threads", "costs") else []
    if summary["costs"]:
        bindings = {it.partition(".")[0] for it in shape.whole}
        summary["costs"]["bindings"] = [it for it in summary["costs"]["bindings"] if it["binding"] in bindings]
    for entry in summary["interpreters"]:
        for check in entry["checks"]:
            if check["decides"]:
                check["passed"] = entry["label"] not in shape.untrusted or check["name"] != "position"
                check["says"] = check["says"] if check["passed"] else "To be timed last changes a time."


# ---------------------------------------------------------------------------------------------------------- a large run

SAME_NOUN: Final = {"idioms": "idioms.noop", "codec": "codec.crc32[16]", "pkcs11": "pkcs11.digest[64-token]"}
"""What a workload repeats that the kept run does not have."""
SCALED: Final = ("ns_raw", "ns_net", "ratio", "ratio_low", "ratio_high", "alone_low", "alone_high")
LARGE_LABELS: Final = (
    *("cpython-3.11", "cpython-3.12", "cpython-3.13", "cpython-3.13t", "cpython-3.14", "cpython-3.14t"),
    *("cpython-3.15", "cpython-3.15t", "graalpy-3.12", "pypy-3.10", "pypy-3.11", "pypy-3.12"),
)
LARGE: Final = Shape(
    run="20261121-130000",
    others=(*OTHERS[:3], "floor.direct", "floor.ffi", "stdlib", "PyKCS11", "twin", "relinked"),
    multiplied=True,
)
"""Twelve interpreters, fifteen subjects, and all workloads of the suite."""
Cell = dict[str, Any]


def multiply(folder: Path) -> None:
    """Let each of :data:`LARGE_LABELS` repeat CPython or PyPy, and each workload of the suite one of the same noun.

    The numbers of each cell have a factor of its own, from a fixed sequence, so that no two cells have the same digits.
    """
    measured = {label: PYPY if label.startswith("pypy") else CPYTHON for label in LARGE_LABELS}
    summary, evidence, environment = (read(folder / f"{it}.json") for it in ("summary", "evidence", "environment"))
    cells: dict[tuple[str, str], list[Cell]] = {}
    for cell in summary["cells"]:
        cells.setdefault((cell["interpreter"], cell["workload"]), []).append(cell)
    factors = _factors()
    summary["cells"], observed = [], {}
    for label, original in measured.items():
        observed[label] = {"processes": 7, "workloads": {}}
        for workload in read(KEPT / "workloads.json"):
            like = workload if (original, workload) in cells else SAME_NOUN[workload.partition(".")[0]]
            known = evidence["interpreters"][original]["workloads"][like]
            observed[label]["workloads"][workload] = {
                kind: {name: _scaled(values, next(factors)) for name, values in known[kind].items()} for kind in known
            }
            for cell in cells[original, like]:
                numbers = _scaled([cell[name] for name in SCALED], next(factors))
                changed = dict(zip(SCALED, numbers, strict=True))
                summary["cells"].append(cell | changed | {"interpreter": label, "workload": workload})
    evidence["interpreters"] = observed
    figures = read(folder / "figures.json")
    figures["interpreters"] = {label: figures["interpreters"][original] for label, original in measured.items()}
    write(folder / "figures.json", figures)
    for rows in ("interpreters", "cells", "void", "gaps"):
        key = "label" if rows == "interpreters" else "interpreter"
        summary["threads"][rows] = _repeated(summary["threads"][rows], key, measured)
    summary["costs"]["cold"] = _repeated(summary["costs"]["cold"], "interpreter", measured)
    for binding in summary["costs"]["bindings"]:
        binding["wheels"] = _repeated(binding["wheels"], "interpreter", measured)
    for rows, key in (("interpreters", "label"), ("models", "label"), ("steady", "label"), ("targets", "interpreter")):
        summary[rows] = _repeated(summary[rows], key, measured)
    environment["interpreters"] = _repeated(environment["interpreters"], "label", measured)
    for name, document in (("summary", summary), ("evidence", evidence), ("environment", environment)):
        write(folder / f"{name}.json", document)


def _factors() -> Iterator[float]:
    state = 1
    while True:
        state = state * 48271 % 2147483647  # the same sequence on every version of Python
        yield 0.9 + 0.2 * state / 2147483647


def _scaled(values: list[Any], factor: float) -> list[Any]:
    return [float(f"{value * factor:.5g}") if isinstance(value, float) else value for value in values]


def _repeated(rows: list[Cell], key: str, measured: dict[str, str]) -> list[Cell]:
    """Rows of each measured interpreter once for each interpreter that repeats it."""
    return [row | {key: label} for label, original in measured.items() for row in rows if row[key] == original]
