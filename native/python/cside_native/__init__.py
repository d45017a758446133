# SPDX-License-Identifier: Apache-2.0
"""Paths of ``libcside`` and its headers, and how the library was built.

Bindings import this package when they are imported, so its functions import what they need only when they are called.

>>> import cside_native
>>> cside_native.library().stem
'libcside'
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from .build_record import BuildInfo

__all__ = [
    "__version__",
    "build_info",
    "cmake_dir",
    "floor_library",
    "include_dir",
    "library",
    "preload",
    "token_library",
]

__version__: str


def __getattr__(name: str) -> str:
    # CMake copies the version from the C header into build_info.json
    if name == "__version__":
        from .facts import built

        return built()["version"]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def library() -> "Path":
    """Path of ``libcside``. Raises `FileNotFoundError` if the installation does not have it."""
    return _library("cside")


def preload() -> None:
    """Load ``libcside`` by its absolute path, for an extension module whose run path does not lead to it.

    The bindings' modules look for the library beside themselves, in ``../cside_native/lib``. It is not there if the
    binding was installed with ``pip install -e`` or into another folder than this package. The dynamic loader does not
    search for a library that the process has loaded already: glibc compares the SONAME, macOS the install name, Windows
    the file name. The library stays loaded until the process ends.

    musl's loader does search again: with it, a binding has to be installed beside this package. Raises
    `FileNotFoundError` if the installation does not have the library, `OSError` if it cannot be loaded.
    """
    import ctypes

    ctypes.CDLL(str(library()))


def floor_library() -> "Path":
    """Path of ``libcside_floor``, the C loops that the benchmarks compare with (see ``floor.h``)."""
    return _library("cside_floor")


def token_library() -> "Path":
    """Path of ``libcside_token``, the software token, which is a PKCS #11 module by itself.

    Raises `FileNotFoundError` if it was not built because libcrypto was missing.
    """
    try:
        return _library("cside_token")
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


def _library(name: str) -> "Path":
    """The file of a shared library. On Windows it depends on the compiler whether its name has the prefix."""
    if sys.platform == "win32":
        return _existing(f"lib/{name}.dll", f"lib/lib{name}.dll")
    return _existing(f"lib/lib{name}.{'dylib' if sys.platform == 'darwin' else 'so'}")


def _existing(*names: str) -> "Path":
    """The first of these files that exists. An editable installation has two folders: sources, and what is built."""
    from pathlib import Path

    found = [path for folder in __path__ for name in names if (path := Path(folder).resolve() / name).exists()]
    if not found:
        missing = " or ".join(str(Path(__path__[0]).resolve() / name) for name in names)
        raise FileNotFoundError(f"cside_native is incomplete: {missing} is missing; reinstall cside-native")
    return found[0]
