# SPDX-License-Identifier: Apache-2.0
"""The size of a wheel, what it requires, and how many wheels of its kind a project has to publish."""

import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Collection, Iterable, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any, Final

from packaging import tags
from packaging.utils import parse_wheel_filename

from cside_bench.machine.interpreters import label_of
from cside_bench.run.costs.builds import COMPILED
from cside_bench.run.costs.lines import VARIANTS, noun_of

PURE, STABLE, PER_VERSION = "pure", "abi3", "per version"
FREE_THREADING: Final = "free-threading"
"""The contract's name of the feature that a binding declares where it works in a free-threaded interpreter."""
COMPILER: Final = "a C compiler and the headers of Python"
CPP_COMPILER: Final = "a C++ compiler and the headers of Python"
CPP: Final = (".cc", ".cpp", ".cxx")
"""Suffixes of sources in C++."""


def metadata(wheel: Path) -> Distribution:
    """The metadata of the distribution in a wheel, read from the file itself."""
    (found,) = distributions(path=[str(wheel)])
    return found


def entry_points(wheel: Path, group: str) -> dict[str, str]:
    """The wheel's entry points of a group: name to module."""
    return {point.name: point.value for point in metadata(wheel).entry_points.select(group=group)}


def kind(name: str) -> str:
    """``pure``, ``abi3`` or ``per version``, from a wheel's file name."""
    own = parse_wheel_filename(name)[3]
    if all(tag.abi == "none" for tag in own):
        return PURE
    return STABLE if any(tag.abi.startswith("abi3") for tag in own) else PER_VERSION


def sizes(wheel: Path, variants: Collection[str] = ()) -> dict[str, Any]:
    """Bytes of the wheel, of its files unpacked, of its shared objects, and of these without their symbols.

    Files of ``variants`` (names of subpackages) are left out of all four. ``variants_bytes`` has their packed size, and
    ``variants_compiled`` the number of shared objects among them.
    """
    with zipfile.ZipFile(wheel) as archive:
        every = [entry for entry in archive.infolist() if not entry.is_dir()]
        apart = {entry.filename for entry in every if noun_of(entry.filename, variants) == VARIANTS}
        entries = [entry for entry in every if entry.filename not in apart]
        beside = [entry for entry in every if entry.filename in apart]
        compiled = [entry for entry in entries if entry.filename.endswith(COMPILED)]
        stripped, reason = _stripped(archive, compiled)
    left_out = sum(entry.compress_size for entry in beside)
    return {
        "wheel_bytes": wheel.stat().st_size - left_out,
        "variants_bytes": left_out,
        "variants_compiled": sum(entry.filename.endswith(COMPILED) for entry in beside),
        "unpacked_bytes": sum(entry.file_size for entry in entries),
        "compiled_bytes": sum(entry.file_size for entry in compiled),
        "stripped_bytes": stripped,
        "stripped_reason": reason,
    }


def _stripped(archive: zipfile.ZipFile, compiled: Collection[zipfile.ZipInfo]) -> tuple[int | None, str | None]:
    """Bytes of the shared objects after ``strip``; or None and the reason why that is not known."""
    if not compiled:
        return 0, None
    program = shutil.which("strip")
    if program is None:
        return None, "there is no strip on this machine"
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        for entry in compiled:
            file = Path(archive.extract(entry, folder))
            options = ["-x"] if sys.platform == "darwin" else []  # Apple's strip keeps what a loaded library needs
            done = subprocess.run([program, *options, str(file)], capture_output=True, text=True, check=False)
            if done.returncode:
                return None, f"strip: {(done.stderr.strip().splitlines() or ['failed'])[-1]}"
            total += file.stat().st_size
    return total, None


def requirements(folder: Path, wheel: Path, sources: Collection[str] = ()) -> dict[str, Any]:
    """What a user needs: ``build`` (Python packages), ``build_tools`` (of the system), ``run``, ``python``.

    ``build`` comes from ``pyproject.toml`` in ``folder``, the rest from the metadata in the wheel. ``sources`` are the
    names of the source files, which tell which compiler they need.
    """
    compiler = CPP_COMPILER if any(name.endswith(CPP) for name in sources) else COMPILER
    described = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    held = metadata(wheel)
    return {
        "build": list(described["build-system"]["requires"]),
        "build_tools": [compiler] if kind(wheel.name) != PURE else [],
        "run": list(held.requires or ()),
        "python": held.metadata.json.get("requires_python"),
    }


def accepted(name: str, platforms: Collection[str]) -> set[tags.Tag]:
    """Tags of the wheels that the interpreter ``name`` (3.13, 3.14t, pypy3.11) installs on these platforms.

    Only PyPy itself can tell its ABI tag. So for PyPy the result has only wheels that depend on no ABI.
    """
    bare = name.removeprefix("pypy").removesuffix("t")
    major, minor = (int(part) for part in bare.split("."))
    places = sorted(platforms)
    if name.startswith("pypy"):
        return set(tags.compatible_tags((major, minor), f"pp{major}{minor}", places))
    abi = f"cp{major}{minor}{'t' if name.endswith('t') else ''}"
    return {
        *tags.cpython_tags((major, minor), [abi], places),
        *tags.compatible_tags((major, minor), f"cp{major}{minor}", places),
    }


def coverage(wheels: Mapping[str, str], features: Collection[str], names: Iterable[str]) -> dict[str, Any]:
    """How many wheels a project publishes, per platform, so that each interpreter of ``names`` gets one.

    ``wheels`` are file names of wheels that were built, by the interpreter's name. An interpreter that none of them
    serves is assumed to need a wheel of its own, unless it is free-threaded and the binding does not declare
    ``free-threading``. ``evidence`` says how this is known: ``built``, ``compatible`` or ``assumed``.
    """
    own = {name: parse_wheel_filename(file)[3] for name, file in wheels.items()}
    platforms = {tag.platform for held in own.values() for tag in held} - {"any"}
    needed: set[str] = set()
    rows: list[dict[str, Any]] = []
    for name in names:
        label = label_of(name)
        if name.endswith("t") and FREE_THREADING not in features:
            rows.append({"interpreter": label, "wheel": None, "evidence": f"does not declare {FREE_THREADING}"})
            continue
        if name in own:
            tag, evidence = _written(own[name]), "built"
        elif serving := sorted(_written(held) for held in own.values() if held & accepted(name, platforms)):
            tag, evidence = serving[0], "compatible"
        else:
            tag, evidence = f"one of its own ({label})", "assumed"
        needed.add(tag)
        rows.append({"interpreter": label, "wheel": tag, "evidence": evidence})
    return {
        "wheels": len(needed),
        "interpreters": sum(row["wheel"] is not None for row in rows),
        "of_interpreters": len(rows),
        "kinds": sorted({kind(file) for file in wheels.values()}),
        "rows": rows,
    }


def _written(held: Iterable[tags.Tag]) -> str:
    """A set of tags in the notation of file names: the alternatives of each part, joined by full stops."""
    known = list(held)
    parts = ({tag.interpreter for tag in known}, {tag.abi for tag in known}, {tag.platform for tag in known})
    return "-".join(".".join(sorted(part)) for part in parts)
