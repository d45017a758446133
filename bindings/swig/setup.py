# SPDX-License-Identifier: Apache-2.0
"""Run SWIG on the interface files and compile the wrappers that it writes. The metadata is in pyproject.toml.

SWIG starts from ``interface/core.i`` for the binding, and from ``interface/knobs.i`` for its variants, which hold a
part of the functions and are built with other options of SWIG. Both include the other files in ``interface``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import cside_native  # ModuleNotFoundError here means: install the wheel cside-native first
import swig  # sets SWIG_LIB for the executable of the wheel
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

INTERFACE = Path("interface")
INCLUDE = Path(cside_native.include_dir())
LIBRARY = Path(cside_native.library())
ORIGIN = "@loader_path" if sys.platform == "darwin" else "$ORIGIN"


class BuildExt(build_ext):
    """Write wrappers to the build folder. setuptools would write them beside the interface files."""

    def swig_sources(self, sources: list[str], extension: Extension) -> list[str]:
        """Run SWIG on each interface file. Return the sources to compile, with its wrapper in its place."""
        out = Path(self.build_temp, extension.name)
        out.mkdir(parents=True, exist_ok=True)
        return [self._wrap(Path(source), out, extension) if source.endswith(".i") else source for source in sources]

    def build_extension(self, ext: Extension) -> None:
        """Compile the extension, and copy the Python module of proxy classes, if there is one, beside it."""
        super().build_extension(ext)
        self._copy_proxies(ext)

    def copy_extensions_to_source(self) -> None:
        """Copy what was built into the source folder, for an editable install."""
        super().copy_extensions_to_source()
        for ext in self.extensions:
            self._copy_proxies(ext)

    def get_outputs(self) -> list[str]:
        """Return the files that were built, for the record that setuptools keeps."""
        return [*super().get_outputs(), *(str(file) for ext in self.extensions for file in self._proxies(ext))]

    def _proxies(self, extension: Extension) -> list[Path]:
        # With -builtin there are no proxy classes: the Python module that SWIG writes only imports the extension.
        if "-builtin" in extension.swig_opts:
            return []
        return [Path(self.get_ext_fullpath(extension.name)).with_name("core.py")]

    def _copy_proxies(self, extension: Extension) -> None:
        for file in self._proxies(extension):
            self.copy_file(str(Path(self.build_temp, extension.name, file.name)), str(file))

    def _wrap(self, source: Path, out: Path, extension: Extension) -> str:
        wrapper = out / f"{source.stem}_wrap.c"
        self.spawn(
            [
                str(Path(swig.BIN_DIR) / "swig"),
                *("-python", "-interface", "_core", "-Werror"),
                *extension.swig_opts,
                *("-outdir", str(out), "-o", str(wrapper), str(source)),
            ]
        )
        return str(wrapper)


def module(package: str, source: str, *options: str) -> Extension:
    """Return the extension ``_core`` of a package. ``source`` is the interface file that SWIG starts from.

    Each module has its own table of types, so that none accepts objects of another. Without that, SWIG takes a type of
    the same name, such as ``Counter *``, in any other module that SWIG made for the same type.
    """
    to_root = "/".join([".."] * len(package.split(".")))
    return Extension(
        f"{package}._core",
        [str(INTERFACE / source)],
        swig_opts=[*options, f"-I{INTERFACE}", f"-I{INCLUDE}"],
        include_dirs=[str(INCLUDE)],
        define_macros=[("CSIDE_PACKAGE", f'"{package}"'), ("SWIG_TYPE_TABLE", package.replace(".", "_"))],
        extra_compile_args=["-fvisibility=hidden"],
        libraries=["cside"],
        library_dirs=[str(LIBRARY.parent)],
        # Windows has no run paths.
        runtime_library_dirs=[] if sys.platform == "win32" else [f"{ORIGIN}/{to_root}/cside_native/lib"],
        # A change of any of these rebuilds the extension.
        depends=[str(LIBRARY), *map(str, INTERFACE.rglob("*.i")), *map(str, INCLUDE.rglob("*.h"))],
    )


modules = [module("cside_swig", "core.i", "-builtin")]
if not os.environ.get("CSIDE_WITHOUT_VARIANTS"):  # set to build the binding alone
    modules += [
        module("cside_swig.default", "knobs.i"),
        module("cside_swig.fastproxy", "knobs.i", "-fastproxy"),
    ]

setup(cmdclass={"build_ext": BuildExt}, ext_modules=modules)
