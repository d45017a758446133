# SPDX-License-Identifier: Apache-2.0
"""A script that an interpreter runs to describe itself: it prints one JSON object.

It is written so that any Python 3 can run it. :mod:`.interpreter_search` starts it.
"""

import importlib.util
import json
import os
import platform
import sys
import sysconfig


def optimised(pypy: bool, config: str, compiled: str) -> "tuple[bool, str]":
    """Whether the interpreter was built with profile-guided optimisation, and what says so (empty: nothing says it)."""
    if pypy:
        return True, "PyPy"
    if "--enable-optimizations" in config or "-fprofile-use" in compiled or "-fprofile-instr-use" in compiled:
        return True, "sysconfig"
    # Debian and its kin build with PGO and LTO by their packaging rules, of which sysconfig keeps no trace
    if "--prefix=/usr'" in config + "'" and "--with-wheel-pkg-dir" in config:
        return True, "distribution"
    return False, ""


def facts() -> "dict[str, object]":
    """What is needed to choose an interpreter, to name the wheels that are built for it, and to list it."""
    var = {k: v if isinstance(v, (str, int)) else "" for k, v in sysconfig.get_config_vars().items()}
    pypy = sys.implementation.name == "pypy"
    include = sysconfig.get_path("include")
    names = ("PY_CFLAGS_NODIST", "PY_CORE_CFLAGS", "CONFIGURE_CFLAGS_NODIST", "CONFIGURE_CFLAGS", "CFLAGS")
    compiled = " ".join(str(var.get(name, "")) for name in names)
    good, evidence = optimised(pypy, str(var.get("CONFIG_ARGS", "")), compiled)
    try:
        stdlib_tests = importlib.util.find_spec("test.test_zlib") is not None
    except ImportError:
        stdlib_tests = False
    return {
        "implementation": sys.implementation.name,
        "version": list(sys.version_info[:3]),
        "version_text": sys.version,
        "release": platform.python_version(),
        "pypy": ".".join(map(str, sys.implementation.version[:3])) if pypy else "",
        "machine": platform.machine(),
        "platform": sysconfig.get_platform(),
        "soabi": str(var.get("SOABI", "")),
        "ext_suffix": str(var.get("EXT_SUFFIX", "")),
        "compiler": str(var.get("CC", "")),
        "flags": str(var.get("CFLAGS", "")),
        "config_args": str(var.get("CONFIG_ARGS", "")),
        "free_threaded": bool(var.get("Py_GIL_DISABLED")),
        "debug": hasattr(sys, "gettotalrefcount"),
        "shared_library": bool(var.get("Py_ENABLE_SHARED")),
        "optimised": good,
        "optimised_evidence": evidence,
        "headers": os.path.exists(os.path.join(include, "Python.h")),
        "include": include,
        "stdlib_tests": stdlib_tests,
        "final": sys.version_info[3] == "final",
        "base_executable": os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable),
        "base_prefix": os.path.realpath(sys.base_prefix),
        "virtual": sys.prefix != sys.base_prefix,
    }


if __name__ == "__main__":
    print(json.dumps(facts()))
