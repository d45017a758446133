# SPDX-License-Identifier: Apache-2.0
"""The one thing that pyproject.toml cannot say: where the header and the library are."""

from pathlib import Path

import cside_native
from setuptools import Extension, setup

HERE = Path(__file__).parent

setup(
    ext_modules=[
        Extension(
            "cside_cext._core",
            sources=sorted(str(path.relative_to(HERE)) for path in HERE.glob("csrc/*.c")),
            # Whatever changes there makes the extension stale: our headers, theirs, and the library it is linked to.
            depends=[
                *sorted(str(path.relative_to(HERE)) for path in HERE.glob("csrc/*.h")),
                *sorted(str(path) for path in cside_native.include_dir().glob("cside/*.h")),
                str(cside_native.library()),
            ],
            include_dirs=[str(cside_native.include_dir())],
            libraries=["cside"],
            library_dirs=[str(cside_native.library().parent)],
            # Both packages live side by side in site-packages.
            runtime_library_dirs=["$ORIGIN/../cside_native/lib"],
            # Only PyInit__core is for others; this also lets the compiler inline across what is left.
            extra_compile_args=["-std=c11", "-fvisibility=hidden"],
        )
    ]
)
