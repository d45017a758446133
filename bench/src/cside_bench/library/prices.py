# SPDX-License-Identifier: Apache-2.0
"""What the functions of a project cost with each approach of a run, each by itself and all calls of a profile together.

Costs are linear in the shape of a call. So the mean price of many calls is the price of their mean shape, and the range
around it takes the misses of all functions as one: it is as wide as that of a single function.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cside_wrap.profile.document import Profile
from cside_wrap.roles.form import Library

from cside_bench.library.shapes import shape_of
from cside_bench.predict.price import Price, Pricing
from cside_bench.results.shapes import Shape


@dataclass(frozen=True, slots=True)
class Call:
    """A function of the library, as it is called."""

    name: str
    shape: Shape
    native_ns: float | None
    """C's own time, where a profile has it."""
    calls: int
    """By the profile; 0 where there is none."""


@dataclass(frozen=True, slots=True)
class Mix:
    """All calls of a profile of functions that are bound, as one mean call."""

    shape: Shape
    native_ns: float
    calls: int
    unbound: dict[str, int]
    """Calls of functions that are not bound, by name."""
    own_seconds: float
    """The program's time outside the library."""

    @property
    def covered(self) -> float:
        """The share of all calls that are of bound functions."""
        return self.calls / (self.calls + sum(self.unbound.values()))


def calls(library: Library, profile: Profile | None, released: Callable[[str], bool]) -> list[Call]:
    """Return the bound functions; with a profile those that it has, the most called first.

    ``released`` says of a function whether the GIL is released in its calls.
    """
    found = []
    for name, plan in library.plans.items():
        its = profile.functions.get(name) if profile is not None else None
        if profile is None or its is not None:
            shape = shape_of(plan, library, released=released(name))
            found.append(Call(name, shape, its.ns if its else None, its.calls if its else 0))
    return sorted(found, key=lambda it: -it.calls)


def mix(found: list[Call], profile: Profile, floor_ns: float) -> Mix | None:
    """Return the mean of all calls; None where no bound function was called.

    ``floor_ns`` is C's own time of calls that were counted and not timed.
    """
    total = sum(it.calls for it in found)
    if not total:
        return None
    shape: Shape = {}
    for it in found:
        for term, count in it.shape.items():
            shape[term] = shape.get(term, 0.0) + count * it.calls / total
    native = sum(it.calls * (floor_ns if it.native_ns is None else it.native_ns) for it in found) / total
    bound = {it.name for it in found}
    unbound = {name: it.calls for name, it in profile.functions.items() if name not in bound}
    return Mix(shape, native, total, unbound, profile.own_seconds)


class Prices:
    """Prices of the calls of one project. Calls of one shape and one time in C are priced once."""

    def __init__(self, pricing: Pricing) -> None:
        self.pricing = pricing
        self._known: dict[tuple[str, float, tuple[tuple[str, float], ...]], list[Price]] = {}

    def of(self, label: str, shape: Mapping[str, float], native_ns: float | None) -> list[Price]:
        """Return the prices in the run's order; without a time in C, that of a function that does nothing is taken."""
        own = self.pricing.native(label) if native_ns is None else native_ns
        key = (label, own, tuple(sorted(shape.items())))
        if key not in self._known:
            order = self.pricing.run.bindings.index
            self._known[key] = sorted(self.pricing.prices(label, dict(shape), own), key=lambda it: order(it.subject))
        return self._known[key]


def plain(it: Price) -> dict[str, Any]:
    """Return a price without the run's error factors and notes, which are the same for all functions."""
    return {
        "ns": it.ns,
        "low": it.low,
        "high": it.high,
        "ratio": it.ratio,
        "ratio_low": it.ratio_low,
        "ratio_high": it.ratio_high,
        "lacks": it.lacks,
    }
