# SPDX-License-Identifier: Apache-2.0
"""A drill that was not made: the kept run has none, since a drill builds every binding once for each change."""

import itertools
import math
from collections.abc import Sequence
from typing import Any, Final

CHANGES: Final = ("argument-added", "field-inserted", "constant-renumbered", "function-removed", "signedness-changed")
LEGEND: Final = {
    "unaffected": "The change does not reach it.",
    "works": "It was rebuilt and does what the new header says.",
    "build": "It does not build: the compiler says so.",
    "import": "Its import fails and names the symbol.",
    "call": "The call raises an exception.",
    "silent": "It returns a wrong result and says nothing.",
    "crash": "It takes the process down.",
}


def drill(labels: Sequence[str], whole: Sequence[str], detail: str) -> dict[str, Any]:
    """The document of a drill on the first half of the interpreters, in which outcomes take turns."""
    bindings = list(dict.fromkeys(it.partition(".")[0] for it in whole))
    tried = labels[: math.ceil(len(labels) / 2)]
    turns = itertools.cycle(LEGEND)
    outcomes = [
        {
            "interpreter": label,
            "binding": binding,
            "change": change,
            "pass": one,
            "rebuilt": one == "rebuilt",
            "outcome": (found := next(turns)),
            "says": LEGEND[found],
            "detail": detail,
            "warned": False,
            "library": "0" * 64,
            "seconds": 1.5,
            "log": None,
        }
        for label, binding, change, one in itertools.product(tried, bindings, CHANGES, ("library", "rebuilt"))
    ]
    changes = [
        {
            "id": it,
            "title": it.replace("-", " "),
            "says": "One line of a header.",
            "diff": "-int a(void);\n+int a(int n);",
            "library": "1" * 64,
        }
        for it in CHANGES
    ]
    return {
        "format": 1,
        "created": "2026-11-21T12:00:00+00:00",
        "machine": "A Processor 9000",
        "compiler": {"name": "gcc 12.2.0"},
        "library": "0" * 64,
        "interpreters": [{"label": label, "release": "3.14.0"} for label in tried],
        "bindings": bindings,
        "changes": changes,
        "outcomes": outcomes,
        "legend": LEGEND,
    }
