# SPDX-License-Identifier: Apache-2.0
"""Runs that a page has to do justice to."""

from typing import Final

from kept_run import ALL_SECTIONS, CPYTHON, LARGE, PYPY, WHOLE, Shape

WHOLE_RUN: Final = (Shape(),)
"""Two interpreters, everything measured, trustworthy."""
TWO_MACHINES: Final = (
    Shape(machine="lab-one"),
    Shape(machine="lab.two", labels=(CPYTHON,), run="20261121-140000"),
)
SMALL_RUN: Final = (
    Shape(
        others=("cext.abi3", "floor.direct", "stdlib", "twin", "relinked", "delayed"),
        workloads=(
            *("idioms.noop", "idioms.bytes_sum[bytes]", "idioms.spin_held[1]", "pkcs11.digest[64-token]"),
            *(f"codec.crc32[{size}]" for size in (0, 16, 4096, 65536, 1048576)),
        ),
    ),
)
"""Every section, of fewer rows."""
LARGE_RUN: Final = (LARGE,)

CASES: Final[dict[str, tuple[Shape, ...]]] = {
    "whole": WHOLE_RUN,
    "two machines": TWO_MACHINES,
    "one machine twice": (Shape(machine="lab-one"), Shape(machine="lab-one", run="20261121-150000")),
    "untrusted": (Shape(untrusted=(CPYTHON, PYPY)),),
    "half trusted": (Shape(untrusted=(PYPY,)),),
    "quick": (Shape(tier="quick"),),
    "two bindings": (Shape(labels=(CPYTHON,), whole=(WHOLE[0], WHOLE[3]), others=("twin",)),),
    "nothing beside cells": (Shape(labels=(CPYTHON,), sections=frozenset()),),
    "no sweep, no module": (
        Shape(workloads=("idioms.noop",), sections=ALL_SECTIONS - {"models", "steady", "threads"}, lacking=(), void=()),
    ),
}
SECTIONS: Final = [
    *("answer", "trust", "heatmap", "calls", "sizes", "shapes", "warmup", "tails", "threads", "costs"),
    *("inside", "claims", "drill", "hazards", "parity", "cells", "targets", "environment"),
]
"""Ids, in the order of the page."""
