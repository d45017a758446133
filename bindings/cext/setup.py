# SPDX-License-Identifier: Apache-2.0
"""What pyproject.toml cannot say: where header and library are, and which sources and macros make which module."""

import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

import cside_native
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).parent

# Elsewhere cside_cext.abi3 says that it is unavailable.
STABLE_ABI = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")

# The functions that a variant has are in these files; the macro leaves out what else is in them.
SHARED = ["add", "buffers", "convert", "errors", "idioms_errors"]
KNOBS = ["idioms_scalars", "idioms_buffers", "idioms_text", "idioms_structs", "idioms_callbacks", "codec_checksums"]


def sources(folder: str, names: list[str]) -> list[str]:
    """Paths of C files."""
    return [f"{folder}/{name}.c" for name in names]


def module(package: str, files: list[str], macros: list[tuple[str, str | None]], **options: Any) -> Extension:
    """The module `_core` of a package."""
    upwards = "../" * (package.count(".") + 1)
    return Extension(
        f"{package}._core",
        sources=files,
        # Whatever changes there makes the extension stale: our headers, theirs, and the library it is linked to.
        depends=[
            *sorted(str(path.relative_to(HERE)) for path in HERE.glob("csrc/**/*.h")),
            *sorted(str(path) for path in cside_native.include_dir().glob("cside/*.h")),
            str(cside_native.library()),
        ],
        include_dirs=["csrc", str(cside_native.include_dir())],
        define_macros=[("CORE_PACKAGE", f'"{package}"'), *macros],
        libraries=["cside"],
        library_dirs=[str(cside_native.library().parent)],
        # Both packages live side by side in site-packages.
        runtime_library_dirs=[f"$ORIGIN/{upwards}cside_native/lib"],
        # Only PyInit__core is for others; this also lets the compiler inline across what is left.
        extra_compile_args=["-std=c11", "-fvisibility=hidden"],
        **options,
    )


class BuildModules(build_ext):
    """setuptools finds the suffix of a file by the last part of the module's name, which all of ours share."""

    def get_ext_fullpath(self, ext_name: str) -> str:
        """Path of a module's file, under the suffix that is its own."""
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

if os.environ.get("CSIDE_WITHOUT_VARIANTS"):  # as one would build the binding for its own sake
    modules = modules[:1]

setup(ext_modules=modules, cmdclass={"build_ext": BuildModules})
