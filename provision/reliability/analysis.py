# SPDX-License-Identifier: Apache-2.0
"""Let gcc's analyzer and clang-tidy read libcside and the token. What they find is an error."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from provision import commands, packages, paths
from provision.reliability.build import Build

# Without optimisation gcc 12 takes what dlsym() has returned for a variable without a value.
ANALYZER = Build("analyze", "gcc", ("-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O1 -fanalyzer -Werror"))
READ = Build("analyze-tidy", "cc", ("-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"))


def sources() -> list[Path]:
    """The C files of the library and of the token, without their tests."""
    native = packages.native().folder
    return sorted([*(native / "src").glob("*.c"), *(native / "token" / "src").glob("*.c")])


def run(clang_tidy: Path) -> list[str]:
    """Run both; return a line for each that says what it read. `Problem` with their text if one finds something."""
    told = []
    with paths.one_at_a_time():
        if shutil.which("gcc"):
            commands.say("libcside: reading it by gcc -fanalyzer")
            ANALYZER.make(["cside", "cside_token"])
            told.append(f"gcc -fanalyzer: {len(sources())} files, nothing found")
        else:
            commands.say("gcc is not there, and reads nothing: apt-get install gcc")
        commands.say("libcside: reading it by clang-tidy")
        READ.make(["cside", "cside_token"])
        with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
            list(pool.map(lambda file: _tidy(clang_tidy, file), sources()))
        told.append(f"clang-tidy: {len(sources())} files, nothing found")
    return told


def _tidy(program: Path, file: Path) -> None:
    quiet = [program, "--quiet", "-p", READ.folder, "--warnings-as-errors=*", file]
    commands.run(quiet, log=f"analyze-{file.stem}")
