# SPDX-License-Identifier: Apache-2.0
"""The versions of the tools that write or load bindings, as an interpreter sees them."""

import json
from pathlib import Path
from typing import Final

from provision import commands, packages

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


def tools() -> tuple[str, ...]:
    """The tools: what a binding needs for its build and is named after, as the binding ``cffi`` after cffi.

    ctypes and the C API are parts of Python, whose version is told anyway.
    """
    return tuple(each.name for each in packages.bindings() if each.name in map(packages.normalised, each.requires))


def of_tools(python: Path) -> dict[str, str]:
    """Return the versions of the tools in the build environment of an interpreter.

    Raises `Problem` where one of them is missing.
    """
    found: dict[str, str] = json.loads(commands.output([python, "-I", "-c", PROGRAM % (tools(),)]))
    return found
