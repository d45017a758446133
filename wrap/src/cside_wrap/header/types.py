# SPDX-License-Identifier: Apache-2.0
"""Types as libclang has them, turned into those of the model."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import clang.cindex as ci

from cside_wrap.header.model import Field, Function, Kind, Parameter, Struct, Type, reached

__all__ = ["declared", "of", "structs_used", "tag"]

K = ci.TypeKind
SIGNED = {K.CHAR_S, K.SCHAR, K.SHORT, K.INT, K.LONG, K.LONGLONG}
UNSIGNED = {K.CHAR_U, K.UCHAR, K.USHORT, K.UINT, K.ULONG, K.ULONGLONG, K.CHAR16, K.CHAR32, K.WCHAR}
FLOATS = {K.FLOAT, K.DOUBLE}
DEPTH = 6
"""How many pointers and function types are followed: types may refer to themselves."""


def of(given: Any, depth: int = DEPTH) -> Type:
    """The type of the model. Arrays in arguments are pointers, as in C; incomplete arrays have 0 elements."""
    kind = given.get_canonical()
    spelling, written = kind.spelling, given.spelling
    const = kind.is_const_qualified()
    size = max(kind.get_size(), 0)

    def made(sort: Kind, **more: Any) -> Type:
        return Type(sort, spelling, written, size=size, const=const, **more)

    if kind.kind == K.VOID:
        return Type("void", spelling, written, const=const)
    if kind.kind == K.BOOL:
        return made("bool")
    if kind.kind in SIGNED:
        return made("int", signed=True)
    if kind.kind in UNSIGNED:
        return made("int", signed=kind.kind == K.WCHAR)
    if kind.kind in FLOATS:
        return made("float", signed=True)
    if kind.kind == K.ENUM:
        negative = kind.get_declaration().enum_type.get_canonical().kind in SIGNED
        return made("enum", signed=negative, name=tag(kind))
    if kind.kind == K.RECORD:
        union = kind.get_declaration().kind == ci.CursorKind.UNION_DECL
        complete = kind.get_size() >= 0
        return made("union" if union else "struct", name=tag(kind), complete=complete)
    if kind.kind == K.POINTER and depth:
        pointee = given.get_pointee() if given.kind == K.POINTER else kind.get_pointee()
        return made("pointer", target=of(pointee, depth - 1))
    if kind.kind in (K.CONSTANTARRAY, K.INCOMPLETEARRAY) and depth:
        count = kind.get_array_size() if kind.kind == K.CONSTANTARRAY else 0
        element = of(kind.get_array_element_type(), depth - 1)
        if spelling.startswith("const "):  # of an array, libclang has it on the whole
            element = replace(element, const=True)
        return made("array", target=element, count=count)
    if kind.kind == K.FUNCTIONPROTO and depth:
        return made(
            "function",
            target=of(kind.get_result(), depth - 1),
            parameters=tuple(Parameter("", of(one, depth - 1)) for one in kind.argument_types()),
            variadic=kind.is_function_variadic(),
        )
    return made("other")


def tag(kind: Any) -> str:
    """The name of a struct, union or enumeration, as C code writes it; empty where it has none."""
    spelling = re.sub(r"\b(const|volatile)\s+", "", kind.spelling)
    return "" if "unnamed at" in spelling or "anonymous at" in spelling else spelling


def declared(kind: str, name: str) -> str:
    """A declaration of a name with a type, as C writes it: ``int (*f)(void)`` for the type ``int (*)(void)``."""
    if "(*)" in kind:
        return kind.replace("(*)", f"(*{name})", 1)
    if kind.endswith("]"):
        base, _, rest = kind.partition("[")
        return f"{base.rstrip()} {name}[{rest}"
    return f"{kind}{name}" if kind.endswith("*") else f"{kind} {name}".strip()


def structs_used(unit: Any, functions: Iterable[Function]) -> dict[str, Struct]:
    """The structs and unions with declared fields that functions refer to, and those within these."""
    wanted = {
        each.name
        for one in functions
        for top in (one.returns, *(parameter.type for parameter in one.parameters))
        for each in reached(top)
        if each.record and each.name
    }
    declarations: dict[str, Any] = {}
    comments: dict[str, str] = {}
    for cursor in unit.cursor.get_children():
        if cursor.kind in (ci.CursorKind.STRUCT_DECL, ci.CursorKind.UNION_DECL):
            kind = cursor.type.get_canonical()
            if kind.get_size() >= 0 and (name := tag(kind)):
                declarations.setdefault(name, kind)
                comments[name] = comments.get(name) or cursor.brief_comment or ""
    found: dict[str, Struct] = {}
    waiting = sorted(wanted)
    while waiting:
        name = waiting.pop()
        if name in found or name not in declarations:
            continue
        found[name] = one = _struct(name, declarations[name], comments[name])
        waiting += sorted({each.name for field in one.fields for each in reached(field.type) if each.record})
    return dict(sorted(found.items()))


def _struct(name: str, kind: Any, comment: str) -> Struct:
    fields = []
    for one in kind.get_fields():
        bits = one.get_bitfield_width() if one.is_bitfield() else None
        fields.append(Field(one.spelling, of(one.type), kind.get_offset(one.spelling) if one.spelling else -1, bits))
    union = kind.get_declaration().kind == ci.CursorKind.UNION_DECL
    return Struct(name, union, kind.get_size(), kind.get_align(), tuple(fields), comment)
