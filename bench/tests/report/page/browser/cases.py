# SPDX-License-Identifier: Apache-2.0
"""Runs that a page has to do justice to."""

from typing import Final

from synthetic_catalogue import LABELS, WHOLE
from synthetic_page import ALL_SECTIONS, LARGE, Shape

WHOLE_RUN: Final = (Shape(),)
"""Two interpreters, everything measured, trustworthy."""
TWO_MACHINES: Final = (
    Shape(machine="lab-one"),
    Shape(machine="lab.two", labels=(LABELS[4],), run="20261121-140000"),
)
LARGE_RUN: Final = (LARGE,)

CASES: Final[dict[str, tuple[Shape, ...]]] = {
    "whole": WHOLE_RUN,
    "two machines": TWO_MACHINES,
    "one machine twice": (Shape(machine="lab-one"), Shape(machine="lab-one", run="20261121-150000")),
    "untrusted": (Shape(untrusted=("cpython-3.14", "pypy-3.11")),),
    "half trusted": (Shape(untrusted=("pypy-3.11",)),),
    "quick": (Shape(tier="quick", processes=3),),
    "two bindings": (Shape(labels=("cpython-3.14",), whole=(WHOLE[0], WHOLE[3]), others=("twin",)),),
    "nothing beside cells": (Shape(labels=("cpython-3.14",), sections=frozenset()),),
    "no sweep, no module": (
        Shape(workloads=("idioms.noop",), sections=ALL_SECTIONS - {"models", "steady", "threads"}, lacking=(), void=()),
    ),
}
SECTIONS: Final = [
    *("answer", "trust", "heatmap", "calls", "sizes", "warmup", "tails", "threads", "costs", "inside"),
    *("claims", "drill", "parity", "cells", "targets", "environment"),
]
"""Ids, in the order of the page."""
