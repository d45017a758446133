# SPDX-License-Identifier: Apache-2.0
"""Which branches of libcside and of the token its own tests take, as gcov counts them and gcovr prints them."""

import shutil
from pathlib import Path

from provision import commands, packages, paths
from provision.commands import Problem
from provision.reliability.build import Build

BUILD = Build("coverage", "gcc", ("-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS=--coverage"))
PARTS = {"libcside": "src", "libcside_token": "token/src"}
"""What is counted, by its folder."""
LEFT_OUT = ("src/pkcs11_forward.c", "src/pkcs11_errors.c")
"""They expand generated lists: the functions of PKCS #11 for each of 16 sets, and the names of return values."""


def run(gcovr: Path) -> dict[str, str]:
    """Build without optimisation, run ctest, and return gcovr's table of each part. ``gcovr`` is its program."""
    for program in ("gcc", "gcov"):
        if shutil.which(program) is None:
            raise Problem(f"branches are counted by {program}, which is not there: apt-get install gcc")
    native = packages.native().folder
    with paths.one_at_a_time():
        commands.say("libcside: building its tests by gcc to count branches")
        programs = BUILD.make()
        for old in BUILD.folder.rglob("*.gcda"):  # counts of runs before
            old.unlink()
        ctest = [programs / "ctest", "--test-dir", BUILD.folder, "-LE", "large", "--output-on-failure"]
        commands.show(ctest, env=commands.environment(first_on_path=programs))
    tables = {}
    for part, folder in PARTS.items():
        count = [gcovr, "--root", native, "--filter", f"{native / folder}/", "--txt-metric", "branch"]
        count += ["--sort", "uncovered-percent", "--gcov-ignore-parse-errors=negative_hits.warn", BUILD.folder]
        count += [word for name in LEFT_OUT for word in ("--exclude", str(native / name))]
        tables[part] = commands.output(count, timeout=300)
    return tables
