# SPDX-License-Identifier: Apache-2.0
"""The compiled parts: what can only be said in Python is where the installed header lies."""

import cside_native
from setuptools import Extension, setup

setup(
    ext_modules=[
        # One function that does nothing: the cheapest call that an interpreter can make into native code.
        Extension("cside_suite.workloads._empty", ["src/cside_suite/workloads/_empty.c"]),
        # One that callgrind can be told to stop at.
        Extension("cside_suite.process._marker", ["src/cside_suite/process/_marker.c"]),
        # A PKCS #11 module that tells what it was given, for the conformance suite.
        Extension(
            "cside_suite.conformance._probe",
            ["src/cside_suite/conformance/_probe.c"],
            include_dirs=[str(cside_native.include_dir())],
            depends=["src/cside_suite/conformance/_probe_functions.h"],
        ),
        # Another one, that calls back when it must not any more.
        Extension(
            "cside_suite.conformance._late",
            ["src/cside_suite/conformance/_late.c"],
            include_dirs=[str(cside_native.include_dir())],
        ),
    ]
)
