# SPDX-License-Identifier: Apache-2.0
"""Which nouns the bindings of an environment have. A binding names those that it leaves out in its ``gaps``."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from provision import commands, packages

_ASK = """
import importlib, json, sys
nouns = json.loads(sys.argv[1])
gaps = {name: importlib.import_module(name).gaps for name in sys.argv[2:]}
print(json.dumps({name: [noun for noun in nouns if noun not in missing] for name, missing in gaps.items()}))
"""


def nouns(python: Path, bound: Iterable[str], variables: Mapping[str, str] | None = None) -> dict[str, list[str]]:
    """The nouns of each package in an environment, imported with these environment ``variables`` beside the usual ones.

    Raises `Problem` where a package cannot be imported.
    """
    names = list(bound)
    if not names:
        return {}
    program = [python, "-I", "-c", _ASK, json.dumps(packages.nouns()), *names]
    answer = commands.output(program, env=commands.environment(None, **(variables or {})))
    found: dict[str, list[str]] = json.loads(answer.splitlines()[-1])
    return found
