# SPDX-License-Identifier: Apache-2.0
"""Writes the package of one technique from its templates. Templates get the description and decide nothing."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import jinja2

from cside_wrap.header.model import Constant, Header, Type
from cside_wrap.packages import spelling
from cside_wrap.packages.description import Binding, Call, Member, Passed, Taken
from cside_wrap.packages.kinds import integer_of
from cside_wrap.packages.techniques import DESCRIPTION, TEMPLATES, Technique

__all__ = ["VERSION", "package_of", "write"]

VERSION = "0.1.0"
"""Of the packages that are written."""
ALL = (
    "README.md.j2",
    "package/__init__.py.j2",
    "package/_constants.py.j2",
    "package/_errors.py.j2",
    "package/_records.py.j2",
    "package/py.typed",
)
"""The files of ``shared`` that every package has."""
NO_CODE = ("README.md", "pyproject.toml", "MANIFEST.in", "py.typed")
"""Files of a package whose lines are not counted."""


def package_of(binding: Binding, technique: Technique) -> str:
    """The name by which the package is imported."""
    return f"{binding.name}_{technique.name}"


def write(binding: Binding, technique: Technique, header: Header, folder: Path) -> int:
    """Write the package into `folder`, which is replaced. Returns the lines of code that were written."""
    package = package_of(binding, technique)
    gaps = technique.gaps(binding)
    bound = replace(binding, calls=tuple(one for one in binding.calls if technique.binds(one)))
    environment = _environment(bound, header)
    names = [one.symbol for one in bound.calls]
    names += [] if technique.suffix else [one.name for one in bound.handles]
    values = {
        "binding": bound,
        "technique": technique.name,
        "title": technique.title,
        "functions": technique.functions,
        "links": technique.links,
        "suffix": technique.suffix,
        "package": package,
        "distribution": package.replace("_", "-"),
        "version": VERSION,
        "names": sorted(names),
        "gaps": gaps,
        "requires": technique.requires,
        "held": [one.symbol for one in bound.calls if one.held],
    }
    if folder.exists():
        shutil.rmtree(folder)
    lines = 0
    for source, target in _files(technique):
        path = folder / target.as_posix().replace("package/", f"src/{package}/", 1).removesuffix(".j2")
        path.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix != ".j2":
            path.write_bytes(source.read_bytes())
        else:
            template = environment.get_template(source.relative_to(TEMPLATES).as_posix())
            path.write_text(_tidied(template.render(values)), encoding="utf-8")
        if path.name not in NO_CODE:
            lines += sum(1 for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    return lines


def _files(technique: Technique) -> Iterator[tuple[Path, Path]]:
    """Each template of a package and its place in it. What others include is in the folder ``parts``."""
    for name in (*ALL, *technique.shared):
        yield TEMPLATES / "shared" / name, Path(name)
    own = TEMPLATES / technique.name
    for path in sorted(own.rglob("*")):
        if path.is_file() and path.name != DESCRIPTION and path.parent.name != "parts":
            yield path, path.relative_to(own)


def _tidied(text: str) -> str:
    """Without the empty lines that templates leave: at most two in a row, and none at a block's begin or end."""
    text = re.sub(r"[ \t]+\n", "\n", text)
    text = re.sub(r"\n{4,}", "\n\n\n", text)
    return text.strip("\n") + "\n"


def _environment(binding: Binding, header: Header) -> jinja2.Environment:
    numbers = {name: one.value for name, one in header.constants.items() if isinstance(one.value, int)}
    records = {one.spelling: one for one in binding.records}
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
        autoescape=False,
    )

    def py(text: str, call: Call, **more: Any) -> str:
        return spelling.python(text, call, numbers, **more)

    def c(text: str, call: Call, **more: Any) -> str:
        return spelling.c(text, call, numbers, **more)

    def fixed(kind: Type) -> str:
        its = integer_of(kind)
        return its.fixed if its is not None else ""

    made.filters |= {
        "py": py,
        "c": c,
        "fixed": fixed,
        "record_name": lambda kind: records[kind.name].name,
        "fields": lambda record: header.structs[record.spelling].fields,
        "documentation": spelling.documentation,
        "one_line": spelling.one_line,
        "literal": spelling.literal,
        "annotation": spelling.annotation,
        "returns": spelling.returns,
        "signature": signature,
        "kept_value": lambda one: one.name if one.kind == "handle" else f"{one.name}_hold",
        "held_buffers": held_buffers,
        "groups": groups,
        "member_type": member_type,
        "member_default": member_default,
        "body": body,
        "slot_holder": slot_holder,
        "converter": converter,
        "pointers": lambda one: tuple(place for place, kind in enumerate(one.parameters) if not kind.arithmetic),
        "macros": lambda defines: [tuple([*one.split("=", 1), None][:2]) for one in defines],
        "names_of_libraries": lambda ones: [one for one in ones if not Path(one).is_file()],
        "link_arguments": link_arguments,
        "c_docstring": c_docstring,
        "plain_docstring": lambda call: spelling.documentation(call, "").replace("\\\\", "\\").replace('"', "'"),
        "c_functions": lambda text: re.sub(rf"\b({'|'.join(header.functions)})\(", r"C_\1(", text),
        "c_literal": spelling.c_integer,
        "toml": lambda ones: "[" + ", ".join(f'"{one}"' for one in ones) + "]",
        "parenthesised": lambda text: f"({text})",
    }
    made.tests |= {"known_record": lambda kind: kind.pointee.name in records}
    made.tests |= {"counted": lambda name, call: counted(name, call)}
    made.tests |= {"trailing_integer": trailing_integer, "stateful": stateful}
    made.tests |= {"with_result": with_result, "ranged": lambda one, call: ranged(one, call, numbers)}
    return made


def signature(call: Call, own: str = "") -> str:
    """The parameters of a Python function, with annotations."""
    words = [own] if own else []
    words += [f"{one.name}: {spelling.annotation(one)}" for one in call.taken]
    return ", ".join([*words, "/"]) if words else ""


def with_result(call: Call) -> bool:
    """Whether what the function returns is used."""
    texts = [call.ok, *(one.filled for one in call.returned)]
    used = any(one.source == "result" for one in call.returned) or any(re.search(r"\bresult\b", one) for one in texts)
    return used and call.result.kind != "void"


def ranged(one: Passed, call: Call, numbers: dict[str, int]) -> bool:
    """Whether a number that follows from others may be out of the range of its type."""
    if one.integer is None:
        return False
    text = one.value.strip()
    if text.lstrip("-").isdigit() or text in numbers:
        return False
    return not (text.startswith("len(") and text.endswith(")") and one.integer.high >= 2**63 - 1)


def counted(name: str, call: Call) -> bool:
    """Whether an expression or a check uses the length of a parameter."""
    texts = [text for one in call.passed for text in (one.value, one.room)]
    texts += [one.filled for one in call.returned] + [one.size for one in call.checks] + [call.ok]
    return any(f"len({name})" in text for text in texts) or any(one.taken == name for one in call.checks)


def c_docstring(call: Call) -> str:
    """A docstring as a literal of C, with the signature as `inspect` reads it."""
    names = "".join(f"{one.name}, " for one in call.taken)
    text = f"{call.symbol}({names + '/' if names else ''})\n--\n\n{spelling.documentation(call, '').strip()}"
    text = text.replace('"', '\\"')
    return "\n         ".join(f'"{line}\\n"' for line in text.splitlines()).removesuffix('\\n"') + '"'


def slot_holder(call: Call, name: str, cython: bool = False) -> str:
    """The address of the object that keeps a callback, which may have a slot for it already; NULL for none."""
    holder = next((holder for kept, holder in call.keeps if kept == name), "")
    one = next((each for each in call.taken if each.name == holder), None)
    if one is None:
        return "NULL"
    if not cython:
        return f"{holder}.object"
    address = f"&(<{one.handle}>{holder}).object"
    return f"(<cside_object *>NULL if {holder} is None else {address})" if one.nullable else address


def converter(kind: Type) -> str:
    """The conversion of what a callable returns, in Python."""
    its = integer_of(kind)
    if kind.kind == "bool":
        return "bool"
    if its is not None:
        return f'_returned({its.low}, {its.high}, "{its.name}")'
    return "_number" if kind.kind == "float" else "None"


def stateful(call: Call) -> bool:
    """Whether a function needs the classes of its module."""
    return any(one.kind in ("handle", "record") for one in call.taken) or any(
        one.kind in ("handle", "record") for one in call.returned
    )


def trailing_integer(one: Taken, call: Call) -> bool:
    """Whether the call itself may check the range of an integer: nothing else can fail, or use it, before that."""
    after = call.taken[call.taken.index(one) :]
    alone = not call.checks and not call.closes and all(each.kind == "integer" and not each.counted for each in after)
    return alone and not any(each.source in ("number", "buffer") for each in call.passed)


def held_buffers(call: Call) -> list[str]:
    """The parameters whose buffers have to be released after the call."""
    return [
        one.name
        for one in call.taken
        if (one.kind in ("bytes", "buffer") and not one.kept)
        or (one.kind == "record" and one.record is not None and one.record.buffers)
    ]


def link_arguments(libraries: tuple[str, ...]) -> list[str]:
    """The linker's arguments for libraries that are given by their paths: the files, and where to look for them."""
    paths = [Path(one) for one in libraries if Path(one).is_file()]
    return [*map(str, paths), *(f"-Wl,-rpath,{folder}" for folder in dict.fromkeys(one.parent for one in paths))]


def groups(constants: tuple[Constant, ...]) -> list[tuple[str, list[Constant]]]:
    """The constants of each enumeration together."""
    return [(name, list(ones)) for name, ones in groupby(constants, key=lambda one: one.group)]


def member_type(one: Member) -> str:
    """The annotation of an attribute."""
    return {"integer": "int", "float": "float", "bool": "bool", "bytes": "bytes", "buffer": "Buffer | None"}[one.kind]


def member_default(one: Member) -> str:
    """What an attribute is if it is not given."""
    return {"integer": "0", "float": "0.0", "bool": "False", "bytes": f"bytes({one.count})", "buffer": "None"}[one.kind]


def body(text: str) -> str:
    """The body of a function: indented, without empty lines."""
    return "\n".join(f"    {line}" for line in text.splitlines() if line.strip()) + "\n"
