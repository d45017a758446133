# SPDX-License-Identifier: Apache-2.0
"""The versions of the tools that write or load bindings, as an interpreter sees them."""

import json
from pathlib import Path
from typing import Final

from provision import commands

TOOLS: Final = ("cython", "swig", "cffi")

PROGRAM: Final = """
import json
from importlib import metadata
found = {}
for name in %r:
    try:
        found[name] = metadata.version(name)
    except metadata.PackageNotFoundError:
        found[name] = __import__(name).__version__
print(json.dumps(found))
"""
"""PyPy brings a cffi of its own, which no installed distribution describes."""


def of_tools(python: Path) -> dict[str, str]:
    """Return the versions of Cython, SWIG and cffi in the build environment of an interpreter.

    Raises `Problem` where one of them is missing.
    """
    found: dict[str, str] = json.loads(commands.output([python, "-I", "-c", PROGRAM % (TOOLS,)]))
    return found
