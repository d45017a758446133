# SPDX-License-Identifier: Apache-2.0
"""How the library was built: what CMake wrote down, and what the loaded library says of itself."""

from __future__ import annotations

import ctypes
import hashlib
import json
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .build_record import BuildInfo, Built


def built() -> Built:
    """What CMake wrote down."""
    path = Path(__file__).resolve().parent / "build_info.json"
    record: Built = json.loads(path.read_text(encoding="utf-8"))
    return record


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
