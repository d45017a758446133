# SPDX-License-Identifier: Apache-2.0
"""Make the modules of both modes from the declarations in ``cdef/``. ``setup.py`` names `api` and `abi` to cffi.

- ``cdef/*.h``: declarations for both modes. Each file has the name of the library's header that it stands for.
- ``cdef/api/*.h``, ``cdef/api/*.c``: for API mode only: C shims and their declarations.
- ``cdef/abi/*.h``: declarations for ABI mode only.

In API mode cffi generates C from the declarations; the C compiler compares them with the real headers and makes
``cside_cffi._core``. In ABI mode cffi writes ``cside_cffi/abi/_declarations.py``, which contains the declarations in
parsed form, so that importing it needs no C parser.
"""

import sys
from pathlib import Path

import cside_native
from cffi import FFI

CDEF = Path("cdef")
ORIGIN = "@loader_path" if sys.platform == "darwin" else "$ORIGIN"


def shared() -> list[Path]:
    """The declarations for both modes; ``status.h`` first, since the others use its types."""
    return sorted(CDEF.glob("*.h"), key=lambda header: (header.stem != "status", header.stem))


def declared(mode: str) -> FFI:
    """An ``FFI`` that knows every declaration of ``mode``."""
    ffi = FFI()
    for header in [*shared(), *sorted((CDEF / mode).glob("*.h"))]:
        ffi.cdef(header.read_text(encoding="utf-8"))
    return ffi


def api() -> FFI:
    """The compiled module, linked to ``libcside`` by a path relative to itself."""
    library = Path(cside_native.library())
    includes = [f'#include "cside/{header.name}"' for header in shared()]
    shims = [source.read_text(encoding="utf-8") for source in sorted((CDEF / "api").glob("*.c"))]
    ffi = declared("api")
    ffi.set_source(
        "cside_cffi._core",
        "\n".join([*includes, *shims]),
        include_dirs=[str(cside_native.include_dir())],
        library_dirs=[str(library.parent)],
        libraries=["cside"],
        # Windows has no run paths.
        runtime_library_dirs=[] if sys.platform == "win32" else [f"{ORIGIN}/../cside_native/lib"],
        # setuptools links anew when one of these is newer than what it linked before.
        depends=[str(library), *map(str, CDEF.glob("**/*.[ch]"))],
    )
    return ffi


def abi() -> FFI:
    """The module of parsed declarations; ``abi/_core.py`` opens the library when it is imported."""
    ffi = declared("abi")
    ffi.set_source("cside_cffi.abi._declarations", None)
    return ffi
