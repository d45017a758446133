# SPDX-License-Identifier: Apache-2.0
"""The shape of a bound function's calls, in the terms of ``shapes.toml``, as the intermediate form describes them.

It says of each parameter and result what a binding does with it. Handles are objects of a class of the binding, and
so are structs.
"""

from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase

from cside_wrap.roles import expressions
from cside_wrap.roles.form import Given, Library, Parameter, Plan, Result
from cside_wrap.roles.vocabulary import RETURN, Role

from cside_bench.results.shapes import Shape

NUMBERS = {"int", "real", "number"}
"""Terms of a call that does nothing but convert numbers one by one."""
PARAMETERS: dict[Role, Shape] = {
    Role.BYTES_IN: {"buffer": 1},
    Role.BYTES_INOUT: {"view": 1},
    Role.TEXT_IN: {"text": 1},
    Role.HANDLE: {"struct": 1},
    Role.CALLBACK: {"callback": 1},
    Role.ADDRESS: {"int": 1},
}
"""Terms of a parameter by its role; numbers and structs have more than one way."""
RESULTS: dict[Role, Shape] = {
    Role.NOTHING: {},
    Role.STATUS: {},
    Role.VALUE: {"number": 1},
    Role.ADDRESS: {"number": 1},
    Role.TEXT: {"text_out": 1},
    Role.BYTES: {"bytes_out": 1},
    Role.HANDLE: {"object": 1},
}


def releasing(held: Sequence[str], *, released: bool) -> Callable[[str], bool]:
    """Return a function that says of a function of the library whether the GIL is released in its calls.

    ``held`` has the names and patterns of ``gil-held``; without ``released`` it is released in none.
    """
    return lambda name: released and not any(fnmatchcase(name, pattern) for pattern in held)


def shape_of(plan: Plan, library: Library, *, released: bool = True) -> Shape:
    """Return the shape of one successful call; ``released`` says whether the GIL is released in it.

    A callback that is needed during the call alone is called once, one that is kept not at all. A size that a function
    of the library computes is a further native call, and so is the function that frees a result.
    """
    total: Shape = {"call": 1.0}
    functions = set(library.header.functions)
    by_name = {one.name: one for one in plan.parameters}
    for one in plan.given:
        _add(total, _given(one, by_name))
    kept = {one.kept for one in plan.keeps}
    if called := sum(1 for one in plan.parameters if one.role == Role.CALLBACK and one.name not in kept):
        total["callback_call"] = float(called)
    for each in plan.results:
        _add(total, _result(each))
    if not set(total) - {"call"} <= NUMBERS or plan.status is not None:
        total["wrapped"] = 1.0
    further = sum(1 for text in set(_expressions(plan)) for name in expressions.names(text) if name in functions)
    further += sum(1 for each in plan.results if each.role != Role.HANDLE and each.owner in functions)
    if further:
        total["native"] = float(further)
    if released:
        total["released"] = 1.0  # packages hold it while they compute sizes and judge a status
    return total


def _add(total: Shape, terms: Shape) -> None:
    for term, count in terms.items():
        total[term] = total.get(term, 0.0) + count


def _given(one: Given, by_name: dict[str, Parameter]) -> Shape:
    """Return the terms of one argument of C, with those of the parameter that it is made of."""
    parameter = by_name.get(one.parameter)
    if one.source in ("cell", "buffer"):  # what Python gets of it is a result
        return {"out": 1} if one.source == "cell" and not one.type.pointee.record else {}
    if parameter is None or one.source == "user-data":
        return {}
    if parameter.role == Role.VALUE_INOUT:
        return {"out": 1, **_number(parameter)}
    if parameter.role == Role.STRUCT:
        buffers: Shape = {"buffer": float(len(parameter.buffers))} if parameter.buffers else {}
        return {"struct_value" if parameter.type.record else "struct": 1, **buffers}
    return PARAMETERS.get(parameter.role) or _number(parameter)


def _number(parameter: Parameter) -> Shape:
    kind = parameter.type.pointee if parameter.type.kind == "pointer" else parameter.type
    return {"real" if kind.kind == "float" else "int": 1}


def _result(one: Result) -> Shape:
    if one.role == Role.STRUCT:
        return {"struct_value": 1} if one.argument == RETURN and one.type.record else {"object": 1}
    return RESULTS[one.role]


def _expressions(plan: Plan) -> Iterator[str]:
    """Yield the expressions that a successful call computes."""
    for given in plan.given:
        yield from (text for text in (given.value, given.room) if text and given.source != "user-data")
    for check in plan.checks:
        yield check.size
    for result in plan.results:
        if result.filled:
            yield result.filled
    if plan.status is not None:
        yield plan.status.ok
