# SPDX-License-Identifier: Apache-2.0
"""The price of a call of a given shape with every approach of a run, with an interval and the ratio to the reference.

A draw of the time over C's own is the sum of the fitted costs, times a draw of how far calls are from their predicted
cost (:mod:`cside_bench.recommend.misses`), times one of the fit's own uncertainty over processes. What approaches miss
alike cancels in their ratio.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cside_bench.recommend.draws import Deviates
from cside_bench.recommend.misses import Misses
from cside_bench.results.evidence import Run
from cside_bench.results.shapes import RELEASED, Shape, document, load, of

Array = NDArray[np.float64]

DRAWS: Final = 4000
INTERVAL: Final = (5.0, 95.0)
"""Percentiles of the draws that bound an interval, which so holds the truth with 90 %, as the error factors do."""
NAME: Final = "predict"
"""Name of the random deviates of a price."""


class Unpriced(Exception):
    """The run has no costs by shape; the message says why and what to type."""


@dataclass(frozen=True, slots=True)
class Price:
    """The predicted time of one call with one approach; numbers are None where ``lacks`` says why."""

    subject: str
    ns: float | None
    low: float | None
    high: float | None
    ratio: float | None
    """The time divided by the reference's."""
    ratio_low: float | None
    ratio_high: float | None
    errors: dict[str, Any] | None
    """Error factors of the held-out calls: ``median``, ``most``, ``kinds`` and ``calls``."""
    mostly: dict[str, Any] | None
    """As ``errors``, of the calls of whose time the binding takes half or more."""
    parts: dict[str, float]
    """ns by term of the shape."""
    lacks: str
    notes: tuple[str, ...]


class Pricing:
    """Prices shapes by the costs of one run."""

    def __init__(self, run: Run, seed: int) -> None:
        self.run = run
        self._seed = seed
        self._misses = Misses(run, run.bindings, lambda name, many: Deviates(name, seed, DRAWS, many))
        if not document(run)["interpreters"]:
            raise Unpriced(
                f"{run.name} has no costs by the shape of calls, since an older version of cside wrote its files; "
                f"compute them again: cside report {run.name}"
            )

    def native(self, label: str) -> float:
        """Return ns of a direct call of C that does nothing, 0 where it was not measured."""
        return float(of(self.run, label).get("native_ns") or 0.0)

    def checked(self, label: str) -> bool:
        """Whether enough calls were held out on an interpreter to know how far predictions are off."""
        return self._misses.table(label) is not None

    def prices(self, label: str, shape: Shape, native_ns: float) -> list[Price]:
        """Return the prices of a call with all approaches on an interpreter, the cheapest first, those without last."""
        entries = {it["subject"]: it for it in of(self.run, label).get("approaches", ())}
        factors = self._misses.factors(label, NAME)
        drawn, parts, lacks, notes = {}, {}, {}, {}
        for place, subject in enumerate(self.run.bindings):
            entry = entries.get(subject)
            lack, own, terms, said = _costs(entry, shape)
            lacks[subject], parts[subject], notes[subject] = lack, terms, said
            if lack or entry is None:
                continue
            mean = sum(terms.values())
            spread = np.sqrt(max(float(own @ np.asarray(entry["covariance"]) @ own), 0.0)) / mean if mean else 0.0
            generator = np.random.default_rng([self._seed, place])
            fitted = mean * np.exp(np.concatenate([[0.0], generator.standard_normal(DRAWS) * spread]))
            apart = factors if isinstance(factors, float) else factors[:, place]
            drawn[subject] = native_ns + fitted * apart
        base = drawn.get(self.run.reference)
        found = [
            _price(
                subject,
                drawn.get(subject),
                base,
                entries.get(subject) or {},
                parts[subject],
                lacks[subject],
                notes[subject],
            )
            for subject in self.run.bindings
        ]
        return sorted(found, key=lambda it: (it.ns is None, it.ns or 0.0))


def _costs(entry: dict[str, Any] | None, shape: Shape) -> tuple[str, Array, dict[str, float], tuple[str, ...]]:
    """Return why a shape has no price, its counts in the order of the costs, ns by term, and what stands for what."""
    nothing = np.zeros(0)
    if entry is None:
        return "it was not measured", nothing, {}, ()
    if entry["reason"]:
        return entry["reason"], nothing, {}, ()
    order = [it["term"] for it in entry["costs"]]
    costs = {it["term"]: it for it in entry["costs"]}
    titles = {it.name: it.title for it in load().terms}
    own = np.zeros(len(order))
    parts: dict[str, float] = {}
    notes = []
    for name, count in shape.items():
        if name == RELEASED and not entry["chooses"]:
            continue
        paid = name
        if costs[name]["ns"] is None:
            paid = costs[name]["like"] or ""
            if not paid:
                return f"no measured call has the term “{titles[name]}”", nothing, {}, ()
            notes.append(f"“{titles[name]}” is priced as “{titles[paid]}”")
        own[order.index(paid)] += count
        parts[name] = count * costs[paid]["ns"]
    return "", own, parts, tuple(notes)


def _price(
    subject: str,
    drawn: Array | None,
    base: Array | None,
    entry: dict[str, Any],
    parts: dict[str, float],
    lack: str,
    notes: tuple[str, ...],
) -> Price:
    if drawn is None:
        return Price(subject, None, None, None, None, None, None, None, None, {}, lack, ())
    low, high = np.percentile(drawn[1:], INTERVAL).tolist()
    ratio: tuple[float | None, float | None, float | None] = (None, None, None)
    if base is not None:
        least, most = np.percentile(drawn[1:] / base[1:], INTERVAL).tolist()
        ratio = (float(drawn[0] / base[0]), least, most)
    return Price(subject, float(drawn[0]), low, high, *ratio, entry["held_out"], entry["mostly"], parts, "", notes)
