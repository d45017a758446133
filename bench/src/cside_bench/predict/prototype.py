# SPDX-License-Identifier: Apache-2.0
"""Reads the declaration of a C function by pycparser: the type of its result and of each parameter."""

import re
from dataclasses import dataclass, replace
from typing import Final

from pycparser import c_ast
from pycparser.c_parser import CParser, ParseError

INTEGERS: Final = (
    *("size_t", "ssize_t", "ptrdiff_t", "intptr_t", "uintptr_t", "intmax_t", "uintmax_t", "off_t", "time_t", "wchar_t"),
    *("int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "bool"),
)
"""Integer types of the standard headers and POSIX that a declaration may use without declaring them."""
_BUILT_IN: Final = {"char", "short", "int", "long", "signed", "unsigned", "_Bool"}
_SIZES: Final = {"char": 1, "int8_t": 1, "uint8_t": 1, "signed char": 1, "unsigned char": 1}
"""Types of one byte."""


class PrototypeError(Exception):
    """The text declares no function that can be priced; the message says why and what to type."""


@dataclass(frozen=True, slots=True)
class Type:
    """A type as far as a binding treats types differently."""

    kind: str
    """``void``, ``integer``, ``real``, ``struct``, ``opaque``, ``function`` or ``pointer``.

    ``opaque`` is a struct whose fields are not declared.
    """
    name: str
    """The type as it is written in C."""
    const: bool = False
    to: "Type | None" = None
    """What a pointer points to."""
    fields: int = 0
    """Number of fields of a struct, those of structs in it included."""
    array: bool = False
    """Whether a pointer is declared as an array."""

    @property
    def byte(self) -> bool:
        """Whether it is an integer of one byte, or ``void``, which a pointer to bytes points to."""
        return self.kind == "void" or (self.kind == "integer" and self.name in _SIZES)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of the function; the first without a name is called ``arg1`` if it is the first of all."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Prototype:
    """A function's declaration."""

    name: str
    result: Type
    parameters: tuple[Parameter, ...]


def parse(text: str) -> Prototype:
    """Return the last function that ``text`` declares; typedefs and structs that it uses may stand before it.

    Raises :class:`PrototypeError` for a text that is not C, one without a function, and for functions that no cost is
    known of: variadic ones, and those with a function pointer that has no typedef.
    """
    known = "".join(f"typedef int {name};\n" for name in INTEGERS)
    body = text.strip()
    try:
        tree = CParser().parse(f"{known}#line 1\n{body if body.endswith((';', '}')) else body + ';'}")
    except ParseError as error:
        raise PrototypeError(
            f"this is not a declaration that can be read: {text!r} ({_place(str(error))}). A type that is not of the "
            f"standard headers has to be declared before the function, as in "
            f'"typedef struct db db; int db_open(const char *path, db **out);"; macros, attributes and comments have '
            f"to go"
        ) from error
    reader = _Reader()
    last: c_ast.Decl | None = None
    for node in tree.ext:
        if isinstance(node, c_ast.Typedef):
            reader.aliases[node.name] = node.type
        declaration = node.decl if isinstance(node, c_ast.FuncDef) else node
        reader.note(declaration)
        if isinstance(declaration, c_ast.Decl) and isinstance(declaration.type, c_ast.FuncDecl):
            last = declaration
    if last is None:
        raise PrototypeError(f'there is no function in {text!r}; for example: "int f(const char *text, size_t n)"')
    return reader.function(last)


def _place(error: str) -> str:
    """Return pycparser's message with its place in words: ``line 1, column 11, before: *``."""
    found = re.fullmatch(r".*?:(\d+):(\d+): (.*)", error, re.DOTALL)
    return f"line {found[1]}, column {found[2]}, {found[3]}" if found else error


class _Reader:
    """Turns pycparser's nodes into types, by the typedefs and structs that were declared so far."""

    def __init__(self) -> None:
        self.aliases: dict[str, c_ast.Node] = {}
        self.structs: dict[str, c_ast.Struct | c_ast.Union] = {}

    def note(self, node: c_ast.Node) -> None:
        """Remember the structs that a declaration defines."""
        inner = node
        while isinstance(inner, c_ast.Decl | c_ast.Typedef | c_ast.TypeDecl | c_ast.PtrDecl | c_ast.ArrayDecl):
            inner = inner.type
        if isinstance(inner, c_ast.Struct | c_ast.Union) and inner.decls and inner.name:
            self.structs[inner.name] = inner

    def function(self, node: c_ast.Decl) -> Prototype:
        """Return a function's declaration. Raises :class:`PrototypeError`."""
        parameters = []
        for place, it in enumerate(node.type.args.params if node.type.args else (), 1):
            if isinstance(it, c_ast.EllipsisParam):
                raise PrototypeError(
                    f"{node.name} is variadic, and no cost is known of such calls: each is made of the types of its "
                    f"own arguments. Give the prototype of a function that takes the arguments one by one"
                )
            if isinstance(it, c_ast.ID):
                raise PrototypeError(f"{node.name}: the parameter {it.name} has no type")
            name = getattr(it, "name", None) or f"arg{place}"
            of = self.type(it.type, name)
            if of.kind != "void":
                parameters.append(Parameter(name, of))
            elif len(node.type.args.params) > 1 or it.name:
                raise PrototypeError(f"{node.name}: the parameter {name} is of type void")
        return Prototype(node.name, self.type(node.type.type, node.name), tuple(parameters))

    def type(self, node: c_ast.Node, name: str, alias: str = "") -> Type:
        """Return the type of a parameter or result called ``name``; ``alias`` is the typedef that it was reached by."""
        if isinstance(node, c_ast.PtrDecl | c_ast.ArrayDecl):
            if isinstance(node.type, c_ast.FuncDecl):
                if alias:
                    return Type("function", alias)
                raise PrototypeError(
                    f"{name} is a function pointer without a typedef; declare one before the function, as in "
                    f'"typedef int (*visit_fn)(void *user, int item); int visit(visit_fn fn, void *user);"'
                )
            to = self.type(node.type, name)
            if to.kind == "function":
                return to
            return Type("pointer", f"{to.name} *", to=to, array=isinstance(node, c_ast.ArrayDecl))
        if isinstance(node, c_ast.FuncDecl):
            return Type("function", alias or name)
        assert isinstance(node, c_ast.TypeDecl), node
        const = "const" in node.quals
        inner = node.type
        if isinstance(inner, c_ast.Struct | c_ast.Union):
            return replace(self.struct(inner), const=const)
        if isinstance(inner, c_ast.Enum):
            return Type("integer", f"enum {inner.name or ''}".strip(), const)
        words = list(inner.names)
        if len(words) == 1 and words[0] in self.aliases:
            of = self.type(self.aliases[words[0]], name, words[0])
            return replace(
                of, name=words[0] if of.kind != "integer" or not of.byte else of.name, const=const or of.const
            )
        return self.plain(words, const, name)

    @staticmethod
    def plain(words: list[str], const: bool, name: str) -> Type:
        """Return the type that is spelled by words such as ``unsigned long``."""
        spelled = " ".join(words)
        if words == ["void"]:
            return Type("void", spelled, const)
        if words in (["double"], ["float"]):
            return Type("real", spelled, const)
        if spelled in INTEGERS or set(words) <= _BUILT_IN:
            return Type("integer", spelled, const)
        raise PrototypeError(f"{name} is of type {spelled}, and no cost is known of that: no workload passes one")

    def struct(self, node: c_ast.Struct | c_ast.Union) -> Type:
        """Return the type of a struct or union, whose fields may have been declared before."""
        word = "union" if isinstance(node, c_ast.Union) else "struct"
        whole = node if node.decls else self.structs.get(node.name or "")
        spelled = f"{word} {node.name or ''}".strip()
        if whole is None:
            return Type("opaque", spelled)
        return Type("struct", spelled, fields=sum(self.fields(it) for it in whole.decls))

    def fields(self, node: c_ast.Decl) -> int:
        """Return the number of values that a field holds for Python: those of a struct in it, else one."""
        inner = node.type
        if isinstance(inner, c_ast.TypeDecl | c_ast.Struct | c_ast.Union):
            of = self.type(inner, str(node.name)) if isinstance(inner, c_ast.TypeDecl) else self.struct(inner)
            return max(of.fields, 1)
        return 1
