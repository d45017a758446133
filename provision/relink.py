# SPDX-License-Identifier: Apache-2.0
"""The relinked control: the reference binding built once more, with its object files linked in another order.

The difference between its times and those of the reference shows how much the layout of code alone changes times.
"""

import shlex
import shutil
import sys
import zipfile
from pathlib import Path

from provision import builders, commands, packages, paths, wheels
from provision.interpreters import Interpreter
from provision.packages import Package
from provision.wheels import Wheel

SEED = 1
"""Seed of the order."""


def variables(interpreter: Interpreter) -> dict[str, str]:
    """The environment variables that make setuptools link by :mod:`provision.shuffled_link`."""
    script = "import sysconfig; print(sysconfig.get_config_var('LDSHARED') or '')"
    linker = commands.output([interpreter.executable, "-I", "-c", script]).strip()
    if not linker:
        raise commands.Problem("the interpreter's sysconfig has no linker (LDSHARED)")
    wrapper = [sys.executable, str(Path(__file__).with_name("shuffled_link.py")), str(SEED)]
    return {"LDSHARED": f"{shlex.join(wrapper)} {linker}"}


def ensure(interpreter: Interpreter, package: Package, native: Wheel, plain: Wheel) -> Path | None:
    """The folder that holds the relinked package. Where it cannot be built this is None, and the user is told.

    It is also None where linking in another order changes no file, because then it shows nothing.
    """
    folder = paths.STATE / "relinked" / interpreter.label
    try:
        builder = builders.for_interpreter(interpreter, packages.every(), native)
        wheel = wheels.build(
            package, builder, native, variables=variables(interpreter), variation="relinked as a control"
        )
    except commands.Problem as problem:
        commands.say(f"{interpreter.label}: going on without the relinked control: {str(problem).splitlines()[0]}")
        return None
    compiled = {name for name in wheel.files() if name.endswith(wheels.COMPILED)}
    if all(wheel.files()[name] == plain.files().get(name) for name in compiled):
        commands.say(
            f"{interpreter.label}: going on without the relinked control: {package.distribution} has too few object "
            "files to link in another order"
        )
        return None
    stamp = folder / "cside.json"
    if paths.read_json(stamp).get("sha256") != wheel.sha256:
        shutil.rmtree(folder, ignore_errors=True)
        with zipfile.ZipFile(wheel.path) as archive:
            archive.extractall(folder)
        paths.write_json(stamp, {"sha256": wheel.sha256})
    return folder
