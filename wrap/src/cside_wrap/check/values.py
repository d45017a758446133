# SPDX-License-Identifier: Apache-2.0
"""What a function is given, as a tree of plain data that a program can evaluate with any of the packages.

A tree is one of::

    {"int": 1}  {"float": 1.0}  {"bytes": 4096}  {"raw": "6162"}  {"text": "aaa"}  {"none": 1}
    {"call": "ZSTD_createCCtx", "args": [...], "pick": 0}      a result of a function of the package; pick where several
    {"new": "XXH32_state_t", "then": [...]}                     an object of a class, and calls that set it up
    {"record": "ZSTD_inBuffer", "buffers": {"src": 10}}         a struct

``bytes`` is a number of bytes, or the function of the package that returns it: byte n of them is n % 251. In ``then``,
``{"it": 1}`` is the object itself.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any

from cside_wrap.errors import WrapError
from cside_wrap.packages.description import Binding, Call, Taken
from cside_wrap.project.overrides import Recipe
from cside_wrap.roles import expressions
from cside_wrap.roles.form import Library
from cside_wrap.trial.values import DEPTH, ROOMY, names_of_objects

__all__ = ["NoTree", "Trees"]

Tree = dict[str, Any]


class NoTree(Exception):
    """There is nothing to give; the text says of what."""


class Trees:
    """The values of a library's functions for one size of free inputs, in bytes."""

    def __init__(self, form: Library, binding: Binding, recipes: Sequence[Recipe], size: int) -> None:
        self.form = form
        self.calls = {one.symbol: one for one in binding.calls}
        self.handles = {one.name: one for one in binding.handles}
        self.recipes = recipes
        self.size = size
        self.names = names_of_objects(form)
        self.numbers: dict[str, object] = {
            one.name: one.value for one in form.header.constants.values() if isinstance(one.value, int)
        }

    def of_call(self, call: Call, depth: int = 0) -> list[Tree]:
        """A value for each parameter. Raises `NoTree` where there is none."""
        return [self.of_parameter(call, one, depth) for one in call.taken]

    def of_parameter(self, call: Call, one: Taken, depth: int) -> Tree:
        """A value for a parameter: by a recipe for it, by what it is, or None."""
        plan = self.form.plans[call.symbol]
        own = next((each.name for each in plan.parameters if one.name.rstrip("_") == each.name.strip("_")), one.name)
        for recipe in reversed(self.recipes):
            if recipe.argument and fnmatchcase(own, recipe.argument) and fnmatchcase(call.symbol, recipe.functions):
                return self.recipe(recipe.make, depth)
        if one.kind == "handle":
            try:
                return self.of_handle(one.handle, depth, setting_up=call.symbol in self.handles[one.handle].makers)
            except NoTree:
                if one.nullable and call.closes != one.name:
                    return {"none": 1}
                raise
        if one.kind in ("bytes", "buffer"):
            return {"bytes": self.length(call, one), "writable": one.kind == "buffer"}
        if one.kind == "text":
            return {"text": "a" * max(self.size - 1, 0)}
        if one.kind == "callback":
            return {"callable": 1}
        if one.kind == "record" and one.record is not None:
            return {"record": one.record.name, "buffers": {each.name: self.size for each in one.record.buffers}}
        if one.kind == "address":
            if one.nullable:
                return {"none": 1}
            raise NoTree(f"{one.name} is an address")
        if one.kind == "float":
            return {"float": 1.0}
        room = any(passed.room == one.name for passed in call.passed)
        return {"int": self.size + ROOMY if room else 1}

    def length(self, call: Call, one: Taken) -> int | str:
        """The bytes that a check asks for, else those of this size; the name of a function that says how many."""
        for check in call.checks:
            if check.taken == one.name:
                known = {passed.name: self.size for passed in call.passed}
                called = {name for name in expressions.names(check.size) if name in self.form.header.functions}
                if len(called) == 1 and check.size == f"{min(called)}()" and called <= set(self.calls):
                    return min(called)  # the program asks the library
                if called:
                    raise NoTree(f"{one.name} has as many bytes as {', '.join(sorted(called))} says")
                try:
                    return expressions.value_of(check.size, {**self.numbers, **known})
                except WrapError as error:
                    raise NoTree(f"{one.name}: {error.message}") from error
        return self.size

    def of_handle(self, name: str, depth: int = 0, *, setting_up: bool = False) -> Tree:
        """An object of a class. Raises `NoTree` where no recipe and no function makes one."""
        its = self.handles[name]
        if its.allocated and setting_up:
            return {"new": name, "then": []}
        if depth >= DEPTH:
            raise NoTree(f"{name} needs too many other objects")
        for recipe in reversed(self.recipes):
            if recipe.type and recipe.type in self.names[its.spelling]:
                return self.recipe(recipe.make, depth + 1)
        for maker in its.makers:
            call = self.calls.get(maker)
            if call is None:
                continue
            try:
                if not its.allocated:
                    return self.made(call, name, self.of_call(call, depth + 1))
                values = [
                    {"it": 1} if one.handle == name else self.of_parameter(call, one, depth + 1) for one in call.taken
                ]
            except NoTree:
                continue
            return {"new": name, "then": [{"call": maker, "args": values}]}
        if its.allocated:
            return {"new": name, "then": []}
        raise NoTree(f"nothing makes {name}: write a recipe for this type")

    def made(self, call: Call, name: str, values: list[Tree]) -> Tree:
        """The call that makes an object, of whose results that is taken."""
        place = next((number for number, one in enumerate(call.returned) if one.handle == name), None)
        tree: Tree = {"call": call.symbol, "args": values}
        return tree | {"pick": place} if len(call.returned) > 1 and place is not None else tree

    def recipe(self, steps: Sequence[str], depth: int) -> Tree:
        """The tree of a recipe; later steps are called with the value of the first."""
        first = self._tree(ast.parse(steps[0].strip(), mode="eval").body, depth)
        then = [self._tree(ast.parse(one.strip(), mode="eval").body, depth) for one in steps[1:]]
        return first | {"then": then} if then else first

    def _tree(self, node: ast.expr, depth: int) -> Tree:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return {"int": -int(str(node.operand.value))}
        if isinstance(node, ast.Constant):
            return self._constant(node.value)
        if isinstance(node, ast.Name) and node.id == "it":
            return {"it": 1}
        if isinstance(node, ast.Name) and isinstance(value := self.numbers.get(node.id), int):
            return {"int": value}
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            return self._tree(node.value, depth) | {"pick": node.slice.value}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._called(node.func.id, node.args, depth)
        raise NoTree(f"the recipe has {ast.unparse(node)}")

    def _constant(self, value: object) -> Tree:
        if isinstance(value, bool) or value is None:
            return {"none": 1} if value is None else {"int": int(value)}
        if isinstance(value, str):
            return {"text": value}
        if isinstance(value, bytes):
            return {"raw": value.hex()}
        return {"float": value} if isinstance(value, float) else {"int": int(str(value))}

    def _called(self, name: str, args: Sequence[ast.expr], depth: int) -> Tree:
        if name == "handle" and args and isinstance(args[0], ast.Constant):
            asked = str(args[0].value)
            for one in self.handles.values():
                if asked in self.names[one.spelling]:
                    return self.of_handle(one.name, depth + 1)
        if name == "bytes" and args and isinstance(args[0], ast.Constant):
            return {"bytes": int(str(args[0].value))}
        if name == "input":
            return {"bytes": self.size}
        call = self.calls.get(name)
        if call is None:
            raise NoTree(f"{name} is in no package")
        values = [self._tree(one, depth) for one in args]
        for place, (taken, tree) in enumerate(zip(call.taken, values, strict=False)):
            if taken.kind in ("bytes", "buffer") and "text" in tree:
                values[place] = {"raw": str(tree["text"]).encode().hex()}
        return {"call": name, "args": values}
