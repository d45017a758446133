# SPDX-License-Identifier: Apache-2.0
"""Makes the call descriptions of a library from its intermediate form."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatchcase

from cside_wrap.header.model import Constant, Type
from cside_wrap.packages.description import (
    Binding,
    Call,
    Callback,
    Check,
    Handle,
    Kind,
    Passed,
    Record,
    Returned,
    Taken,
)
from cside_wrap.packages.kinds import callback_of, class_names, integer_of, kind_of
from cside_wrap.packages.records import record_of
from cside_wrap.packages.spelling import SUFFIXES
from cside_wrap.project.reading import Project
from cside_wrap.roles import expressions
from cside_wrap.roles.form import Parameter, Plan, Result
from cside_wrap.roles.vocabulary import RETURN, Role

__all__ = ["describe"]

RESERVED = {*keyword.kwlist, *dir(builtins), "Error", "NULL", "result", "answer", "core", "given", "nothing", "module"}
RESERVED |= {"args", "nargs", "cdef", "include", "wide", "status", "native"}
"""Names that code of templates uses."""


def describe(project: Project) -> tuple[Binding, dict[str, str]]:
    """The description of a project's library, and why each bound function that is not in it cannot be built."""
    return Describer(project).binding()


class Describer:
    """The describing of one project."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.form = project.form()
        self.names = class_names(self.form)
        self.records: dict[str, Record] = {}
        self.callbacks: dict[str, Callback] = {}

    def binding(self) -> tuple[Binding, dict[str, str]]:
        calls: dict[str, Call] = {}
        unable: dict[str, str] = {}
        for name, plan in self.form.plans.items():
            try:
                calls[name] = self.call(plan)
            except Unable as why:
                unable[name] = str(why)
        handles = tuple(self.handle(name) for name in self.form.objects)
        used = {one.handle for call in calls.values() for one in call.taken}
        used |= {one.handle for call in calls.values() for one in call.returned}
        its = self.project.settings
        raw = sorted(self.raw_names(calls.values(), handles) - set(calls))
        return (
            Binding(
                name=re.sub(r"\W", "_", its.name),
                headers=its.headers,
                libraries=its.libraries,
                sonames=self.project.sonames(),
                unlinked=self.project.unlinked(),
                include=tuple(one[2:] for one in its.flags(self.project.folder) if one.startswith("-I")),
                define=tuple(one[2:] for one in its.flags(self.project.folder) if one.startswith("-D")),
                calls=tuple(calls.values()),
                handles=tuple(one for one in handles if one.name in used),
                records=tuple(self.records.values()),
                constants=tuple(self.constants(calls)),
                callbacks=tuple(self.callbacks.values()),
                raw=tuple(self.raw(name) for name in raw),
            ),
            unable,
        )

    def constants(self, calls: Collection[str]) -> Iterable[Constant]:
        taken = {*calls, *self.names.values(), *keyword.kwlist, "Error"}
        for one in self.form.header.constants.values():
            if one.name not in taken and one.name.isidentifier() and not one.name.startswith("__"):
                yield one

    def raw_names(self, calls: Iterable[Call], handles: Iterable[Handle]) -> set[str]:
        """The functions that expressions, messages, frees and closings call."""
        found: set[str] = set()
        for call in calls:
            texts = [one.value for one in call.passed] + [one.room for one in call.passed] + [call.ok]
            texts += [one.size for one in call.checks] + [one.filled for one in call.returned]
            found |= {name for text in texts if text for name in expressions.names(text)} & set(
                self.form.header.functions
            )
            found |= {call.message, *(one.freed for one in call.returned)} - {""}
        return found | {one.close for one in handles if one.close}

    def raw(self, symbol: str) -> Call:
        """A function that Python does not see."""
        one = self.form.header.functions[symbol]
        passed = tuple(
            Passed(f"arg{place}", "taken", each.type, integer=integer_of(each.type))
            for place, each in enumerate(one.parameters)
        )
        return Call(symbol, one.declaration, "", (), passed, (), (), one.returns, "", "", (), "", False)

    def handle(self, name: str) -> Handle:
        its = self.form.objects[name]
        closing = self.form.header.functions.get(its.close)
        close = its.close if closing is not None and len(closing.parameters) == 1 else ""
        struct = self.form.header.structs.get(name)
        align = struct.align if struct is not None else 1
        return Handle(self.class_name(name), name, its.allocated, align, close, its.makers)

    def class_name(self, name: str) -> str:
        own = self.names.get(name, "") or re.sub(r"\W+", "_", name)
        return f"{own}_" if own in self.form.header.functions else own

    def record(self, kind: Type, buffers: Sequence[tuple[str, str]]) -> Record:
        """The class of a struct. Raises `Unable` for one with fields that no template writes."""
        key = kind.name
        if key in self.form.objects:
            raise Unable(f"takes {key} as a struct, which other functions take as an object: give it the role handle")
        struct = self.form.header.structs.get(key)
        if struct is None:
            raise Unable(f"has the struct {kind.spelling}, whose fields are not declared")
        made = record_of(struct, self.class_name(key), buffers)
        if isinstance(made, str):
            raise Unable(made)
        if key in self.records and self.records[key] != made:
            raise Unable(f"gives {made.name} other buffers than another function")
        self.records[key] = made
        return made

    def call(self, plan: Plan) -> Call:
        """The description of one function. Raises `Unable` where there is none."""
        safe = _names(plan)
        counted = self.counted(plan)
        kept = {one.kept for one in plan.keeps}
        taken = [self.taken(plan, one, safe, one.name in counted, one.name in kept) for one in plan.parameters]
        passed = [self.passed(plan, place, safe) for place in range(len(plan.given))]
        returned = [self.returned(plan, one, safe) for one in plan.results]

        def spelled(text: str) -> str:
            return expressions.renamed(text, safe) if text else ""

        keeps = []
        for keep in plan.keeps:
            made = any(one.argument == keep.holder for one in plan.results)
            holder = "made" if made else keep.holder
            keeps.append((safe[keep.kept], safe.get(holder, holder)))
        held = any(fnmatchcase(plan.symbol, one) for one in self.project.settings.gil_held)
        return Call(
            symbol=plan.symbol,
            declaration=plan.declaration,
            documentation=plan.documentation,
            taken=tuple(taken),
            passed=tuple(passed),
            checks=tuple(Check(safe[one.parameter], spelled(one.size), one.exact) for one in plan.checks),
            returned=tuple(returned),
            result=plan.returns,
            ok=spelled(plan.status.ok) if plan.status is not None else "",
            message=self.message(plan),
            keeps=tuple(keeps),
            closes=safe[plan.closes] if plan.closes else "",
            held=held,
        )

    def message(self, plan: Plan) -> str:
        """The function that names a failure, where it takes a number and returns text."""
        name = plan.status.message if plan.status is not None else ""
        its = self.form.header.functions.get(name)
        fits = its is not None and len(its.parameters) == 1 and its.parameters[0].type.kind in ("int", "enum")
        return name if fits and its is not None and its.returns.pointee.character else ""

    def counted(self, plan: Plan) -> set[str]:
        """The parameters whose values or lengths expressions use."""
        texts = [one.value for one in plan.given if one.source != "user-data"] + [one.room for one in plan.given]
        texts += [one.size for one in plan.checks] + [one.filled for one in plan.results]
        texts += [plan.status.ok] if plan.status is not None else []
        return {name for text in texts if text for name in expressions.names(text)}

    def taken(self, plan: Plan, one: Parameter, safe: dict[str, str], counted: bool, kept: bool) -> Taken:
        kind = one.type
        to = kind.pointee
        name = safe[one.name]
        if one.role == Role.VALUE or one.role == Role.VALUE_INOUT:
            its = kind if one.role == Role.VALUE else to
            if not its.arithmetic:
                raise Unable(f"takes {one.name}, a {kind.spelling}, as a number")
            return Taken(name, kind_of(its), its, integer=integer_of(its), counted=counted)
        if one.role == Role.BYTES_IN or one.role == Role.BYTES_INOUT:
            writes: Kind = "buffer" if one.writable else "bytes"
            return Taken(name, writes, kind, one.nullable, counted=True, kept=kept)
        if one.role == Role.TEXT_IN:
            if one.encoding.lower().replace("_", "-") not in ("", "utf-8", "utf8", "ascii"):
                raise Unable(f"takes {one.name} in the encoding {one.encoding}")
            return Taken(name, "text", kind, one.nullable, kept=kept)
        if one.role == Role.HANDLE:
            if to.name not in self.form.objects:
                raise Unable(f"takes {one.name}, an object of no known type")
            return Taken(name, "handle", kind, one.nullable, handle=self.class_name(to.name), kept=kept)
        if one.role == Role.STRUCT:
            its = kind if kind.record else to
            record = self.record(its, one.buffers)
            changed = kind.kind == "pointer" and not to.const
            return Taken(name, "record", kind, one.nullable, record=record, changed=changed)
        if one.role == Role.ADDRESS and kind.kind == "pointer" and kind.callback is None:
            return Taken(name, "address", kind, one.nullable)
        if one.role == Role.CALLBACK:
            return Taken(name, "callback", kind, one.nullable, kept=kept, callback=self.callback(kind))
        raise Unable(f"takes {one.name}, whose role {one.role} no template writes")

    def passed(self, plan: Plan, place: int, safe: dict[str, str]) -> Passed:
        one = plan.given[place]
        kind = one.type
        name = safe[one.argument]
        if one.source == "parameter":
            return Passed(name, "taken", kind, safe[one.parameter], integer=integer_of(kind))
        if one.source == "address":
            by = next(each for each in plan.parameters if each.name == one.parameter)
            if by.role == Role.VALUE_INOUT:
                value = one.parameter
                return Passed(
                    name,
                    "cell",
                    kind,
                    safe[one.parameter],
                    expressions.renamed(value, safe),
                    "",
                    integer_of(kind.pointee),
                )
            return Passed(name, "pointer", kind, safe[one.parameter])
        if one.source == "buffer":
            return Passed(name, "buffer", kind, room=expressions.renamed(one.room, safe))
        if one.source == "cell":
            to = kind.pointee
            if to.record:
                return Passed(name, "record", kind, record=self.record(to, ()))
            value = expressions.renamed(one.value, safe) if one.value and to.arithmetic else ""
            return Passed(name, "cell", kind, value=value, integer=integer_of(to))
        if one.source == "expression":
            if kind.callback is not None and not one.value.lstrip("-").isdigit():
                raise Unable(f"gives {one.argument} a number in place of a function")
            return Passed(name, "number", kind, value=expressions.renamed(one.value, safe), integer=integer_of(kind))
        if one.source == "null":
            return Passed(name, "null", kind)
        if one.source == "callback":
            return Passed(name, "callback", kind, safe[one.parameter])
        return Passed(name, "null", kind)  # callables are found without user data

    def callback(self, kind: Type) -> Callback:
        """The type of callbacks. Raises `Unable` for one that no template writes."""
        if kind.spelling not in self.callbacks:
            made = callback_of(kind, len(self.callbacks))
            if isinstance(made, str):
                raise Unable(made)
            self.callbacks[kind.spelling] = made
        return self.callbacks[kind.spelling]

    def returned(self, plan: Plan, one: Result, safe: dict[str, str]) -> Returned:
        source = "result" if one.argument == RETURN else safe[one.argument]
        kind = one.type
        filled = expressions.renamed(one.filled, safe) if one.filled else ""
        freed = one.owner if one.owner in self.form.header.functions else ""
        if one.role == Role.VALUE:
            return Returned(source, kind_of(kind), kind, integer=integer_of(kind))
        if one.role == Role.TEXT:
            return Returned(source, "text", kind, nullable=True, freed=freed)
        if one.role == Role.BYTES:
            return Returned(source, "bytes", kind, filled, one.nullable, freed=freed)
        if one.role == Role.HANDLE:
            if kind.pointee.name not in self.form.objects:
                raise Unable("returns an object of no known type")
            name = self.class_name(kind.pointee.name)
            return Returned(source, "handle", kind, nullable=one.nullable, handle=name, owned=bool(freed))
        if one.role == Role.STRUCT:
            by_address = kind.kind == "pointer"
            record = self.record(kind.pointee if by_address else kind, ())
            return Returned(source, "record", kind, nullable=by_address, record=record)
        if one.role == Role.ADDRESS:
            return Returned(source, "address", kind, nullable=True)
        raise Unable(f"returns the role {one.role}, which no template writes")


class Unable(Exception):
    """A function cannot be described; the text says why, as ``takes a callback``."""


def _names(plan: Plan) -> dict[str, str]:
    """A name for each argument that is no keyword, no builtin and none of the names that templates use."""
    safe: dict[str, str] = {}
    for name in (*(one.argument for one in plan.given), *(one.name for one in plan.parameters)):
        others = {one for key, one in safe.items() if key != name}
        made = {f"{one}{suffix}" for one in others for suffix in SUFFIXES}
        own = name.lstrip("_") or "argument"
        while own in RESERVED or own == plan.symbol or own in others or own in made:
            own += "_"
        while any(f"{own}{suffix}" in others for suffix in SUFFIXES):
            own += "_"
        safe[name] = own
    return safe
