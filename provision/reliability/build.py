# SPDX-License-Identifier: Apache-2.0
"""Build libcside and its tests in a folder of their own, by one compiler, with options of CMake."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from provision import builders, commands, packages, paths, tools


@dataclass(frozen=True)
class Build:
    """A build of ``native``."""

    label: str
    """The folder in the build folder, and the beginning of the names of its logs."""
    compiler: str
    options: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """Where CMake builds."""
        return paths.BUILD / self.label

    def make(self, targets: Sequence[str] = ()) -> Path:
        """Configure and build the targets, or all; return the folder of CMake's programs. `Problem` if that fails."""
        package = packages.native()
        programs = tools.scripts(builders.for_native(package).folder)
        env = commands.environment(first_on_path=programs)
        configure = [programs / "cmake", "-S", package.folder, "-B", self.folder, "-G", "Ninja"]
        configure += [f"-DCMAKE_C_COMPILER={self.compiler}", "-DCSIDE_BUILD_TESTS=ON", *self.options]
        commands.run(configure, log=f"{self.label}-configure", env=env)
        named = ["--target", *targets] if targets else []
        build = [programs / "cmake", "--build", self.folder, "--parallel", "2", *named]
        commands.run(build, log=f"{self.label}-build", env=env)
        return programs
