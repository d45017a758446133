# SPDX-License-Identifier: Apache-2.0
"""Build environments: one per interpreter, holding what the packages' ``[build-system]`` tables require."""

import json
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from provision import commands, paths, tools
from provision.interpreters import Interpreter
from provision.packages import NATIVE, Package, normalised

if TYPE_CHECKING:
    from provision.wheels import Wheel

TOOLS = ("cmake>=3.26", "ninja>=1.11")
"""What the build backends of CMake and Meson would install by themselves if builds were isolated."""


@dataclass(frozen=True)
class Builder:
    """A build environment."""

    label: str
    folder: Path
    identity: dict[str, str] | None
    """The identity of the interpreter; None where the wheels serve all interpreters."""
    versions: dict[str, str]
    """Versions of the distributions in the environment."""

    @property
    def python(self) -> Path:
        """The interpreter of the environment."""
        return tools.python_of(self.folder)

    def versions_of(self, package: Package) -> dict[str, str]:
        """Versions of what building ``package`` requires, without what only other packages require."""
        named = {normalised(each) for each in (*package.requires, *TOOLS)} - {NATIVE}
        return {name: self.versions[name] for name in sorted(named) if name in self.versions}


def for_native(package: Package) -> Builder:
    """The environment in which the native wheel is built, on nox's Python; the wheel itself depends on no Python."""
    requirements = sorted({*package.requires, *TOOLS})
    python = str(getattr(sys, "_base_executable", sys.executable))  # nox's own environment may be removed
    versions = _make("native", python, {"executable": python}, requirements, None)
    return Builder("native", paths.BUILDERS / "native", None, versions)


def for_interpreter(interpreter: Interpreter, packages: Iterable[Package], native: "Wheel") -> Builder:
    """The environment in which wheels for ``interpreter`` are built. It also holds the native package."""
    wanted = {*TOOLS, *(each for package in packages for each in package.requires)}
    if interpreter.is_pypy:  # PyPy's own cffi cannot be replaced by another
        wanted = {each for each in wanted if normalised(each) != "cffi"}
    identity = interpreter.identity()
    versions = _make(interpreter.label, str(interpreter.executable), identity, sorted(wanted), native)
    return Builder(interpreter.label, paths.BUILDERS / interpreter.label, identity, versions)


def _make(
    label: str, executable: str, identity: dict[str, str], requirements: list[str], native: "Wheel | None"
) -> dict[str, str]:
    """Make the environment, unless it is there already, and return the versions of what it holds."""
    folder = paths.BUILDERS / label
    stamp = folder / "cside.json"
    state = {"identity": identity, "requirements": requirements, "native": native.sha256 if native else ""}
    told = paths.read_json(stamp)
    if all(told.get(name) == value for name, value in state.items()) and told.get("versions"):
        return dict(told["versions"])
    python = tools.python_of(folder)
    if told.get("identity") != identity or not python.exists():
        shutil.rmtree(folder, ignore_errors=True)
        commands.say(f"{label}: making its build environment")
        commands.run([tools.uv(), "venv", "--no-project", "--python", executable, folder], log=f"builder-{label}")
    stamp.unlink(missing_ok=True)
    install = [tools.uv(), "pip", "install", "--python", python]
    commands.run([*install, *requirements], log=f"builder-{label}-requirements")
    if native is not None:
        commands.run([*install, "--no-deps", "--reinstall", native.path], log=f"builder-{label}-native")
    listed = json.loads(commands.output([tools.uv(), "pip", "list", "--format", "json", "--python", python]))
    versions = {normalised(each["name"]): str(each["version"]) for each in listed}
    paths.write_json(stamp, {**state, "versions": versions})
    return versions
