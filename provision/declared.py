# SPDX-License-Identifier: Apache-2.0
"""Which nouns the bindings of an environment have. A binding names those that it leaves out in its ``gaps``."""

import json
from collections.abc import Iterable
from pathlib import Path

from provision import commands, packages

_ASK = """
import importlib, json, sys
nouns = json.loads(sys.argv[1])
gaps = {name: importlib.import_module(name).gaps for name in sys.argv[2:]}
print(json.dumps({name: [noun for noun in nouns if noun not in missing] for name, missing in gaps.items()}))
"""


def nouns(python: Path, bound: Iterable[str]) -> dict[str, list[str]]:
    """The nouns of each package in an environment. Raises `Problem` where a package cannot be imported."""
    names = list(bound)
    if not names:
        return {}
    answer = commands.output([python, "-I", "-c", _ASK, json.dumps(packages.nouns()), *names])
    found: dict[str, list[str]] = json.loads(answer.splitlines()[-1])
    return found
