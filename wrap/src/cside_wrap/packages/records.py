# SPDX-License-Identifier: Apache-2.0
"""Which structs a binding can show to Python as objects with attributes."""

from __future__ import annotations

from collections.abc import Sequence

from cside_wrap.header.model import Struct
from cside_wrap.packages.description import Member, Record
from cside_wrap.packages.kinds import integer_of, kind_of

__all__ = ["record_of"]


def record_of(struct: Struct, name: str, buffers: Sequence[tuple[str, str]]) -> Record | str:
    """The class of a struct, or why there is none. `buffers` are its pointer fields with the fields of their sizes.

    Pointer fields that are no buffers are left out, which makes them NULL.
    """
    if struct.union:
        return f"has {struct.name}, a union"
    sizes = dict(buffers)
    members = []
    whole = True
    for one in struct.fields:
        kind = one.type
        if one.bits is not None or not one.name:
            return f"has {struct.name}, whose field {one.name or 'without a name'} is a bit-field or unnamed"
        if kind.arithmetic:
            members.append(Member(one.name, kind_of(kind), kind, integer_of(kind)))
        elif kind.kind == "array" and kind.pointee.byte:
            members.append(Member(one.name, "bytes", kind, count=kind.count))
        elif kind.kind == "pointer" and one.name in sizes:
            members.append(Member(one.name, "buffer", kind, size=sizes[one.name], writable=not kind.pointee.const))
        elif kind.kind == "pointer":
            whole = False
        else:
            return f"has {struct.name}, whose field {one.name} is a {kind.spelling}"
    return Record(name, struct.name, tuple(members), struct.comment, whole)
