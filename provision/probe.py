# SPDX-License-Identifier: Apache-2.0
"""What an interpreter is asked: run by it as a script, prints one JSON object. Any Python 3 can read it."""

import importlib.util
import json
import os
import platform
import sys
import sysconfig


def optimised(pypy: bool, config: str, compiled: str) -> "tuple[bool, str]":
    """Whether the interpreter was built with its profile, and what says so (empty: nothing says it)."""
    if pypy:
        return True, "PyPy"
    if "--enable-optimizations" in config or "-fprofile-use" in compiled or "-fprofile-instr-use" in compiled:
        return True, "sysconfig"
    # Debian and its kin build with PGO and LTO by their packaging rules, of which sysconfig keeps no trace
    if "--prefix=/usr'" in config + "'" and "--with-wheel-pkg-dir" in config:
        return True, "distribution"
    return False, ""


def facts() -> "dict[str, object]":
    """All that choosing an interpreter and naming a wheel's key needs."""
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
