# SPDX-License-Identifier: Apache-2.0
"""What one measuring process loads: bindings, variants, references and controls, in random order."""

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
    """Import all; return the subjects by name, and why each is void that is. ``folder`` takes the controls' copies.

    A partial variant that this interpreter cannot have is neither. In isolated mode one binding or control is loaded
    and no other. Ends the process where a binding that was asked for is not there.
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
            implementation.features, implementation.gaps  # noqa: B018  # asked for the effect, which is to import
            implementation.idioms, implementation.codec  # noqa: B018
            if not implementation.partial:
                implementation.pkcs11  # noqa: B018
        except Exception as error:  # any failure to import voids the binding and no other
            void[implementation.name] = f"cannot be used: {error}"
            continue
        if (problem := images.foreign(before, request.library_sha256)) is not None:
            void[implementation.name] = problem
    usable = [one for one in found if one.name not in void and one.unavailable is None]
    # in isolated mode a control is the reference in a process of its own, once more
    subjects: dict[str, Any] = {request.alone or one.name: one for one in usable}
    subjects |= {reference.name: reference for reference in REFERENCES}
    if request.reference in subjects and not request.alone:
        subjects |= controls.load(subjects[request.reference], request.relinked, folder)
    return subjects, void
