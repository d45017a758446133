# SPDX-License-Identifier: Apache-2.0
"""Runs SWIG over interface/core.i and compiles what it writes. All else is in pyproject.toml."""

from __future__ import annotations

from pathlib import Path

import cside_native  # ModuleNotFoundError here means: install the wheel cside-native first
import swig  # sets SWIG_LIB for the executable of the wheel
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

INTERFACE = Path("interface")
INCLUDE = Path(cside_native.include_dir())
LIBRARY = Path(cside_native.library())


class BuildExt(build_ext):
    """Writes the wrapper to the build folder (setuptools would put it beside the interface file)."""

    def swig_sources(self, sources: list[str], extension: Extension) -> list[str]:
        """Sources to compile: each interface file is replaced by its wrapper."""
        out = Path(self.build_temp)
        out.mkdir(parents=True, exist_ok=True)
        return [self._wrap(Path(source), out, extension) if source.endswith(".i") else source for source in sources]

    def _wrap(self, source: Path, out: Path, extension: Extension) -> str:
        wrapper = out / f"{source.stem}_wrap.c"
        # With -builtin the extension is complete; the Python module that SWIG writes too would only import it again.
        self.spawn(
            [
                str(Path(swig.BIN_DIR) / "swig"),
                *("-python", "-builtin", "-interface", "_core", "-doxygen", "-Werror"),
                *extension.swig_opts,
                *("-outdir", str(out), "-o", str(wrapper), str(source)),
            ]
        )
        return str(wrapper)


setup(
    cmdclass={"build_ext": BuildExt},
    ext_modules=[
        Extension(
            "cside_swig._core",
            [str(INTERFACE / "core.i")],
            swig_opts=[f"-I{INTERFACE}", f"-I{INCLUDE}"],
            include_dirs=[str(INCLUDE)],
            extra_compile_args=["-fvisibility=hidden"],
            libraries=["cside"],
            library_dirs=[str(LIBRARY.parent)],
            runtime_library_dirs=["$ORIGIN/../cside_native/lib"],
            depends=[str(LIBRARY), *map(str, INTERFACE.rglob("*.i")), *map(str, INCLUDE.rglob("*.h"))],
        )
    ],
)
