# SPDX-License-Identifier: Apache-2.0
"""The workloads of a user's library: calls that a trial has made, written down, so that every package can repeat them.

With a profile these are the functions that the program calls most, with the sizes that it passes. Without one they are
one function of each shape of calls, with a small and a larger size. What cannot be called again and again without
changing, crashing or filling the memory is left out, with the reason.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Final

from cside_wrap.packages.kinds import class_names
from cside_wrap.profile.document import Profile
from cside_wrap.project.reading import Project
from cside_wrap.roles.form import Library, Plan
from cside_wrap.roles.vocabulary import Role
from cside_wrap.trial.program import Program, record

from cside_bench.library.shapes import shape_of

MOST: Final = 30
"""Functions that are measured if none is asked for by name."""
SIZES: Final = (16, 4096)
"""Bytes of inputs without a fixed size, where no profile says them."""
SIZED: Final = (Role.BYTES_IN, Role.BYTES_INOUT, Role.TEXT_IN)


@dataclass(slots=True)
class Drafted:
    """The workloads as the file of a set has them, and the functions of which there are none, with the reason."""

    entries: list[dict[str, Any]] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)


def draft(
    project: Project,
    profile: Profile | None,
    only: tuple[str, ...] = (),
    announce: Callable[[str], None] = lambda _: None,
) -> Drafted:
    """Return the workloads; ``only`` are names or patterns of functions, all of which are then measured.

    Each function is called in a process of its own. Raises `WrapError` for a recipe that is wrong.
    """
    form = project.form()
    classes = class_names(form)
    found = Drafted()
    done: set[object] = set()
    for name, plan in _ordered(form, profile, only):
        shape = None if profile is not None or only else tuple(sorted(shape_of(plan, form).items()))
        if (shape is not None and shape in done) or (not only and len(done) >= MOST):
            continue
        if why := unrepeatable(plan, form):
            found.left_out[name] = why
            continue
        announce(name)
        for size in _sizes(plan, profile):
            program = record(form, plan, project.libraries, project.overrides.recipes, size or 0, classes)
            if program.failed:
                found.left_out[name] = program.failed
                continue
            found.left_out.pop(name, None)
            found.entries.append(_entry(project.settings.name, plan, program, size))
            done.add(name if shape is None else shape)
    return found


def _ordered(form: Library, profile: Profile | None, only: tuple[str, ...]) -> Iterator[tuple[str, Plan]]:
    """Yield the functions that may be measured, the most called first."""
    names = list(form.plans)
    if profile is not None and not only:
        names = sorted((it for it in names if it in profile.functions), key=lambda it: -profile.functions[it].calls)
    for name in names:
        if not only or any(fnmatchcase(name, pattern) or pattern in name for pattern in only):
            yield name, form.plans[name]


def _sizes(plan: Plan, profile: Profile | None) -> tuple[int | None, ...]:
    """Return the sizes of the free inputs; None where there are none."""
    if not any(one.role in SIZED or one.buffers for one in plan.parameters):
        return (None,)
    its = profile.functions.get(plan.symbol) if profile is not None else None
    if its is not None and its.incoming.calls:
        return (max(1, round(its.incoming.quantile(0.5))),)
    return SIZES


def unrepeatable(plan: Plan, form: Library) -> str:
    """Return why a call cannot be repeated millions of times; empty if it can."""
    if plan.closes:
        return "closes its object"
    taken = {one.name for one in plan.parameters}
    if held := [one.kept for one in plan.keeps if one.holder in taken]:
        return f'each call keeps {", ".join(held)} alive with an object; keep = "call" says that the library copies it'
    if any(one.holder == "forever" for one in plan.keeps):
        return "each call keeps something forever"
    for one in plan.results:
        if one.role == Role.ADDRESS:
            return "returns an address, which may have to be freed"
        if one.role == Role.HANDLE and one.owner not in form.plans and one.owner != "library":
            return "makes an object that nothing frees"
    return ""


def _entry(library: str, plan: Plan, program: Program, size: int | None) -> dict[str, Any]:
    name = f"{library}.{plan.symbol}"
    return {
        "name": name if size is None else f"{name}[{size}]",
        "function": plan.symbol,
        "says": plan.declaration,
        "steps": program.steps,
        "arguments": program.arguments,
        "varies": program.varies,
    }
