# SPDX-License-Identifier: Apache-2.0
"""Where ``libcside`` and its headers are, and how the library was built.

Bindings import this when they are imported, so nothing is imported here before it is needed, ``typing`` included.

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
    # the version stands in the C header and, from there, in build_info.json
    if name == "__version__":
        from .facts import built

        return built()["version"]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def library() -> "Path":
    """Path of ``libcside`` itself. `FileNotFoundError` if the installation lacks it."""
    return _existing(f"lib/libcside{_suffix()}")


def floor_library() -> "Path":
    """Path of ``libcside_floor``, the C loops that benchmarks compare with (see ``floor.h``)."""
    return _existing(f"lib/libcside_floor{_suffix()}")


def token_library() -> "Path":
    """Path of ``libcside_token``, the software token behind the PKCS #11 shim: a module by itself.

    `FileNotFoundError` if it was not built, which is so where libcrypto was missing then.
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
    """The folder to give to ``-I``: it holds ``cside/*.h``."""
    return _existing("include")


def cmake_dir() -> "Path":
    """The folder to give to CMake as ``cside_DIR``: it holds ``cside-config.cmake``."""
    return _existing("lib/cmake/cside")


def build_info() -> "BuildInfo":
    """How the library was built, and which engine it runs on in this process. Loads the library."""
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
