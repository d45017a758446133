# SPDX-License-Identifier: Apache-2.0
"""The one part of the metadata that setuptools cannot take from ``pyproject.toml``: cffi's own keyword.

cffi is imported here although nothing uses it: without cffi setuptools does not know ``cffi_modules``, ignores it, and
makes a wheel without a compiled module that looks like a success.
"""

import sys
import sysconfig

import cffi
from setuptools import setup

if tuple(map(int, cffi.__version__.split(".")[:2])) < (2, 1):
    raise SystemExit(f"cside-cffi: cffi 2.1 or newer is needed to build, this is {cffi.__version__}")

# cffi compiles against the limited API where it can; say so in the wheel's name.
limited = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")

setup(
    cffi_modules=["build_modules.py:api", "build_modules.py:abi"],
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if limited else {},
)
