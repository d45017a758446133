# SPDX-License-Identifier: Apache-2.0
"""Loading of the subjects of one measuring process: bindings, variants, references and controls."""

import random
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from cside_suite.process import controls, images, layouts
from cside_suite.process.request import Request
from cside_suite.subjects import names
from cside_suite.subjects.bindings import BindingError, Implementation, discover
from cside_suite.subjects.library import LibrarySet
from cside_suite.workloads.references import REFERENCES


def load(
    request: Request, announce: Callable[[str], None], draw: random.Random, folder: Path
) -> tuple[dict[str, Any], dict[str, str]]:
    """Import the bindings in random order; return the subjects by name, and the reason for each one that is void.

    A partial variant that this interpreter cannot have is in neither. A process of one binding or control loads no
    other; a control is then its original once more, under its own name. Bindings have the layouts that
    :func:`cside_suite.process.layouts.draw` draws. ``folder`` takes the copies of modules and packages. Raises
    `SystemExit` if a requested binding is not installed.
    """
    library = LibrarySet.load(request.library) if request.library else None
    try:
        if library is None:
            found = discover(request.bindings, partial=True)
        else:
            found = library.discover(request.interpreter, request.bindings)
    except BindingError as error:
        raise SystemExit(str(error)) from error
    if request.alone:
        found = [one for one in found if one.name == names.original_of(request.alone, request.reference)]
    draw.shuffle(found)
    drawn = layouts.draw(request)
    if request.alone == names.RELINKED:
        drawn[request.reference] = drawn[names.RELINKED]
    folders = {name: layouts.folder_of(request, name, drawn[name]) for name in request.layouts}
    with layouts.imported_from(layouts.place(folders, folder / "layouts")):
        void = import_all(request, announce, found, images.STEM if library is None else library.stem)
    usable = [one for one in found if one.name not in void and one.unavailable is None]
    subjects: dict[str, Any] = {request.alone or one.name: one for one in usable}
    if library is None:
        subjects |= {reference.name: reference for reference in REFERENCES}
    if request.reference in subjects and not request.alone:
        copies, lost = controls.load(request, subjects, drawn, folder)
        subjects |= copies
        void |= lost
    return subjects, void


def import_all(
    request: Request, announce: Callable[[str], None], found: Iterable[Implementation], stem: str = images.STEM
) -> dict[str, str]:
    """Import bindings and variants; return the reason for each one that is void.

    ``stem`` is the name of the library's file up to the first dot.
    """
    void: dict[str, str] = {}
    for implementation in found:
        before = images.mapped(stem)
        announce(implementation.name)
        try:
            if implementation.unavailable is not None:
                continue
            implementation.features, implementation.gaps  # noqa: B018  # reading them imports them
            for noun in implementation.nouns:
                implementation.noun(noun)
        except Exception as error:  # a binding that fails to import is void; the others are not
            void[implementation.name] = f"cannot be used: {error}"
            continue
        if (problem := images.foreign(before, request.library_sha256, stem)) is not None:
            void[implementation.name] = problem
    return void
