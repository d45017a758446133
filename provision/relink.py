# SPDX-License-Identifier: Apache-2.0
"""Copies of the compiled modules of a binding with other layouts: the same objects, linked to other addresses.

Each measuring process draws one of the copies, or the module as it is installed, so that the layout of code is part of
what varies between processes. One further build makes all copies of a binding (:mod:`provision.shuffled_link`), without
its variants, which keep the layout that they are installed with. The wheel of that build is kept as any other.
"""

import shlex
import shutil
import sys
import zipfile
from pathlib import Path

from provision import commands, paths, shuffled_link, wheels
from provision.builders import Builder
from provision.interpreters import Interpreter
from provision.packages import Package
from provision.wheels import Wheel

COPIES = 7
"""Copies of each module. With the plain one that is as many layouts as the default tier has processes, about.

Linking takes a tenth of a second. More of them cost little, and the mean over layouts is that of a binding the more
surely, the more there are.
"""

STAMP = "cside.json"
"""Says from which wheel a folder of copies comes."""


def variables(interpreter: Interpreter) -> dict[str, str]:
    """The environment variables that make setuptools and CMake link by :mod:`provision.shuffled_link`."""
    script = "import sysconfig; print(sysconfig.get_config_var('LDSHARED') or '')"
    linker = commands.output([interpreter.executable, "-I", "-c", script]).strip()
    if not linker:
        raise commands.Problem("the interpreter's sysconfig has no linker (LDSHARED)")
    program = Path(shuffled_link.__file__)
    python = Path(sys.executable).resolve()  # one Python has several names in an environment, and builds once with all
    wrapper = [str(python), str(program), str(COPIES)]
    return {
        "LDSHARED": f"{shlex.join(wrapper)} {linker}",
        **{f"CMAKE_{language}_LINKER_LAUNCHER": ";".join(wrapper) for language in ("C", "CXX")},
        "CSIDE_LINKED_BY": wheels.file_sha256(program),  # so that a change of the program makes other copies
        "CSIDE_WITHOUT_VARIANTS": "1",
    }


def ensure(interpreter: Interpreter, builder: Builder, package: Package, native: Wheel, plain: Wheel) -> list[Path]:
    """The folders of the copies, each of which holds the compiled modules of the package under their paths.

    The list is empty for a binding without compiled modules. Where the copies cannot be built it is empty too, and the
    user is told. A copy that is byte for byte another one or the installed module is left out.
    """
    if not plain.compiled_modules():
        return []
    try:
        wheel = wheels.build(package, builder, native, variables=variables(interpreter), variation="in other layouts")
    except commands.Problem as problem:
        said = str(problem).splitlines()[0]
        commands.say(f"{interpreter.label}: going on without other layouts of {package.distribution}: {said}")
        return []
    folder = paths.STATE / "layouts" / interpreter.label / package.name
    if paths.read_json(folder / STAMP).get("sha256") != wheel.sha256:
        shutil.rmtree(folder, ignore_errors=True)
        with zipfile.ZipFile(wheel.path) as archive:
            names = [name for name in archive.namelist() if name.startswith(f"{shuffled_link.FOLDER}/")]
            archive.extractall(folder, names)
        paths.write_json(folder / STAMP, {"sha256": wheel.sha256})
    found = [folder / shuffled_link.FOLDER / str(copy) for copy in different(wheel, plain)]
    if not found:
        made = any(name.startswith(f"{shuffled_link.FOLDER}/") for name in wheel.files())
        why = "none differs" if made else "its build made none (CONTRIBUTING.md, “A sixth binding”)"
        commands.say(f"{interpreter.label}: going on without other layouts of {package.distribution}: {why}")
    return found


def different(wheel: Wheel, plain: Wheel) -> list[int]:
    """The numbers of the copies in a wheel whose files differ from the plain ones and from those of other copies."""
    held = plain.files()
    copies: dict[int, dict[str, str]] = {0: {name: held[name] for name in held if name.endswith(wheels.COMPILED)}}
    for name, sha256 in wheel.files().items():
        parts = name.split("/", 2)
        if parts[0] == shuffled_link.FOLDER and name.endswith(wheels.COMPILED):
            copies.setdefault(int(parts[1]), {})[parts[2]] = sha256
    found: list[int] = []
    for copy in sorted(copies.keys() - {0}):
        others = [copies[other] for other in (0, *found)]
        if all(any(other.get(name) != sha256 for name, sha256 in copies[copy].items()) for other in others):
            found.append(copy)
    return found
