# SPDX-License-Identifier: Apache-2.0
"""Run the conformance suite under a debug build of CPython, whose functions check what they are given.

The modules are those of the ordinary interpreter of the same version: both builds have one binary interface. The debug
build's count of all references is of no use with them, because references that they take by macros are not in it.
"""

import shutil

from provision import commands, interpreters, workshop
from provision.commands import Problem
from provision.interpreters import Interpreter
from provision.reliability import suite
from provision.reliability.rows import Row

NAME = "debug"


def program(version: str) -> str:
    """The name by which Debian and its relatives install a debug build."""
    return f"python{version}-dbg"


def find() -> str | None:
    """The newest version of the matrix that has a debug build here and an interpreter of exactly the same release.

    The user is told if there is none.
    """
    versions = [name for name in interpreters.MATRIX if not name.startswith("pypy")]
    for version in reversed(versions):
        found = shutil.which(program(version))
        python = workshop.interpreter(version) if found else None
        if found and isinstance(python, Interpreter):
            release = commands.output([found, "-c", "import platform; print(platform.python_version())"]).strip()
            if release == python.facts["release"]:
                return version
            commands.say(f"{found} is {release}, and {python.label} is {python.facts['release']}: it is left out")
    commands.say(f"no debug build of CPython is there, and tests nothing: apt-get install {program(versions[0])}")
    return None


def run() -> list[Row]:
    """Run the suite on each binding; a row for each, and none if no debug build is there."""
    version = find()
    if version is None:
        return []
    python = workshop.interpreter(version)
    if not isinstance(python, Interpreter):
        raise Problem(str(python))
    env, _ = workshop.prepare([python])[python.label]
    there = {"PYTHONPATH": str(env.state()["site_packages"])}
    return suite.run(NAME, "", program(version), [each.name for each in workshop.buildable()], there)
