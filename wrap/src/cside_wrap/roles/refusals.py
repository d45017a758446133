# SPDX-License-Identifier: Apache-2.0
"""Functions that are never bound, each with the reason."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cside_wrap.header.model import Function, Header, Type, reached

__all__ = ["refusals"]

NO_C_TYPE = {"_Complex", "long double", "__int128", "vector_size"}


def refusals(header: Header, refuted: dict[str, str], exported: set[str]) -> dict[str, str]:
    """The reason by the name of each refused function.

    `refuted` has the names whose prototype, size or offset the compiler did not confirm.
    """
    found: dict[str, str] = {}
    jumping = _jumping(header)
    loops = _loops(header)
    linked = _linked(header, loops)
    for name, one in header.functions.items():
        touched = list(_types(one))
        records = {each.name for each in touched if each.record}
        reason = ""
        if one.variadic:
            reason = "takes a variable number of arguments"
        elif any("__va_list" in each.spelling for each in touched):
            reason = "takes a va_list"
        elif any(each.name in ("FILE", "struct _IO_FILE", "struct __sFILE") for each in touched):
            reason = "takes or returns a FILE *, which belongs to one C library"
        elif one.noreturn:
            reason = "does not return"
        elif any("__jmp_buf_tag" in each.spelling or "jmp_buf" in each.spelling for each in touched):
            reason = "takes a jmp_buf"
        elif its := records & jumping:
            reason = f"reports errors by longjmp through {_shown(its)}, over the frames of a binding"
        elif records & linked:
            reason = f"takes an object of the event loop {_shown(loops)}, which keeps its address and calls back"
        elif odd := next((each for each in touched if each.kind == "other"), None):
            reason = f"has the type {odd.spelling}, which not every technique can pass"
        elif name in refuted:
            reason = f"the compiler disagrees with libclang on its prototype: {refuted[name]}"
        elif its := records & set(refuted):
            reason = f"the compiler disagrees with libclang on {_shown(its)}"
        elif one.inline or name not in exported:
            reason = "is inline in the header, not exported by the library"
        if reason:
            found[name] = reason
    return found


def _types(function: Function) -> Iterable[Type]:
    for top in (function.returns, *(one.type for one in function.parameters)):
        yield from reached(top)


def _shown(names: set[str]) -> str:
    return ", ".join(sorted(names))


def _jumping(header: Header) -> set[str]:
    """The objects that functions take together with something for longjmp: errors in their functions jump."""
    return {
        each.name
        for one in header.functions.values()
        if any("jmp_buf" in each.spelling for each in _types(one))
        for each in _types(one)
        if each.record and each.name and "jmp_buf" not in each.name
    }


def _loops(header: Header) -> set[str]:
    """Event loops: structs with declared fields, named a loop, to which a field of another struct points."""
    return {
        field.type.pointee.name
        for struct in header.structs.values()
        for field in struct.fields
        if field.type.kind == "pointer"
        and field.type.pointee.record
        and field.type.pointee.complete
        and re.search(r"(^|_)(loop|reactor)(_|$)", field.type.pointee.name)
    }


def _linked(header: Header, loops: set[str]) -> set[str]:
    """The loops, and the structs that hold or point to one, over any steps."""
    found = set(loops)
    while found:
        more = {
            name
            for name, struct in header.structs.items()
            if name not in found and any(_record(field.type) in found for field in struct.fields)
        }
        if not more:
            break
        found |= more
    return found


def _record(kind: Type) -> str:
    """The name of the struct that a field is or points to."""
    to = kind.pointee if kind.kind == "pointer" else kind
    return to.name if to.record else ""
