# SPDX-License-Identifier: Apache-2.0
"""Find out whether there are compilers and the headers of libraries; if not, name the packages to install."""

import functools
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from provision import commands


@dataclass(frozen=True)
class Part:
    """Something of the system that a build uses. It is there if ``program`` compiles and links."""

    what: str
    program: str
    link: tuple[str, ...]
    apt: str
    dnf: str
    brew: str
    without: str
    """What happens without it; empty where nothing can be built without it."""
    cpp: bool = False
    """Whether the program is C++ and not C."""

    def advice(self) -> str:
        """One line with the commands that install it."""
        ways = f"apt-get install {self.apt} | dnf install {self.dnf} | brew install {self.brew}"
        if sys.platform == "darwin" and not self.without:
            ways += " | xcode-select --install"
        return f"missing: {self.what}. {self.without + ' ' if self.without else ''}Install it: {ways}"


COMPILER = Part("a C compiler", "int main(void)\n{\n    return 0;\n}\n", (), "gcc libc6-dev", "gcc", "gcc", "")
CPP_COMPILER = Part(
    "a C++ compiler",
    "#include <string_view>\nint main()\n{\n    return std::string_view().size() != 0;\n}\n",
    (),
    "g++",
    "gcc-c++",
    "gcc",
    "Bindings that are written in C++ are left out.",
    cpp=True,
)
HEADERS = (
    Part(
        "zlib with its header",
        "#include <zlib.h>\nint main(void)\n{\n    return zlibVersion()[0] == 0;\n}\n",
        ("-lz",),
        "zlib1g-dev",
        "zlib-devel",
        "zlib",
        "CMake fetches and builds its own.",
    ),
    Part(
        "libffi with its header",
        "#include <ffi.h>\nint main(void)\n{\n    ffi_cif cif;\n"
        "    return ffi_prep_cif(&cif, FFI_DEFAULT_ABI, 0, &ffi_type_void, 0) != FFI_OK;\n}\n",
        ("-lffi",),
        "libffi-dev",
        "libffi-devel",
        "libffi",
        "The native floor of ffi_call cannot be measured.",
    ),
)


def compiler() -> list[str]:
    """The command that runs the C compiler: ``CC`` where it is set, else the first of cc, gcc and clang."""
    if os.environ.get("CC"):
        return shlex.split(os.environ["CC"])
    return [next((name for name in ("cc", "gcc", "clang") if shutil.which(name)), "cc")]


def cpp_compiler() -> list[str]:
    """The command that runs the C++ compiler: ``CXX`` where it is set, else the first of c++, g++ and clang++."""
    if os.environ.get("CXX"):
        return shlex.split(os.environ["CXX"])
    return [next((name for name in ("c++", "g++", "clang++") if shutil.which(name)), "c++")]


def compiles(part: Part) -> bool:
    """Whether the program of ``part`` compiles and links."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / ("probe.cpp" if part.cpp else "probe.c")
        source.write_text(part.program, encoding="utf-8")
        flags = shlex.split(
            os.environ.get("CPPFLAGS", "") + " " + os.environ.get("CXXFLAGS" if part.cpp else "CFLAGS", "")
        )
        link = [*shlex.split(os.environ.get("LDFLAGS", "")), *part.link]
        tool = [*cpp_compiler(), "-std=c++17"] if part.cpp else compiler()
        try:
            commands.output([*tool, *flags, source, "-o", Path(folder) / "probe", *link])
        except commands.Problem:
            return False
    return True


@functools.cache
def check() -> None:
    """Tell the user what is missing, once per run. Raises `Problem` where nothing can be built without it."""
    if sys.platform == "win32":  # the build backends find Visual C++ by themselves, outside the PATH
        return
    if not compiles(COMPILER):
        raise commands.Problem(COMPILER.advice())
    for part in HEADERS:
        if not compiles(part):
            commands.say(part.advice())


@functools.cache
def builds_cpp() -> bool:
    """Whether bindings in C++ can be built, which is found out once per run."""
    return sys.platform == "win32" or compiles(CPP_COMPILER)


def left_out(in_cpp: Iterable[str], *, asked: bool) -> list[str]:
    """Those of ``in_cpp``, the names of what is written in C++, that cannot be built here. They are told by name.

    Raises `Problem` where they are asked for by name, and with ``CI=true``.
    """
    names = list(in_cpp)
    if not names or builds_cpp():
        return []
    told = f"{', '.join(names)}: {CPP_COMPILER.advice()}"
    if asked or os.environ.get("CI") == "true":
        raise commands.Problem(told)
    commands.say(told)
    return names


def _version(tool: list[str]) -> str:
    """The first line of what a compiler says of its version; empty if it cannot be run."""
    try:
        return commands.output([*tool, "--version"]).partition("\n")[0].strip()
    except commands.Problem:
        return ""


@functools.cache
def identity() -> dict[str, str]:
    """What distinguishes compilers and their flags from others; it is part of every wheel's key."""
    try:  # libcside contains zlib's version, and is built differently where there is no zlib
        seen = commands.output([*compiler(), "-E", "-P", "-xc", "-"], stdin="#include <zlib.h>\nZLIB_VERSION\n")
        engine = seen.split()[-1]
    except (commands.Problem, IndexError):
        engine = ""
    names = (
        "CC",
        "CXX",
        "CFLAGS",
        "CXXFLAGS",
        "CPPFLAGS",
        "LDFLAGS",
        "ARCHFLAGS",
        "MACOSX_DEPLOYMENT_TARGET",
        "CMAKE_ARGS",
    )
    found = {"compiler": _version(compiler()), "cpp_compiler": _version(cpp_compiler()), "zlib": engine}
    return found | {name: os.environ[name] for name in names if os.environ.get(name)}
