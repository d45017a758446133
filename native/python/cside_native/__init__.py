# SPDX-License-Identifier: Apache-2.0
"""Paths of ``libcside`` and its headers, and how the library was built.

Bindings import this package when they are imported, so its functions import what they need only when they are called.

>>> import cside_native
>>> cside_native.library().name
'libcside.so'
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from .build_record import BuildInfo

__all__ = ["__version__", "build_info", "cmake_dir", "floor_library", "include_dir", "library", "token_library"]

__version__: str


def __getattr__(name: str) -> str:
    # CMake copies the version from the C header into build_info.json
    if name == "__version__":
        from .facts import built

        return built()["version"]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def library() -> "Path":
    """Path of ``libcside``. Raises `FileNotFoundError` if the installation does not have it."""
    return _existing(f"lib/libcside{_suffix()}")


def floor_library() -> "Path":
    """Path of ``libcside_floor``, the C loops that the benchmarks compare with (see ``floor.h``)."""
    return _existing(f"lib/libcside_floor{_suffix()}")


def token_library() -> "Path":
    """Path of ``libcside_token``, the software token, which is a PKCS #11 module by itself.

    Raises `FileNotFoundError` if it was not built because libcrypto was missing.
    """
    try:
        return _existing(f"lib/libcside_token{_suffix()}")
    except FileNotFoundError:
        raise FileNotFoundError(
            "libcside_token was not built, because libcrypto (OpenSSL) or its headers were missing; install them "
            "(apt-get install libssl-dev, dnf install openssl-devel, brew install openssl) and reinstall cside-native, "
            "or name another module"
        ) from None


def include_dir() -> "Path":
    """The folder for the compiler's option ``-I``; it contains ``cside/*.h``."""
    return _existing("include")


def cmake_dir() -> "Path":
    """The folder for CMake's variable ``cside_DIR``; it contains ``cside-config.cmake``."""
    return _existing("lib/cmake/cside")


def build_info() -> "BuildInfo":
    """How the library was built, and which engine it uses in this process. Loads the library."""
    from .facts import collect

    return collect(library())


def _suffix() -> str:
    return ".dylib" if sys.platform == "darwin" else ".so"


def _existing(name: str) -> "Path":
    from pathlib import Path

    path = Path(__file__).resolve().parent / name
    if not path.exists():
        raise FileNotFoundError(f"cside_native is incomplete: {path} is missing; reinstall cside-native")
    return path
