# SPDX-License-Identifier: Apache-2.0
"""How the library was built: the record that CMake wrote, and what the loaded library reports."""

from __future__ import annotations

import ctypes
import hashlib
import json
from pathlib import Path

from . import _existing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .build_record import BuildInfo, Built


def built() -> Built:
    """Read the record that CMake wrote."""
    record: Built = json.loads(_existing("build_info.json").read_text(encoding="utf-8"))
    return record


def collect(library: Path) -> BuildInfo:
    """Load the library at this path, and return what is known of it."""
    loaded = ctypes.CDLL(str(library))

    def text(function: str) -> str:
        # unlike getattr(), this makes a new function object: the restype of other users does not change
        call = loaded[function]
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
