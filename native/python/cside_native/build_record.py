# SPDX-License-Identifier: Apache-2.0
"""The shapes of what :mod:`cside_native.facts` returns. For type checkers: nothing imports this when it runs."""

from typing import TypedDict


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
