# SPDX-License-Identifier: Apache-2.0
"""Counts the calls that reach the library, by the audit interface of glibc's loader (``man rtld-audit``).

The loader asks an audit library for each symbol that is bound, also by ``dlsym``, which ctypes uses. The answer is the
address of a stub that counts and jumps on. Calls of the library within itself are not bound by the loader's tables of
other objects, and are not asked for.
"""

from __future__ import annotations

import platform
import struct
import sys
from collections.abc import Sequence
from pathlib import Path

from cside_wrap.header import compiler

__all__ = ["Counter", "available"]

STUBS = {
    "x86_64": "incq cside_counts+{offset}(%rip)\\n jmp *cside_real+{offset}(%rip)",
    "aarch64": (
        "adrp x16, cside_counts+{offset}\\n add x16, x16, :lo12:cside_counts+{offset}\\n"
        " ldr x17, [x16]\\n add x17, x17, #1\\n str x17, [x16]\\n"
        " adrp x16, cside_real+{offset}\\n ldr x16, [x16, :lo12:cside_real+{offset}]\\n br x16"
    ),
}
"""Of each processor: count without touching a register that has an argument, and jump."""

SOURCE = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* One page-aligned table, on which the file is mapped. */
__attribute__((visibility("hidden"), aligned(4096))) uint64_t cside_counts[@SLOTS@];
__attribute__((visibility("hidden"))) uintptr_t cside_real[@COUNT@];
@DECLARED@
static const char *const names[] = {@NAMES@};
static void (*const stubs[])(void) = {@STUBS@};
static const char *const libraries[] = {@LIBRARIES@};

unsigned int la_version(unsigned int version)
{
    const char *file = getenv("CSIDE_COUNTS");
    int opened = file != NULL ? open(file, O_RDWR) : -1;

    if (opened >= 0) {
        mmap(cside_counts, sizeof cside_counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, opened, 0);
        close(opened);
    }
    return version < LAV_CURRENT ? version : LAV_CURRENT;
}

unsigned int la_objopen(struct link_map *map, Lmid_t lmid, uintptr_t *cookie)
{
    const char *slash = strrchr(map->l_name, '/');
    const char *name = slash != NULL ? slash + 1 : map->l_name;

    (void)lmid;
    *cookie = 0;
    for (size_t place = 0; place < sizeof libraries / sizeof *libraries; place++)
        if (strncmp(name, libraries[place], strlen(libraries[place])) == 0)
            *cookie = 1;
    return *cookie ? LA_FLG_BINDTO : LA_FLG_BINDFROM;
}

uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned int index, uintptr_t *from, uintptr_t *to, unsigned int *flags,
                       const char *name)
{
    (void)index, (void)from;
    if (*to == 1) {
        for (size_t place = 0; place < sizeof names / sizeof *names; place++) {
            if (strcmp(name, names[place]) == 0) {
                *flags |= LA_SYMB_NOPLTENTER | LA_SYMB_NOPLTEXIT;
                cside_real[place] = symbol->st_value;
                return (uintptr_t)stubs[place];
            }
        }
    }
    return symbol->st_value;
}
"""


def available() -> bool:
    """Whether calls can be counted here: Linux with glibc, on a processor that has a stub."""
    return sys.platform == "linux" and platform.libc_ver()[0] == "glibc" and platform.machine() in STUBS


class Counter:
    """An audit library that counts calls of `functions` in `libraries`, and the file in which it counts."""

    def __init__(self, folder: Path, functions: Sequence[str], libraries: Sequence[Path]) -> None:
        self.functions = list(functions)
        self.file = folder / "counts"
        self.library = folder / "counter.so"
        pages = -(-8 * len(self.functions) // 4096)
        self.file.write_bytes(bytes(4096 * pages))
        numbers = range(len(self.functions))
        stub = STUBS[platform.machine()]
        assembly = "".join(
            f'__asm__(".text\\n.globl cside_stub_{one}\\n.hidden cside_stub_{one}\\n'
            f".type cside_stub_{one}, %function\\n"
            f'cside_stub_{one}:\\n {stub.format(offset=8 * one)}\\n");\nvoid cside_stub_{one}(void);\n'
            for one in numbers
        )
        stems = sorted({path.name.partition(".so")[0] + ".so" for path in libraries})
        text = SOURCE
        for word, value in {
            "SLOTS": str(512 * pages),
            "COUNT": str(len(self.functions)),
            "DECLARED": assembly,
            "NAMES": ", ".join(f'"{one}"' for one in self.functions),
            "STUBS": ", ".join(f"cside_stub_{one}" for one in numbers),
            "LIBRARIES": ", ".join(f'"{one}"' for one in stems),
        }.items():
            text = text.replace(f"@{word}@", value)
        source = folder / "counter.c"
        source.write_text(text, encoding="utf-8")
        words = [*compiler.command(), "-O1", "-fPIC", "-shared", "-o", str(self.library), str(source)]
        done = compiler.run(words)
        self.failed = done.stderr.strip() if done.returncode else ""

    def variables(self) -> dict[str, str]:
        """What a counted process needs in its environment."""
        return {"LD_AUDIT": str(self.library), "CSIDE_COUNTS": str(self.file)}

    def counts(self) -> dict[str, int]:
        """The calls of each function since the file was made."""
        numbers = struct.unpack(f"<{len(self.functions)}Q", self.file.read_bytes()[: 8 * len(self.functions)])
        return dict(zip(self.functions, numbers, strict=True))
