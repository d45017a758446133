# SPDX-License-Identifier: Apache-2.0
"""Finds the lines of a source file that define a name, by the language of the file."""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Final

from tree_sitter import Language, Node, Parser


@dataclass(frozen=True, slots=True)
class Code:
    """A range of lines of a file, counted from 1 and including the last one."""

    path: Path
    first: int
    last: int

    def text(self) -> str:
        """Return the text of the lines."""
        return "\n".join(self.path.read_text(encoding="utf-8").splitlines()[self.first - 1 : self.last])


def defining(path: Path, name: str, c_names: tuple[str, ...] = ()) -> list[Code]:
    """Return the code of a file that defines a Python name: a function, a class, or the code that registers it by that
    name.

    ``c_names`` are the C functions that it calls; SWIG interfaces name only these. If nothing defines the name, code
    that mentions it counts as well. The list is empty for a file that has neither, or whose language is not known.
    """
    read = READERS.get(path.suffix)
    if read is None:
        return []
    found = list(read(path.read_text(encoding="utf-8"), name, c_names))
    return [Code(path, first, last) for first, last in sorted(set(found))]


def declaring(path: Path, c_name: str) -> list[Code]:
    """Return the declarations of a C name in a header, each with the comment before it."""
    text = path.read_text(encoding="utf-8")
    found = []
    for node in _declarations(_parsed(text)):
        if re.search(rf"\b{re.escape(c_name)}\b", _head(node)) and _names(node, c_name):
            found.append(Code(path, _with_comment(node), _last(node)))
    return found


def implementing(path: Path, c_name: str) -> list[Code]:
    """Return the definitions of a C function in a source file, each with the comment before it."""
    text = path.read_text(encoding="utf-8")
    found = [node for node in _functions(_parsed(text)) if _function_name(node) == c_name]
    if found:
        return [Code(path, _with_comment(node), _last(node)) for node in found]
    return [Code(path, *lines) for lines in _by_macro(text, c_name.removeprefix("cs_"))]


def macro_calls(path: Path, c_name: str) -> list[Code]:
    """Return the macro calls that declare a C name, such as the standard's ``CK_PKCS11_FUNCTION_INFO(C_Sign)``."""
    return [Code(path, *lines) for lines in _by_macro(path.read_text(encoding="utf-8"), c_name)]


Lines = tuple[int, int]
"""First and last line of a piece of code, counted from 1."""
LONGEST: Final = 40
"""Largest number of lines of a paragraph of a SWIG interface that is shown whole. Of a longer paragraph, only the lines
with the name are shown.
"""


KEPT: Final = 256
"""Number of parsed files that are kept, for programs that look for many names."""


def _python(text: str, name: str, _: tuple[str, ...]) -> Iterator[Lines]:
    for node in ast.walk(_module(text)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            yield first, node.end_lineno or first
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(it, ast.Name) and it.id == name for it in targets):
                yield node.lineno, node.end_lineno or node.lineno


def mentioning(path: Path, name: str, prefix: str) -> list[Code]:
    """Return the functions of a Python file that begin with ``prefix`` and use an attribute of this name.

    A text may also name the attribute, even a text that is formatted, such as ``f"{width}_add"``.
    """
    found = []
    for node in _module(path.read_text(encoding="utf-8")).body:
        named = isinstance(node, ast.FunctionDef) and node.name.startswith(prefix)
        if isinstance(node, ast.FunctionDef) and named and any(_uses(it, name) for it in ast.walk(node)):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            found.append(Code(path, first, node.end_lineno or first))
    return found


def _uses(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == name
    if isinstance(node, ast.Constant):
        return node.value == name
    if isinstance(node, ast.JoinedStr):
        parts = [re.escape(str(it.value)) if isinstance(it, ast.Constant) else r"\w+" for it in node.values]
        return len(parts) > 1 and parts != [r"\w+"] * len(parts) and re.fullmatch("".join(parts), name) is not None
    return False


def _cython(text: str, name: str, _: tuple[str, ...]) -> Iterator[Lines]:
    lines = text.splitlines()
    head = re.compile(rf"(\s*)(cpdef|cdef|def|cdef class|class)\b[^=]*\b{re.escape(name)}\b\s*(\(|:)")
    for place, line in enumerate(lines):
        found = head.match(line)
        if found is None:
            continue
        indent = found[1]
        first = place - len(list(takewhile(lambda it: it.strip().startswith("@"), reversed(lines[:place]))))
        last = place
        for count, below in enumerate(lines[place + 1 :], place + 1):
            if below.strip():
                if not below.startswith((f"{indent} ", f"{indent}\t", f"{indent})")):
                    break
                last = count
        yield first + 1, last + 1


def _c(text: str, name: str, _: tuple[str, ...]) -> Iterator[Lines]:
    functions = list(_functions(_parsed(text)))
    c_name = _c_name(name)
    exact = [node for node in functions if _function_name(node) in {c_name, f"pkcs11_{c_name}"}]
    related = [node for node in functions if re.search(rf"(^|_){re.escape(c_name)}(_|$)", _function_name(node) or "")]
    for node in exact or related:
        yield _with_comment(node), _last(node)
    if not (exact or related):
        made = list(_by_macro(text, name))
        speaking = [node for node in functions if re.search(rf"\b{re.escape(name)}\b", _text(node))]
        yield from made or ((_with_comment(node), _last(node)) for node in speaking)


def _c_name(name: str) -> str:
    """Return how a name of Python is written in C: classes in small letters."""
    return name if name.islower() or "_" in name else name.lower()


def _cpp(text: str, name: str, _: tuple[str, ...]) -> Iterator[Lines]:
    """Yield the functions and classes of a name, else the statements that register it by that name."""
    root = _parsed(text, "cpp")
    names = {name, _c_name(name)}
    exact = [
        node
        for node in _walk(root)
        if (node.type == "function_definition" and _function_name(node) in names)
        or (node.type in CLASSES and node.child_by_field_name("body") and _named(node) in names)
    ]
    quoted = f'"{name}"'
    told = [node for node in _walk(root) if node.type == "expression_statement" and quoted in _text(node)]
    outermost = [node for node in exact if not any(_within(node, other) for other in exact)]  # a class, not its methods
    innermost = [node for node in told if not any(_within(other, node) for other in told)]
    for node in outermost or innermost:
        yield _with_comment(node), _last(node)
    if not (exact or innermost):
        made = list(_by_macro(text, name))
        speaking = [node for node in _functions(root) if re.search(rf"\b{re.escape(name)}\b", _text(node))]
        yield from made or ((_with_comment(node), _last(node)) for node in speaking)


CLASSES: Final = ("class_specifier", "struct_specifier")
"""Types of the nodes of a class in C++."""


def _named(node: Node) -> str:
    found = node.child_by_field_name("name")
    return _text(found) if found is not None else ""


def _within(inner: Node, outer: Node) -> bool:
    return outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte and outer.id != inner.id


def _by_macro(text: str, name: str) -> Iterator[Lines]:
    """Yield the macro calls at the beginning of a line that define a name, such as ``DEFINE_ADD(i8_add, …)``, with
    bodies.
    """
    lines = text.splitlines()
    head = re.compile(rf"\s*[A-Z][A-Z0-9_]+\((?:\w+, )?{re.escape(name)}\b")
    for place, line in enumerate(lines):
        if head.match(line):
            rest = lines[place:]
            opens = next((count for count, it in enumerate(rest) if it == "{" or it.endswith((")", "\\"))), 0)
            body = next((count for count, it in enumerate(rest) if it == "}"), opens)
            brace = len(rest) > opens + 1 and "{" in (rest[opens], rest[opens + 1])
            yield place + 1, place + 1 + (body if brace else opens)


def _swig(text: str, name: str, c_names: tuple[str, ...]) -> Iterator[Lines]:
    word = re.compile(rf"\b({'|'.join(map(re.escape, (name, *c_names)))})\b")
    lines = text.splitlines()
    first = None
    for place, line in enumerate([*lines, ""]):
        if line.strip() and first is None:
            first = place
        elif not line.strip() and first is not None:
            if lines[first].startswith("/* SPDX"):
                first += 1 + next((count for count, it in enumerate(lines[first:place]) if "*/" in it), 0)
            matching = [count for count, it in enumerate(lines[first:place], first + 1) if word.search(it)]
            if matching and place - first > LONGEST:
                yield from ((count, count) for count in matching)
            elif matching:
                yield first + 1, place
            first = None


READERS: Final[dict[str, Callable[[str, str, tuple[str, ...]], Iterator[Lines]]]] = {
    ".c": _c,
    ".cc": _cpp,
    ".cpp": _cpp,
    ".cxx": _cpp,
    ".i": _swig,
    ".py": _python,
    ".pxi": _cython,
    ".pyx": _cython,
}
"""Functions that find definitions, by the suffix of the file. Headers and stubs have none, since they only declare."""


@lru_cache(maxsize=KEPT)
def _module(text: str) -> ast.Module:
    return ast.parse(text)


@cache
def _parser(language: str) -> Parser:
    return Parser(Language(import_module(f"tree_sitter_{language}").language()))


@lru_cache(maxsize=KEPT)
def _parsed(text: str, language: str = "c") -> Node:
    """Return the tree of a text in ``c`` or ``cpp``."""
    return _parser(language).parse(text.encode()).root_node


def _walk(node: Node) -> Iterator[Node]:
    for child in node.children:
        yield child
        yield from _walk(child)


def _functions(root: Node) -> Iterator[Node]:
    return (node for node in _walk(root) if node.type == "function_definition")


def _declarations(root: Node) -> Iterator[Node]:
    kinds = {"declaration", "type_definition", "preproc_def", "preproc_function_def", "function_definition"}
    blocks = {"preproc_ifdef", "preproc_if", "linkage_specification", "declaration_list", "preproc_else"}
    for node in root.children:
        if node.type in kinds:
            yield node
        elif node.type in blocks or node.type == "ERROR":
            yield from _declarations(node)


def _function_name(node: Node) -> str | None:
    for each in _walk(node):
        if each.type == "function_declarator":
            named = each.child_by_field_name("declarator")
            if named is not None and named.type == "qualified_identifier":  # of a member that is defined outside
                named = named.child_by_field_name("name")
            return _text(named) if named is not None and named.type in {"identifier", "field_identifier"} else None
    return None


def _names(node: Node, name: str) -> bool:
    """Whether a declaration declares this name: as a function, as a macro, or as the name of a typedef."""
    if node.type.startswith("preproc"):
        named = node.child_by_field_name("name")
        return named is not None and _text(named) == name
    if node.type == "type_definition":
        return name in re.findall(r"\w+", _text(node).rpartition("}")[2])
    return _function_name(node) == name


def _text(node: Node) -> str:
    return (node.text or b"").decode()


def _head(node: Node) -> str:
    return _text(node) if node.type == "type_definition" else _text(node).partition("{")[0]


def _last(node: Node) -> int:
    """Return the last line of a node; a preprocessor directive ends at the beginning of the line after it."""
    row, column = node.end_point
    return row if column == 0 else row + 1


def _with_comment(node: Node) -> int:
    before = node.prev_sibling
    if before is not None and before.type == "comment" and before.end_point[0] + 1 >= node.start_point[0]:
        return before.start_point[0] + 1
    return node.start_point[0] + 1
