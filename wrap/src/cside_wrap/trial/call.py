# SPDX-License-Identifier: Apache-2.0
"""Carries out a plan of the intermediate form by ctypes, with guarded memory."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cside_wrap.errors import WrapError
from cside_wrap.header.model import Function, Type
from cside_wrap.roles import expressions
from cside_wrap.roles.form import Given, Library, Parameter, Plan, Result
from cside_wrap.roles.vocabulary import RETURN, Role
from cside_wrap.trial.ctypes_types import Types
from cside_wrap.trial.memory import Block, Memory

__all__ = ["Caller", "Failed", "Handle", "NoValue"]

LARGEST = 1 << 26
"""Bytes of the largest buffer that a trial allocates."""


class NoValue(Exception):
    """There is nothing to pass; the text says of what."""


class Failed(Exception):
    """The call returned a status that is a failure, or the binding would have raised before it."""


@dataclass
class Handle:
    """An object of the library."""

    type: str
    address: int
    closed: bool = False


@dataclass
class Caller:
    """Calls functions of a library in this process."""

    form: Library
    libraries: Sequence[Path]
    memory: Memory = field(default_factory=Memory)
    alive: list[Any] = field(default_factory=list)
    callbacks: int = 0
    """How many callbacks were called."""

    def __post_init__(self) -> None:
        self.loaded = [ctypes.CDLL(str(path)) for path in self.libraries]
        self.types = Types(self.form.header)
        constants = self.form.header.constants.values()
        self.constants: dict[str, object] = {one.name: one.value for one in constants if isinstance(one.value, int)}
        self.functions: dict[str, object] = {
            name: _Function(self, name)
            for name, one in self.form.header.functions.items()
            if one.returns.kind in ("int", "enum", "bool")
        }
        self.inputs: list[Block] = []
        """What the calls since it was last emptied were given."""

    def symbol(self, name: str) -> Any:
        """The function, of the first library that has it, with its types declared."""
        one: Function = self.form.header.functions[name]
        for library in self.loaded:
            if hasattr(library, name):
                found = library[name]
                found.argtypes = [self.types.of(each.type) for each in one.parameters]
                found.restype = self.types.of(one.returns)
                return found
        raise NoValue(f"no library exports {name}")

    def call(self, plan: Plan, values: Sequence[object]) -> list[object]:
        """Call a function; return the results in the form's order.

        Raises `Failed` where its status or a check says so. `values` are those of the plan's parameters.
        """
        by_name: dict[str, tuple[Parameter, object]] = {
            one.name: (one, value) for one, value in zip(plan.parameters, values, strict=True)
        }
        known = self.known(plan, by_name)
        for check in plan.checks:
            value, size = by_name[check.parameter][1], expressions.value_of(check.size, known)
            if isinstance(value, bytes) and (len(value) < size or (check.exact and len(value) != size)):
                raise Failed(f"ValueError: {check.parameter} has {len(value)} bytes, not {size}")
        cells: dict[str, Block] = {}
        native = [self.given(one, by_name, known, cells) for one in plan.given]
        result = self.symbol(plan.symbol)(*native)
        known["result"] = 0 if result is None else result
        if plan.status is not None and not expressions.value_of(plan.status.ok, known):
            raise Failed(f"status {result}{self.message(plan.status.message, result)}")
        found = []
        for one in plan.results:
            cell = cells.get(one.argument)
            if cell is not None and one.role != Role.BYTES:
                known[one.argument] = int.from_bytes(cell.content(), "little")
        for its in plan.given:
            if its.argument in cells and its.source in ("cell", "address") and its.type.pointee.arithmetic:
                known[its.argument] = int.from_bytes(cells[its.argument].content(), "little")
        for one in plan.results:
            found.append(self.result(one, result, cells, known))
        if plan.closes and isinstance(handle := by_name[plan.closes][1], Handle):
            handle.closed = True
        return found

    def known(self, plan: Plan, by_name: Mapping[str, tuple[Parameter, object]]) -> dict[str, object]:
        """The names that expressions may use: constants, functions, arguments and what follows from them."""
        known = {**self.constants, **self.functions}
        for name, (_, value) in by_name.items():
            known[name] = value
        waiting = [one for one in plan.given if one.source in ("expression", "cell") and one.value]
        for _ in range(len(waiting) + 1):
            left = []
            for one in waiting:
                try:
                    known[one.argument] = expressions.value_of(one.value, known)
                except WrapError:
                    left.append(one)
            waiting = left
        if waiting:
            raise NoValue(f"{waiting[0].argument}: {waiting[0].value} cannot be computed")
        return known

    def given(
        self,
        one: Given,
        by_name: Mapping[str, tuple[Parameter, object]],
        known: Mapping[str, object],
        cells: dict[str, Block],
    ) -> object:
        """The value that ctypes passes for one argument of C."""
        if one.source == "null":
            return None
        if one.source == "expression":
            return known[one.argument]
        if one.source == "user-data":
            return 0x5A5A
        if one.source == "buffer":
            room = expressions.value_of(one.room, known)
            if not 0 <= room <= LARGEST:
                raise Failed(f"ValueError: {one.argument} would have {room} bytes")
            cells[one.argument] = self.memory.block(bytes(room), writable=True)
            return cells[one.argument].address
        if one.source == "cell":
            size = one.type.pointee.size or ctypes.sizeof(ctypes.c_void_p)
            start = known.get(one.argument, 0)
            content = int(start if isinstance(start, int) else 0).to_bytes(max(size, 8), "little")[:size]
            cells[one.argument] = self.memory.block(content.ljust(size, b"\0"), writable=True, align=min(size, 16))
            return cells[one.argument].address
        parameter, value = by_name[one.parameter]
        if one.source == "callback":
            return None if value is None else ctypes.cast(self.callback(one.type), ctypes.c_void_p).value
        if one.source == "address" and parameter.role == Role.VALUE_INOUT:
            if not isinstance(value, int):
                raise NoValue(f"{one.argument}: a trial passes whole numbers alone by address, and this is {value!r}")
            content = bytes(ctypes.c_int64(value))[: one.type.pointee.size]
            cells[one.argument] = self.memory.block(content, writable=True, align=one.type.pointee.size)
            return cells[one.argument].address
        return self.passed(parameter, value)

    def passed(self, parameter: Parameter, value: object) -> object:
        """What a parameter becomes: an address for all but numbers and structs by value."""
        if value is None:
            return None
        if isinstance(value, Handle):
            if value.closed:
                raise NoValue("the object is closed")
            return value.address
        if parameter.role in (Role.BYTES_IN, Role.TEXT_IN) and isinstance(value, bytes):
            content = value + (b"\0" if parameter.role == Role.TEXT_IN else b"")
            self.inputs.append(self.memory.block(content, writable=False))
            return self.inputs[-1].address
        if parameter.role == Role.BYTES_INOUT and isinstance(value, bytes):
            self.inputs.append(self.memory.block(value, writable=True))
            return self.inputs[-1].address
        if parameter.role == Role.STRUCT:
            return self.struct(parameter, value)
        return value

    def struct(self, parameter: Parameter, value: object) -> object:
        """A struct, all zero but for its buffers, each of as many bytes as `value` says."""
        kind = parameter.type.pointee if parameter.type.kind == "pointer" else parameter.type
        made = self.types.record(kind.name)()
        for name, size in parameter.buffers:
            field_type = next(one.type for one in self.form.header.structs[kind.name].fields if one.name == name)
            content = value if isinstance(value, bytes) else b""
            block = self.memory.block(content, writable=not field_type.pointee.const)
            self.inputs.append(block)
            setattr(made, name, block.address)
            setattr(made, size, len(content))
        if parameter.type.kind != "pointer":
            return made
        align = self.form.header.structs[kind.name].align
        block = self.memory.block(bytes(made), writable=not kind.const, align=align)
        self.inputs.append(block)
        return block.address

    def callback(self, kind: Type) -> Any:
        """A C function that counts its calls and returns 0 or NULL."""
        takes = kind.callback
        assert takes is not None
        prototype = ctypes.CFUNCTYPE(
            self.types.of(takes.pointee), *(self.types.of(each.type) for each in takes.parameters)
        )

        def called(*_: object) -> object:
            self.callbacks += 1
            return None if takes.pointee.kind == "void" else 0

        self.alive.append(prototype(called))
        return self.alive[-1]

    def result(self, one: Result, own: Any, cells: Mapping[str, Block], known: Mapping[str, object]) -> object:
        """One of the values for Python."""
        if one.argument != RETURN:
            cell = cells[one.argument]
            if one.role == Role.BYTES:
                filled = expressions.value_of(one.filled, known)
                if not 0 <= filled <= cell.size:
                    raise Failed(f"{filled} bytes of {one.argument} are said to be filled, and it has {cell.size}")
                return cell.content()[:filled]
            if one.role == Role.HANDLE:
                address = int.from_bytes(cell.content(), "little")
                return Handle(one.type.pointee.name, address) if address else None
            return known.get(one.argument, cell.content())
        if own is None and one.role not in (Role.VALUE, Role.NOTHING):
            return None
        if one.role == Role.HANDLE:
            return Handle(one.type.pointee.name, own)
        if one.role == Role.TEXT:
            return ctypes.string_at(own)
        if one.role == Role.BYTES:
            return ctypes.string_at(own, expressions.value_of(one.filled, known))
        if one.role == Role.STRUCT and one.type.kind == "pointer":
            return ctypes.string_at(own, one.type.pointee.size)
        return own

    def message(self, name: str, status: object) -> str:
        """What the library calls a failure."""
        if not name or name not in self.form.header.functions:
            return ""
        text = self.symbol(name)(status)
        return f": {ctypes.string_at(text).decode('utf-8', 'replace')}" if text else ""


@dataclass(frozen=True)
class _Function:
    """A function of the library in an expression."""

    caller: Caller
    name: str

    def __call__(self, *arguments: int | Handle) -> int:
        native = [one.address if isinstance(one, Handle) else one for one in arguments]
        return int(self.caller.symbol(self.name)(*native))
