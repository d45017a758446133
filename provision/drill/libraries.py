# SPDX-License-Identifier: Apache-2.0
"""Build changed copies of the native library: a wheel, files to build against, and programs that print its answers."""

import os
import shlex
import shutil
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from provision import commands, packages, paths, wheels
from provision.builders import Builder
from provision.drill import changes
from provision.drill.changes import UNCHANGED, Change
from provision.wheels import Wheel

STATE: Final = "drill"
"""The folder in ``.cside`` that holds what is built here."""

LEFT_OUT: Final = {
    "SKBUILD_CMAKE_DEFINE": "CMAKE_INSTALL_LIBDIR=lib;CSIDE_BUILD_TESTS=OFF;CSIDE_BUILD_FLOOR=OFF;CSIDE_BUILD_TOKEN=OFF"
}
"""CMake's options that leave out what no binding is built from and the drill does not call."""

TRUTH: Final = """\
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cside/codec.h"
#include "cside/idioms.h"

static const char *separator;

static void put(const char *name, int negative, unsigned long long bits)
{
    printf(negative ? "%s\\"%s\\": %lld" : "%s\\"%s\\": %llu", separator, name, bits);
    separator = ", ";
}

#define WHOLE(name, value) put(name, (value) < 0, (unsigned long long)(value))
#define REAL(name, value) (printf("%s\\"%s\\": %.17g", separator, name, (double)(value)), separator = ", ")

"""
MAIN: Final = """
int main(int count, char **words)
{
    for (int i = 1; i + 3 < count; i += 4) {
        uint64_t n[4];

        for (int k = 0; k < 4; k++)
            n[k] = strtoull(words[i + k], NULL, 10);
        separator = "";
        printf("{");
        truth(n);
        printf("}\\n");
    }
    return 0;
}
"""
"""The end of a program that prints one line of JSON for every four numbers in its arguments."""


@dataclass(frozen=True)
class Library:
    """A copy of the native library, changed or not."""

    change: str
    """Id of the change, or :data:`UNCHANGED`."""
    diff: str
    wheel: Wheel
    site: Path
    """The unpacked wheel, from which ``cside_native`` is imported during builds."""


def build(builder: Builder, change: Change | None) -> Library:
    """Copy ``native/``, change the copy, build its wheel by the native wheel's builder, and unpack it.

    Raises `Problem` where the change does not fit or the copy does not build.
    """
    name = change.id if change is not None else UNCHANGED
    work = paths.STATE / STATE / name
    packages.native().copy_to(work / "native")
    diff = changes.apply(change, work / "native") if change is not None else ""
    package = packages.read(work / "native")
    wheel = wheels.build(package, replace(builder, label=f"drill-{name}"), variables=LEFT_OUT)
    site = work / "site"
    shutil.rmtree(site, ignore_errors=True)
    with zipfile.ZipFile(wheel.path) as archive:
        archive.extractall(site)
    return Library(name, diff, wheel, site)


def truth(change: Change, library: Library) -> Path:
    """Compile the program that prints what ``library`` answers, against the library's own header.

    ``CHANGED`` is defined where the library is the changed one. Raises `Problem` where the program does not compile or
    link.
    """
    folder = paths.STATE / STATE / change.id
    name = "truth" if library.change == change.id else "truth-unchanged"
    source, program = folder / f"{name}.c", folder / name
    source.write_text(TRUTH + change.truth + MAIN, encoding="utf-8")
    native = library.site / "cside_native"
    macros = ["-DCHANGED"] if library.change == change.id else []
    compiler = shlex.split(os.environ.get("CC", "cc"))
    link = ["-L", native / "lib", "-lcside", f"-Wl,-rpath,{native / 'lib'}"]
    try:
        commands.run(
            [*compiler, "-std=c11", "-O1", *macros, "-I", native / "include", source, "-o", program, *link],
            log=f"drill-{change.id}-{name}",
        )
    except commands.Problem as problem:
        raise commands.Problem(f"change {change.id}: its truth does not compile: {problem}") from problem
    return program
