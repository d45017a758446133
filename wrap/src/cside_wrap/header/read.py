# SPDX-License-Identifier: Apache-2.0
"""Reads a header with libclang."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import clang.cindex as ci

from cside_wrap.errors import WrapError
from cside_wrap.header import compiler, types
from cside_wrap.header.macros import evaluate
from cside_wrap.header.model import Constant, Function, Header, Parameter
from cside_wrap.header.source import MAIN, including

__all__ = ["arguments", "read"]

CXX_SUFFIXES = (".hpp", ".hh", ".hxx", ".H")


def arguments(flags: Sequence[str]) -> list[str]:
    """What libclang is given: the user's flags, the compiler's folders of headers, C with GNU extensions."""
    folders = [word for folder in compiler.system_folders() for word in ("-isystem", folder)]
    return ["-x", "c", "-std=gnu11", "-nostdinc", *flags, *folders]


def read(headers: Sequence[Path], flags: Sequence[str] = (), exported: set[str] | None = None) -> Header:
    """Read headers in this order, as one C file would include them.

    `flags` are those of a compiler, as ``-I`` and ``-D``. `exported` has the names of functions that a library exports;
    then only these are read, and only macros and enumerations of files that declare one of them, or of the folders of
    `headers` that are no folders of the compiler's. Raises `WrapError` where a header does not parse.
    """
    for header in headers:
        if header.suffix in CXX_SUFFIXES:
            raise WrapError(f"{header} is a C++ header", "C++ is refused: bind a C header of the library.")
    given = arguments(flags)
    unit = ci.Index.create().parse(
        MAIN,
        args=given,
        unsaved_files=[(MAIN, including(headers))],
        options=ci.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD | ci.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES,
    )
    _check(unit, headers)
    found = Header()
    declared = _functions(unit)
    found.functions = {
        name: one for name, one in declared.items() if exported is None or name in exported or one.inline
    }
    files = {one.file for one in found.functions.values() if exported is None or one.name in exported}
    files |= {str(header) for header in headers}
    folders = {str(Path(file).parent) for file in files} - set(compiler.system_folders())

    def ours(file: str) -> bool:
        return file in files or str(Path(file).parent) in folders

    found.functions = {name: one for name, one in found.functions.items() if not one.inline or ours(one.file)}
    found.not_exported = sum(1 for name, one in declared.items() if name not in found.functions and ours(one.file))
    enumerators: dict[str, Constant] = {}
    for cursor in unit.cursor.get_children():
        if cursor.kind == ci.CursorKind.ENUM_DECL and cursor.location.file and ours(cursor.location.file.name):
            group = types.tag(cursor.type.get_canonical())
            for one in cursor.get_children():
                if one.kind == ci.CursorKind.ENUM_CONSTANT_DECL:
                    enumerators[one.spelling] = Constant(one.spelling, one.enum_value, group)
    macros = _macros(unit, ours)
    found.constants, found.aliases, found.unread = evaluate(headers, given, macros, set(declared))
    found.constants |= enumerators
    found.structs = types.structs_used(unit, found.functions.values())
    return found


def _check(unit: Any, headers: Sequence[Path]) -> None:
    wrong = [one for one in unit.diagnostics if one.severity >= ci.Diagnostic.Error]
    if not wrong:
        return
    first = wrong[0]
    place = f"{first.location.file.name}:{first.location.line}" if first.location.file else str(headers[0])
    line = ""
    if first.location.file and Path(first.location.file.name).is_file():
        lines = Path(first.location.file.name).read_text(encoding="utf-8", errors="replace").splitlines()
        line = lines[first.location.line - 1].strip() if first.location.line <= len(lines) else ""
    said = f"{headers[0].name} does not parse ({len(wrong)} errors); the first: {place}: {first.spelling}"
    if line.split(" ")[0] in ("class", "namespace", "template", "template<typename", "using") or "::" in line:
        raise WrapError(f"{said}\n    {line}", "This is C++, which is refused: bind a C header of the library.")
    if "file not found" in first.spelling:
        advice = "Give the folder of the missing header with --include FOLDER, or the package with --pkg-config NAME."
    elif "unknown type name" in first.spelling:
        advice = "Another header has to come before it: give that one first (--header first.h --header this.h)."
    else:
        advice = "Define what the header expects with --define NAME=VALUE, or include another header before it."
    raise WrapError(f"{said}\n    {line}" if line else said, advice)


def _functions(unit: Any) -> dict[str, Function]:
    """All functions that are declared, the first declaration of each with the first comment and the best names."""
    found: dict[str, Function] = {}
    for cursor in unit.cursor.get_children():
        if cursor.kind != ci.CursorKind.FUNCTION_DECL:
            continue
        one = _function(cursor)
        if (before := found.get(one.name)) is None:
            found[one.name] = one
        elif (one.comment and not before.comment) or _named(one) > _named(before):
            parameters = one.parameters if _named(one) > _named(before) else before.parameters
            found[one.name] = Function(
                **{**vars(before), "comment": before.comment or one.comment, "parameters": parameters}
            )
    return found


def _named(function: Function) -> int:
    return sum(1 for one in function.parameters if one.name)


def _function(cursor: Any) -> Function:
    kind = cursor.type.get_canonical()
    parameters = [Parameter(one.spelling, types.of(one.type)) for one in cursor.get_arguments()]
    variadic = cursor.type.kind == ci.TypeKind.FUNCTIONPROTO and cursor.type.is_function_variadic()
    words = [types.declared(one.type.written, one.name) for one in parameters] + (["..."] if variadic else [])
    returns = types.of(cursor.result_type)
    noreturn = any(
        token in ("noreturn", "_Noreturn", "__noreturn__") for token in (one.spelling for one in cursor.get_tokens())
    )
    return Function(
        name=cursor.spelling,
        returns=returns,
        parameters=tuple(parameters),
        variadic=variadic,
        comment=_plain(cursor.raw_comment or ""),
        declaration=types.declared(returns.written, f"{cursor.spelling}({', '.join(words) or 'void'})"),
        spelling=kind.spelling.replace("__attribute__((noreturn))", "").strip(),
        file=cursor.location.file.name if cursor.location.file else "",
        line=cursor.location.line,
        inline=cursor.storage_class == ci.StorageClass.STATIC or _inline(cursor),
        noreturn=noreturn or "noreturn" in kind.spelling,
    )


def _inline(cursor: Any) -> bool:
    return bool(ci.conf.lib.clang_Cursor_isFunctionInlined(cursor))


def _plain(comment: str) -> str:
    """A comment without its marks."""
    lines = []
    for line in comment.removeprefix("/*").removesuffix("*/").splitlines():
        lines.append(line.strip().lstrip("*!/<").strip())
    return "\n".join(lines).strip()


def _macros(unit: Any, ours: Any) -> list[str]:
    """The names of object-like macros of the library's files, in the order of their definitions."""
    names: dict[str, None] = {}
    for cursor in unit.cursor.get_children():
        if cursor.kind != ci.CursorKind.MACRO_DEFINITION or cursor.location.file is None:
            continue
        if not ours(cursor.location.file.name) or ci.conf.lib.clang_Cursor_isMacroFunctionLike(cursor):
            continue
        if cursor.extent.end.offset > cursor.extent.start.offset + len(cursor.spelling.encode()):  # it has a body
            names[cursor.spelling] = None
    return list(names)
