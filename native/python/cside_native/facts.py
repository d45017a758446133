# SPDX-License-Identifier: Apache-2.0
"""How the library was built: what CMake wrote down, and what the loaded library says of itself."""

import ctypes
import hashlib
import json
from pathlib import Path
from typing import TypedDict, cast


class Built(TypedDict):
    """What CMake writes into ``build_info.json``."""

    version: str
    """``CS_VERSION_STRING`` of the header."""
    build_type: str
    """CMake's, as ``Release``."""
    cmake: str
    """Version of CMake."""
    system: str
    """System that the library was built for, as ``Linux``."""
    processor: str
    """Processor that it was built for, as ``x86_64``."""
    engine: str
    """What compresses: ``zlib``."""
    engine_origin: str
    """``system``, or ``fetched`` where it is compiled into the library."""


class BuildInfo(Built):
    """What :func:`cside_native.build_info` returns: that, and what the loaded library says."""

    compiler: str
    """As ``gcc 12.2.0``."""
    flags: str
    """The compiler's flags."""
    engine_version: str
    """Version of the engine that this process has loaded."""
    engine_header_version: str
    """Version of the engine's header that the library was compiled against."""
    sha256: str
    """SHA-256 of the library's file, in hexadecimal, taken now."""


def built() -> Built:
    """What CMake wrote down."""
    path = Path(__file__).resolve().parent / "build_info.json"
    return cast(Built, json.loads(path.read_text(encoding="utf-8")))


def collect(library: Path) -> BuildInfo:
    """The facts of the library at this path, which is loaded."""
    loaded = ctypes.CDLL(str(library))

    def text(function: str) -> str:
        call = loaded[function]  # unlike getattr(), a new object each time: nobody else's restype changes
        call.restype = ctypes.c_char_p
        value: bytes = call()
        return value.decode()

    return {
        **built(),
        "version": text("cs_version"),
        "compiler": text("cs_build_compiler"),
        "flags": text("cs_build_flags"),
        "engine_version": text("cs_engine_version"),
        "engine_header_version": text("cs_engine_header_version"),
        "sha256": hashlib.sha256(library.read_bytes()).hexdigest(),
    }
