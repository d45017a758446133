# SPDX-License-Identifier: Apache-2.0
"""Writes what templates ask for as text: expressions in Python and C, annotations, docstrings, literals."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable

from cside_wrap.packages.description import Call, Returned, Taken
from cside_wrap.roles import expressions

__all__ = ["SUFFIXES", "annotation", "c", "c_integer", "documentation", "literal", "one_line", "python", "returns"]

SUFFIXES = ("_at", "_size", "_hold", "_cell", "_room")
"""Endings of the variables that templates make for an argument."""
WIDTH = 100
C_OPERATORS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "/",
    ast.Mod: "%",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.And: "&&",
    ast.Or: "||",
    ast.Not: "!",
    ast.USub: "-",
}


def _variable(name: str, call: Call, after: bool) -> str:
    """The variable that has the value of an argument: a number, an address, or after the call what is in its cell."""
    passed = next((one for one in call.passed if one.name == name), None)
    if after and passed is not None and passed.source == "cell":
        return f"{name}_cell"
    taken = next((one for one in call.taken if one.name == name), None)
    if taken is not None and taken.kind not in ("integer", "float", "bool"):
        return f"{name}_at"
    return name


def python(text: str, call: Call, constants: dict[str, int], *, after: bool = False, cell: str = "{}") -> str:
    """An expression in Python. Functions of the library are called as ``_name``; `cell` reads a cell."""
    tree = expressions.parse(text)

    class Names(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.expr:
            if isinstance(node.func, ast.Name) and node.func.id == "len":
                assert isinstance(node.args[0], ast.Name)
                return ast.Name(f"{node.args[0].id}_size")
            node.args = [self.visit(one) for one in node.args]
            if isinstance(node.func, ast.Name) and node.func.id not in ("min", "max"):
                node.func = ast.Name(f"_{node.func.id}")
            return node

        def visit_Name(self, node: ast.Name) -> ast.expr:
            known = {*(one.name for one in call.passed), *(one.name for one in call.taken), "result"}
            if node.id in constants and node.id not in known:
                return ast.Constant(constants[node.id])
            variable = _variable(node.id, call, after)
            return ast.Name(cell.format(variable) if variable.endswith("_cell") else variable)

    return ast.unparse(Names().visit(tree).body)


def c(
    text: str,
    call: Call,
    constants: dict[str, int],
    *,
    after: bool = False,
    cast: str = "(cside_wide){}",
    name: str = "{}",
    cython: bool = False,
) -> str:
    """An expression in C, or Cython, whose numbers are as wide as `cast` makes them, so that no step wraps around.

    `name` makes the name of a variable.
    """
    known = {*(one.name for one in call.passed), *(one.name for one in call.taken), "result"}
    operators = C_OPERATORS | ({ast.FloorDiv: "//", ast.And: "and", ast.Or: "or", ast.Not: "not "} if cython else {})

    def number(value: int) -> str:
        return cast.format(f"({value})" if cython else c_integer(value))

    def write(node: ast.expr) -> str:
        if isinstance(node, ast.Constant):
            return number(int(str(node.value)))
        if isinstance(node, ast.Name):
            if node.id in constants and node.id not in known:
                return number(constants[node.id])
            return cast.format(name.format(_variable(node.id, call, after)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "len":
                assert isinstance(node.args[0], ast.Name)
                return cast.format(name.format(f"{node.args[0].id}_size"))
            if node.func.id in ("min", "max"):
                first, *rest = [write(one) for one in node.args]
                for one in rest:
                    first = f"cside_{node.func.id}({first}, {one})"
                return first
            return cast.format(f"{node.func.id}({', '.join(argument(one) for one in node.args)})")
        if isinstance(node, ast.BinOp):
            return f"({write(node.left)} {operators[type(node.op)]} {write(node.right)})"
        if isinstance(node, ast.UnaryOp):
            return f"({operators[type(node.op)]}{write(node.operand)})"
        if isinstance(node, ast.BoolOp):
            return "(" + f" {operators[type(node.op)]} ".join(write(one) for one in node.values) + ")"
        assert isinstance(node, ast.Compare)
        places = [node.left, *node.comparators]
        pairs = zip(places, node.ops, places[1:], strict=False)
        both = " and " if cython else " && "
        return "(" + both.join(f"{write(a)} {operators[type(op)]} {write(b)}" for a, op, b in pairs) + ")"

    def argument(node: ast.expr) -> str:
        if isinstance(node, ast.Name) and node.id in known:
            return name.format(_variable(node.id, call, after))
        return write(node)

    return write(expressions.parse(text).body)


def c_integer(value: int) -> str:
    """An integer constant of C."""
    if value > 2**63 - 1:
        return f"{value}ull"
    return str(value) if 0 <= value < 2**31 else f"({value}ll)"


def annotation(taken: Taken) -> str:
    """The type of a parameter in Python."""
    plain = {
        "integer": "SupportsIndex",
        "float": "SupportsFloat | SupportsIndex",
        "bool": "object",
        "bytes": "Buffer",
        "buffer": "Buffer",
        "text": "str",
        "address": "int",
        "callback": "Callable[..., object]",
    }
    own = taken.handle or (taken.record.name if taken.record else "") or plain[taken.kind]
    return f"{own} | None" if taken.nullable else own


def returns(call: Call) -> str:
    """The type of what a function returns in Python."""
    found = [_result(one) for one in call.returned]
    if not found:
        return "None"
    return found[0] if len(found) == 1 else f"tuple[{', '.join(found)}]"


def _result(one: Returned) -> str:
    plain = {"integer": "int", "float": "float", "bool": "bool", "bytes": "bytes", "text": "str", "address": "int"}
    own = one.handle or (one.record.name if one.record else "") or plain[one.kind]
    by_address = one.source == "result" and one.kind in ("text", "bytes")
    return f"{own} | None" if one.nullable or by_address or one.kind == "address" else own


def one_line(text: str) -> str:
    """The first sentence of a comment, on one line, fit for a string of C or Python."""
    first = " ".join(text.split("\n\n")[0].split())
    return first if len(first) <= WIDTH else first[: WIDTH - 1].rsplit(" ", 1)[0] + "…"


def documentation(call: Call, indent: str = "    ") -> str:
    """The text of a docstring: the header's comment, the declaration, and what is raised."""
    lines = [line.rstrip() for line in textwrap.dedent(call.documentation).splitlines()]
    body = "\n".join(lines).strip()
    body = re.sub(r"\n{3,}", "\n\n", body) or f"Call {call.symbol} of the library."
    parts = [_wrapped(body), *_wrapped_code(call.declaration), *_raises(call)]
    text = "\n\n".join(parts).replace("\\", "\\\\").replace('"""', "'''")
    if text.endswith('"'):
        text += " "
    return textwrap.indent(text, indent).strip()


def _wrapped(text: str) -> str:
    return "\n".join(
        "\n".join(textwrap.wrap(line, WIDTH, break_long_words=False, break_on_hyphens=False)) or ""
        for line in text.split("\n")
    )


def _wrapped_code(declaration: str) -> list[str]:
    return ["C: " + "\n    ".join(textwrap.wrap(declaration, WIDTH - 4))]


def _raises(call: Call) -> list[str]:
    kinds = {one.kind for one in call.taken}
    said = []
    if call.ok:
        said.append("`Error` unless " + call.ok)
    if "integer" in kinds:
        said.append("`OverflowError` for an integer out of range")
    if "handle" in kinds:
        said.append("`ValueError` for a closed object")
    return [_wrapped("Raises " + "; ".join(said) + ".")] if said else []


def literal(value: object) -> str:
    """A literal of Python."""
    return repr(value)


Spell = Callable[..., str]
