# SPDX-License-Identifier: Apache-2.0
"""Proves what libclang read by a compiler: a C file of static assertions, one a line.

An assertion that does not hold, or does not compile, is reported by its line. So libclang's view of prototypes, sizes,
offsets and values, which every binding is written from, is the view of the compiler that builds the bindings.
"""

from __future__ import annotations

import json
import math
import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cside_wrap.errors import WrapError
from cside_wrap.header import compiler
from cside_wrap.header.model import Constant, Header
from cside_wrap.header.source import including

__all__ = ["Fact", "Proof", "facts", "prove"]


@dataclass(frozen=True)
class Fact:
    """Something that libclang read: of what kind, of what, and the C expression that has to be true."""

    kind: str
    name: str
    expression: str


@dataclass
class Proof:
    """How many facts of each kind the compiler confirmed, and those that it did not, with its first words."""

    proven: dict[str, int] = field(default_factory=dict)
    refuted: list[tuple[Fact, str]] = field(default_factory=list)

    def names(self, *kinds: str) -> dict[str, str]:
        """The refuted names of these kinds, with the compiler's words."""
        return {fact.name: why for fact, why in self.refuted if fact.kind in kinds}


def facts(header: Header) -> Iterator[Fact]:
    """Every prototype, size, alignment, offset and value of a header."""
    for name, one in header.functions.items():
        spelled = one.spelling.replace("struct __va_list_tag *", "__builtin_va_list")  # as x86-64 passes it
        yield Fact("prototype", name, f"__builtin_types_compatible_p(__typeof__({name}), __typeof__({spelled}))")
    for name, struct in header.structs.items():
        yield Fact("size", name, f"sizeof({name}) == {struct.size}u")
        yield Fact("size", name, f"_Alignof({name}) == {struct.align}u")
        for each in struct.fields:
            if each.name and each.bits is None and each.offset >= 0:
                text = f"__builtin_offsetof({name}, {each.name}) == {each.offset // 8}u"
                yield Fact("offset", name, text)
    for name, constant in header.constants.items():
        yield Fact("value", name, _equals(constant))


def _equals(constant: Constant) -> str:
    value = constant.value
    if isinstance(value, str):
        literal = json.dumps(value)
        return f"sizeof({constant.name}) == {len(value.encode()) + 1}u && !__builtin_strcmp({constant.name}, {literal})"
    if isinstance(value, float):
        return f"({constant.name}) == {value.hex()}" if math.isfinite(value) else f"({constant.name}) == 1.0 / 0.0"
    if value > 2**63 - 1:
        return f"({constant.name}) == {value}ull"
    return (
        f"({constant.name}) == (-9223372036854775807ll - 1)" if value == -(2**63) else f"({constant.name}) == {value}ll"
    )


def prove(header: Header, headers: Sequence[Path], flags: Sequence[str]) -> Proof:
    """Compile the assertions. Raises `WrapError` where the headers themselves do not compile."""
    start = including(headers)
    first = start.count("\n") + 1
    asserted = list(facts(header))
    lines = [f'_Static_assert({fact.expression}, "{fact.kind} {fact.name}");' for fact in asserted]
    with tempfile.TemporaryDirectory(prefix="cside-proof-") as folder:
        source = Path(folder, "proof.c")
        source.write_text(start + "\n".join(lines) + "\n", encoding="utf-8")
        options = ["-std=gnu11", "-fsyntax-only", "-w", "-fno-diagnostics-show-caret"]
        limit = "-ferror-limit=0" if "clang" in compiler.version() else "-fmax-errors=0"
        done = compiler.run([*compiler.command(), *options, limit, *flags, str(source)])
    found = Proof()
    said: dict[int, str] = {}
    for file, line, text in re.findall(r"^(.*?):(\d+):(?:\d+:)? (?:fatal )?error: (.*)$", done.stderr, re.MULTILINE):
        if file != str(source) or int(line) < first:
            raise WrapError(f"the compiler refuses the header: {file}:{line}: {text}", "Correct --define or --include.")
        said.setdefault(int(line), text)
    if done.returncode and not said:
        raise WrapError(f"the compiler refuses the header: {done.stderr.strip()[:300]}")
    for number, fact in enumerate(asserted, first):
        if number in said:
            found.refuted.append((fact, said[number]))
        else:
            found.proven[fact.kind] = found.proven.get(fact.kind, 0) + 1
    return found
