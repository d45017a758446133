# SPDX-License-Identifier: Apache-2.0
"""The inputs of a recommendation that a project and its profile say: load, kinds of call, lines to keep."""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from cside_wrap.profile.document import Profile as Counted
from cside_wrap.project.reading import Project
from cside_wrap.roles.form import Plan
from cside_wrap.roles.vocabulary import Role, State

from cside_bench.recommend.profiles import Profile
from cside_bench.recommend.rules import Rules

KINDS: tuple[tuple[str, frozenset[Role]], ...] = (
    ("bytes-out", frozenset({Role.BYTES})),
    ("bytes-in", frozenset({Role.BYTES_IN, Role.BYTES_INOUT})),
    ("text", frozenset({Role.TEXT_IN, Role.TEXT})),
    ("structs", frozenset({Role.STRUCT})),
    ("handles", frozenset({Role.HANDLE})),
)
"""Kinds of call of ``rules.toml`` by the roles of which one makes a call such; the first that fits counts."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What of a library, and of a program's calls, is bound."""

    library: str
    bound: int
    unbound: dict[str, str]
    """Functions that the answer counts against all approaches, with the reason: of a profile those that were called."""
    calls: int | None
    """Calls of the profile; None without one."""
    covered: float | None
    """The share of them that are of bound functions."""
    kinds: dict[str, float]
    """Shares of the kinds of call."""

    def plain(self) -> dict[str, Any]:
        """Return the coverage for JSON."""
        return {
            "library": self.library,
            "bound": self.bound,
            "unbound": self.unbound,
            "calls": self.calls,
            "covered": self.covered,
            "kinds": self.kinds,
        }

    def says(self) -> list[str]:
        """Return what a reader of the answer has to know."""
        what = f"{self.library}: {self.bound} functions are bound"
        if self.calls is None or self.covered is None:
            found = [
                f"{what}. There is no profile of a program's calls: each of them counts alike, and the load is "
                "assumed. To count the calls of a program: cside profile."
            ]
        else:
            found = [f"{what}, which are {self.covered:.1%} of the {self.calls:,} calls that the profile counted."]
        if self.unbound:
            names = list(self.unbound)
            more = f" and {len(names) - 4} more" if len(names) > 4 else ""
            found.append(
                f"Counted as written by hand with each approach are {len(names)} that are not bound: "
                f"{', '.join(names[:4])}{more}."
            )
        return found


def kind_of(plan: Plan) -> str:
    """Return the kind of call of ``rules.toml`` that stands for a function."""
    kept = {one.kept for one in plan.keeps}
    if any(one.role == Role.CALLBACK and one.name not in kept for one in plan.parameters):
        return "callbacks"
    roles = {one.role for one in plan.parameters} | {one.role for one in plan.results}
    return next((name for name, its in KINDS if roles & its), "scalars" if roles else "empty")


def situation(project: Project, counted: Counted | None, base: Profile, rules: Rules) -> tuple[Profile, Coverage]:
    """Return ``base`` with what the project and the profile of a program say, and what is bound.

    Calls of functions that are not bound are no load of any approach. The functions themselves count as written by hand
    with each of them: those that the program calls or, without a profile, all that are asked or refused.
    """
    form = project.form()
    weights: Counter[str] = Counter()
    for name, plan in form.plans.items():
        if counted is None:
            weights[kind_of(plan)] += 1
        elif name in counted.functions:
            weights[kind_of(plan)] += counted.functions[name].calls
    names = [name for name, one in project.described.items() if one.state != State.BOUND and not one.function.inline]
    if counted is not None:
        names = [name for name in names if name in counted.functions]
    unbound = {name: project.described[name].refused or "asked" for name in names}
    total = sum(weights.values())
    shares = {name: number / total for name, number in weights.most_common()} if total else dict(base.idioms)
    numbers = dict(base.numbers)
    numbers["functions"] = _within(rules, "functions", len(form.plans))
    calls, covered = None, None
    if counted is not None:
        calls, covered = counted.calls, total / counted.calls
        numbers["calls_per_second"] = _within(rules, "calls_per_second", total / counted.own_seconds)
        numbers["bytes_per_call"] = _within(rules, "bytes_per_call", _bytes(counted))
    found = replace(
        base,
        title=f"{project.settings.name}, by its project",
        text=f"Calls counted of: {' '.join(counted.command)}" if counted else "",
        numbers=numbers,
        idioms=shares,
        kept_lines=float(project.overrides.lines),
        functions_by_hand=float(len(unbound)),
    )
    return found, Coverage(project.settings.name, len(form.plans), unbound, calls, covered, shares)


def _within(rules: Rules, name: str, value: float) -> float:
    spec = rules.numbers[name]
    return float(min(max(value, spec.least), spec.most))


def _bytes(counted: Counted) -> float:
    """Return the mean size of the buffers of calls that have one."""
    sizes = [its for one in counted.functions.values() for its in (one.incoming, one.outgoing) if its.calls]
    return sum(it.total for it in sizes) / sum(it.calls for it in sizes) if sizes else 0.0
