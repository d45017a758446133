# SPDX-License-Identifier: Apache-2.0
"""Prepare what ``nox -s hazards`` needs, and write ``.cside/hazards/prepared.json``, which ``cside hazards`` reads.

``sources``, ``built``  the catalogue's folder in the checkout, and the folder in which its modules are built
``compiler``            the C compiler
``interpreters``        label, ``python`` of its build environment, ``release``, ``include``, ``suffix`` of compiled
                        modules, ``versions`` of the tools
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from provision import builders, commands, interpreters, packages, paths, toolchain, versions, workshop
from provision.drill.asked import default_interpreters
from provision.interpreters import Interpreter, Missing

FACTS: Final = """
import json, sysconfig
print(json.dumps({"include": sysconfig.get_path("include"), "suffix": sysconfig.get_config_var("EXT_SUFFIX")}))
"""


def asked(words: Sequence[str]) -> tuple[list[str], bool]:
    """Return the interpreters that ``--python`` (any number of times) names, and whether only help is wanted.

    Without ``--python`` they are the newest CPython of the matrix, and PyPy.
    """
    reader = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    reader.add_argument("--python", action="append", default=[])
    reader.add_argument("-h", "--help", action="store_true")
    found, _ = reader.parse_known_args(list(words))
    names = [interpreters.name_of(value) for value in found.python] or default_interpreters()
    return list(dict.fromkeys(names)), bool(found.help)


def stage(names: Sequence[str]) -> Path:
    """Make the build environments of these interpreters; return the path of the file that describes them.

    Raises `Problem` where an interpreter or the compiler is missing.
    """
    found = [_interpreter(name) for name in names]
    native = workshop.native_wheel()
    with paths.one_at_a_time():
        toolchain.check()
        made = {each.label: builders.for_interpreter(each, packages.every(), native) for each in found}
    content: dict[str, Any] = {
        "sources": str(paths.ROOT / "hazards"),
        "built": str(paths.STATE / "hazards" / "built"),
        "compiler": toolchain.identity(),
        "interpreters": [
            {
                "label": each.label,
                "python": str(made[each.label].python),
                "release": each.facts["release"],
                **json.loads(commands.output([made[each.label].python, "-I", "-c", FACTS])),
                "versions": versions.of_tools(made[each.label].python),
            }
            for each in found
        ],
    }
    written = paths.STATE / "hazards" / "prepared.json"
    paths.write_json(written, content)
    return written


def _interpreter(name: str) -> Interpreter:
    found = workshop.interpreter(name)
    if isinstance(found, Missing):
        raise commands.Problem(str(found))
    return found
