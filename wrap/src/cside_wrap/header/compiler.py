# SPDX-License-Identifier: Apache-2.0
"""The C compiler and pkg-config: which command, which flags, which folders of headers."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from cside_wrap.errors import WrapError

__all__ = ["TIMEOUT_S", "command", "find_header", "pkg_config", "system_folders", "version"]

TIMEOUT_S = 120


def command() -> list[str]:
    """The command of the C compiler: ``$CC``, or else cc, gcc or clang. Raises `WrapError` where there is none."""
    if chosen := os.environ.get("CC"):
        return shlex.split(chosen)
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            return [name]
    raise WrapError("there is no C compiler, and what a header says is proven by one", "Set CC, or install gcc.")


def run(words: Sequence[str], text: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program in the C locale, with this text on its standard input."""
    try:
        return subprocess.run(
            words,
            input=text,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=TIMEOUT_S,
            env=os.environ | {"LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise WrapError(f"{words[0]} could not be run: {error}") from error


def version() -> str:
    """The first line of what the compiler says of itself."""
    return run([*command(), "--version"]).stdout.partition("\n")[0]


def system_folders() -> list[str]:
    """The folders in which the compiler looks for system headers; libclang's wheel has no ``stddef.h`` of its own."""
    told = run([*command(), "-E", "-v", "-x", "c", "-"]).stderr
    found = re.search(r"#include <\.\.\.> search starts here:\n(.*?)End of search list", told, re.DOTALL)
    if found is None:
        raise WrapError(f"{command()[0]} -E -v does not print its folders of headers", "Set CC to gcc or clang.")
    return [line.strip().removesuffix(" (framework directory)") for line in found[1].splitlines()]


def pkg_config(name: str, what: str) -> list[str]:
    """What ``pkg-config --cflags`` or ``--libs`` prints. Raises `WrapError` where it does not know the package."""
    tool = shutil.which("pkg-config") or shutil.which("pkgconf")
    if tool is None:
        raise WrapError("there is no pkg-config", "Install it, or leave --pkg-config out and give --include FOLDER.")
    done = run([tool, what, name])
    if done.returncode:
        raise WrapError(
            f"pkg-config knows no {name}: {done.stderr.strip().splitlines()[0] if done.stderr.strip() else ''}",
            "Install the package with the library's headers, or leave --pkg-config out.",
        )
    return shlex.split(done.stdout)


def find_header(name: str, folders: Sequence[str]) -> Path:
    """The file of a header: a path, or a name that is looked for in `folders`. Raises `WrapError` where it is not."""
    for place in (Path(name), *(Path(folder, name) for folder in folders)):
        if place.is_file():
            return Path(os.path.abspath(place))
    raise WrapError(
        f"there is no header {name} in the current folder, nor in {', '.join(folders)}",
        "Install the library's development package, give the header's path, or its folder with --include FOLDER.",
    )
