# SPDX-License-Identifier: Apache-2.0
"""``.cside/environments.json``: what the driver is told about interpreters, builds and the library.

``interpreters``  label, ``python`` (of the environment), ``base`` (the interpreter's own file), ``source``,
                  ``release``, ``optimised`` and ``optimised_evidence``,
                  ``builds``: distribution to wheel, hashes and seconds, and
                  ``relinked``: folder of the relinked control, or null
``missing``       label, ``reason`` and ``install``, a command, of every interpreter that could not be had
``native``        ``sha256`` of ``libcside`` as built, and ``source_digest``
``root``          the checkout
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from provision import packages, paths
from provision.environments import Environment
from provision.interpreters import Interpreter, Missing
from provision.wheels import Wheel


def write(
    ready: Sequence[tuple[Interpreter, Environment, list[Wheel]]],
    missing: Sequence[Missing],
    relinked: Mapping[str, Path | None],
) -> Path:
    """Write the manifest and return its path. ``relinked`` is by label."""
    native = next(wheel for _, _, held in ready for wheel in held if wheel.distribution == packages.NATIVE)
    content: dict[str, Any] = {
        "interpreters": [_entry(*each, relinked.get(each[0].label)) for each in ready],
        "missing": [{"label": each.label, "reason": each.reason, "install": each.install} for each in missing],
        "native": {"sha256": native.library_sha256(), "source_digest": native.source_digest, "wheel": native.path.name},
        "root": str(paths.ROOT),
    }
    paths.write_json(paths.MANIFEST, content)
    return paths.MANIFEST


def _entry(
    interpreter: Interpreter, environment: Environment, held: Sequence[Wheel], relinked: Path | None
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
        "relinked": None if relinked is None else str(relinked),
    }
