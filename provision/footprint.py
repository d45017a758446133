# SPDX-License-Identifier: Apache-2.0
"""What a wheel weighs, what it asks for, and how many of its kind a project has to publish."""

import email.parser
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from packaging import tags
from packaging.utils import parse_wheel_filename

from provision import interpreters
from provision.linecount import VARIANTS, noun_of
from provision.packages import Package
from provision.wheels import COMPILED, Wheel

PURE, STABLE, PER_VERSION = "pure", "abi3", "per version"
FREE_THREADING: Final = "free-threading"
"""The contract's name of the feature without which a wheel for a free-threaded interpreter promises nothing."""
COMPILER: Final = "a C compiler and the headers of Python"


def kind(name: str) -> str:
    """``pure``, ``abi3`` or ``per version``, from a wheel's file name."""
    own = parse_wheel_filename(name)[3]
    if all(tag.abi == "none" for tag in own):
        return PURE
    return STABLE if any(tag.abi.startswith("abi3") for tag in own) else PER_VERSION


def sizes(wheel: Wheel, variants: Collection[str] = ()) -> dict[str, Any]:
    """Bytes of the wheel, of what it unpacks to, of its shared objects, and of them without their symbols.

    What belongs to ``variants`` (names of subpackages) is left out of all four, and stands in ``variants_bytes``,
    packed, and ``variants_compiled``, a number of shared objects.
    """
    with zipfile.ZipFile(wheel.path) as archive:
        every = [entry for entry in archive.infolist() if not entry.is_dir()]
        apart = {entry.filename for entry in every if noun_of(entry.filename, variants) == VARIANTS}
        entries = [entry for entry in every if entry.filename not in apart]
        beside = [entry for entry in every if entry.filename in apart]
        compiled = [entry for entry in entries if entry.filename.endswith(COMPILED)]
        stripped, reason = _stripped(archive, compiled)
    left_out = sum(entry.compress_size for entry in beside)
    return {
        "wheel_bytes": wheel.path.stat().st_size - left_out,
        "variants_bytes": left_out,
        "variants_compiled": sum(entry.filename.endswith(COMPILED) for entry in beside),
        "unpacked_bytes": sum(entry.file_size for entry in entries),
        "compiled_bytes": sum(entry.file_size for entry in compiled),
        "stripped_bytes": stripped,
        "stripped_reason": reason,
    }


def _stripped(archive: zipfile.ZipFile, compiled: Collection[zipfile.ZipInfo]) -> tuple[int | None, str | None]:
    if not compiled:
        return 0, None
    program = shutil.which("strip")
    if program is None:
        return None, "there is no strip on this machine"
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        for entry in compiled:
            file = Path(archive.extract(entry, folder))
            options = ["-x"] if sys.platform == "darwin" else []  # Apple's refuses to take all from what is loaded
            done = subprocess.run([program, *options, str(file)], capture_output=True, text=True, check=False)
            if done.returncode:
                return None, f"strip: {(done.stderr.strip().splitlines() or ['failed'])[-1]}"
            total += file.stat().st_size
    return total, None


def requirements(package: Package, wheel: Wheel) -> dict[str, Any]:
    """What a user needs: ``build`` (Python packages), ``build_tools`` (of the system), ``run``, ``python``.

    From ``[build-system]`` of ``pyproject.toml`` and from the metadata inside of the wheel.
    """
    described = tomllib.loads((package.folder / "pyproject.toml").read_text(encoding="utf-8"))
    with zipfile.ZipFile(wheel.path) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = email.parser.Parser().parsestr(archive.read(name).decode())
    return {
        "build": list(described["build-system"]["requires"]),
        "build_tools": [COMPILER] if kind(wheel.path.name) != PURE else [],
        "run": [str(each) for each in metadata.get_all("Requires-Dist", [])],
        "python": metadata.get("Requires-Python"),
    }


def accepted(name: str, platforms: Collection[str]) -> set[tags.Tag]:
    """Tags of wheels that the interpreter ``name`` (3.13, 3.14t, pypy3.11) installs on these platforms.

    The ABI tag of a PyPy is not known without it, so for one only wheels that need no ABI are here.
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
    serves is taken to need one of its own, if it is not a free-threaded one and the binding does not declare
    ``free-threading``; ``evidence`` says which: ``built``, ``compatible`` or ``assumed``.
    """
    own = {name: parse_wheel_filename(file)[3] for name, file in wheels.items()}
    platforms = {tag.platform for held in own.values() for tag in held} - {"any"}
    needed: set[str] = set()
    rows: list[dict[str, Any]] = []
    for name in names:
        label = interpreters.label_of(name)
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
    """A set of tags in the notation of file names: each part's alternatives joined by a full stop."""
    known = list(held)
    parts = ({tag.interpreter for tag in known}, {tag.abi for tag in known}, {tag.platform for tag in known})
    return "-".join(".".join(sorted(part)) for part in parts)
