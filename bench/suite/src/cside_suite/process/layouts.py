# SPDX-License-Identifier: Apache-2.0
"""The layout of each compiled binding's code in this process, drawn from copies that were linked in other ways.

Where the linker happened to put functions and data changes times by a few per cent, for as long as a file lives
(T. Mytkowicz et al., "Producing wrong data without doing anything obviously wrong!", ASPLOS 2009). So a measuring
process takes, for each binding, the module as it is installed or one of its copies. The processes of a series take all
of these in a random order before any of them again, so that a mean over as many processes is one over all layouts, and
each binding has an order of its own. The layout varies between processes, as the address space does, and the intervals
over processes contain it; they are a little too wide where all layouts are taken equally often.

A copy replaces nothing but the compiled modules: the Python files are those that are installed. It is copied anew for
each process, as the twins are. The modules find ``libcside`` by a path relative to themselves, so that the folder gets
a link to the installed package of the library.
"""

import importlib.machinery
import importlib.util
import random
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType
from typing import Final

import cside_native

from cside_suite.process.request import MEASURE, Request
from cside_suite.subjects.names import RELINKED

INSTALLED: Final = 0
"""Number of the layout of the installed module; the copies are counted from 1."""


def draw(request: Request) -> dict[str, int]:
    """Return the number of the layout of each binding that has copies, and that of the relinked control.

    The control is the reference in another layout than the one that the reference has here. Only measuring processes
    draw; others, such as those that count instructions, take what is installed, and the first copy for the control.
    """
    measures = request.mode == MEASURE
    found = {
        name: place_of(request, name, len(copies) + 1) if measures else INSTALLED
        for name, copies in request.layouts.items()
    }
    if copies := request.layouts.get(request.reference):
        further = 1 + place_of(request, RELINKED, len(copies)) if measures else 1
        found[RELINKED] = (found[request.reference] + further) % (len(copies) + 1)
    return found


def place_of(request: Request, name: str, count: int) -> int:
    """Return the number that a process takes of ``count``: all are taken, in a random order, before any again."""
    again, place = divmod(request.number, count)
    order = random.Random(f"{request.series} {request.interpreter} {name} {again}").sample(range(count), count)
    return order[place]


def folder_of(request: Request, name: str, layout: int) -> Path | None:
    """Return the folder with a binding's compiled modules in a layout; None for those that are installed."""
    return None if layout == INSTALLED else Path(request.layouts[name][layout - 1])


def compiled(folder: Path | None) -> dict[str, Path]:
    """Return the compiled modules in a folder by their path within it, such as ``cside_x/_core.so``."""
    if folder is None:
        return {}
    suffixes = tuple(importlib.machinery.EXTENSION_SUFFIXES)
    files = sorted(path for path in folder.rglob("*") if path.name.endswith(suffixes))
    return {path.relative_to(folder).as_posix(): path for path in files}


def module_name(path: str) -> str:
    """Return the dotted name of a compiled module from its path: ``cside_x._core`` for ``cside_x/_core.abi3.so``."""
    folder, _, file = path.rpartition("/")
    return f"{folder.replace('/', '.')}.{file.partition('.')[0]}"


@dataclass
class Finder(MetaPathFinder):
    """Finds the compiled modules of the drawn layouts before the installed ones."""

    files: dict[str, Path] = field(default_factory=dict)
    """The file of each module by its dotted name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the specification of a module from its file in the drawn layout; None for all other modules."""
        file = self.files.get(fullname)
        return None if file is None else importlib.util.spec_from_file_location(fullname, file)


def place(folders: Mapping[str, Path | None], into: Path) -> dict[str, Path]:
    """Copy the compiled modules of bindings into a folder of this process; return their files by dotted name."""
    found = {}
    for folder in folders.values():
        for path, source in compiled(folder).items():
            target = into / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
            found[module_name(path)] = target
    if found:
        file = cside_native.__file__
        assert file is not None
        (into / cside_native.__name__).symlink_to(Path(file).parent, target_is_directory=True)
    return found


@contextmanager
def imported_from(files: Mapping[str, Path]) -> Iterator[None]:
    """Import these compiled modules from these files while the context lasts.

    Raises `RuntimeError` at its end if one of them was imported from elsewhere.
    """
    finder = Finder(dict(files))
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
    for name, file in files.items():
        module = sys.modules.get(name)
        if module is not None and module.__file__ != str(file):
            raise RuntimeError(f"{name} was not imported in the layout that was drawn but from {module.__file__}")
