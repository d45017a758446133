# SPDX-License-Identifier: Apache-2.0
"""The symbols of any ELF file: which functions are in it, and which of other files it takes the address of."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

__all__ = ["defined", "taken_by_address"]

CALLS = {"EM_X86_64": {7}, "EM_AARCH64": {1026}, "EM_386": {7}, "EM_ARM": {22}}
"""The relocations of calls (JUMP_SLOT) by machine. Others put a function's address into a table."""


def defined(path: Path) -> set[str]:
    """The functions in a file, also those that it does not export; empty where it cannot be read."""
    found = set()
    try:
        with path.open("rb") as stream:
            for table in ELFFile(stream).iter_sections():
                if isinstance(table, SymbolTableSection):
                    found |= {
                        symbol.name
                        for symbol in table.iter_symbols()
                        if symbol["st_shndx"] != "SHN_UNDEF" and symbol["st_info"]["type"] == "STT_FUNC"
                    }
    except (OSError, ELFError):
        return set()
    return found


def taken_by_address(path: Path, names: Set[str]) -> set[str]:
    """Those of `names` that a file uses without a procedure linkage table; empty where it cannot be read.

    The dynamic linker tells an audit library of calls by that table alone. A file that was compiled with ``-fno-plt``
    makes none; one that passes a function as a pointer has it here too.
    """
    try:
        with path.open("rb") as stream:
            file = ELFFile(stream)
            symbols = file.get_section_by_name(".dynsym")
            if not isinstance(symbols, SymbolTableSection):
                return set()
            wanted = {
                number: symbol.name
                for number, symbol in enumerate(symbols.iter_symbols())
                if symbol["st_shndx"] == "SHN_UNDEF" and symbol.name in names
            }
            calls = CALLS.get(file["e_machine"])
            if not wanted or calls is None:
                return set()
            return {
                wanted[one["r_info_sym"]]
                for section in file.iter_sections()
                if isinstance(section, RelocationSection)
                for one in section.iter_relocations()
                if one["r_info_sym"] in wanted and one["r_info_type"] not in calls
            }
    except (OSError, ELFError):
        return set()
