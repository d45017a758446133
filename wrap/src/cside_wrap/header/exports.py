# SPDX-License-Identifier: Apache-2.0
"""The shared library: where it is, and which functions it exports."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from cside_wrap.errors import WrapError
from cside_wrap.header import compiler

__all__ = ["find", "functions", "sha256", "soname"]

NAMES = {"win32": ("{}.dll", "lib{}.dll"), "darwin": ("lib{}.dylib",)}


def find(name: str, folders: Sequence[str] = ()) -> Path:
    """The shared library: a path, or a name as after ``-l``. Raises `WrapError` where there is none.

    A name is looked for in `folders`, and then where the compiler looks. A linker script is followed.
    """
    if Path(name).is_file():
        return _shared(Path(name).resolve())
    for pattern in NAMES.get(sys.platform, ("lib{}.so",)):
        file = pattern.format(name)
        for folder in folders:
            if Path(folder, file).is_file():
                return _shared(Path(folder, file).resolve())
        told = compiler.run([*compiler.command(), f"-print-file-name={file}"]).stdout.strip()
        if told and os.path.isabs(told) and Path(told).is_file():
            return _shared(Path(told).resolve())
    raise WrapError(
        f"there is no shared library {name}",
        "Give the name as after -l (zstd for libzstd.so), or the path of the file; the development package has it.",
    )


def _shared(path: Path) -> Path:
    """The library itself, where the file is a linker script that names it. Raises `WrapError` for a static library."""
    head = path.read_bytes()[:4096]
    if head.startswith(b"!<arch>"):
        raise WrapError(f"{path} is a static library", "Bindings load a shared one: give the path of the .so file.")
    if sys.platform == "linux" and not head.startswith(b"\x7fELF"):
        named = re.findall(rb"(/[^\s()]+\.so[^\s()]*)", head)
        if not named:
            raise WrapError(f"{path} is no shared library", "Give the path of the .so file.")
        return _shared(Path(os.fsdecode(named[0])).resolve())
    return path


def functions(path: Path) -> set[str]:
    """The names of the functions that an ELF library exports. Raises `WrapError` where it is damaged or no ELF file."""
    try:
        with path.open("rb") as stream:
            table = ELFFile(stream).get_section_by_name(".dynsym")
            if not isinstance(table, SymbolTableSection):
                raise WrapError(f"{path} has no table of dynamic symbols", "It exports nothing that can be bound.")
            return {
                symbol.name
                for symbol in table.iter_symbols()
                if symbol["st_shndx"] != "SHN_UNDEF"
                and symbol["st_info"]["type"] in ("STT_FUNC", "STT_GNU_IFUNC", "STT_LOOS")
                and symbol["st_info"]["bind"] in ("STB_GLOBAL", "STB_WEAK")
                and symbol["st_other"]["visibility"] in ("STV_DEFAULT", "STV_PROTECTED")
            }
    except (OSError, ELFError) as error:
        raise WrapError(f"{path} cannot be read: {error}", "Only ELF libraries are read so far.") from error


def soname(path: Path) -> str:
    """The name by which programs load the library, as ``libzstd.so.1``; the file's name where it has none."""
    with path.open("rb") as stream:
        section = ELFFile(stream).get_section_by_name(".dynamic")
        if isinstance(section, DynamicSection):
            for tag in section.iter_tags("DT_SONAME"):
                return str(vars(tag)["soname"])
    return path.name


def sha256(path: Path) -> str:
    """The hash of a file's content, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
