# SPDX-License-Identifier: Apache-2.0
"""Compile the modules. pyproject.toml has the metadata of the package."""

import os
import sys
import sysconfig
from typing import Any

import cside_native  # a build without the native library fails here
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

LIBRARY = cside_native.library()
# The library is in the package cside_native, which is installed beside this one.
ORIGIN = "@loader_path" if sys.platform == "darwin" else "$ORIGIN"

# An interpreter may lack one of these; the packages cside_cython.default and .limited say so in `unavailable`.
HAS_GIL = not sysconfig.get_config_var("Py_GIL_DISABLED")
STABLE_ABI = sys.implementation.name == "cpython" and HAS_GIL


def module(package: str, **options: Any) -> Extension:
    """The module `_core` of a package."""
    upwards = "../" * (package.count(".") + 1)
    return Extension(
        f"{package}._core",
        sources=[os.path.join("src", *package.split("."), "_core.pyx")],
        include_dirs=[str(cside_native.include_dir())],
        library_dirs=[str(LIBRARY.parent)],
        libraries=["cside"],
        # Windows has no run paths.
        runtime_library_dirs=[] if sys.platform == "win32" else [f"{ORIGIN}/{upwards}cside_native/lib"],
        extra_compile_args=["-fvisibility=hidden"],
        # cythonize() finds the .pxi and .pxd files that a module includes or cimports, and translates the module again
        # when one of them changes. It does not know the library.
        depends=[str(LIBRARY)],
        **options,
    )


class BuildModules(build_ext):
    """Let each module have its own suffix.

    setuptools looks up the suffix of a file by the last part of the module's name, which is `_core` for all modules.
    """

    def get_ext_fullpath(self, ext_name: str) -> str:
        """The path of a module's file, with the suffix of that module."""
        self.ext_map["_core"] = self.ext_map[self.get_ext_fullname(ext_name)]
        return str(super().get_ext_fullpath(ext_name))


modules = [module("cside_cython")]
if HAS_GIL:
    modules.append(module("cside_cython.default"))
if STABLE_ABI:
    stable = {"py_limited_api": True, "define_macros": [("Py_LIMITED_API", "0x030B0000")]}
    modules.append(module("cside_cython.limited", **stable))

if os.environ.get("CSIDE_WITHOUT_VARIANTS"):  # to measure the build and the wheel of the binding alone
    modules = modules[:1]

setup(ext_modules=cythonize(modules, build_dir="build"), cmdclass={"build_ext": BuildModules})
