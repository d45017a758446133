# SPDX-License-Identifier: Apache-2.0
"""Builds and installs the packages: one environment for each interpreter, with the packages of all techniques."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cside_wrap.errors import WrapError
from cside_wrap.header import exports
from cside_wrap.packages.describe import describe
from cside_wrap.packages.description import Binding
from cside_wrap.packages.render import package_of, write
from cside_wrap.packages.techniques import Technique
from cside_wrap.project.reading import Project

__all__ = ["FOLDER", "Built", "Python", "build", "built", "environment_python"]

FOLDER = "build"
"""The folder of a project in which all is that can be made again."""
RECORD = "build.json"
TIMEOUT_S = 1800
ASKED = """
import json, sys, tomllib
with open(sys.argv[1], "rb") as stream:
    print(json.dumps(tomllib.load(stream)["build-system"]["requires"]))
"""


@dataclass(frozen=True)
class Python:
    """An interpreter: `label` as ``cpython-3.14``, and its program."""

    label: str
    executable: str


@dataclass(frozen=True)
class Built:
    """The package of one technique, for one interpreter."""

    technique: str
    python: str
    """The label of the interpreter."""
    package: str
    """The name by which it is imported, in the environment of the interpreter."""
    functions: int
    lines: int
    """Lines of code that were written; nobody keeps them, so they are no cost as overrides are."""
    seconds: float
    """Of the build, from the source package to the wheel."""
    wheel_bytes: int
    key: str
    """The hash of what it was built from."""
    failed: str = ""
    """The last lines that the build printed; empty where it succeeded."""


def environment_python(folder: Path, label: str) -> Path:
    """The interpreter of the environment that has the packages of a project."""
    place = folder.resolve() / FOLDER / "envs" / label
    return place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def built(folder: Path) -> list[Built]:
    """What `build` made last, for each technique and interpreter. Raises `WrapError` where nothing is there."""
    path = folder / FOLDER / RECORD
    try:
        return [Built(**one) for one in json.loads(path.read_text(encoding="utf-8"))]
    except FileNotFoundError:
        raise WrapError(f"there is no {path}", f"Build first: cside build {folder}") from None
    except (ValueError, TypeError) as error:
        raise WrapError(f"{path} is damaged: {error}", f"Build again: cside build {folder}") from error


def build(
    project: Project,
    techniques: Sequence[Technique],
    pythons: Sequence[Python],
    tell: Callable[[str], None] = lambda _: None,
) -> tuple[Binding, dict[str, str], list[Built]]:
    """Write the packages, and build and install what has changed since the last time.

    Returns the description, why each bound function that is not in it cannot be built, and what was built. `tell` gets
    a line before each step that takes long. A package that cannot be built is recorded as failed. Raises `WrapError`
    where there is no uv or an environment cannot be made.
    """
    binding, unable = describe(project)
    folder = project.folder / FOLDER
    folder.mkdir(exist_ok=True)
    (folder / ".gitignore").write_text("*\n", encoding="utf-8")
    lines = {}
    for technique in techniques:
        target = folder / "packages" / technique.name
        with tempfile.TemporaryDirectory(prefix=".writing-", dir=folder) as place:
            lines[technique.name] = write(binding, technique, project.header, Path(place, "new"))
            if target.exists():
                shutil.rmtree(target)
            target.parent.mkdir(exist_ok=True)
            os.replace(Path(place, "new"), target)
    done = {(one.technique, one.python): one for one in (built(project.folder) if (folder / RECORD).exists() else [])}
    for python in pythons:
        for technique in techniques:
            source = folder / "packages" / technique.name
            key = _key(source, python, project)
            before = done.get((technique.name, python.label))
            if before is not None and before.key == key and not before.failed:
                continue
            tell(f"{python.label}: {technique.title}")
            functions = sum(1 for one in binding.calls if technique.binds(one))
            package = package_of(binding, technique)
            new = _install(folder, source, package, technique, python, key)
            done[technique.name, python.label] = Built(
                **{**asdict(new), "functions": functions, "lines": lines[technique.name]}
            )
            text = json.dumps([asdict(one) for one in done.values()], indent=1) + "\n"
            temporary = folder / f".{RECORD}"
            temporary.write_text(text, encoding="utf-8")
            os.replace(temporary, folder / RECORD)
    wanted = {(technique.name, python.label) for technique in techniques for python in pythons}
    return binding, unable, [one for key, one in done.items() if key in wanted]


def _key(source: Path, python: Python, project: Project) -> str:
    """The hash of the package's files, the interpreter, and the library."""
    found = hashlib.sha256(f"{python.executable} {os.path.getmtime(python.executable)}".encode())
    for path in sorted(source.rglob("*")):
        if path.is_file():
            found.update(f"{path.relative_to(source)}\0".encode() + path.read_bytes())
    for library in project.libraries:
        found.update(exports.sha256(library).encode())
    return found.hexdigest()[:16]


def _uv() -> str:
    if found := shutil.which("uv"):
        return found
    try:
        import uv
    except ImportError:
        raise WrapError("there is no uv, which makes the environments", "Install it: pip install uv") from None
    return str(uv.find_uv_bin())


def _run(words: Sequence[str | Path], **more: Any) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "PYTHONPATH")}
    return subprocess.run(
        [str(one) for one in words],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=TIMEOUT_S,
        check=False,
        env=clean,
        **more,
    )


def _environment(folder: Path, python: Python) -> Path:
    """The interpreter of the environment, which is made where it is not there."""
    program = environment_python(folder.parent, python.label)
    if not program.exists():
        done = _run([_uv(), "venv", "--quiet", "--clear", "--python", python.executable, program.parents[1]])
        if done.returncode:
            raise WrapError(f"no environment for {python.label} could be made: {done.stderr.strip()[-300:]}")
    return program


def _install(folder: Path, source: Path, package: str, technique: Technique, python: Python, key: str) -> Built:
    """Build the wheel of a package, install it and import it."""
    program = _environment(folder, python)

    def made(seconds: float = 0.0, size: int = 0, failed: str = "") -> Built:
        return Built(technique.name, python.label, package, 0, 0, round(seconds, 3), size, key, failed)

    asked = _run([sys.executable, "-c", ASKED, source / "pyproject.toml"])
    needed = _run([_uv(), "pip", "install", "--quiet", "--python", program, *json.loads(asked.stdout)])
    if needed.returncode:
        return made(failed=_last(needed))
    with tempfile.TemporaryDirectory(prefix="cside-build-") as place:  # some backends leave files behind
        copied = shutil.copytree(source, Path(place, "source"))
        wheels = folder / "wheels" / python.label / technique.name
        started = time.perf_counter()
        words: list[str | Path] = [_uv(), "build", "--wheel", "--no-build-isolation", "--python", program]
        compiled = _run([*words, "--out-dir", Path(place, "out"), copied])
        seconds = time.perf_counter() - started
        found = sorted(Path(place, "out").glob("*.whl"))
        if compiled.returncode or not found:
            return made(seconds, failed=_last(compiled))
        if wheels.exists():
            shutil.rmtree(wheels)
        wheels.mkdir(parents=True)
        wheel = Path(shutil.copy2(found[0], wheels))
    installed = _run(
        [_uv(), "pip", "install", "--quiet", "--no-deps", "--reinstall", "--no-cache", "--python", program, wheel]
    )
    if installed.returncode:
        return made(seconds, failed=_last(installed))
    imported = _run([program, "-c", f"import {package}"])
    return made(seconds, wheel.stat().st_size, _last(imported) if imported.returncode else "")


def _last(done: subprocess.CompletedProcess[str]) -> str:
    return "\n".join((done.stdout + done.stderr).strip().splitlines()[-30:]) or f"exit code {done.returncode}"
