# SPDX-License-Identifier: Apache-2.0
"""Makes the intermediate form from functions whose arguments all have roles."""

from __future__ import annotations

from collections.abc import Iterable

from cside_wrap.header.model import Header
from cside_wrap.roles import expressions
from cside_wrap.roles.form import Check, Given, Keep, Library, Object, Parameter, Plan, Result, Status
from cside_wrap.roles.lifetimes import INIT
from cside_wrap.roles.vocabulary import RETURN, Argument, Described, Role, State

__all__ = ["library", "plan"]

IN_PYTHON = {
    Role.VALUE,
    Role.BYTES_IN,
    Role.TEXT_IN,
    Role.BYTES_INOUT,
    Role.VALUE_INOUT,
    Role.HANDLE,
    Role.CALLBACK,
    Role.ADDRESS,
}


def library(described: Iterable[Described], header: Header) -> Library:
    """The form of all functions."""
    everything = list(described)
    closers = {
        one.get("owner")
        for each in everything
        if each.state == State.BOUND
        for one in (*each.arguments, each.result)
        if one.role in (Role.HANDLE, Role.HANDLE_OUT)
    } - {"", "library", "caller"}
    plans = {one.function.name: plan(one, closers) for one in everything if one.state == State.BOUND}
    return Library(
        plans,
        _objects(plans, header),
        {one.function.name: tuple(each.name for each in one.open) for one in everything if one.state == State.ASKED},
        {one.function.name: one.refused for one in everything if one.state == State.REFUSED},
        header,
    )


def _objects(plans: dict[str, Plan], header: Header) -> dict[str, Object]:
    """The objects of all plans."""
    makers: dict[str, list[Plan]] = {}
    closes: dict[str, str] = {}
    for one in plans.values():
        for result in one.results:
            if result.role == Role.HANDLE:
                kind = result.type.pointee.name
                if result.owner not in ("", "library"):
                    makers.setdefault(kind, []).append(one)
                    closes.setdefault(kind, result.owner)
    used = {each.type.pointee.name for one in plans.values() for each in one.parameters if each.role == Role.HANDLE}
    found = {}
    for name in sorted(used | set(makers)):
        size = 0
        if name not in makers and name in header.structs:
            size = header.structs[name].size
            makers[name] = [
                one
                for one in plans.values()
                if INIT.search(one.symbol)
                and any(each.role == Role.HANDLE and each.type.pointee.name == name for each in one.parameters)
            ]
        by_parameters = sorted(makers.get(name, []), key=lambda one: (len(one.parameters), one.symbol))
        found[name] = Object(name, size, tuple(one.symbol for one in by_parameters), closes.get(name, ""))
    return found


def plan(described: Described, closers: set[str]) -> Plan:
    """The plan of one function that has no open argument. `closers` are the functions that free objects."""
    function = described.function
    parameters = []
    given = []
    checks = []
    results = []
    for one in described.arguments:
        name = one.name
        if _in_python(one):
            parameters.append(_parameter(one, name))
        given.append(_given(one, name))
        if one.role in (Role.BYTES_IN, Role.BYTES_INOUT):
            length = described.named(one.get("size"))
            derived = length is not None and length.role == Role.HIDDEN and length.get("value") == f"len({one.name})"
            if not derived:
                checks.append(Check(name, one.get("size"), exact=length is None))
        if (result := _out(one)) is not None:
            results.append(result)
    status, first = _own(described)
    results = first + results
    return Plan(
        symbol=function.name,
        declaration=function.declaration,
        documentation=function.comment,
        parameters=tuple(parameters),
        given=tuple(given),
        checks=tuple(checks),
        results=tuple(results),
        status=status,
        keeps=tuple(_keeps(described, results)),
        closes=_closes(described, closers),
        returns=function.returns,
    )


def _in_python(one: Argument) -> bool:
    return one.role in IN_PYTHON or (one.role == Role.STRUCT and one.attributes.get("direction") != "out")


def _parameter(one: Argument, name: str) -> Parameter:
    buffers = one.attributes.get("buffers", {})
    return Parameter(
        name,
        one.role,
        one.type,
        one.nullable,
        one.get("encoding"),
        one.role == Role.BYTES_INOUT,
        tuple(sorted((str(field), str(size)) for field, size in buffers.items())),
    )


def _given(one: Argument, name: str) -> Given:
    """What is given for an argument."""
    value = one.get("value")
    if one.role == Role.HIDDEN:
        if value.startswith("user_data("):
            return Given(one.name, one.type, "user-data", value.partition("(")[2].removesuffix(")"))
        if value in ("", "NULL"):
            return Given(one.name, one.type, "null" if not one.type.arithmetic else "expression", value="0")
        pointer_to_number = one.type.kind == "pointer" and one.type.pointee.arithmetic and not one.type.pointee.byte
        return Given(one.name, one.type, "cell" if pointer_to_number else "expression", value=value)
    if one.role == Role.BYTES_OUT:
        return Given(one.name, one.type, "buffer", room=one.get("room"))
    if one.role in (Role.VALUE_OUT, Role.HANDLE_OUT):
        return Given(one.name, one.type, "cell", value="0")
    if one.role == Role.VALUE_INOUT:
        return Given(one.name, one.type, "address", name)
    if one.role == Role.STRUCT and one.type.kind == "pointer":
        out = one.attributes.get("direction") == "out"
        return Given(one.name, one.type, "cell" if out else "address", "" if out else name)
    if one.role == Role.CALLBACK:
        return Given(one.name, one.type, "callback", name)
    return Given(one.name, one.type, "parameter", name)


def _out(one: Argument) -> Result | None:
    """What Python gets of an argument."""
    to = one.type.pointee
    if one.role == Role.BYTES_OUT:
        return Result(one.name, Role.BYTES, one.type, one.get("filled") or one.get("room"))
    if one.role in (Role.VALUE_OUT, Role.VALUE_INOUT):
        return Result(one.name, Role.VALUE, to)
    if one.role == Role.HANDLE_OUT:
        return Result(one.name, Role.HANDLE, to, nullable=True, owner=one.get("owner"))
    if one.role == Role.STRUCT and one.attributes.get("direction") == "out":
        return Result(one.name, Role.STRUCT, to)
    return None


def _own(described: Described) -> tuple[Status | None, list[Result]]:
    """When the call succeeded, and what Python gets of the function's own result."""
    result = described.result
    filled = any("result" in one.get("filled") for one in described.arguments if one.role == Role.BYTES_OUT)
    if result.role == Role.STATUS:
        # A status that is also a count is returned, unless it says how much of an output is filled.
        plain = expressions.one_value(result.get("ok")) or filled
        own = [] if plain else [Result(RETURN, Role.VALUE, result.type)]
        return Status(result.get("ok"), result.get("message")), own
    if result.role in (Role.NOTHING, Role.HIDDEN) or filled:
        return None, []
    return None, [
        Result(
            RETURN,
            result.role,
            result.type,
            result.get("size"),
            result.nullable,
            result.get("encoding"),
            result.get("owner"),
        )
    ]


def _keeps(described: Described, results: list[Result]) -> Iterable[Keep]:
    """By default an object keeps what was given together with it, since types cannot show whether it points there.

    The object is the one that the call makes, or else the first that it takes. A closing call keeps nothing.
    """
    made = next((one.argument for one in results if one.role == Role.HANDLE), "")
    taken = next(
        (one.name for one in described.arguments if one.role == Role.HANDLE and not one.type.pointee.const), ""
    )
    holder = made or taken
    for one in described.arguments:
        keep = one.get("keep")
        if one.name == taken and not made:
            continue
        by_default = one.role in (Role.BYTES_IN, Role.BYTES_INOUT, Role.TEXT_IN, Role.CALLBACK, Role.HANDLE)
        if keep == "forever" or (by_default and one.role == Role.CALLBACK and not holder and keep != "call"):
            yield Keep(one.name, "forever")
        elif (by_default or keep == "handle") and keep != "call" and holder:
            yield Keep(one.name, holder)


def _closes(described: Described, closers: set[str]) -> str:
    handles = [one for one in described.arguments if one.role == Role.HANDLE]
    closed = [one for one in handles if one.attributes.get("closes")]
    if not closed and described.function.name in closers:
        closed = handles
    return closed[0].name if closed else ""
