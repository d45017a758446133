# SPDX-License-Identifier: Apache-2.0
"""Writes ``shapes.json``: what each part of a call costs with each approach, and how far predictions from that are off.

Costs are fitted to the idioms. The calls of ``codec`` and ``pkcs11`` are predicted from them and compared with what was
measured. Schema: ``shapes.schema.json``.
"""

import json
import math
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Final

import jsonschema
import numpy as np
from cside_suite.files import write_json
from numpy.typing import NDArray

from cside_bench.results.digits import number
from cside_bench.results.evidence import Run
from cside_bench.results.shapes import FILE, FORMAT, RELEASED, Shape, Shapes, kind, load
from cside_bench.statistics import shapes as statistics
from cside_bench.statistics.shapes import Costs, Factors

Array = NDArray[np.float64]

FLOORS: Final = ("floor.shim", "floor.direct")
"""Subjects that make the same calls in a C loop: those of PKCS #11 by the shim, as bindings do, and all others."""
IMPORT: Final = "import"
"""A workload without a call."""
LONGEST_NS: Final = 20_000.0
"""C's own time in ns above which a call tells nothing of a binding: it differs between the C loop and the bindings by
more than a binding takes, and a prediction that adds a binding's time to it is right whatever that is."""
NOTHING: Final = "idioms.noop"
"""The workload whose direct C call stands for C's own time in idioms that have no floor; they do almost no work."""
MOSTLY: Final = 0.5
"""Least share of a call's time that is the binding's, in calls that tell how well a binding's time is predicted."""


@dataclass(slots=True)
class Table:
    """The measured calls of one approach on one interpreter, all fitted or all held out."""

    workloads: list[str] = field(default_factory=list)
    shapes: list[list[float]] = field(default_factory=list)
    native: list[float] = field(default_factory=list)
    times: list[Array] = field(default_factory=list)
    """ns in each process."""

    @property
    def kinds(self) -> list[str]:
        """The kind of each call."""
        return [kind(it) for it in self.workloads]

    @property
    def logs(self) -> Array:
        """Log ns, calls x processes; NaN where a process has none."""
        width = max(map(len, self.times), default=0)
        padded = [np.concatenate([it, np.full(width - len(it), np.nan)]) for it in self.times]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.log(np.asarray(padded, dtype=np.float64).reshape(len(padded), width))


def middle(values: Array) -> float:
    """Return the geometric mean over processes, NaN without any."""
    known = values[np.isfinite(values) & (values > 0)]
    return float(np.exp(np.log(known).mean())) if len(known) else math.nan


def native(run: Run, label: str, workload: str) -> float:
    """Return C's own time of a workload in ns, NaN where it was not measured."""
    found = (middle(run.ns(label, workload, floor)) for floor in FLOORS)
    return next((ns for ns in found if math.isfinite(ns)), math.nan)


def chooses(run: Run, label: str, subject: str) -> bool:
    """Whether an approach holds the GIL in some native calls and releases it in others."""
    policies = {
        cell["gil"]
        for (where, work, it), cell in run.cells.items()
        if (where, it) == (label, subject) and work != IMPORT
    }
    return {"held", "released"} <= policies


def tables(run: Run, label: str, subject: str, known: Shapes) -> tuple[Table, Table]:
    """Return the calls of an approach that are fitted, and those that are held out."""
    fitted, held_out = Table(), Table()
    nothing = native(run, label, NOTHING)
    free = chooses(run, label, subject)
    for workload in run.workloads(label):
        key = known.key(workload)
        times = run.ns(label, workload, subject)
        if key is None or key in known.left_out or not (np.isfinite(times) & (times > 0)).any():
            continue
        own = native(run, label, workload)
        table = fitted if key in known.fitted else held_out
        if not math.isfinite(own):
            if table is held_out or not math.isfinite(nothing):
                continue
            own = nothing
        if own > LONGEST_NS:
            continue
        cell = run.cell(label, workload, subject)
        table.workloads.append(workload)
        table.shapes.append(
            row(
                known.fitted.get(key) or known.held_out[key],
                known,
                free and cell is not None and cell["gil"] == "released",
            )
        )
        table.native.append(own)
        table.times.append(np.where(times > 0, times, np.nan))
    return fitted, held_out


def row(shape: Shape, known: Shapes, released: bool) -> list[float]:
    """Return a shape as numbers in the order of the terms, with releases of the GIL only where they are a choice."""
    return [0.0 if it.name == RELEASED and not released else float(shape.get(it.name, 0.0)) for it in known.terms]


def stand_in(fitted: Table, held_out: Table, known: Shapes) -> list[str | None]:
    """Move counts of terms that no fitted call has to the terms that stand for them; return these, by term."""
    names = [it.name for it in known.terms]
    used = [any(counts[place] for counts in fitted.shapes) for place in range(len(names))]
    found: list[str | None] = [None] * len(names)
    for place, term in enumerate(known.terms):
        if used[place] or not term.like or not used[names.index(term.like)]:
            continue
        found[place] = term.like
        for counts in held_out.shapes:
            counts[names.index(term.like)] += counts[place]
            counts[place] = 0.0
    return found


def approach(run: Run, label: str, subject: str, known: Shapes, kinds: list[str]) -> dict[str, Any]:
    """Return the costs of one approach on one interpreter, and how far predictions are off, by kind of ``kinds``."""
    fitted, held_out = tables(run, label, subject, known)
    likes = stand_in(fitted, held_out, known)
    names = [it.name for it in known.terms]
    empty = {"subject": subject, "calls": len(fitted.workloads)}
    try:
        costs = statistics.fit(fitted.shapes, fitted.native, np.exp(fitted.logs), run.summary["seed"])
    except ValueError as error:
        return {**empty, "reason": str(error)}
    measured = statistics.geometric(fitted.logs)
    without = statistics.left_out(fitted.shapes, fitted.native, np.exp(fitted.logs), fitted.kinds)
    shapes, own = np.asarray(held_out.shapes).reshape(-1, len(names)), np.asarray(held_out.native)
    taken = statistics.geometric(held_out.logs)
    predicted = statistics.predict(shapes, own, costs.value)
    mostly = taken - own >= MOSTLY * taken
    missed = statistics.misses(np.where(mostly, predicted - own, np.nan), taken - own, held_out.kinds, kinds)
    return {
        **empty,
        "reason": None,
        "chooses": chooses(run, label, subject),
        "costs": [cost(costs, place, name, likes[place]) for place, name in enumerate(names)],
        "covariance": [[number(float(it)) for it in line] for line in costs.covariance],
        "fitted": plain(statistics.factors(costs.within * measured, measured, fitted.kinds)),
        "left_out": plain(statistics.factors(without, measured, fitted.kinds)),
        "held_out": plain(statistics.factors(predicted, taken, held_out.kinds)),
        "mostly": plain(statistics.factors(np.where(mostly, predicted, np.nan), taken, held_out.kinds)),
        "misses": [number(it) for it in missed.tolist()],
        "reach": number(statistics.reach(missed)),
        "predictions": [
            {"workload": name, "measured": number(ns), "predicted": number(guess), "native": number(inside)}
            for name, ns, guess, inside in zip(
                held_out.workloads, taken.tolist(), predicted.tolist(), own.tolist(), strict=True
            )
        ],
    }


def cost(costs: Costs, place: int, name: str, like: str | None) -> dict[str, Any]:
    """Return one cost as plain data."""
    bounds = {"ns": costs.value, "low": costs.low, "high": costs.high}
    return {"term": name, **{what: number(float(values[place])) for what, values in bounds.items()}, "like": like}


def plain(found: Factors) -> dict[str, Any]:
    """Return error factors as plain data."""
    return {
        "median": number(found.median),
        "most": number(found.most),
        "kinds": found.kinds,
        "calls": found.calls,
    }


def document(run: Run) -> dict[str, Any]:
    """Return the content of ``shapes.json``."""
    known = load()
    kinds = list(dict.fromkeys(kind(it) for it in known.held_out))
    return {
        "format": FORMAT,
        "run": run.name,
        "share": statistics.MOST,
        "kinds": kinds,
        "interpreters": [
            {
                "label": label,
                "native_ns": number(native(run, label, NOTHING)),
                "approaches": [approach(run, label, subject, known, kinds) for subject in run.bindings],
            }
            for label in run.labels
        ],
    }


def write(run: Run) -> None:
    """Fit the costs of a run that has a summary and an evidence, check them against the schema and write them."""
    found = document(run)
    schema = json.loads(files("cside_bench.summary").joinpath("shapes.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(found, schema)
    write_json(run.folder / FILE, found)
