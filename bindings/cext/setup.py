# SPDX-License-Identifier: Apache-2.0
"""Says what pyproject.toml cannot: where the headers and the library are, and how each extension module is built."""

import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

import cside_native
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).parent

ORIGIN = "@loader_path" if sys.platform == "darwin" else "$ORIGIN"

# Without a stable ABI the module is not built, and cside_cext.abi3 says that it is unavailable.
STABLE_ABI = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")

# Sources of both variants, and sources of abi3 alone. CORE_KNOBS_ONLY leaves out the functions that no variant needs.
SHARED = ["add", "buffers", "convert", "errors", "idioms_errors"]
KNOBS = ["idioms_scalars", "idioms_buffers", "idioms_text", "idioms_structs", "idioms_callbacks", "codec_checksums"]


def sources(folder: str, names: list[str]) -> list[str]:
    """The paths of C files, from their names without the suffix."""
    return [f"{folder}/{name}.c" for name in names]


def module(package: str, files: list[str], macros: list[tuple[str, str | None]], **options: Any) -> Extension:
    """The extension module `_core` of a package."""
    upwards = "../" * (package.count(".") + 1)
    return Extension(
        f"{package}._core",
        sources=files,
        # If one of these changes, setuptools builds the extension again: our headers, the library and its headers.
        depends=[
            *sorted(str(path.relative_to(HERE)) for path in HERE.glob("csrc/**/*.h")),
            *sorted(str(path) for path in cside_native.include_dir().glob("cside/*.h")),
            str(cside_native.library()),
        ],
        include_dirs=["csrc", str(cside_native.include_dir())],
        define_macros=[("CORE_PACKAGE", f'"{package}"'), *macros],
        libraries=["cside"],
        library_dirs=[str(cside_native.library().parent)],
        # Both packages are installed side by side in site-packages. Windows has no run paths.
        runtime_library_dirs=[] if sys.platform == "win32" else [f"{ORIGIN}/{upwards}cside_native/lib"],
        # Only PyInit__core is exported. The compiler may then inline all other functions.
        extra_compile_args=["-std=c11", "-fvisibility=hidden"],
        **options,
    )


class BuildModules(build_ext):
    """Finds the suffix of each file. setuptools looks it up by the last part of the module name, `_core` for all."""

    def get_ext_fullpath(self, ext_name: str) -> str:
        """The path of a module's file, with the suffix of that module."""
        self.ext_map["_core"] = self.ext_map[self.get_ext_fullname(ext_name)]
        return str(super().get_ext_fullpath(ext_name))


modules = [
    module("cside_cext", sorted(str(path.relative_to(HERE)) for path in HERE.glob("csrc/*.c")), []),
    module(
        "cside_cext.varargs",
        [
            *sources("csrc", SHARED),
            *sources("csrc/variants", ["module"]),
            *sorted(str(path.relative_to(HERE)) for path in HERE.glob("csrc/variants/varargs/*.c")),
        ],
        [("CORE_KNOBS_ONLY", None)],
    ),
]
if STABLE_ABI:
    modules.append(
        module(
            "cside_cext.abi3",
            [*sources("csrc", SHARED + KNOBS), *sources("csrc/variants", ["module"])],
            [("CORE_KNOBS_ONLY", None), ("Py_LIMITED_API", "0x030B0000")],
            py_limited_api=True,
        )
    )

if os.environ.get("CSIDE_WITHOUT_VARIANTS"):  # then only the binding itself is built
    modules = modules[:1]

setup(ext_modules=modules, cmdclass={"build_ext": BuildModules})
