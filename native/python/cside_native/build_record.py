# SPDX-License-Identifier: Apache-2.0
"""Types of the results of :mod:`cside_native.facts`. Only type checkers import this module."""

from typing import TypedDict


class Built(TypedDict):
    """The contents of ``build_info.json``, which CMake writes."""

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
    """Name of the compression library: ``zlib``."""
    engine_origin: str
    """``system``, or ``fetched`` if it is compiled into the library."""


class BuildInfo(Built):
    """The result of :func:`cside_native.build_info`: the same, and what the loaded library reports."""

    compiler: str
    """Name and version of the compiler, as ``gcc 12.2.0``."""
    flags: str
    """The compiler's flags."""
    engine_version: str
    """Version of the engine that this process has loaded."""
    engine_header_version: str
    """Version of the engine's header that the library was compiled against."""
    sha256: str
    """SHA-256 of the library's file in hexadecimal, computed at the time of the call."""
