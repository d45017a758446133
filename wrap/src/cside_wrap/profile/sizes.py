# SPDX-License-Identifier: Apache-2.0
"""The sizes of buffers as C expressions, by the roles of a function's arguments."""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping

from cside_wrap.errors import WrapError
from cside_wrap.header.model import Header
from cside_wrap.roles import expressions
from cside_wrap.roles.vocabulary import Argument, Described, Role, State

__all__ = ["incoming", "outgoing"]

OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "/", ast.Mod: "%", ast.LShift: "<<"}


def incoming(described: Described, header: Header) -> str:
    """The bytes that a call is given, as C; empty where it takes none or nothing says how many.

    Arguments are called ``cs_a0``, ``cs_a1`` and so on.
    """
    return _sum(described, header, (Role.BYTES_IN, Role.BYTES_INOUT), ("size",))


def outgoing(described: Described, header: Header) -> tuple[str, str]:
    """The bytes that a call returned, as C, and the room that it had for them; empty where unknown.

    The first may use ``result``, and is for after the call; the second is for before it.
    """
    filled = _sum(described, header, (Role.BYTES_OUT,), ("filled", "room"))
    return filled, _sum(described, header, (Role.BYTES_OUT,), ("room",)) if filled else ""


def _sum(described: Described, header: Header, roles: tuple[Role, ...], attributes: tuple[str, ...]) -> str:
    """The sum over all arguments of these roles, each by the first of the attributes that it has."""
    if described.state != State.BOUND:
        return ""
    found = []
    for place, one in enumerate(described.arguments):
        if one.role in roles:
            text = next((one.get(name) for name in attributes if one.get(name)), "")
            if not text or (written := _written(text, described, header)) is None:
                return ""
            found.append(f"(cs_a{place} ? {written} : 0)")
    return functools.reduce("cs_plus({}, {})".format, found) if found else ""


def _written(text: str, described: Described, header: Header) -> str | None:
    """An expression of a rule in C; None where it calls functions."""
    try:
        tree = expressions.parse(text).body
    except WrapError:
        return None
    places = {one.name: (place, one) for place, one in enumerate(described.arguments)}
    return _node(tree, places, described, header)


def _node(
    node: ast.expr, places: Mapping[str, tuple[int, Argument]], described: Described, header: Header
) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return f"{int(node.value)}ull"
    if isinstance(node, ast.Name):
        return _name(node.id, places, described, header)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and len(node.args) == 1:
        of = node.args[0]
        its = places.get(of.id) if isinstance(of, ast.Name) else None
        return _written(its[1].get("size"), described, header) if its is not None and its[1].get("size") else None
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        left, right = (_node(one, places, described, header) for one in (node.left, node.right))
        return f"({left} {OPERATORS[type(node.op)]} {right})" if left and right else None
    return None


def _name(name: str, places: Mapping[str, tuple[int, Argument]], described: Described, header: Header) -> str | None:
    if name in places:
        place, one = places[name]
        if one.type.arithmetic:
            return f"(uint64_t)cs_a{place}"
        if one.type.kind == "pointer" and one.type.pointee.arithmetic:
            return f"(cs_a{place} ? (uint64_t)*cs_a{place} : CS_NO_SIZE)"
        return None
    if name == "result" and described.function.returns.arithmetic:
        return "(uint64_t)result"
    constant = header.constants.get(name)
    return f"{constant.value}ull" if constant is not None and isinstance(constant.value, int) else None
