# SPDX-License-Identifier: Apache-2.0
"""What a call of a profile would take: from measured cells to ns of overhead, with draws of what is not known.

Arrays have one row per draw, and before them one, the first, of the estimates themselves; columns are the run's
approaches. The overhead is what a call takes over the direct C call of the same work, or where none was measured over
the fastest approach. Noise and what is common to cells of a process cancel in that difference, as they do in a ratio.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cside_bench.recommend.draws import Deviates
from cside_bench.recommend.rules import SIZE, Idiom
from cside_bench.results.evidence import Run

Array = NDArray[np.float64]

FLOOR: Final = "floor.direct"
IMPORT: Final = "import"
RESOLUTION_NS: Final = 0.3
"""What is below was compiled away; one clock cycle or less."""


class Unmeasured(Exception):
    """The run has no number of a kind of call for any approach; the text says of which."""


@dataclass(frozen=True, slots=True)
class Lack:
    """Why an approach has no number where others have one."""

    rule: str
    """``parity`` or ``unmeasured``."""
    evidence: str


class Prediction:
    """Times of all approaches of a run, for any load."""

    def __init__(self, run: Run, draws: int, seed: int) -> None:
        self.run = run
        self.subjects: list[str] = list(run.bindings)
        self._draws, self._seed = draws, seed
        self._deviates: dict[tuple[str, int], Deviates] = {}
        self._parity = {
            (it["interpreter"], it["workload"], it["subject"]): it["reason"] for it in run.summary["parity"]
        }
        self.cell = lru_cache(maxsize=None)(self._cell)
        self.overhead = lru_cache(maxsize=1024)(self._overhead)
        self.workloads = lru_cache(maxsize=1024)(self._workloads)
        self.sizes = lru_cache(maxsize=None)(self._sizes)

    def deviates(self, name: str, replicates: int) -> Deviates:
        """Deviates of a name, of which there is one set per number of replicates."""
        key = (name, replicates)
        if key not in self._deviates:
            self._deviates[key] = Deviates(name, self._seed, self._draws, replicates)
        return self._deviates[key]

    def _logs(self, label: str, workload: str, subject: str) -> Array:
        """Log ns of each process: the reference's by the paired ratio, which is the sharper one, or the time itself."""
        own = np.maximum(self.run.ns(label, workload, subject), RESOLUTION_NS)
        reference = np.maximum(self.run.ns(label, workload, self.run.reference), RESOLUTION_NS)
        ratios = self.run.ratios(label, workload, subject)
        with np.errstate(divide="ignore", invalid="ignore"):
            if len(ratios) == len(own) == len(reference):
                paired = np.log(reference) + np.log(ratios)
                return np.where(np.isfinite(paired), paired, np.log(own))
            return np.log(own)

    def _cell(self, label: str, workload: str) -> tuple[Array, Array]:
        """ns per call (rows x approaches), and of the direct C call (rows); NaN where there is no number."""
        rows = self._draws + 1
        columns = [self._logs(label, workload, subject) for subject in self.subjects]
        floor = self._logs(label, workload, FLOOR)
        processes = max([len(column) for column in [*columns, floor]], default=0)
        deviates = self.deviates(f"{label}/{IMPORT if workload == IMPORT else 'rounds'}", max(processes, 1))

        def drawn(logs: Array) -> Array:
            padded = np.full(max(processes, 1), np.nan)
            padded[: len(logs)] = logs
            means: Array = np.exp(deviates.means(padded))
            return means

        void = [self._void(label, workload, subject) for subject in self.subjects]
        times = np.column_stack(
            [np.full(rows, np.nan) if bad else drawn(logs) for logs, bad in zip(columns, void, strict=True)]
            or [np.empty(rows)]
        )
        base = drawn(floor)
        if not np.isfinite(base[0]) and np.isfinite(times[0]).any():
            base = times[:, int(np.nanargmin(times[0]))]
        return times, base

    def _void(self, label: str, workload: str, subject: str) -> str:
        cell = self.run.cell(label, workload, subject)
        return str(cell["void"] or "") if cell else ""

    def measured(self, label: str, workload: str) -> bool:
        """Whether any approach has a number there."""
        return any(np.isfinite(self.run.ns(label, workload, subject)).any() for subject in self.subjects)

    def _sizes(self, label: str, pattern: str) -> dict[int, str]:
        """Measured sizes of a sized workload, each with its name."""
        shape = re.compile(re.escape(pattern).replace(re.escape(SIZE), r"(\d+)"))
        found = {}
        for workload in self.run.workloads(label):
            if (match := shape.fullmatch(workload)) and self.measured(label, workload):
                found[int(match[1])] = workload
        return dict(sorted(found.items()))

    def _workloads(self, label: str, idiom: Idiom, nbytes: float) -> list[list[tuple[str, float]]]:
        """Of which cells a kind of call consists: for each of its measured workloads, names with coefficients.

        Raises :class:`Unmeasured` where the run has none of them.
        """
        for names in (idiom.workloads, *((name,) for name in idiom.instead)):
            parts = []
            for name in names:
                if SIZE in name:
                    parts.append(self._line(self.sizes(label, name), nbytes))
                else:
                    parts.append([(name, 1.0)] if self.measured(label, name) else [])
            if found := [part for part in parts if part]:
                return found
        raise Unmeasured(f"the run has no numbers of “{idiom.title}” on {label} ({', '.join(idiom.workloads)})")

    @staticmethod
    def _line(sizes: dict[int, str], nbytes: float) -> list[tuple[str, float]]:
        """The straight line through the two sizes around, or the last two; the smallest size for less."""
        known = list(sizes)
        if len(known) < 2 or nbytes <= known[0]:
            return [(sizes[known[0]], 1.0)] if known else []
        upper = min(int(np.searchsorted(known, nbytes)), len(known) - 1)
        low, high = known[upper - 1], known[upper]
        part = (nbytes - low) / (high - low)
        return [(sizes[low], 1.0 - part), (sizes[high], part)]

    def stands_for(self, label: str, idiom: Idiom) -> list[str]:
        """The measured workloads of a kind of call, if not all of them are."""
        found = self.workloads(label, idiom, 0.0)
        complete = all(self.sizes(label, it) if SIZE in it else self.measured(label, it) for it in idiom.workloads)
        return [] if complete else [part[0][0] for part in found]

    def beyond(self, label: str, idiom: Idiom, nbytes: float) -> int | None:
        """The largest measured size, if a call has more bytes."""
        for name in idiom.workloads:
            if SIZE in name and (sizes := self.sizes(label, name)) and nbytes > max(sizes):
                return max(sizes)
        return None

    def _overhead(self, label: str, idiom: Idiom, nbytes: float, start: int, stop: int) -> Array:
        """ns over C of one call of a kind, of some rows: rows x approaches; NaN for an approach that has no number."""
        parts = self.workloads(label, idiom, nbytes)
        total = np.zeros((stop - start, len(self.subjects)))
        for part in parts:
            for workload, coefficient in part:
                times, base = self.cell(label, workload)
                total += coefficient * (times[start:stop] - base[start:stop, None])
        return np.asarray(total / (len(parts) * idiom.each))

    def native(self, label: str, idiom: Idiom, nbytes: float) -> float:
        """ns of one call of a kind in C, or with the fastest approach where no C call was measured; estimated."""
        parts = self.workloads(label, idiom, nbytes)
        total = sum(
            coefficient * float(self.cell(label, workload)[1][0]) for part in parts for workload, coefficient in part
        )
        return total / (len(parts) * idiom.each)

    def lacks(self, label: str, idiom: Idiom, nbytes: float) -> dict[str, Lack]:
        """Approaches without a number of a kind of call that others have, and why."""
        found = {}
        for part in self.workloads(label, idiom, nbytes):
            for workload, _ in part:
                for subject in self.subjects:
                    if reason := self._parity.get((label, workload, subject)):
                        found[subject] = Lack("parity", reason)
                    elif void := self._void(label, workload, subject):
                        found.setdefault(subject, Lack("unmeasured", f"{workload} is void: {void}"))
                    elif not np.isfinite(self.run.ns(label, workload, subject)).any():
                        found.setdefault(subject, Lack("unmeasured", f"{workload} was not measured."))
        return found

    def start(self, label: str) -> Array | None:
        """ns of an import in a fresh process: rows x approaches, NaN where it is missing; None where all are."""
        if not self.measured(label, IMPORT):
            return None
        return self.cell(label, IMPORT)[0]

    def nearest(self, label: str, idiom: Idiom, nbytes: float) -> list[str]:
        """The workloads to show as evidence: of a size, the one that counts more."""
        return [max(part, key=lambda it: it[1])[0] for part in self.workloads(label, idiom, nbytes)]
