# SPDX-License-Identifier: Apache-2.0
"""What trials pass: recipes of the user's, else values by role, and objects from the functions that make them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from fnmatch import fnmatchcase

from cside_wrap.errors import WrapError
from cside_wrap.project.overrides import Recipe
from cside_wrap.roles import expressions
from cside_wrap.roles.form import Library, Parameter, Plan
from cside_wrap.roles.vocabulary import Role
from cside_wrap.trial.call import Caller, Failed, Handle, NoValue

__all__ = ["SIZES", "Values", "names_of_objects"]

SIZES = (0, 1, 4096)
"""Bytes of free inputs, one trial each."""
DEPTH = 8
"""How many objects may need each other."""
ROOMY = 1024
"""Added to the size of the input for a number that is the room of an output."""


def names_of_objects(form: Library) -> dict[str, set[str]]:
    """The names of each type of objects: its own, without ``struct``, and the typedefs by which functions take it."""
    names = {kind: {kind, kind.removeprefix("struct ").removeprefix("union ")} for kind in form.objects}
    for one in form.header.functions.values():
        for kind in (one.returns, *(each.type for each in one.parameters)):
            to = kind.pointee.pointee if kind.pointee.kind == "pointer" else kind.pointee
            if to.name in names:
                names[to.name].add(to.written.removeprefix("const ").strip())
                names[to.name].add(kind.written.removesuffix("*").strip())
    return names


class Values:
    """The values of one process, for one size of free inputs."""

    def __init__(self, form: Library, caller: Caller, recipes: Sequence[Recipe], size: int) -> None:
        self.form = form
        self.caller = caller
        self.recipes = recipes
        self.size = size
        self.made: dict[str, Handle] = {}
        """The object of each type, which is made once and then used by all calls."""
        self.it: object = None
        self.names = names_of_objects(form)

    def of_plan(self, plan: Plan, depth: int = 0) -> list[object]:
        """A value for each parameter. Raises `NoValue` where there is none."""
        return [self.of_parameter(plan, one, depth) for one in plan.parameters]

    def of_parameter(self, plan: Plan, one: Parameter, depth: int) -> object:
        """A value for a parameter: by a recipe for it, by its role, or NULL."""
        for recipe in reversed(self.recipes):
            named = recipe.argument and fnmatchcase(one.name, recipe.argument)
            if named and fnmatchcase(plan.symbol, recipe.functions):
                found = self.evaluate(recipe.make, depth)
                if isinstance(found, list):
                    raise WrapError(f"the recipe {recipe.make[0]!r} has {len(found)} results: write [0] for the first")
                return found
        if one.role == Role.HANDLE:
            kind = one.type.pointee.name
            setting_up = kind in self.form.objects and plan.symbol in self.form.objects[kind].makers
            try:
                return (
                    self.allocated(kind)
                    if setting_up and self.form.objects[kind].allocated
                    else self.handle(kind, depth)
                )
            except NoValue:
                if one.nullable and plan.closes != one.name:
                    return None
                raise
        if one.role == Role.BYTES_IN or one.role == Role.BYTES_INOUT:
            return self.bytes(plan, one)
        if one.role == Role.TEXT_IN:
            return b"a" * max(self.size - 1, 0)
        if one.role == Role.CALLBACK:
            return len
        if one.role == Role.STRUCT:
            return b"\x01" * self.size
        if one.role == Role.ADDRESS:
            if one.nullable:
                return None
            raise NoValue(f"{one.name} is an address")
        if one.type.kind == "float":
            return 1.0
        rooms = {given.room for given in plan.given if given.source == "buffer"}
        return self.size + ROOMY if one.name in rooms else 1

    def bytes(self, plan: Plan, one: Parameter) -> bytes:
        """Bytes of the size that a check asks for, else of the trial's size."""
        size = self.size
        for check in plan.checks:
            if check.parameter == one.name:
                numbers: dict[str, object] = {given.argument: self.size for given in plan.given}
                try:
                    size = expressions.value_of(
                        check.size, {**self.caller.constants, **self.caller.functions, **numbers}
                    )
                except WrapError as error:
                    raise NoValue(f"{one.name}: {error.message}") from error
        return bytes(number % 251 for number in range(size))

    def allocated(self, kind: str) -> Handle:
        """Fresh memory, all zero, for an object that a function sets up."""
        struct = self.form.header.structs[kind]
        return Handle(kind, self.caller.memory.block(bytes(struct.size), writable=True, align=struct.align).address)

    def handle(self, kind: str, depth: int = 0) -> Handle:
        """An object of a type. Raises `NoValue` where no recipe and no function makes one."""
        if kind in self.made and not self.made[kind].closed:
            return self.made[kind]
        if depth >= DEPTH:
            raise NoValue(f"{kind} needs too many other objects")
        for recipe in reversed(self.recipes):
            if recipe.type and recipe.type in self.names[kind]:
                found = self.evaluate(recipe.make, depth + 1)
                if not isinstance(found, Handle):
                    raise NoValue(f"the recipe of {kind} made {found!r}")
                self.made[kind] = found
                return found
        its = self.form.objects.get(kind)
        if its is None or (not its.makers and not its.allocated):
            raise NoValue(f"nothing makes {kind}: write a recipe for this type")
        why = ""
        for name in its.makers:
            plan = self.form.plans[name]
            try:
                values = self.of_plan(plan, depth + 1)
                results = self.caller.call(plan, values)
            except (NoValue, Failed) as error:
                why = f"{name}: {error}"
                continue
            candidates = [*results, *(values if its.allocated else [])]
            for found in candidates:
                if isinstance(found, Handle) and found.type == kind:
                    self.made[kind] = found
                    return found
            why = f"{name} returned NULL"
        if its.allocated and not its.makers:
            self.made[kind] = self.allocated(kind)
            return self.made[kind]
        raise NoValue(f"nothing makes {kind} ({why or 'no function does'})")

    def evaluate(self, steps: Sequence[str], depth: int = 0) -> object:
        """The value of a recipe's first expression, after its others. Raises `WrapError` where one is none."""
        values = []
        for text in steps:
            try:
                tree = ast.parse(text.strip(), mode="eval").body
            except SyntaxError as error:
                raise WrapError(f"the recipe {text!r} is no expression: {error.msg}") from error
            values.append(self._value(tree, text, depth))
            self.it = values[0]
        return values[0]

    def _value(self, node: ast.expr, text: str, depth: int) -> object:
        if isinstance(node, ast.Constant):
            return node.value.encode() if isinstance(node.value, str) else node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return -int(str(node.operand.value))
        if isinstance(node, ast.Name) and node.id == "it":
            return self.it
        if isinstance(node, ast.Name) and node.id in self.caller.constants:
            return self.caller.constants[node.id]
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            found = self._value(node.value, text, depth)
            place = node.slice.value
            if isinstance(found, list) and isinstance(place, int) and -len(found) <= place < len(found):
                return found[place]
            raise WrapError(f"the recipe {text!r} takes a result that is not there")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            given = [self._value(one, text, depth) for one in node.args]
            name = node.func.id
            if name == "handle" and len(given) == 1 and isinstance(given[0], bytes):
                asked = given[0].decode()
                for kind, its in self.names.items():
                    if asked in its:
                        return self.handle(kind, depth + 1)
                raise WrapError(f"the recipe {text!r} asks for {asked}, which is no type of an object")
            if name == "bytes" and len(given) == 1 and isinstance(given[0], int):
                return bytes(number % 251 for number in range(given[0]))
            if name == "input" and not given:
                return bytes(number % 251 for number in range(self.size))
            if name in self.form.plans:
                plan = self.form.plans[name]
                if len(given) != len(plan.parameters):
                    wanted = ", ".join(one.name for one in plan.parameters)
                    raise WrapError(f"the recipe {text!r}: {name} takes {len(plan.parameters)} values: {wanted}")
                results = self.caller.call(plan, given)
                return results[0] if len(results) == 1 else results
            raise WrapError(f"the recipe {text!r} calls {name}, which is no bound function")
        raise WrapError(f"the recipe {text!r} has {ast.unparse(node)}, which recipes may not have")
