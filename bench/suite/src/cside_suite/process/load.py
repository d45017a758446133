# SPDX-License-Identifier: Apache-2.0
"""Loading of the subjects of one measuring process: bindings, variants, references and controls."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cside_suite.process import controls, images
from cside_suite.process.request import Request
from cside_suite.subjects import names
from cside_suite.subjects.bindings import BindingError, discover
from cside_suite.workloads.references import REFERENCES


def load(
    request: Request, announce: Callable[[str], None], draw: random.Random, folder: Path
) -> tuple[dict[str, Any], dict[str, str]]:
    """Import the bindings in random order; return the subjects by name, and the reason for each one that is void.

    A partial variant that this interpreter cannot have is in neither. In isolated mode only one binding or control is
    loaded. ``folder`` takes the copies of the controls. Raises `SystemExit` if a requested binding is not installed.
    """
    void: dict[str, str] = {}
    try:
        found = discover(request.bindings, partial=True)
    except BindingError as error:
        raise SystemExit(str(error)) from error
    if request.alone:
        wanted = request.reference if request.alone in names.CONTROLS else request.alone
        found = [one for one in found if one.name == wanted]
    draw.shuffle(found)
    for implementation in found:
        before = images.mapped()
        announce(implementation.name)
        try:
            if implementation.unavailable is not None:
                continue
            implementation.features, implementation.gaps  # noqa: B018  # reading them imports them
            implementation.idioms, implementation.codec  # noqa: B018
            if not implementation.partial:
                implementation.pkcs11  # noqa: B018
        except Exception as error:  # a binding that fails to import is void; the others are not
            void[implementation.name] = f"cannot be used: {error}"
            continue
        if (problem := images.foreign(before, request.library_sha256)) is not None:
            void[implementation.name] = problem
    usable = [one for one in found if one.name not in void and one.unavailable is None]
    # in isolated mode a control is the reference once more, in a process of its own
    subjects: dict[str, Any] = {request.alone or one.name: one for one in usable}
    subjects |= {reference.name: reference for reference in REFERENCES}
    if request.reference in subjects and not request.alone:
        subjects |= controls.load(subjects[request.reference], request.relinked, folder)
    return subjects, void
