# SPDX-License-Identifier: Apache-2.0
"""Compile the one module. What stands in pyproject.toml is not repeated here."""

import os
import sys

import cside_native  # a build without the native library fails here
from Cython.Build import cythonize
from setuptools import Extension, setup

LIBRARY = cside_native.library()
# The library stands in a sibling package, wherever both are installed.
ORIGIN = "@loader_path" if sys.platform == "darwin" else "$ORIGIN"
HERE = os.path.join("src", "cside_cython")

core = Extension(
    "cside_cython._core",
    sources=[os.path.join(HERE, "_core.pyx")],
    include_dirs=[str(cside_native.include_dir())],
    library_dirs=[str(LIBRARY.parent)],
    libraries=["cside"],
    extra_link_args=[f"-Wl,-rpath,{ORIGIN}/../cside_native/lib"],
    extra_compile_args=["-fvisibility=hidden"],
    # Cython follows `include` by itself; setuptools does not see that the library changed unless told.
    depends=[str(LIBRARY)],
)

setup(ext_modules=cythonize([core], build_dir="build"))
