"""Records the environment of a run: the machine, the interpreters and their builds, the library and the packages."""

import json
import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from cside_suite.files import write_json

from cside_bench.machine import checkout, identity
from cside_bench.machine.cpu import Placement
from cside_bench.machine.identity import cpu_model
from cside_bench.machine.system_files import read
from cside_bench.results.plan import Interpreter, Plan
from cside_bench.run.child import ENVIRONMENT_PADDING_NBYTES, MALLOC_TUNABLES, NURSERY_VARIABLE, nursery

CPU: Final = Path("/sys/devices/system/cpu/cpu0/cpufreq")
"""Folder in which Linux describes the frequency of the first CPU."""

DESCRIBE: Final = """
import json, os, platform, sys, sysconfig
from importlib.metadata import distributions
import cside_native
variables = sysconfig.get_config_vars()
cpython = sys.implementation.name == "cpython"
arguments = variables.get("CONFIG_ARGS") or ""
flags = " ".join(str(variables.get(name) or "") for name in ("PY_CORE_CFLAGS", "PY_CORE_LDFLAGS", "PY_CFLAGS_NODIST"))
# Debian builds with a profile by a make target of its own, and afterwards removes the flags from sysconfig's variables.
# Only there is the flag empty: a build without a profile keeps the flag and does not use it.
profiled = "--enable-optimizations" in arguments or variables.get("PGO_PROF_USE_FLAG") == ""
maps = open("/proc/self/maps").read() if os.path.exists("/proc/self/maps") else None
print(json.dumps({
    "executable": os.path.realpath(sys.executable),
    "version": sys.version,
    "implementation": sys.implementation.name,
    "implementation_version": ".".join(map(str, sys.implementation.version[:3])),
    "compiler": platform.python_compiler(),
    "cflags": variables.get("CFLAGS"),
    "config_args": arguments,
    "pgo": profiled if cpython else None,
    "lto": ("--with-lto" in arguments or "-flto" in flags) if cpython else None,
    "shared": "libpython" in maps if cpython and maps else None,
    "free_threaded": bool(variables.get("Py_GIL_DISABLED")),
    "debug": bool(variables.get("Py_DEBUG")),
    "native": cside_native.build_info(),
    "packages": dict(sorted((d.metadata["Name"], d.version) for d in distributions())),
}))
"""
"""Program that each interpreter runs to describe itself."""


def commit() -> str | None:
    """Return the commit of the checkout of cside, with a ``+`` if it has changes; ``None`` outside a checkout."""
    top = checkout.root()
    if top is None:
        return None

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], capture_output=True, text=True, check=True, cwd=top).stdout.strip()

    try:
        return git("rev-parse", "HEAD") + ("+" if git("status", "--porcelain") else "")
    except (OSError, subprocess.CalledProcessError):
        return None


def describe(interpreter: Interpreter) -> dict[str, Any]:
    """Return an interpreter's description of itself."""
    done = subprocess.run([interpreter.python, "-c", DESCRIBE], capture_output=True, text=True, check=True)
    return {"label": interpreter.label, **json.loads(done.stdout), "provisioned": interpreter.facts}


def record(plan: Plan, folder: Path, placement: Placement | None = None) -> dict[str, Any]:
    """Write ``environment.json``, which records everything about the run that its numbers depend on."""
    found = {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit(),
        "machine": {
            **identity.recorded(),
            "system": f"{platform.system()} {platform.release()}",
            "libc": " ".join(platform.libc_ver()),
            "architecture": platform.machine(),
            "cpu": cpu_model(),
            "cpus": os.cpu_count(),
            "affinity": sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
            "governor": read(CPU / "scaling_governor"),
            "aslr": read(Path("/proc/sys/kernel/randomize_va_space")),
            "load_average": list(os.getloadavg()) if hasattr(os, "getloadavg") else None,
        },
        "process_environment": {
            "GLIBC_TUNABLES": MALLOC_TUNABLES,
            NURSERY_VARIABLE: nursery(),
            "PYTHONHASHSEED": "drawn for each process",
            "padding": f"0 to {ENVIRONMENT_PADDING_NBYTES - 1} bytes, drawn for each process",
        },
        "placement": None if placement is None else placement.facts(),
        "seed": plan.seed,
        "corpora": plan.corpora,
        "interpreters": [describe(interpreter) for interpreter in plan.interpreters],
    }
    write_json(folder / "environment.json", found, indent=1)
    return found
