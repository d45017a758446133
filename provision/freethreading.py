# SPDX-License-Identifier: Apache-2.0
"""Which bindings an interpreter without a GIL is tested with."""

import json
from pathlib import Path

from provision import commands

THREADS = 4
"""How many threads run each test at the same time. More than CPUs, so that threads are interrupted too."""

_ASK = """
import json
from cside_suite.subjects.bindings import discover
feature = "free-threading"
print(json.dumps({each.name: None if feature in each.features else each.gaps.get(feature, "") for each in discover()}))
"""


def declared(python: Path) -> list[str]:
    """The bindings of an environment that have the feature ``free-threading``; the user is told why others lack it.

    They are not imported together with the others, since a module that does not declare its support switches the GIL
    on for the whole process. Raises `Problem` where no binding has the feature.
    """
    answers: dict[str, str | None] = json.loads(commands.output([python, "-I", "-c", _ASK]).splitlines()[-1])
    found = [name for name, reason in answers.items() if reason is None]
    for name, reason in answers.items():
        if reason is not None:
            commands.say(f"{name} is left out, it does not declare free threading: {reason}")
    if not found:
        raise commands.Problem("no binding declares free threading, so there is nothing to test on this interpreter")
    return found
