# SPDX-License-Identifier: Apache-2.0
"""Make both modes' modules out of the declarations in ``cdef/``. ``setup.py`` names ``api`` and ``abi`` to cffi.

``cdef/*.h`` is what both modes declare, ``cdef/api`` and ``cdef/abi`` what only one of them can. In API mode cffi
writes C around the declarations and the real headers, which is compiled into ``cside_cffi._core``; in ABI mode it
writes ``cside_cffi/abi/_declarations.py``, with the declarations parsed already: importing needs no C parser.
"""

from pathlib import Path

import cside_native
from cffi import FFI

CDEF = Path("cdef")


def declared(mode: str) -> FFI:
    """An ``FFI`` that knows every declaration of ``mode``; ``status.h`` first, since the others use its types."""
    ffi = FFI()
    shared = sorted(CDEF.glob("*.h"), key=lambda header: (header.stem != "status", header.stem))
    for header in [*shared, *sorted((CDEF / mode).glob("*.h"))]:
        ffi.cdef(header.read_text(encoding="utf-8"))
    return ffi


def api() -> FFI:
    """The compiled module, linked to ``libcside`` by a path relative to itself."""
    library = Path(cside_native.library())
    ffi = declared("api")
    ffi.set_source(
        "cside_cffi._core",
        "\n".join(source.read_text(encoding="utf-8") for source in sorted((CDEF / "api").glob("*.c"))),
        include_dirs=[str(cside_native.include_dir())],
        library_dirs=[str(library.parent)],
        libraries=["cside"],
        extra_link_args=["-Wl,-rpath,$ORIGIN/../cside_native/lib"],
        # setuptools links anew when one of these is newer than what it linked before.
        depends=[str(library), *map(str, CDEF.glob("**/*.[ch]"))],
    )
    return ffi


def abi() -> FFI:
    """The module of parsed declarations; the library is opened when it is imported."""
    ffi = declared("abi")
    ffi.set_source("cside_cffi.abi._declarations", None)
    return ffi
