# SPDX-License-Identifier: Apache-2.0
"""Build environments: one per interpreter, holding what the packages' ``[build-system]`` tables require."""

import json
import re
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from provision import commands, paths, tools
from provision.interpreters import MATRIX, Interpreter
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
    refused: dict[str, str] = field(default_factory=dict)
    """Requirements that cannot be installed for this interpreter, with the reason."""

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
    versions, _ = _make("native", python, {"executable": python}, requirements, None)
    return Builder("native", paths.BUILDERS / "native", None, versions)


def for_interpreter(interpreter: Interpreter, packages: Iterable[Package], native: "Wheel") -> Builder:
    """The environment in which wheels for ``interpreter`` are built. It also holds the native package.

    An interpreter beyond the matrix may do without a requirement, as cffi refuses the free-threaded CPython 3.13.
    """
    wanted = {*TOOLS, *(each for package in packages for each in package.requires)}
    if interpreter.is_pypy:  # PyPy's own cffi cannot be replaced by another
        wanted = {each for each in wanted if normalised(each) != "cffi"}
    identity = interpreter.identity()
    made = _make(
        interpreter.label,
        str(interpreter.executable),
        identity,
        sorted(wanted),
        native,
        all_needed=interpreter.name in MATRIX,
    )
    return Builder(interpreter.label, paths.BUILDERS / interpreter.label, identity, *made)


def _make(
    label: str,
    executable: str,
    identity: dict[str, str],
    requirements: list[str],
    native: "Wheel | None",
    *,
    all_needed: bool = True,
) -> tuple[dict[str, str], dict[str, str]]:
    """Make the environment, unless it is there already. Return the versions of what it holds, and what was refused."""
    folder = paths.BUILDERS / label
    stamp = folder / "cside.json"
    state = {"identity": identity, "requirements": requirements, "native": native.sha256 if native else ""}
    told = paths.read_json(stamp)
    if (
        all(told.get(name) == value for name, value in state.items())
        and told.get("versions")
        and not told.get("refused")
    ):
        return dict(told["versions"]), dict(told.get("refused", {}))
    python = tools.python_of(folder)
    if told.get("identity") != identity or not python.exists():
        shutil.rmtree(folder, ignore_errors=True)
        commands.step(f"{label}: making its build environment")
        commands.run([tools.uv(), "venv", "--no-project", "--python", executable, folder], log=f"builder-{label}")
    stamp.unlink(missing_ok=True)
    install: list[str | Path] = [tools.uv(), "pip", "install", "--python", python]
    refused: dict[str, str] = {}
    try:
        commands.run([*install, *requirements], log=f"builder-{label}-requirements")
    except commands.Problem:
        if all_needed:
            raise
        refused = _one_by_one(label, install, requirements)
    if native is not None:
        commands.run([*install, "--no-deps", "--reinstall", native.path], log=f"builder-{label}-native")
    listed = json.loads(commands.output([tools.uv(), "pip", "list", "--format", "json", "--python", python]))
    versions = {normalised(each["name"]): str(each["version"]) for each in listed}
    paths.write_json(stamp, {**state, "versions": versions, "refused": refused})
    return versions, refused


def _one_by_one(label: str, install: list[str | Path], requirements: list[str]) -> dict[str, str]:
    """Install each requirement by itself; return those that cannot be installed, with the reason."""
    refused = {}
    for requirement in requirements:
        log = f"builder-{label}-{normalised(requirement)}"
        try:
            commands.run([*install, requirement], log=log)
        except commands.Problem as problem:
            errors = re.findall(r"^\s*\w*Error: (.+)$", str(problem), re.MULTILINE)
            refused[requirement] = errors[-1] if errors else f"see {paths.LOGS / log}.log"
            commands.say(f"{label}: {requirement} cannot be installed: {refused[requirement]}")
    return refused
