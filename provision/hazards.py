# SPDX-License-Identifier: Apache-2.0
"""Prepare what ``nox -s hazards`` needs, and write ``.cside/hazards/prepared.json``, which ``cside hazards`` reads.

``sources``, ``built``  the catalogue's folder in the checkout, and the folder in which its modules are built
``compiler``            what distinguishes the compilers from others
``compilers``           the command of the compiler for each suffix of source files
``left_out``            the approaches that are written in C++, where there is no compiler for it
``interpreters``        label, ``python`` of its build environment, ``release``, ``include``, ``suffix`` of compiled
                        modules, folder of installed ``packages``, ``versions`` of the tools
"""

import argparse
import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from provision import builders, commands, interpreters, packages, paths, toolchain, versions, workshop
from provision.drill.asked import default_interpreters
from provision.interpreters import Interpreter, Missing

FACTS: Final = """
import json, sysconfig
paths = {"include": sysconfig.get_path("include"), "packages": sysconfig.get_path("purelib")}
print(json.dumps(paths | {"suffix": sysconfig.get_config_var("EXT_SUFFIX")}))
"""

SOURCES: Final = paths.ROOT / "hazards"


@dataclass(frozen=True)
class Asked:
    """What the arguments of ``nox -s hazards`` ask for."""

    interpreters: list[str]
    """Those that ``--python`` names; without it the newest CPython of the matrix, and PyPy."""
    approaches: list[str]
    """Those that ``--binding`` names; none stands for all."""
    help: bool


def asked(words: Sequence[str]) -> Asked:
    """Read the arguments; those that are not of ``Asked`` are the tool's."""
    reader = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    reader.add_argument("--python", action="append", default=[])
    reader.add_argument("--binding", action="append", default=[])
    reader.add_argument("-h", "--help", action="store_true")
    found, _ = reader.parse_known_args(list(words))
    names = [interpreters.name_of(value) for value in found.python] or default_interpreters()
    return Asked(list(dict.fromkeys(names)), found.binding, found.help)


def stage(wanted: Asked) -> Path:
    """Make the build environments of the interpreters; return the path of the file that describes them.

    Raises `Problem` where an interpreter or the C compiler is missing, or a C++ compiler for what is asked for by name.
    """
    left_out = toolchain.left_out(in_cpp(wanted.approaches), asked=bool(wanted.approaches))
    found = [_interpreter(name) for name in wanted.interpreters]
    native = workshop.native_wheel()
    with paths.one_at_a_time():
        toolchain.check()
        made = {each.label: builders.for_interpreter(each, packages.every(), native) for each in found}
    content: dict[str, Any] = {
        "sources": str(SOURCES),
        "built": str(paths.STATE / "hazards" / "built"),
        "compiler": toolchain.identity(),
        "compilers": {".c": toolchain.compiler(), ".cpp": toolchain.cpp_compiler()},
        "left_out": left_out,
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


def in_cpp(only: Sequence[str] = ()) -> list[str]:
    """The approaches of the catalogue, or those in ``only``, whose modules are written in C++."""
    told = tomllib.loads((SOURCES / "hazards.toml").read_text(encoding="utf-8"))
    names = [each["name"] for each in told["approach"] if each.get("file", "").endswith(".cpp")]
    return [name for name in names if not only or name in only]


def _interpreter(name: str) -> Interpreter:
    found = workshop.interpreter(name)
    if isinstance(found, Missing):
        raise commands.Problem(str(found))
    return found
