# SPDX-License-Identifier: Apache-2.0
"""What one measuring process loads: bindings, variants, references and controls, in random order."""

import random
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from cside_bench import controls, images
from cside_bench.bindings import BindingError, Implementation, discover
from cside_bench.processes import Request
from cside_bench.references import REFERENCES, Reference

PARTIAL: Final = (
    "idioms.noop",
    "idioms.add[[]i32]",
    "idioms.add_real[[]f64]",
    "idioms.mixed_sum",
    "idioms.bytes_sum*",
    "idioms.buffer_fill",
    "idioms.string_length",
    "idioms.label_get",
    "idioms.box_*",
    "idioms.each_call*",
    "codec.crc32[[]16]",
    "codec.crc32[[]4096]",
    "codec.crc32[[]5120]",
    "codec.crc32[[]65536]",
)
"""Workloads for which a partial variant has the functions, as patterns."""

Subject = Implementation | Reference | controls.Copy


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
        wanted = request.reference if request.alone in controls.NAMES else request.alone
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


def refuses(subjects: dict[str, Any], *, few: bool) -> Callable[[str, str], bool]:
    """A function that is told a workload and a subject, and says whether that subject has no part in it.

    ``few``: only some of the workloads were asked for.
    """
    partial = {name for name, one in subjects.items() if isinstance(one, Implementation) and one.partial}

    def refuse(workload: str, subject: str) -> bool:
        if subject in controls.NAMES:
            return not controls.takes_part(subject, workload, few=few)
        return subject in partial and not any(fnmatchcase(workload, pattern) for pattern in PARTIAL)

    return refuse
