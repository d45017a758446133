# SPDX-License-Identifier: Apache-2.0
"""Predicts the overhead of a profile's calls in ns from measured cells, with draws of the uncertainty.

The first row of an array has the estimates, the other rows have one draw each; columns are the run's approaches. The
overhead of a call is its time minus the time of the direct C call that does the same work or, where no C call was
measured, minus that of the fastest approach. Effects that the cells of a process share cancel in that difference, as
they do in a ratio. In draws, the overhead of a kind of call is multiplied by how much more or less a user's function of
the same shape may cost (:mod:`.misses`).
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cside_bench.recommend.doubts import bias
from cside_bench.recommend.draws import Deviates, placed
from cside_bench.recommend.misses import Misses
from cside_bench.recommend.rules import SIZE, Idiom
from cside_bench.results.evidence import Run

Array = NDArray[np.float64]

FLOOR: Final = "floor.direct"
LINE: Final = 2
"""Fewest sizes for a line over sizes, where that many were measured."""
IMPORT: Final = "import"
RESOLUTION_NS: Final = 0.3
"""Time of about one clock cycle; a shorter time means that the compiler removed the call."""


class Unmeasured(Exception):
    """The run has no number for a kind of call with any approach; the message names the kind of call."""


@dataclass(frozen=True, slots=True)
class Lack:
    """The reason why an approach has no number where others have one."""

    rule: str
    """The constraint that applies: ``parity`` or ``unmeasured``."""
    evidence: str


class Prediction:
    """Predicts the times of all approaches of a run, for any load."""

    def __init__(self, run: Run, draws: int, seed: int) -> None:
        self.run = run
        self.subjects: list[str] = list(run.bindings)
        self._draws, self._seed = draws, seed
        self._deviates: dict[tuple[str, int], Deviates] = {}
        self._parity = {
            (it["interpreter"], it["workload"], it["subject"]): it["reason"] for it in run.summary["parity"]
        }
        self.misses = Misses(run, self.subjects, self.deviates)
        self.cell = lru_cache(maxsize=None)(self._cell)
        self.overhead = lru_cache(maxsize=1024)(self._overhead)
        self.workloads = lru_cache(maxsize=1024)(self._workloads)
        self.measured = lru_cache(maxsize=None)(self._measured)
        self.sizes = lru_cache(maxsize=None)(self._sizes)

    def deviates(self, name: str, replicates: int) -> Deviates:
        """Return the deviates of a name and a number of replicates; the same call returns the same set."""
        key = (name, replicates)
        if key not in self._deviates:
            self._deviates[key] = Deviates(name, self._seed, self._draws, replicates)
        return self._deviates[key]

    def _logs(self, label: str, workload: str, subject: str) -> Array:
        """Return log ns per process: reference time x paired ratio, which is more precise, or the subject's time."""
        own = np.maximum(self.run.ns(label, workload, subject), RESOLUTION_NS)
        reference = np.maximum(self.run.ns(label, workload, self.run.reference), RESOLUTION_NS)
        ratios = self.run.ratios(label, workload, subject)
        with np.errstate(divide="ignore", invalid="ignore"):
            if len(ratios) == len(own) == len(reference):
                logs = np.log(reference)
                paired = logs + np.log(ratios)
                if (there := np.isfinite(paired)).any():  # a cell that a look decided has fewer than the reference
                    paired += np.nanmean(logs) - np.nanmean(logs[there])
                return np.where(np.isfinite(paired), paired, np.log(own))
            return np.log(own)

    def _cell(self, label: str, workload: str) -> tuple[Array, Array]:
        """Return ns per call (rows x approaches) and ns per direct C call (rows); NaN where there is no number."""
        rows = self._draws + 1
        columns = [self._logs(label, workload, subject) for subject in self.subjects]
        floor = self._logs(label, workload, FLOOR)
        processes = max([len(column) for column in [*columns, floor]], default=0)
        deviates = self.deviates(f"{label}/{IMPORT if workload == IMPORT else 'rounds'}", max(processes, 1))

        # What a failed check of the run says of its times is one side's, and placement that of a ratio, which has two.
        off = bias(self.run, label) * np.sqrt(2)
        spread = float(np.hypot(self.run.placement(label), off)) if workload != IMPORT else 0.0

        def drawn(logs: Array, subject: str) -> Array:
            padded = np.full(max(processes, 1), np.nan)
            padded[: len(logs)] = logs
            place = placed(f"{label}/{workload}/{subject}", self._seed, self._draws, spread) if spread else 0.0
            means: Array = np.exp(deviates.means(padded) + place)
            return means

        void = [self._void(label, workload, subject) for subject in self.subjects]
        times = np.column_stack(
            [
                np.full(rows, np.nan) if bad else drawn(logs, subject)
                for subject, logs, bad in zip(self.subjects, columns, void, strict=True)
            ]
            or [np.empty(rows)]
        )
        base = drawn(floor, FLOOR)
        if not np.isfinite(base[0]) and np.isfinite(times[0]).any():
            base = times[:, int(np.nanargmin(times[0]))]
        return times, base

    def _void(self, label: str, workload: str, subject: str) -> str:
        cell = self.run.cell(label, workload, subject)
        return str(cell["void"] or "") if cell else ""

    def _measured(self, label: str, workload: str) -> bool:
        """Return whether any approach has a number for a workload."""
        return any(np.isfinite(self.run.ns(label, workload, subject)).any() for subject in self.subjects)

    def _sizes(self, label: str, pattern: str) -> dict[int, str]:
        """Return the measured sizes of a sized workload, each with the workload's name."""
        shape = re.compile(re.escape(pattern).replace(re.escape(SIZE), r"(\d+)"))
        found = {}
        for workload in self.run.workloads(label):
            if (match := shape.fullmatch(workload)) and self.measured(label, workload):
                found[int(match[1])] = workload
        return dict(sorted(found.items()))

    def _workloads(self, label: str, idiom: Idiom, nbytes: float) -> list[list[tuple[str, float]]]:
        """Return the cells that a kind of call is computed from: names and coefficients, per measured workload.

        These are the workloads for which every approach has a number or declares a gap, so that one void or unsteady
        cell neither leaves an approach out nor prices it by other calls than the rest. Where no workload is left, they
        are those for which any approach has a number; :meth:`lacks` then says who has none.

        Raises :class:`Unmeasured` if the run has none of the workloads.
        """
        for known in (self.common, self.measured):
            for names in (idiom.workloads, *((name,) for name in idiom.instead)):
                parts = []
                for name in names:
                    if SIZE in name:
                        sizes = self.sizes(label, name)
                        chosen = {size: it for size, it in sizes.items() if known(label, it)}
                        parts.append(self._line(chosen, nbytes) if len(chosen) >= min(len(sizes), LINE) else [])
                    else:
                        parts.append([(name, 1.0)] if known(label, name) else [])
                if found := [part for part in parts if part]:
                    return found
        raise Unmeasured(f"the run has no numbers of “{idiom.title}” on {label} ({', '.join(idiom.workloads)})")

    def common(self, label: str, workload: str) -> bool:
        """Return whether every approach has a number for a workload or declares a gap, and any has a number."""
        return self.measured(label, workload) and not self._without_number(label, workload)

    def _without_number(self, label: str, workload: str) -> dict[str, str]:
        """Return the approaches that have no number for a workload and declare no gap, each with the reason."""
        found = {}
        for subject in self.subjects:
            if (label, workload, subject) in self._parity:
                continue
            if void := self._void(label, workload, subject):
                found[subject] = f"{workload} is void: {void}"
            elif why := self.run.unsteady(label, workload, subject):
                found[subject] = f"{workload} is not steady: {why}"
            elif not np.isfinite(self.run.ns(label, workload, subject)).any():
                found[subject] = f"{workload} was not measured."
        return found

    def set_aside(self, label: str, idiom: Idiom, nbytes: float) -> dict[str, list[str]]:
        """Return the measured workloads of a kind of call that it is not priced by, since approaches have no number.

        Each comes with these approaches. Sizes that the price needs none of anyway are left out.
        """
        used = {workload for part in self.workloads(label, idiom, nbytes) for workload, _ in part}
        found = {}
        for name in idiom.workloads:
            nearest = [it for it, _ in self._line(self.sizes(label, name), nbytes)] if SIZE in name else [name]
            for workload in nearest:
                if workload not in used and self.measured(label, workload):
                    found[workload] = list(self._without_number(label, workload))
        return found

    @staticmethod
    def _line(sizes: dict[int, str], nbytes: float) -> list[tuple[str, float]]:
        """Return coefficients that interpolate between the two nearest sizes, or extrapolate from the last two.

        Calls smaller than the smallest size take the time of that size.
        """
        known = list(sizes)
        if len(known) < 2 or nbytes <= known[0]:
            return [(sizes[known[0]], 1.0)] if known else []
        upper = min(int(np.searchsorted(known, nbytes)), len(known) - 1)
        low, high = known[upper - 1], known[upper]
        part = (nbytes - low) / (high - low)
        return [(sizes[low], 1.0 - part), (sizes[high], part)]

    def stands_for(self, label: str, idiom: Idiom) -> list[str]:
        """Return the workloads that price a kind of call, or an empty list if all of its own were measured."""
        found = self.workloads(label, idiom, 0.0)
        complete = all(self.sizes(label, it) if SIZE in it else self.measured(label, it) for it in idiom.workloads)
        return [] if complete else [part[0][0] for part in found]

    def beyond(self, label: str, idiom: Idiom, nbytes: float) -> int | None:
        """Return the largest measured size if a call has more bytes, else None."""
        for name in idiom.workloads:
            if SIZE in name and (sizes := self.sizes(label, name)) and nbytes > max(sizes):
                return max(sizes)
        return None

    def _overhead(self, label: str, idiom: Idiom, nbytes: float, start: int, stop: int) -> Array:
        """Return the overhead of one call in ns, rows ``start`` to ``stop`` (rows x approaches); NaN for no number."""
        parts = self.workloads(label, idiom, nbytes)
        total = np.zeros((stop - start, len(self.subjects)))
        for part in parts:
            for workload, coefficient in part:
                times, base = self.cell(label, workload)
                total += coefficient * (times[start:stop] - base[start:stop, None])
        factors = self.misses.factors(label, idiom.name)
        apart = factors if isinstance(factors, float) else factors[start:stop]
        return np.asarray(total * apart / (len(parts) * idiom.each))

    def native(self, label: str, idiom: Idiom, nbytes: float) -> float:
        """Estimate ns of one call of a kind in C, or with the fastest approach where no C call was measured."""
        parts = self.workloads(label, idiom, nbytes)
        total = sum(
            coefficient * float(self.cell(label, workload)[1][0]) for part in parts for workload, coefficient in part
        )
        return total / (len(parts) * idiom.each)

    def lacks(self, label: str, idiom: Idiom, nbytes: float) -> dict[str, Lack]:
        """Return the approaches that lack a number that others have for a kind of call, with the reason."""
        found: dict[str, Lack] = {}
        for part in self.workloads(label, idiom, nbytes):
            for workload, _ in part:
                for subject, why in self._without_number(label, workload).items():
                    found.setdefault(subject, Lack("unmeasured", why))
                for subject in self.subjects:
                    if reason := self._parity.get((label, workload, subject)):
                        found[subject] = Lack("parity", reason)
        return found

    def start(self, label: str) -> Array | None:
        """Return ns of an import in a new process (rows x approaches), NaN where missing; None if all are missing."""
        if not self.measured(label, IMPORT):
            return None
        return self.cell(label, IMPORT)[0]

    def nearest(self, label: str, idiom: Idiom, nbytes: float) -> list[str]:
        """Return the workloads to show as evidence; of two sizes, the one with the larger coefficient."""
        return [max(part, key=lambda it: it[1])[0] for part in self.workloads(label, idiom, nbytes)]
