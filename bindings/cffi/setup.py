# SPDX-License-Identifier: Apache-2.0
"""What ``pyproject.toml`` cannot say: cffi's keyword ``cffi_modules``, and the tag of a wheel for the limited API.

cffi is imported here to fail if it is missing: without cffi setuptools ignores ``cffi_modules`` and makes a wheel
without the compiled module, and reports no error.
"""

import sys
import sysconfig

import cffi
from setuptools import setup

if tuple(map(int, cffi.__version__.split(".")[:2])) < (2, 1):
    raise SystemExit(f"cside-cffi: cffi 2.1 or newer is needed to build, this is {cffi.__version__}")

# cffi compiles against the limited API where it can; the wheel's name has to say so.
limited = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")

setup(
    cffi_modules=["build_modules.py:api", "build_modules.py:abi"],
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if limited else {},
)
