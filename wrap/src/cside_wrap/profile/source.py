# SPDX-License-Identifier: Apache-2.0
"""Writes a C function around each function of a library, with its own prototype, and compiles all with audit.c.

A function whose prototype is not to be relied on (a variable number of arguments, no return, errors by longjmp, types
that the compiler refuses) gets a stub in assembly that counts and jumps. There is one for x86-64; elsewhere such
functions are not counted.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from cside_wrap.errors import WrapError
from cside_wrap.header import compiler
from cside_wrap.header.model import Header
from cside_wrap.header.source import including
from cside_wrap.profile import sizes
from cside_wrap.roles.vocabulary import Described, State

__all__ = ["Audit", "build"]

STUB = (
    "\\t.type cs_stub_{0},@function\\n\\t.hidden cs_stub_{0}\\ncs_stub_{0}:\\n\\tendbr64\\n"
    "\\tmovq cs_records+{1}(%rip), %r11\\n\\tlock incq (%r11)\\n\\tjmp *cs_real+{1}(%rip)\\n"
)
"""%r11 is free at the entry of a function; what the caller passes stays as it is."""
STEADY_TICKS = {"constant_tsc", "nonstop_tsc"}
"""Flags of a processor whose time stamp counter runs at one rate, on all cores and in all states."""


@dataclass(frozen=True)
class Audit:
    """A compiled audit library."""

    path: Path
    functions: tuple[str, ...]
    """In the order of the counters."""
    timed: frozenset[str]
    """Those with a wrapper; the others are counted only."""
    uncounted: frozenset[str]
    """Those that this machine has no stub for."""


def build(
    described: Mapping[str, Described], header: Header, headers: Sequence[Path], flags: Sequence[str], folder: Path
) -> Audit:
    """Compile the audit library in `folder`. Raises `WrapError` where the compiler refuses it."""
    names = sorted(name for name, one in described.items() if not one.function.inline)
    stubs = {name for name in names if described[name].state == State.REFUSED}
    has_stubs = platform.machine() in ("x86_64", "AMD64")
    while True:
        refused = _compile(_text(names, stubs, has_stubs, described, header, headers), flags, folder)
        if not refused:
            break
        stubs |= {names[place] for place in refused}
    return Audit(
        folder / "audit.so", tuple(names), frozenset(names) - stubs, frozenset() if has_stubs else frozenset(stubs)
    )


def _text(
    names: Sequence[str],
    stubs: set[str],
    has_stubs: bool,
    described: Mapping[str, Described],
    header: Header,
    headers: Sequence[Path],
) -> str:
    """The text of wrappers.c, in which each function has one line, after the line ``/* functions */``."""
    hidden = '__attribute__((visibility("hidden")))'
    wrappers = [
        (f"(void *)cs_stub_{place}" if has_stubs else "NULL") if name in stubs else f"(void *)cs_wrapper_{place}"
        for place, name in enumerate(names)
    ]
    lines = [
        including(headers) + '#include "audit.h"',
        f"{hidden} cs_function *cs_records[{len(names)}];",
        f"{hidden} void *cs_real[{len(names)}];",
        "/* functions */",
    ]
    for place, name in enumerate(names):
        if name not in stubs:
            lines.append(_wrapper(place, described[name], header))
        elif has_stubs:
            lines.append(f'__asm__(".text\\n{STUB.format(place, 8 * place)}"); extern char cs_stub_{place}[];')
        else:
            lines.append("")
    quoted = ", ".join(f'"{name}"' for name in names)
    lines += [
        f"const size_t cs_count = {len(names)};",
        f"const char *const cs_names[] = {{{quoted}}};",
        f"void *const cs_wrappers[] = {{{', '.join(wrappers)}}};",
    ]
    return "\n".join(lines) + "\n"


def _wrapper(place: int, described: Described, header: Header) -> str:
    """A function of the same type, on one line."""
    function = described.function
    types = [f"__typeof__({one.type.written})" for one in function.parameters]
    takes = ", ".join(f"{kind} cs_a{number}" for number, kind in enumerate(types)) or "void"
    passed = ", ".join(f"cs_a{number}" for number in range(len(types)))
    nothing = function.returns.kind == "void"
    returns = "void" if nothing else f"__typeof__({function.returns.written})"
    call = f"(({returns} (*)({', '.join(types) or 'void'}))cs_real[{place}])({passed});"
    incoming = sizes.incoming(described, header)
    filled, room = sizes.outgoing(described, header)
    record = f"cs_records[{place}]"
    body = [
        f"uint64_t cs_in = {incoming};" if incoming else "",
        f"uint64_t cs_room = {room or 'CS_NO_SIZE'};" if filled else "",
        "cs_call cs_one = cs_enter();",
        call if nothing else f"{returns} result = {call}",
        f"cs_leave({record}, cs_one);",
        f"cs_size(&{record}->in, cs_in, CS_NO_SIZE);" if incoming else "",
        f"cs_size(&{record}->out, {filled}, cs_room);" if filled else "",
        "" if nothing else "return result;",
    ]
    return f"static {returns} cs_wrapper_{place}({takes}) {{ {' '.join(one for one in body if one)} }}"


def _compile(text: str, flags: Sequence[str], folder: Path) -> list[int]:
    """Compile; return the functions of which the compiler refuses the wrapper, by number. Raises `WrapError`."""
    source = folder / "wrappers.c"
    source.write_text(text, encoding="utf-8")
    first = text[: text.index("/* functions */")].count("\n") + 2
    ticks = ["-DCS_TSC"] if _steady_ticks() else []
    options = ["-std=gnu11", "-O2", "-w", "-fPIC", "-shared", "-fno-diagnostics-show-caret", *ticks]
    with as_file(files("cside_wrap.profile").joinpath("audit.c")) as own, as_file(own.with_name("audit.h")) as shared:
        command = [*compiler.command(), *options, *flags, f"-I{shared.parent}", "-o", str(folder / "audit.so")]
        done = compiler.run([*command, str(source), str(own)])
    if not done.returncode:
        return []
    places = {
        int(line) - first
        for file, line in re.findall(r"^(.*?):(\d+):(?:\d+:)? (?:fatal )?error: ", done.stderr, re.MULTILINE)
        if file == str(source) and "static " in text.splitlines()[int(line) - 1][:7]
    }
    if not places:
        raise WrapError(f"the audit library does not compile: {done.stderr.strip()[:600]}", "Set CC to gcc or clang.")
    return sorted(places)


def _steady_ticks() -> bool:
    """Whether the processor's own counter of ticks can be used as a clock."""
    if platform.machine() != "x86_64":
        return False
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return False
    found = re.search(r"^flags\s*:(.*)$", told, re.MULTILINE)
    return found is not None and set(found[1].split()) >= STEADY_TICKS
