# SPDX-License-Identifier: Apache-2.0
"""A bare process: it imports the modules that it is asked for, measures time and memory of each import, prints JSON.

:mod:`cside_suite.process.start` runs this file by its path, as a script: ``python -P start_bare.py TARGET NOUNS
LIBRARY``. It imports nothing that a starting interpreter has not imported by itself, and no other part of this package,
so that everything else that a binding imports is counted. ``TARGET`` is the package of a binding, ``NOUNS`` a
comma-separated list of its modules. With an empty ``TARGET`` the process imports ``cside_native`` and ``zlib`` instead
and loads ``LIBRARY``. With an empty ``TARGET`` and the path of an extension module in the place of ``NOUNS``, it loads
``LIBRARY`` and imports that extension: the least that a binding has to do.
"""

import os  # `site` has imported it already
import sys
import time  # built in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

ROLLUP = "/proc/self/smaps_rollup"
STATM = "/proc/self/statm"
BYTES = b"cside, 16 bytes."
CALLS: "dict[str, tuple[str, tuple[bytes, ...]]]" = {
    "idioms": ("noop", ()),
    "codec": ("crc32", (BYTES,)),
    "zlib": ("crc32", (BYTES,)),
}
"""The function of each module that is called for the first time: its name and arguments."""

clock = time.perf_counter_ns


def rollup() -> dict[str, int]:
    """Return the bytes that are resident, this process's share of them (Pss), and those that it alone has written to.

    Clean pages of a file are not among the latter: whether another process has mapped them too does not matter here.
    """
    found: dict[bytes, int] = {}
    with open(ROLLUP, "rb") as lines:
        for line in lines:
            words = line.split()
            if words[-1] == b"kB":
                found[words[0]] = int(words[1]) * 1024
    names = {"resident_bytes": b"Rss:", "proportional_bytes": b"Pss:", "private_bytes": b"Private_Dirty:"}
    return {name: found[field] for name, field in names.items()}


def statm() -> dict[str, int]:
    """Return the resident bytes, and those of them that belong to no file and no shared memory."""
    page = os.sysconf("SC_PAGE_SIZE")
    with open(STATM, "rb") as line:
        words = line.read().split()
    return {"resident_bytes": int(words[1]) * page, "private_bytes": (int(words[1]) - int(words[2])) * page}


def rusage() -> dict[str, int]:
    """Return the largest number of resident bytes so far. macOS counts in bytes, other systems in KiB."""
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return {"resident_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit}


def memory_source() -> "tuple[str | None, Callable[[], dict[str, int]]]":
    """Return the name of the best source of this process's memory that works here, and a function that reads it."""
    for name, ask in (("smaps_rollup", rollup), ("statm", statm), ("getrusage, the highest so far", rusage)):
        try:
            ask()
        except (OSError, ImportError, KeyError, ValueError, AttributeError):
            continue
        return name, ask
    return None, dict


def step(name: str, work: "Callable[[], object]", memory: "Callable[[], dict[str, int]]") -> "dict[str, Any]":
    """Do ``work`` once; return its wall and CPU time in ns, the growth of memory in bytes, and the modules imported.

    If it raises `ImportError`, its time does not count: ``ns`` is None and ``reason`` says why.
    """
    before, modules = memory(), len(sys.modules)
    cpu, start = time.process_time_ns(), clock()
    try:
        work()
    except ImportError as error:
        return {"step": name, "ns": None, "reason": f"{type(error).__name__}: {error}"}
    took, cpu = clock() - start, time.process_time_ns() - cpu
    after = memory()
    grown = {which: after[which] - value for which, value in before.items()}
    return {"step": name, "ns": took, "cpu_ns": cpu, "modules": len(sys.modules) - modules, **grown}


def importer(path: str) -> "Callable[[], object]":
    """Return a function that imports the module of this dotted name."""
    return lambda: __import__(path)


def first_calls(name: str, module: str) -> "dict[str, Any]":
    """Time the first and the second call of a function that nothing in this process has called before, in ns."""
    attribute, arguments = CALLS[name]
    function = getattr(sys.modules[module], attribute)
    one = clock()
    function(*arguments)
    two = clock()
    function(*arguments)
    three = clock()
    return {"call": f"{name}.{attribute}", "first_ns": two - one, "second_ns": three - two}


def loader(path: str) -> "Callable[[], object] | None":
    """Return a function that loads a shared library without ``ctypes``, or None if the interpreter has no way to."""
    try:
        if sys.implementation.name == "pypy":
            import _rawffi  # type: ignore[import-not-found,unused-ignore]  # PyPy's own

            return lambda: _rawffi.CDLL(path)
        import _ctypes

        opened = _ctypes.dlopen
    except (ImportError, AttributeError):
        return None
    return lambda: opened(path, os.RTLD_NOW)


def extension_importer(path: str) -> "Callable[[], object]":
    """Return a function that imports the extension module in this file, from its folder, without a package."""
    folder, _, file = path.rpartition(os.sep)

    def work() -> None:
        sys.path.insert(0, folder)
        __import__(file.partition(".")[0])

    return work


def main(target: str, nouns: list[str], library: str) -> "dict[str, Any]":
    """Make all measurements of one process and return them."""
    source, memory = memory_source()
    clock()
    began = list(sys.modules)
    start = clock()
    resolution = clock() - start
    if target:
        steps = [step(noun, importer(f"{target}.{noun}"), memory) for noun in nouns]
        done = [each["step"] for each in steps if each["ns"] is not None]
        calls = [first_calls(noun, f"{target}.{noun}") for noun in done if noun in CALLS]
        names = sorted(set(sys.modules) - set(began))
    elif nouns:
        load = loader(library)
        steps = [] if load is None else [step("libcside", load, memory)]
        steps.append(step("extension", extension_importer(nouns[0]), memory))
        calls = []
        names = sorted(set(sys.modules) - set(began))
    else:
        steps = [step("cside_native", importer("cside_native"), memory)]
        names = sorted(set(sys.modules) - set(began))
        steps.append(step("zlib", importer("zlib"), memory))
        calls = [first_calls("zlib", "zlib")]
        if (load := loader(library)) is not None:
            steps.append(step("libcside", load, memory))
    return {
        "steps": steps,
        "calls": calls,
        "modules": names,
        "modules_before": len(began),
        "memory_source": source,
        "clock_ns": resolution,
    }


if __name__ == "__main__":
    found = main(sys.argv[1], [noun for noun in sys.argv[2].split(",") if noun], sys.argv[3])
    import json  # imported here, so that its own imports are not measured

    json.dump(found, sys.stdout)
