# SPDX-License-Identifier: Apache-2.0
"""Make a wheel portable and audit it, by the tools that the Python Packaging Authority and Trail of Bits publish."""

import json
import re
import shutil
import sys
import tempfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from provision import commands, packages, paths, tools, wheels

OLDEST = "3.11"
"""The stable ABI that modules are built for is that of the oldest Python that the packages support, unless a binding
names another one for a module.
"""


@dataclass
class Audited:
    """A wheel to be published, and what the audits said."""

    path: Path
    said: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def tag(self) -> str:
        """Interpreter, ABI and platforms, as in the file's name."""
        return "-".join(self.path.stem.split("-")[2:])


def repaired(wheel: Path, folder: Path, programs: Path) -> Audited:
    """Copy a wheel into ``folder`` as auditwheel makes it: with a tag for the systems that it runs on.

    Libraries that such systems do not have are copied into the wheel, except ``libcside``: a copy in each binding would
    be several libraries with a state of their own, in place of the one in ``cside-native``. ``programs`` is the folder
    of the tools.
    """
    if not compiled(wheel):
        return Audited(Path(shutil.copy2(wheel, folder)), ["pure Python"])
    if sys.platform == "darwin":
        command: list[object] = [programs / "delocate-wheel", "--exclude", "libcside.dylib", "-w", folder, wheel]
    elif sys.platform == "linux":
        source = without_foreign_run_paths(wheel, paths.BUILD / "release" / wheel.stem, programs)
        command = [programs / "auditwheel", "repair", "--exclude", "libcside.so", "-w", folder, source]
    else:
        return Audited(Path(shutil.copy2(wheel, folder)), ["not audited: no tool for this system"])
    before = set(folder.iterdir())
    commands.run(command, log=f"repair-{wheel.stem}", env=commands.environment(first_on_path=programs))
    made = [path for path in folder.iterdir() if path not in before]
    if len(made) != 1:
        raise commands.Problem(f"{wheel.name}: {Path(str(command[0])).name} made {len(made)} wheels")
    audited = Audited(made[0])
    if grafted := sorted(set(libraries(made[0])) - set(libraries(wheel))):
        audited.said.append("carries " + ", ".join(re.sub(r"-[0-9a-f]{8}", "", name) for name in grafted))
    return audited


def compiled(wheel: Path) -> list[str]:
    """The compiled files in a wheel."""
    return sorted(name for name in wheels.names(wheel) if name.endswith(wheels.COMPILED) or ".so." in name)


def libraries(wheel: Path) -> list[str]:
    """The names of its compiled files, without folders."""
    return [name.rpartition("/")[2] for name in compiled(wheel)]


def audit(audited: Audited, programs: Path) -> None:
    """Add what the other audits say: twine of the metadata, abi3audit of stable-ABI modules, patchelf of run paths."""
    try:
        commands.run([programs / "twine", "check", "--strict", audited.path], log=f"twine-{audited.path.stem}")
        audited.said.append("twine")
    except commands.Problem as problem:
        audited.problems.append(f"twine: {problem}")
    with tempfile.TemporaryDirectory() as name, zipfile.ZipFile(audited.path) as archive:
        folder = Path(name)
        for member in compiled(audited.path):
            file = Path(archive.extract(member, folder))
            if ".abi3." in file.name:
                module = re.sub(r"\.abi3\..*", "", member).replace("/", ".")
                oldest = packages.stable_abis().get(module, OLDEST)
                audited.problems += [f"{member}: {each}" for each in stable_abi(file, programs, oldest)]
                audited.said.append("abi3audit")
            if sys.platform == "linux":
                audited.problems += [f"{member}: run path {each}" for each in run_paths(file) if is_foreign(each)]


def stable_abi(module: Path, programs: Path, oldest: str = OLDEST) -> list[str]:
    """What abi3audit finds wrong in a module for the stable ABI of a version."""
    command = [programs / "abi3audit", "--report", "--assume-minimum-abi3", oldest, module]
    try:
        result = json.loads(commands.output(command))["specs"][str(module)]["object"]["result"]
    except (commands.Problem, ValueError, KeyError) as problem:
        return [f"abi3audit: {type(problem).__name__}: {problem}"]
    if result["non_abi3_symbols"]:
        return [f"uses {', '.join(result['non_abi3_symbols'])}, which the stable ABI does not have"]
    return [] if result["is_abi3_baseline_compatible"] else [f"needs the stable ABI of {result['computed']}"]


def run_paths(file: Path) -> list[str]:
    """The run paths of a compiled module."""
    return [each for each in commands.output([tools.patchelf(), "--print-rpath", file]).strip().split(":") if each]


def is_foreign(path: str) -> bool:
    """Whether a run path leads out of the environment, to a folder where another machine may have any file, or none."""
    return not path.startswith("$ORIGIN")


def without_foreign_run_paths(wheel: Path, folder: Path, programs: Path) -> Path:
    """Return the wheel, or a copy of it in ``folder`` without run paths that lead out of the environment.

    They come from the linker's flags of the interpreter itself, for instance one with a shared ``libpython``.
    """
    shutil.rmtree(folder, ignore_errors=True)
    commands.run([programs / "wheel", "unpack", "--dest", folder, wheel], log=f"unpack-{wheel.stem}")
    (unpacked,) = folder.iterdir()
    changed = False
    for name in compiled(wheel):
        found = run_paths(unpacked / name)
        kept = [each for each in found if not is_foreign(each)]
        if kept != found:
            commands.output([tools.patchelf(), "--set-rpath", ":".join(kept), unpacked / name])
            changed = True
    if not changed:
        return wheel
    packed = folder / "packed"
    packed.mkdir()
    commands.run([programs / "wheel", "pack", "--dest-dir", packed, unpacked], log=f"pack-{wheel.stem}")
    (made,) = packed.iterdir()
    return made
