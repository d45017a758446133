# SPDX-License-Identifier: Apache-2.0
"""Import and call every installed binding: ``python call_all.py [NAME]...`` fails if one of the names is not installed.

It runs in the environment of a user, so it needs nothing but the standard library. cibuildwheel runs it too.
"""

import importlib
import re
import sys
from importlib.metadata import entry_points
from pathlib import Path

DATA = b"one library, bound several ways " * 100


def called(package: str) -> list[str]:
    """Call each noun of a binding that it does not declare missing; return what was wrong."""
    gaps = importlib.import_module(package).gaps
    idioms, codec = (importlib.import_module(f"{package}.{noun}") for noun in ("idioms", "codec"))
    wrong = []
    if idioms.i32_add(40, 2) != 42:
        wrong.append("i32_add(40, 2) is not 42")
    if codec.decompress(codec.compress(DATA)) != DATA:
        wrong.append("decompress(compress(data)) is not data")
    if "pkcs11" not in gaps and importlib.import_module(f"{package}.pkcs11").rv_name(0) != "CKR_OK":
        wrong.append("rv_name(0) is not CKR_OK")
    return wrong


def mapped() -> set[str]:
    """The files of ``libcside`` that this process has mapped; empty where the system does not tell.

    A copy that auditwheel made has a hash in its name.
    """
    maps = Path("/proc/self/maps")
    lines = maps.read_text(encoding="utf-8", errors="replace").splitlines() if maps.exists() else []
    files = [line.split(maxsplit=5)[5] for line in lines if "/" in line]
    return {file for file in files if re.fullmatch(r"libcside(-[0-9a-f]+)?\.so", file.rpartition("/")[2])}


def main() -> None:
    """Print one line for each binding. The exit code is 0 if all of them work, with the one ``libcside``."""
    installed = {point.name: point.value for point in entry_points(group="cside.bindings")}
    wrong = [f"{name}: not installed" for name in sorted(set(sys.argv[1:]) - set(installed))]
    for name, package in sorted(installed.items()):
        found = called(package)
        print(f"{name}: {'; '.join(found) or 'imported and called'}, from {importlib.import_module(package).__file__}")
        wrong += [f"{name}: {each}" for each in found]
    cside_native = importlib.import_module("cside_native")
    build = cside_native.build_info()
    print(f"libcside {build['version']}, {build['engine']} {build['engine_version']}: {cside_native.library()}")
    if more := mapped() - {str(cside_native.library().resolve())}:
        wrong.append(f"a second libcside is loaded: {', '.join(sorted(more))}")
    gil_enabled = getattr(sys, "_is_gil_enabled", None)
    if gil_enabled is not None and not gil_enabled():
        print("the GIL is off")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
