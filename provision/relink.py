# SPDX-License-Identifier: Apache-2.0
"""The relinked control: the reference binding's package once more, its object files linked in another order.

How far it is from the reference shows how much of a difference the layout of code alone can make.
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
"""Of the order."""


def variables(interpreter: Interpreter) -> dict[str, str]:
    """What setuptools is told, to link by :mod:`provision.shuffled_link`."""
    script = "import sysconfig; print(sysconfig.get_config_var('LDSHARED') or '')"
    linker = commands.output([interpreter.executable, "-I", "-c", script]).strip()
    if not linker:
        raise commands.Problem("it does not say how it links")
    wrapper = [sys.executable, str(Path(__file__).with_name("shuffled_link.py")), str(SEED)]
    return {"LDSHARED": f"{shlex.join(wrapper)} {linker}"}


def ensure(interpreter: Interpreter, package: Package, native: Wheel, plain: Wheel) -> Path | None:
    """The folder that holds the package; None, with a word about it, where it cannot be had.

    It is worth nothing where linking in another order changes nothing: then there is none either.
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
        commands.say(f"{interpreter.label}: no relinked control: {package.distribution} has no order of objects")
        return None
    stamp = folder / "cside.json"
    if paths.read_json(stamp).get("sha256") != wheel.sha256:
        shutil.rmtree(folder, ignore_errors=True)
        with zipfile.ZipFile(wheel.path) as archive:
            archive.extractall(folder)
        paths.write_json(stamp, {"sha256": wheel.sha256})
    return folder
