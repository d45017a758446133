# SPDX-License-Identifier: Apache-2.0
"""The models of time by size of a run, as plain data and as sentences for ``summary.json`` and the report."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

import numpy as np

from cside_bench.results.digits import number
from cside_bench.results.rounds import Sample
from cside_bench.statistics.cliffs import Cliff
from cside_bench.statistics.sizes import FEWEST_SIZES, WITHIN, Crossing, Line, Model, Near, Sweep, model
from cside_bench.statistics.student import Interval


def sweep_of(
    sample: Sample,
    family: str,
    reference: str,
    peers: tuple[str, ...] = (),
    *,
    suffix: str = "",
    floor: str | None = "floor.direct",
) -> Sweep | None:
    """Return the sweep of the workloads ``family[<bytes><suffix>]`` in a run, or ``None`` for fewer than four sizes.

    ``peers`` are the bindings. Times are the paired ratio to ``reference`` multiplied by the reference's own time, so
    that a slow period of the machine does not affect a single approach. A subject that is void at one of the sizes is
    left out. With the suffix ``-1``, the family ``codec.compress`` has workloads such as ``codec.compress[4096-1]``.
    """
    pattern = re.compile(rf"{re.escape(family)}\[(\d+){re.escape(suffix)}\]")
    keys = {key for key in sample.cells() if sample.usable(key)}
    found = {workload: match for workload, _ in keys if (match := pattern.fullmatch(workload)) is not None}
    names = sorted(found, key=lambda workload: int(found[workload][1]))
    if len(names) < FEWEST_SIZES or not sample.processes:
        return None
    times = {}
    for subject in sorted({subject for workload, subject in keys if workload in found}):
        rows = [
            [it.ratio((name, subject), (name, reference)) * it.median_net((name, reference)) for it in sample.processes]
            if (name, subject) in keys
            else [np.nan] * len(sample.processes)
            for name in names
        ]
        if np.isfinite(rows).any(axis=1).all():
            times[subject] = np.asarray(rows)
    sizes = np.asarray([float(found[name][1]) for name in names])
    return Sweep(
        family + suffix, sizes, times, floor if floor in times else None, tuple(name for name in peers if name in times)
    )


FAMILIES: Final = (("codec.crc32", ""), ("codec.compress", "-6"))
"""Families of workloads that have a sweep, each with the text that follows the size in their names."""
MINUS: Final = "\N{MINUS SIGN}"
STRAIGHT: Final = 0.10
"""Largest relative distance of a size from a line that is given as a model of the whole call."""


def bounds(interval: Interval) -> dict[str, float | None]:
    """Return an interval as plain data."""
    return {"value": number(interval.value), "low": number(interval.low), "high": number(interval.high)}


def speed(ns_per_byte: Interval) -> Interval:
    """Convert ns per byte to 10^9 bytes per second; NaN if the interval of the time per byte includes zero."""
    if not ns_per_byte.low > 0:
        return Interval(math.nan, math.nan, math.nan, ns_per_byte.processes)
    return Interval(1 / ns_per_byte.value, 1 / ns_per_byte.high, 1 / ns_per_byte.low, ns_per_byte.processes)


def plain_line(line: Line | None) -> dict[str, Any] | None:
    """Return a line as plain data."""
    if line is None:
        return None
    residual = {"residual": number(line.residual), "residual_nbytes": line.residual_nbytes}
    return {"a_ns": bounds(line.a_ns), "b_ns": bounds(line.b_ns), **residual}


def plain_near(near: Near) -> dict[str, Any]:
    """Return a :class:`cside_bench.statistics.sizes.Near` as plain data; ``None`` means that there is no such size."""
    sizes = {name: number(getattr(near, name)) for name in ("nbytes", "low", "high")}
    return {"subject": near.subject, "against": near.against, **sizes, "extrapolated": near.extrapolated}


def plain_cliff(cliff: Cliff) -> dict[str, Any]:
    """Return a :class:`cside_bench.statistics.cliffs.Cliff` as plain data."""
    share = {"step_ns": bounds(cliff.step_ns), "step_share": number(cliff.step_share)}
    rest = {name: number(value) if isinstance(value, float) else value for name, value in asdict(cliff).items()}
    return rest | share


def plain(found: Model) -> dict[str, Any]:
    """Return the results of one family on one interpreter, as in ``sizes.schema.json``."""
    sweep = found.sweep
    subjects = [
        {
            "subject": name,
            "choice": name in sweep.choices,
            "line": plain_line(line),
            "over_floor": plain_line(found.over.get(name)),
            "gb_per_s": bounds(speed(found.parts[name][-1].b_ns)),
            "pieces": [
                {"from": it.first_nbytes, "to": it.last_nbytes, "a_ns": bounds(it.a_ns), "b_ns": bounds(it.b_ns)}
                for it in found.parts[name]
            ],
            "cliffs": [plain_cliff(it) for it in found.cliffs[name]],
        }
        for name, line in found.lines.items()
    ]
    document = {
        "family": sweep.family,
        "sizes": [int(size) for size in sweep.sizes],
        "processes": max((times.shape[1] for times in sweep.times.values()), default=0),
        "floor": sweep.floor,
        "subjects": subjects,
        "crossings": [
            {
                "one": one,
                "two": two,
                "at": [
                    {name: number(value) if isinstance(value, float) else value for name, value in asdict(it).items()}
                    for it in crossings
                ],
            }
            for (one, two), crossings in found.crossings.items()
        ],
        "near": [plain_near(it) for it in found.near],
        "all_near": None if found.all_near is None else plain_near(found.all_near),
    }
    return document | {"text": sentences(found)}


def section(
    samples: Mapping[str, Sample],
    reference: str,
    peers: Sequence[str],
    families: Iterable[tuple[str, str]] = FAMILIES,
) -> list[dict[str, Any]]:
    """Return the section ``models`` of ``summary.json``: one object per interpreter that has a sweep.

    ``peers`` are the names of the bindings; other subjects are fitted and not compared.
    """
    found = []
    for label, sample in samples.items():
        sweeps = [sweep_of(sample, family, reference, tuple(peers), suffix=suffix) for family, suffix in families]
        models = [plain(model(sweep, reference)) for sweep in sweeps if sweep is not None]
        if models:
            found.append({"label": label, "families": models})
    return found


def size(nbytes: float) -> str:
    """Format bytes as ``16 bytes``, ``5,120 bytes``, ``27 KiB`` or ``1 MiB``."""
    for unit, least in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if nbytes >= least and (nbytes >= 10 * least or nbytes % least == 0):
            return f"{nbytes / least:.3g} {unit}"
    return f"{nbytes:,.0f} bytes"


def span(low: float, high: float) -> str:
    """Format an interval of sizes."""
    above = size(high) if math.isfinite(high) else "beyond the sweep"
    return f"{size(max(low, 0.0))} to {above}"


def ns(value: float) -> str:
    """Format a time as ns or µs with up to three digits."""
    return f"{value / 1000:.3g} µs" if abs(value) >= 1000 else f"{value:.3g} ns"


def sentences(found: Model) -> list[str]:
    """Return the sentences about a family, one statement each."""
    return [*nearness(found), *fitness(found), *changes(found), *broken(found)]


def nearness(found: Model) -> list[str]:
    """Return sentences about the size from which the choice makes less than 5 % difference."""
    percent = f"{100 * WITHIN:.0f} %"
    lines = []
    everyone = found.all_near
    if everyone is not None and math.isfinite(everyone.nbytes):
        where = span(everyone.low, everyone.high)
        lines.append(f"From {size(everyone.nbytes)} ({where}) on, all approaches are within {percent} of the fastest.")
    elif everyone is not None and math.isfinite(everyone.low):
        lines.append(f"This run cannot tell from which size on all approaches are within {percent} of the fastest.")
    elif everyone is not None:
        lines.append(
            f"Up to {size(found.sweep.sizes[-1])}, the largest size measured, the choice of an approach makes a "
            f"difference of more than {percent}."
        )
    for it in found.near:
        name = f"{it.subject} against {it.against}"
        if it.extrapolated:
            lines.append(f"{name}: within {percent} from {size(it.nbytes)} on, extrapolated beyond the sweep.")
        elif not math.isfinite(it.nbytes) and math.isfinite(it.low):
            lines.append(f"{name}: this run cannot tell whether they stay within {percent} from some size on.")
        elif not math.isfinite(it.nbytes):
            lines.append(f"{name}: they do not stay within {percent} from any size on.")
        elif it.nbytes <= found.sweep.sizes[0]:
            lines.append(f"{name}: within {percent} at all sizes.")
        else:
            lines.append(f"{name}: within {percent} from {size(it.nbytes)} ({span(it.low, it.high)}) on.")
    return lines


def fitness(found: Model) -> list[str]:
    """Return sentences about subjects whose whole call does not fit a straight line."""
    bent = {name: line for name, line in found.lines.items() if abs(line.residual) > STRAIGHT}
    floor = found.sweep.floor
    if floor in bent:
        return [
            f"The library's own time is not a straight line: it is {100 * abs(bent[floor].residual):.0f} % off at "
            f"{size(bent[floor].residual_nbytes)}."
        ]
    return [
        f"The time of {name} is not a straight line: it is {100 * abs(line.residual):.0f} % off at "
        f"{size(line.residual_nbytes)}."
        for name, line in bent.items()
    ]


def changes(found: Model) -> list[str]:
    """Return sentences about the sizes at which another approach becomes faster."""
    return [describe_crossing(it) for crossings in found.crossings.values() for it in crossings]


def describe_crossing(crossing: Crossing) -> str:
    """Return the sentence about one crossing."""
    place = f"{size(crossing.nbytes)} ({span(crossing.low, crossing.high)})"
    beyond = ", extrapolated beyond the sweep" if crossing.extrapolated else ""
    return f"{crossing.faster_below} is faster below {place}, {crossing.faster_above} above{beyond}."


def broken(found: Model) -> list[str]:
    """Return sentences about cliffs, with those of the same place and kind in one sentence."""
    places: dict[tuple[int, int, str], list[tuple[str, Cliff]]] = {}
    for name, cliffs in found.cliffs.items():
        for it in cliffs:
            places.setdefault((it.below_nbytes, it.above_nbytes, it.kind), []).append((name, it))
    over = "" if found.sweep.floor is None else f" after subtracting C alone ({found.sweep.floor})"
    lines = []
    for (below, above, kind), members in sorted(places.items()):
        approaches = [(name, it) for name, it in members if name != found.sweep.floor]
        library = [it for name, it in members if name == found.sweep.floor]
        between = f"between {below:,} and {above:,} bytes"
        noun, describe = ("jump", describe_step) if kind == "step" else ("bend", describe_bend)
        if approaches:
            described = ", ".join(f"{name} {describe(it)}" for name, it in approaches)
            lines.append(f"A {noun} {between}{over}: {described}.")
        lines += [f"A {noun} {between} in the library itself: {describe(it)}." for it in library]
    return lines


def describe_step(cliff: Cliff) -> str:
    """Format a step as ``+62 ns (+58 ns to +66 ns)``."""
    value, low, high = (
        f"{'+' if it > 0 else MINUS}{ns(abs(it))}"
        for it in (cliff.step_ns.value, cliff.step_ns.low, cliff.step_ns.high)
    )
    return f"{value} ({low} to {high})"


def describe_bend(cliff: Cliff) -> str:
    """Format a bend as ``from 0.57 to 0.15 ns a byte``."""
    return f"from {slope(cliff.slope_before_ns)} to {slope(cliff.slope_after_ns)} ns a byte"


def slope(value: float) -> str:
    """Format ns per byte; less than a picosecond is ``0``."""
    return f"{value:.2g}" if abs(value) >= 0.001 else "0"
