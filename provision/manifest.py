# SPDX-License-Identifier: Apache-2.0
"""``.cside/environments.json``: what the driver is told about interpreters, builds and the library.

``interpreters``  label, ``python`` (of the environment), ``base`` (the interpreter's own file), ``source``,
                  ``release``, ``optimised`` and ``optimised_evidence``,
                  ``builds``: distribution to wheel, hashes and seconds, and
                  ``layouts``: by binding, the folders of the copies of its compiled modules with other layouts
``missing``       label, ``reason`` and ``install``, a command, of every interpreter that could not be had
``native``        ``sha256`` of ``libcside`` as built, and ``source_digest``
``root``          the checkout
``bindings``      by name, for ``cside run`` to measure costs beside speed: ``distribution``, ``folder``, ``digest`` of
the
                  sources, ``files`` and those of them that are ``generated``, and
                  ``wheels``: by label ``interpreter`` (its name), ``path``, ``key``, ``build_seconds``
``covered``       names of all interpreters that a project's wheels are to cover
``builder``       ``interpreter`` (label) on which build times are measured, ``command`` that builds a wheel, ``path``
of
                  the build environment's programs
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from provision import hygiene, interpreters, packages, paths, tools, wheels
from provision.builders import Builder
from provision.environments import Environment
from provision.interpreters import Interpreter, Missing
from provision.packages import Package
from provision.wheels import Wheel

COVERED = sorted({*interpreters.MATRIX, *interpreters.ON_REQUEST}, key=lambda name: (len(name), name))
"""The shortest names first: CPython with the GIL, free-threaded CPython, PyPy."""


def write(
    ready: Sequence[tuple[Interpreter, Environment, list[Wheel]]],
    missing: Sequence[Missing],
    layouts: Mapping[str, Mapping[str, Sequence[Path]]],
    builder: Builder,
) -> Path:
    """Write the manifest and return its path. Build times are measured with ``builder``.

    ``layouts`` has, by label and binding, the folders of the copies with other layouts.
    """
    native = next(wheel for _, _, held in ready for wheel in held if wheel.distribution == packages.NATIVE)
    content: dict[str, Any] = {
        "interpreters": [_entry(*each, layouts.get(each[0].label, {})) for each in ready],
        "missing": [{"label": each.label, "reason": each.reason, "install": each.install} for each in missing],
        "native": {"sha256": native.library_sha256(), "source_digest": native.source_digest, "wheel": native.path.name},
        "root": str(paths.ROOT),
        "bindings": {
            package.name: _sources(package) | {"wheels": held}
            for package in packages.bindings()
            if (held := _wheels(package, ready))
        },
        "covered": COVERED,
        "builder": {
            "interpreter": builder.label,
            "command": list(map(str, wheels.build_command(builder))),
            "path": str(tools.scripts(builder.folder)),
        },
    }
    paths.write_json(paths.MANIFEST, content)
    return paths.MANIFEST


def _sources(package: Package) -> dict[str, Any]:
    files = {file.relative_to(package.folder).as_posix(): file for file in package.files()}
    return {
        "distribution": package.distribution,
        "folder": str(package.folder),
        "digest": package.digest(),
        "files": list(files),
        "generated": [name for name, file in files.items() if hygiene.is_generated(file)],
    }


def _wheels(package: Package, ready: Sequence[tuple[Interpreter, Environment, list[Wheel]]]) -> dict[str, Any]:
    return {
        interpreter.label: {
            "interpreter": interpreter.name,
            "path": str(wheel.path),
            "key": wheel.path.parent.name,
            "build_seconds": wheel.build_seconds,
        }
        for interpreter, _, held in ready
        for wheel in held
        if wheel.distribution == package.distribution
    }


def _entry(
    interpreter: Interpreter,
    environment: Environment,
    held: list[Wheel],
    layouts: Mapping[str, Sequence[Path]],
) -> dict[str, Any]:
    return {
        "label": interpreter.label,
        "python": str(environment.python),
        "base": str(interpreter.executable),
        "source": interpreter.source,
        "release": interpreter.facts["release"],
        "optimised": interpreter.facts["optimised"],
        "optimised_evidence": interpreter.facts["optimised_evidence"],
        "builds": {
            wheel.distribution: {
                "wheel": wheel.path.name,
                "sha256": wheel.sha256,
                "source_digest": wheel.source_digest,
                "build_seconds": wheel.build_seconds,
            }
            for wheel in held
        },
        "layouts": {name: [str(folder) for folder in folders] for name, folders in layouts.items()},
    }
