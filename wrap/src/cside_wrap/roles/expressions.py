# SPDX-License-Identifier: Apache-2.0
"""The expressions in rules: sizes, rooms, values, conditions.

They are written in the part of Python's syntax that is C's too: integers, names of arguments, constants of the header,
``len(argument)``, ``min`` and ``max``, calls of functions of the library that return a number, ``+ - * // %``, shifts,
comparisons, ``and``, ``or``, ``not``. ``{prefix}`` stands for the beginning of the function's name.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from cside_wrap.errors import WrapError

__all__ = ["expand", "names", "one_value", "parse", "renamed", "value_of"]

NODES = (
    ast.Expression,
    ast.Constant,
    ast.Name,
    ast.Load,
    ast.Call,
    ast.BinOp,
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.FloorDiv,
    ast.Mod,
    ast.LShift,
    ast.RShift,
    ast.BitAnd,
    ast.BitOr,
    ast.UnaryOp,
    ast.USub,
    ast.Not,
    ast.BoolOp,
    ast.And,
    ast.Or,
    ast.Compare,
    ast.Eq,
    ast.NotEq,
    ast.Lt,
    ast.LtE,
    ast.Gt,
    ast.GtE,
)
HELPERS: dict[str, Callable[..., int]] = {"len": len, "min": min, "max": max}
PREFIX = "{prefix}"


def parse(text: str) -> ast.Expression:
    """The syntax tree. Raises `WrapError` where the text is no expression of this language."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError as error:
        raise WrapError(f"{text!r} is no expression: {error.msg}", "Write one as 2 * size or len(source).") from error
    for node in ast.walk(tree):
        if not isinstance(node, NODES):
            raise WrapError(f"{text!r} has {type(node).__name__}, which expressions of rules may not have")
        if isinstance(node, ast.Constant) and not isinstance(node.value, int):
            raise WrapError(f"{text!r} has {node.value!r}: constants in expressions are integers")
        if isinstance(node, ast.Call) and (not isinstance(node.func, ast.Name) or node.keywords):
            raise WrapError(f"{text!r} has a call of something that is no function")
    return tree


def names(text: str) -> set[str]:
    """The names that an expression uses, those of the language left out."""
    tree = parse(text)
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    helpers = {id(node) for node in called if node.id in HELPERS}
    found = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in helpers}
    return found - {"NULL", "result"}


def expand(text: str, function: str, known: Callable[[str], bool]) -> str | None:
    """Replace ``{prefix}`` by the longest beginning of the function's name with which all names are known.

    A beginning ends before an underscore: of ``crypto_box_easy``, ``crypto_box_easy``, ``crypto_box`` and ``crypto``.
    None where some name stays unknown.
    """
    words = function.split("_")
    tried = [text]
    if PREFIX in text:
        tried = [text.replace(PREFIX, "_".join(words[:count])) for count in range(len(words), 0, -1)]
    for one in tried:
        if all(known(name) for name in names(one)):
            return one
    return None


def renamed(text: str, to: Mapping[str, str]) -> str:
    """The expression with other names for its arguments; functions that it calls keep theirs."""
    tree = parse(text)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and id(node) not in called:
            node.id = to.get(node.id, node.id)
    return ast.unparse(tree)


def one_value(text: str) -> bool:
    """Whether a condition holds for one value of ``result`` only, so that the value tells nothing more."""
    node = parse(text).body
    return (
        isinstance(node, ast.Compare)
        and isinstance(node.left, ast.Name)
        and node.left.id == "result"
        and [type(one) for one in node.ops] == [ast.Eq]
    )


def value_of(text: str, known: Mapping[str, object]) -> int:
    """The value, with the values of names: numbers, bytes and functions. Raises `WrapError` where a name has none."""
    tree = parse(text)
    for node in ast.walk(tree):  # an argument may be named len, too
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in HELPERS:
            node.func.id = f"{node.func.id} of the language"
    space: dict[str, object] = {**known, **{f"{name} of the language": one for name, one in HELPERS.items()}}
    space["__builtins__"] = {}
    try:
        return int(eval(compile(tree, "<rule>", "eval"), space))  # the tree was checked above
    except NameError as error:
        raise WrapError(f"{text!r} has a name that nothing gives a value: {error}") from error
    except (TypeError, ArithmeticError) as error:
        raise WrapError(f"{text!r} cannot be computed: {error}") from error
