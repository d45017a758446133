# SPDX-License-Identifier: Apache-2.0
"""What each argument of a prototype is for: assumed from its type and place, or said by the user.

A role has the terms of :mod:`cside_bench.results.shapes` that it adds to the shape of the call.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cside_bench.predict.prototype import Parameter, Prototype, PrototypeError, Type
from cside_bench.results.shapes import Shape


@dataclass(frozen=True, slots=True)
class Role:
    """A use of an argument or result."""

    says: str
    terms: Shape


ARGUMENTS: Final = {
    "integer": Role("an integer, converted", {"int": 1}),
    "real": Role("a floating-point number, converted", {"real": 1}),
    "text": Role("a str, passed as a NUL-terminated string", {"text": 1}),
    "bytes": Role("a bytes object, passed with its length and not copied", {"buffer": 1}),
    "buffer": Role("another buffer of the caller's (bytearray, array), passed and not copied", {"view": 1}),
    "length": Role("the length of the argument before it, which the binding knows", {}),
    "out": Role("an out-parameter: the number is a result", {"out": 1, "number": 1}),
    "out-handle": Role("an out-parameter: the handle is a result", {"out": 1, "number": 1}),
    "out-text": Role("an out-parameter: the text is a result, and is freed by a further call",
                     {"out": 1, "text_out": 1, "native": 1}),
    "out-borrowed": Role("an out-parameter: the text is a result, and is the library's", {"out": 1, "text_out": 1}),
    "out-bytes": Role("memory that the binding allocates and C fills: a bytes object is a result", {"bytes_out": 1}),
    "out-string": Role("memory that the binding allocates and C fills: a str is a result", {"text_out": 1}),
    "out-length": Role("the length of the memory before it, in and out", {"out": 1}),
    "handle": Role("a handle, which Python holds as a number", {"int": 1}),
    "struct": Role("an object of the binding that wraps the struct, passed by its address", {"struct": 1}),
    "struct-value": Role("an object of the binding that wraps the struct, passed by value", {"struct_value": 1}),
    "fields": Role("a struct that is made for the call from one Python value per field", {"struct_local": 1}),
    "out-fields": Role("a struct that C fills for the call: each field is a result", {"struct_local": 1}),
    "elements": Role("an array of structs, made from a sequence of tuples", {}),
    "out-elements": Role("an array of structs whose memory C fills: a list of tuples is a result", {}),
    "callback": Role("a Python function", {"callback": 1}),
    "user-data": Role("what the callback is given, which the binding needs itself", {}),
    "null": Role("always NULL or a constant: the binding fills it in", {}),
}  # fmt: skip
"""Roles of an argument. ``fields`` and ``out-fields`` add a field for each of the struct's, ``callback`` its calls."""

RESULTS: Final = {
    "none": Role("no result", {}),
    "number": Role("a number is the result", {"number": 1}),
    "status": Role("a status: the binding compares it, and raises an exception for an error", {}),
    "handle": Role("a handle is the result, which Python holds as a number", {"number": 1}),
    "text": Role("a text of the library's is the result, copied to a str", {"text_out": 1}),
    "owned-text": Role(
        "a text is the result, copied to a str and freed by a further call", {"text_out": 1, "native": 1}
    ),
    "struct-value": Role("an object of the binding that wraps the struct is the result", {"struct_value": 1}),
}
"""Roles of what the function returns."""

NUMBERS: Final = {"int", "real", "number"}
"""Terms of a call that does nothing but convert numbers one by one."""
SIZED: Final = ("bytes", "buffer", "out-bytes", "out-string", "elements", "out-elements")
"""Roles of an argument that a length may follow."""
_LENGTH: Final = re.compile(
    r"(.*_|)(n|len|length|size|nbytes|count|num|sz|capacity)(_.*|\d*)|n[A-Z_].*|.*(Len|Size|Length|Count)"
)
"""Names that a length has."""
_STATUS: Final = re.compile(r".*(status|err|error|errno|result|rv|ret|rc|code)(_t)?", re.IGNORECASE)
"""Names that the type of a status has."""


@dataclass(frozen=True, slots=True)
class Use:
    """The role of one argument, or of the result, which is called ``returns``."""

    name: str
    type: str
    role: str
    says: str
    assumed: bool
    """Whether it was assumed, and not said by the user."""
    terms: Shape


def is_length(parameter: Parameter) -> bool:
    """Whether a parameter may be the length of the one before it."""
    of = parameter.type
    return of.kind == "integer" and (of.name in ("size_t", "ssize_t") or bool(_LENGTH.fullmatch(parameter.name)))


def assumed(parameters: tuple[Parameter, ...], place: int, roles: Sequence[str]) -> str:
    """Return the role of a parameter; ``roles`` are those of the parameters before it."""
    own = parameters[place]
    before = roles[-1] if roles else ""
    of, after = own.type, parameters[place + 1] if place + 1 < len(parameters) else None
    if of.kind == "integer":
        return "length" if before in SIZED and is_length(own) else "integer"
    if of.kind in ("real", "struct", "function"):
        return {"real": "real", "struct": "struct-value", "function": "callback"}[of.kind]
    to = of.to
    if of.kind != "pointer" or to is None:
        raise PrototypeError(
            f"{own.name}: a struct without its fields cannot be passed by value; declare the struct first"
        )
    measured = after is not None and is_length(after)
    if to.byte:
        return _of_bytes(of, to, before, after, measured)
    if to.kind == "pointer":
        text = to.to is not None and to.to.name == "char"
        return ("out-borrowed" if to.to.const else "out-text") if text and to.to is not None else "out-handle"
    if to.kind in ("integer", "real"):
        filled = before == "out-bytes" or (before == "length" and roles[-2] == "out-bytes")
        if filled and to.kind == "integer" and not to.const:
            return "out-length"
        return "buffer" if to.const or of.array or measured else "out"
    if to.kind == "struct":
        return "elements" if measured else "struct"
    return "handle"


def _of_bytes(of: Type, to: Type, before: str, after: Parameter | None, measured: bool) -> str:
    """Return the role of a pointer to bytes or to ``void``."""
    if to.kind == "void" and not measured:
        return "user-data" if before == "callback" else "handle"
    if to.const:
        return "bytes" if measured or to.name != "char" else "text"
    by_pointer = after is not None and after.type.kind == "pointer" and after.type.to is not None
    if by_pointer and after is not None and after.type.to is not None and after.type.to.kind == "integer":
        return "out-bytes" if not after.type.to.byte else "buffer"
    return "out-bytes" if measured else "buffer"


def result_of(prototype: Prototype, roles: list[str]) -> str:
    """Return the role of the result, given those of the arguments."""
    of = prototype.result
    if of.kind == "void":
        return "none"
    if of.kind == "integer":
        gives = any(it.startswith("out") for it in roles)
        return "status" if gives and (of.name == "int" or _STATUS.fullmatch(of.name)) else "number"
    if of.kind == "real":
        return "number"
    if of.kind == "struct":
        return "struct-value"
    if of.kind == "pointer" and of.to is not None and of.to.name == "char":
        return "text" if of.to.const else "owned-text"
    if of.kind in ("pointer", "function"):
        return "handle"
    raise PrototypeError(
        f"{prototype.name} returns {of.name} by value, whose fields are not declared; declare it first"
    )


def uses(
    prototype: Prototype,
    said: Mapping[str, str],
    *,
    calls: float = 1.0,
    elements: float = 1.0,
    fields: float | None = None,
) -> list[Use]:
    """Return the role of each argument and of the result; ``said`` has those that the user gave, by name.

    ``calls`` is how often a callback is called, ``elements`` the length of an array of structs, ``fields`` the number
    of fields of a struct whose declaration is not known. Raises :class:`PrototypeError` for a name or role that does
    not exist.
    """
    names = [it.name for it in prototype.parameters]
    for name, role in said.items():
        if name != "returns" and name not in names:
            raise PrototypeError(f"{prototype.name} has no argument {name}; it has: {', '.join([*names, 'returns'])}")
        known = RESULTS if name == "returns" else ARGUMENTS
        if role not in known:
            raise PrototypeError(f"{role} is no role of {name}; there are: {', '.join(known)}")
    found: list[Use] = []
    roles: list[str] = []
    for place, it in enumerate(prototype.parameters):
        role = said.get(it.name) or assumed(prototype.parameters, place, roles)
        roles.append(role)
        own = dict(ARGUMENTS[role].terms)
        says = ARGUMENTS[role].says
        if role == "callback":
            own["callback_call"] = calls
            says += f", called {calls:g} times"
        if role in ("elements", "out-elements"):
            own["array"] = 1.0
            own["element" if role == "elements" else "element_out"] = elements
            says += f" of {elements:g} elements"
        if role in ("fields", "out-fields"):
            to = it.type.to or it.type
            count = fields if fields is not None else float(to.fields)
            if not count:
                raise PrototypeError(f"{it.name}: the fields of {to.name} are not declared; say how many: --fields 4")
            own["field"] = count
            says += f" ({count:g} fields)"
        found.append(Use(it.name, it.type.name, role, says, it.name not in said, own))
    role = said.get("returns") or result_of(prototype, roles)
    result = RESULTS[role]
    return [*found, Use("returns", prototype.result.name, role, result.says, "returns" not in said, dict(result.terms))]


def shape(found: list[Use], *, released: bool) -> Shape:
    """Return the shape of the call: one call, the terms of all roles, and a release of the GIL for each native call."""
    total: Shape = {"call": 1.0}
    for use in found:
        for term, count in use.terms.items():
            total[term] = total.get(term, 0.0) + count
    if any(use.role == "status" or not set(use.terms) <= NUMBERS for use in found):
        total["wrapped"] = 1.0
    if released:
        total["released"] = 1.0 + total.get("native", 0.0)
    return {term: count for term, count in total.items() if count}
