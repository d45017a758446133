# SPDX-License-Identifier: Apache-2.0
"""What the processes of a block are asked for in which each binding, variant and control has one of its own.

They are alive at the same time and measure in turns (:mod:`cside_bench.run.turns`), each workload in a child of its
process (:mod:`cside_suite.process.children`). All have the seed of their block, from which values and layouts are
drawn. References and loops in C have a process too, so that the reference binding is measured as the others are.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any, Final

from cside_suite.process.request import FLOOR, Request
from cside_suite.subjects.names import DELAYED, HOST, REFERENCES, RELINKED, TWIN, twin_of
from cside_suite.workloads.participation import takes_part

TURN_VISITS: Final = 12
"""Rounds of a workload in a turn, of a third of a millisecond each on PyPy. What leads a turn in takes 2 ms, and 16
processes have their turns within a tenth of a second.
"""


def subjects(request: Request, pilot: Mapping[str, Any]) -> list[str]:
    """Return what has a process of its own in each block: whatever takes part in a workload that the pilot found.

    ``request`` is that of a process with all of them.
    """
    few = bool(request.only or request.library)
    own = [it for it in pilot["implementations"] if not any(fnmatchcase(it, pattern) for pattern in request.without)]
    controls = [TWIN, DELAYED]
    if request.layouts.get(request.reference):
        controls.append(RELINKED)
    if request.twins:
        controls += [twin_of(it) for it in pilot["whole"] if it in own and "." not in it and it != request.reference]
    return [HOST, *own] + [
        it for it in controls if any(takes_part(it, each, few=few, twins=request.twins) for each in pilot["workloads"])
    ]


def narrowed(request: Request, subject: str, workloads: Collection[str]) -> Request:
    """Return the request for the process of one subject, from that for a process with all of them."""
    chosen = sorted(workloads)
    left_out = [] if subject == HOST else [it for it in (*REFERENCES, FLOOR) if it != subject]
    return replace(
        request,
        alone=subject,
        workloads=chosen,
        exclude=[*request.exclude, *((workload, name) for workload in chosen for name in left_out)],
        turn_visits=TURN_VISITS,
        forks=True,
    )
