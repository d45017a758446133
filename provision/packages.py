# SPDX-License-Identifier: Apache-2.0
"""The packages of this repository. Bindings are the folders of ``bindings/`` that have a ``pyproject.toml``."""

import functools
import hashlib
import os
import re
import shutil
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provision import commands, paths

NATIVE = "cside-native"
BENCH = "cside-bench"
SUITE = "cside-suite"

_LEFT_BY_BUILDS = {"build", "dist", "__pycache__"}
_SUFFIXES_LEFT = (".so", ".pyd", ".pyc", ".o", ".obj", ".egg-info", ".tmp")


@dataclass(frozen=True)
class Package:
    """A folder with a ``pyproject.toml``."""

    folder: Path
    distribution: str
    requires: tuple[str, ...]
    """Build requirements that are not of this repository."""
    needs_native: bool
    """Whether ``cside-native`` is one of the build requirements, or may be because the package has a backend."""

    @property
    def name(self) -> str:
        """The name of the folder, by which users call the package."""
        return self.folder.name

    def files(self) -> Iterator[Path]:
        """Its source files, in a fixed order, without hidden files and what a build leaves behind."""
        return source_files(self.folder, within_package=True)

    def digest(self) -> str:
        """SHA-256 over the names and contents of its source files."""
        total = hashlib.sha256()
        for file in self.files():
            name = file.relative_to(self.folder).as_posix()
            total.update(f"{name}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
        return total.hexdigest()

    @property
    def in_cpp(self) -> bool:
        """Whether it has sources in C++, which need a compiler of their own."""
        return any(file.suffix in {".cc", ".cpp", ".cxx"} for file in self.files())

    def copy_to(self, target: Path) -> None:
        """Copy its source files, so that a build neither leaves files in the tree nor finds old ones there."""
        shutil.rmtree(target, ignore_errors=True)
        for file in self.files():
            place = target / file.relative_to(self.folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, place)


def source_files(folder: Path, *, within_package: bool = False) -> Iterator[Path]:
    """The files under ``folder`` that are source, sorted by path.

    ``within_package`` leaves out the packages that lie inside ``folder``.
    """
    for current, folders, files in os.walk(folder):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".")
            and name not in _LEFT_BY_BUILDS
            and not name.endswith(_SUFFIXES_LEFT)
            and not (within_package and Path(current, name, "pyproject.toml").is_file())
        )
        for name in sorted(files):
            if not name.startswith(".") and not name.endswith(_SUFFIXES_LEFT):
                yield Path(current) / name


def normalised(requirement: str) -> str:
    """The normalised name of a requirement's distribution: ``scikit-build-core`` for ``scikit-build-core>=0.10``."""
    found = re.match(r"[A-Za-z0-9][A-Za-z0-9._-]*", requirement.strip())
    if found is None:
        raise commands.Problem(f"not a requirement: {requirement!r}")
    return re.sub(r"[-_.]+", "-", found[0]).lower()


@functools.cache
def read(folder: Path) -> Package:
    """The package in ``folder``."""
    file = folder / "pyproject.toml"
    try:
        described = tomllib.loads(file.read_text(encoding="utf-8"))
        distribution = normalised(described["project"]["name"])
        system = described["build-system"]
        requires = system["requires"]
    except (OSError, KeyError, tomllib.TOMLDecodeError) as error:
        raise commands.Problem(f"{file}: {type(error).__name__}: {error}") from error
    others = tuple(each for each in requires if normalised(each) != NATIVE)
    return Package(folder, distribution, others, len(others) != len(requires) or "backend-path" in system)


def native() -> Package:
    """The package of libcside, whose wheel serves all interpreters."""
    return read(paths.ROOT / "native")


def suite() -> Package:
    """The package of the contract, the conformance suite, the workloads and the measuring process."""
    return read(paths.ROOT / "bench" / "suite")


def bench() -> Package:
    """The package that drives the measurements, judges them and reports."""
    return read(paths.ROOT / "bench")


def headers() -> Package:
    """The package of the grammar for PKCS #11 headers and of the generator."""
    return read(paths.ROOT / "headers")


def wrap() -> Package:
    """The package that reads the header of any C library and describes how to bind it."""
    return read(paths.ROOT / "wrap")


def bindings(only: Iterable[str] = ()) -> list[Package]:
    """The packages of all bindings, or of those in ``only``; a variant, as ``cffi.abi``, stands for its binding."""
    wanted = {name.partition(".")[0] for name in only}
    folders = sorted(file.parent for file in (paths.ROOT / "bindings").glob("*/pyproject.toml"))
    return [read(folder) for folder in folders if not wanted or folder.name in wanted]


def binding_names() -> list[str]:
    """The names of the bindings, from their folders alone, so that ``nox -l`` is fast."""
    return sorted(file.parent.name for file in (paths.ROOT / "bindings").glob("*/pyproject.toml"))


def bindings_tests() -> list[Path]:
    """The folders of tests that single bindings have, for errors that only their technique can make."""
    return [folder for package in bindings() if (folder := package.folder / "tests").is_dir()]


def without_stubtest() -> set[str]:
    """The compiled modules that are not held to their stubs, as the bindings say with the reason beside it."""
    return {module for each in _told_by_bindings() for module in each.get("without-stubtest", [])}


def stable_abis() -> dict[str, str]:
    """The version of CPython whose stable ABI a compiled module needs, where it is not the oldest of the matrix."""
    return {module: oldest for each in _told_by_bindings() for module, oldest in each.get("stable-abi", {}).items()}


def _told_by_bindings() -> list[dict[str, Any]]:
    """The table ``tool.cside`` of each binding's ``pyproject.toml``: what sessions have to know of its modules."""
    described = [tomllib.loads((one.folder / "pyproject.toml").read_text(encoding="utf-8")) for one in bindings()]
    return [each.get("tool", {}).get("cside", {}) for each in described]


def extra(package: Package, name: str) -> list[str]:
    """Requirements of one of a package's extras."""
    described = tomllib.loads((package.folder / "pyproject.toml").read_text(encoding="utf-8"))
    return list(described["project"]["optional-dependencies"][name])


def every() -> list[Package]:
    """All packages that are built for an interpreter."""
    return [*bindings(), headers(), wrap(), suite(), bench()]


def reference() -> str:
    """The binding that ratios refer to."""
    tiers = tomllib.loads(
        (bench().folder / "src" / "cside_bench" / "results" / "tiers.toml").read_text(encoding="utf-8")
    )
    return str(tiers["reference"])


def with_reference(only: Sequence[str]) -> list[str]:
    """The bindings asked for and the reference binding; an empty list, which means all, stays empty."""
    return [*only, reference()] if only else []


def contract() -> Path:
    """The folder of the contract."""
    return suite().folder / "src" / "cside_suite" / "contract"


def nouns() -> list[str]:
    """The nouns: the modules of the contract. A binding has a module for each that it does not declare missing."""
    return sorted(file.stem for file in contract().glob("*.py") if not file.stem.startswith("_"))


def python_sources() -> list[Path]:
    """The folders that hold the packages' Python modules."""
    native_modules = paths.ROOT / "native" / "python"
    found = [package.folder / "src" for package in [suite(), bench(), headers(), wrap(), *bindings()]]
    return [folder for folder in [native_modules, *found] if folder.is_dir()]
