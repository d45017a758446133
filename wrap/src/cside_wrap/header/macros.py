# SPDX-License-Identifier: Apache-2.0
"""The values of macros: each becomes the initialiser of a variable, which libclang evaluates.

A macro whose line does not compile is no value. One that is the name of a function is an alias, no constant.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import clang.cindex as ci

from cside_wrap.header.model import Constant
from cside_wrap.header.source import MAIN, including

__all__ = ["evaluate"]

PREFIX = "cside__"
INTEGER, FLOAT, TEXT = 1, 2, 4
"""Kinds of ``CXEvalResultKind``, from clang-c/Index.h."""


def evaluate(
    headers: Sequence[Path], arguments: Sequence[str], names: Sequence[str], functions: set[str]
) -> tuple[dict[str, Constant], dict[str, str], tuple[str, ...]]:
    """The constants by name, the aliases of functions, and the names of macros that are no value."""
    constants: dict[str, Constant] = {}
    aliases: dict[str, str] = {}
    lib = _evaluator()
    texts = []
    for name, cursor in _variables(headers, arguments, "__auto_type {} = ({});", names):
        kind = cursor.type.get_canonical()
        if kind.kind == ci.TypeKind.POINTER and kind.get_pointee().kind == ci.TypeKind.FUNCTIONPROTO:
            named = [one.referenced.spelling for one in cursor.walk_preorder() if one.referenced is not None]
            aliases[name] = next((one for one in named if one in functions), "")
        elif kind.kind == ci.TypeKind.POINTER and kind.get_pointee().get_size() == 1:
            texts.append(name)
        elif (value := _value(lib, cursor)) is not None:
            constants[name] = Constant(name, value)
    for name, cursor in _variables(headers, arguments, "const char {}[] = {};", texts):  # a pointer is not evaluated
        if (value := _value(lib, cursor)) is not None:
            constants[name] = Constant(name, value)
    return constants, aliases, tuple(name for name in names if name not in constants and name not in aliases)


def _variables(
    headers: Sequence[Path], arguments: Sequence[str], pattern: str, names: Sequence[str]
) -> Iterator[tuple[str, Any]]:
    """The variable of each macro for which the line of this pattern compiles."""
    start = including(headers)
    text = start + "".join(pattern.format(PREFIX + name, name) + "\n" for name in names)
    options = ["-ferror-limit=0", "-w"]
    unit = ci.Index.create().parse(MAIN, args=[*arguments, *options], unsaved_files=[(MAIN, text)])
    wrong = {
        one.location.line
        for one in unit.diagnostics
        if one.severity >= ci.Diagnostic.Error and one.location.file and one.location.file.name == MAIN
    }
    for cursor in unit.cursor.get_children():
        ours = cursor.kind == ci.CursorKind.VAR_DECL and cursor.spelling.startswith(PREFIX)
        if ours and cursor.location.line not in wrong:
            yield cursor.spelling.removeprefix(PREFIX), cursor


def _evaluator() -> Any:
    """libclang's functions that evaluate; the Python package declares none of them."""
    lib = ci.conf.lib
    lib.clang_Cursor_Evaluate.argtypes = [ci.Cursor]
    lib.clang_Cursor_Evaluate.restype = ctypes.c_void_p
    for name, result in (
        ("getKind", ctypes.c_int),
        ("isUnsignedInt", ctypes.c_uint),
        ("getAsUnsigned", ctypes.c_ulonglong),
        ("getAsLongLong", ctypes.c_longlong),
        ("getAsDouble", ctypes.c_double),
        ("getAsStr", ctypes.c_char_p),
        ("dispose", None),
    ):
        function = getattr(lib, f"clang_EvalResult_{name}")
        function.argtypes = [ctypes.c_void_p]
        function.restype = result
    return lib


def _value(lib: Any, cursor: Any) -> int | float | str | None:
    result = lib.clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        kind = lib.clang_EvalResult_getKind(result)
        if kind == INTEGER:
            if lib.clang_EvalResult_isUnsignedInt(result):
                return int(lib.clang_EvalResult_getAsUnsigned(result))
            return int(lib.clang_EvalResult_getAsLongLong(result))
        if kind == FLOAT:
            return float(lib.clang_EvalResult_getAsDouble(result))
        if kind == TEXT:
            return bytes(lib.clang_EvalResult_getAsStr(result)).decode("utf-8", "replace")
        return None
    finally:
        lib.clang_EvalResult_dispose(result)
