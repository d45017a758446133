# SPDX-License-Identifier: Apache-2.0
"""Build wheels once, keep them under the hash of everything that went into them, and read what a wheel holds."""

import base64
import configparser
import csv
import hashlib
import io
import json
import os
import shutil
import time
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provision import builders, commands, paths, toolchain, tools
from provision.packages import Package

COMPILED = (".so", ".pyd", ".dylib", ".dll")


@dataclass(frozen=True)
class Wheel:
    """A wheel that was built, and from what."""

    path: Path
    distribution: str
    sha256: str
    source_digest: str
    build_seconds: float

    def files(self) -> dict[str, str]:
        """The files that it installs into ``site-packages``, with their SHA-256 in hexadecimal, from its ``RECORD``."""
        with zipfile.ZipFile(self.path) as archive:
            record = next(name for name in archive.namelist() if name.endswith(".dist-info/RECORD"))
            rows = list(csv.reader(io.StringIO(archive.read(record).decode())))
        hashes = {row[0]: row[1].removeprefix("sha256=") for row in rows if len(row) > 1 and row[1]}
        return {
            name: base64.urlsafe_b64decode(value + "=" * (-len(value) % 4)).hex()
            for name, value in hashes.items()
            if ".data/" not in name
        }

    def top_levels(self) -> list[str]:
        """The names of its top-level packages."""
        return sorted(
            {name.split("/")[0] for name in self.files() if name.count("/") == 1 and "." not in name.split("/")[0]}
        )

    def compiled_modules(self) -> list[str]:
        """Dotted names of its compiled modules: shared objects beside Python files, not the libraries of ``lib/``."""
        names = self.files()
        found = set()
        for name in names:
            folder, _, file = name.rpartition("/")
            if file.endswith((".so", ".pyd")) and f"{folder}/__init__.py" in names:
                found.add(f"{folder.replace('/', '.')}.{file.partition('.')[0]}")
        return sorted(found)

    def entry_points(self, group: str) -> dict[str, str]:
        """Its entry points of one group."""
        with zipfile.ZipFile(self.path) as archive:
            named = [name for name in archive.namelist() if name.endswith(".dist-info/entry_points.txt")]
            text = archive.read(named[0]).decode() if named else ""
        parser = configparser.ConfigParser(delimiters=("=",))
        parser.optionxform = str  # type: ignore[assignment,method-assign]  # documented way to keep letters as they are
        parser.read_string(text)
        return dict(parser[group]) if parser.has_section(group) else {}

    def library_files(self) -> dict[str, str]:
        """In the native wheel: the library and the headers, from which alone bindings are built."""
        return {name: sha for name, sha in self.files().items() if "/lib/" in name or "/include/" in name}

    def library_sha256(self) -> str:
        """In the native wheel: the SHA-256 of ``libcside`` itself."""
        for name, sha in self.files().items():
            file = name.rpartition("/")[2]
            if file.endswith(COMPILED) and file.partition(".")[0] in {"libcside", "cside"}:
                return sha
        raise commands.Problem(f"{self.path.name} holds no libcside")


def names(wheel: Path) -> set[str]:
    """The names of all files in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if not name.endswith("/")}


def file_sha256(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def key(parts: dict[str, Any]) -> str:
    """The key of a wheel that is made from ``parts``, which is also the name of its folder."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:24]


def parts(
    package: Package,
    builder: "builders.Builder",
    native: Wheel | None,
    digest: str,
    variables: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Everything that goes into a wheel. Where any of it changes, the wheel is built anew."""
    told = {"variables": dict(variables)} if variables else {}
    return told | {
        "distribution": package.distribution,
        "source": digest,
        "native": native.library_files() if native is not None and package.needs_native else None,
        "interpreter": builder.identity,
        "requirements": builder.versions_of(package),
        "compiler": toolchain.identity(),
    }


def kept(name: str) -> Wheel | None:
    """The wheel of this key; None where it is missing, or was changed since it was built."""
    folder = paths.WHEELS / name
    told = paths.read_json(folder / "build.json")
    try:
        path = folder / told["wheel"]
        if file_sha256(path) != told["sha256"]:
            commands.say(f"{path} was changed since it was built; building it again")
            return None
        return Wheel(path, told["distribution"], told["sha256"], told["source_digest"], told["build_seconds"])
    except (KeyError, OSError):
        return None


def build_command(builder: "builders.Builder") -> list[Path | str]:
    """The command that builds a wheel, to which ``--out-dir FOLDER SOURCE`` is appended."""
    return [tools.uv(), "build", "--wheel", "--no-build-isolation", "--python", builder.python]


def build(
    package: Package,
    builder: "builders.Builder",
    native: Wheel | None = None,
    *,
    variables: Mapping[str, str] | None = None,
    variation: str = "",
) -> Wheel:
    """Return the wheel of ``package`` for the builder's interpreter: the one that was kept, or a new one.

    ``variables`` are set in the environment of the build and are part of the wheel's key. ``variation`` says in
    messages how the build differs from an ordinary one, for instance "relinked as a control".
    """
    for requirement in package.requires:
        if requirement in builder.refused:
            raise commands.Problem(f"{requirement} cannot be installed: {builder.refused[requirement]}")
    digest = package.digest()
    ingredients = parts(package, builder, native, digest, variables)
    name = key(ingredients)
    found = kept(name)
    if found is not None:
        return found
    title = f"{builder.label}: {package.distribution}{f', {variation}' if variation else ''}"
    commands.step(f"{title}: building")
    began = time.monotonic()
    work = paths.BUILD / builder.label / f"{package.distribution}{'-varied' if variables else ''}"
    package.copy_to(work / "source")
    made = work / "made"
    shutil.rmtree(made, ignore_errors=True)
    try:
        commands.run(
            [*build_command(builder), "--out-dir", made, work / "source"],
            log=f"build-{builder.label}-{package.distribution}",
            env=commands.environment(first_on_path=tools.scripts(builder.folder), **(variables or {})),
        )
    except commands.Problem as problem:
        raise commands.Problem(f"{title}: the build failed: {problem}") from problem
    produced = sorted(made.glob("*.whl"))
    if len(produced) != 1:
        raise commands.Problem(f"{title}: the build made {len(produced)} wheels")
    took = round(time.monotonic() - began, 2)
    _keep(name, produced[0], package, digest, took, ingredients)
    shutil.rmtree(work, ignore_errors=True)
    commands.step(f"{title}: built in {took:.1f} s")
    built = kept(name)
    if built is None:
        raise commands.Problem(f"{title}: the wheel vanished from {paths.WHEELS / name}")
    return built


def _keep(name: str, wheel: Path, package: Package, digest: str, took: float, ingredients: dict[str, Any]) -> None:
    """Put a wheel under its key in one step, so that a folder of that name is always complete."""
    beside = paths.WHEELS / f"{name}.{os.getpid()}.partial"
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    shutil.move(wheel, beside / wheel.name)
    told = {
        "wheel": wheel.name,
        "distribution": package.distribution,
        "sha256": file_sha256(beside / wheel.name),
        "source_digest": digest,
        "build_seconds": took,
        "made_from": ingredients,
    }
    paths.write_json(beside / "build.json", told)
    shutil.rmtree(paths.WHEELS / name, ignore_errors=True)
    beside.rename(paths.WHEELS / name)
