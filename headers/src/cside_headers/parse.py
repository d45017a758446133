# SPDX-License-Identifier: Apache-2.0
"""Parses a set of headers, and the headers beside them that they include, into a model."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from cside_headers.argument_roles import Overrides, Types, infer, plain
from cside_headers.declarations import Alias, Declaration, Enum, Named, Pointer, Prototype, Record, read
from cside_headers.errors import HeaderError, Source
from cside_headers.macro_values import Macro, Number, Unevaluated, Values, integer
from cside_headers.model import Callback, Constant, Field, Function, Model, Struct, Typedef
from cside_headers.preprocess import DEFINED, Preprocessor

__all__ = ["Headers", "parse"]

T = TypeVar("T", Record, Prototype, Pointer, Alias, Enum)

LIST = re.compile(r"_?ck_function_list(?:_(\d)_(\d))?", re.IGNORECASE)
"""Matches tags of function lists, in the spelling of either convention."""

PROMISED = re.compile(r"CK[A-Z]_\w+")
"""Matches names that the standard reserves for values. A macro of such a name without a value is an error."""


@dataclass
class Headers:
    """A set of headers that was read: the model, and facts that are not part of the model."""

    model: Model
    paths: tuple[Path, ...]
    """The given files and the files that they include."""
    roots: tuple[Path, ...]
    """The given files that no other one includes; a program would include these."""
    lists: Mapping[str, tuple[str, ...]]
    """The functions of each function list, by the tag of the list."""
    macros: Mapping[str, Macro]
    missing: Sequence[tuple[Path, str]] = ()
    """Names of included files that were not found, each with the file that includes it."""
    notes: list[str] = field(default_factory=list)
    """Messages about macros that were defined twice and includes that were not found."""
    entries: Mapping[str, str] = field(default_factory=dict)
    """For functions that have no declaration but an entry in a function list: the type of the entry, by function."""
    define: Mapping[str, str] = field(default_factory=dict)
    """Macros that the user defined by ``--define``."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """The spelling in C of structs without a typedef, as ``struct ck_info``, by name."""

    def spell(self, type_: str) -> str:
        """The spelling in C of a type of the model."""
        return re.sub(r"\w+", lambda found: self.tags.get(found[0], found[0]), type_)


def parse(
    paths: Iterable[Path | str], *, overrides: Overrides | None = None, define: Mapping[str, str] | None = None
) -> Headers:
    """Parse headers.

    Raise :class:`~cside_headers.errors.HeaderError` if they cannot be read or contradict themselves.
    """
    files = _Files([Path(path) for path in paths], {**DEFINED, **(define or {})})
    headers = _Assembly(files, overrides or Overrides()).headers()
    headers.define = dict(define or {})
    return headers


class _Files:
    """Reads each file once, at the place where it is first included or given."""

    def __init__(self, paths: Sequence[Path], define: Mapping[str, str]) -> None:
        self.declared: list[Declaration] = []
        self.read: dict[Path, Path] = {}
        self.included: set[Path] = set()
        self.missing: list[tuple[Path, str]] = []
        self.given = paths
        self.processor = Preprocessor(define, self._include)
        if not paths:
            raise HeaderError("no headers given")
        # A file that another one includes is read at that place, in whatever order they were given
        names = {path.name for path in paths}
        leaves = {
            name for path in paths if path.is_file() for name in _includes(path) if name in names and name != path.name
        }
        for path in sorted(paths, key=lambda path: path.name in leaves):
            self._file(path)

    def _file(self, path: Path) -> None:
        if path.resolve() not in self.read:
            self.read[path.resolve()] = path
            self.declared += read(self.processor.read(Source.read(path)))

    def _include(self, source: Source, name: str) -> None:
        beside = source.path.parent / name
        path = next((p for p in (beside, *self.given) if p.name == Path(name).name and _is_file(p)), None)
        if path is None:
            self.missing.append((source.path, name))
        else:
            self.included.add(path.resolve())
            self._file(path)

    def of(self, kind: type[T]) -> list[T]:
        return [declaration for declaration in self.declared if isinstance(declaration, kind)]


def _is_file(path: Path) -> bool:
    """Whether there is a file of this name, which may be too long, or contain bytes that no name can."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _includes(path: Path) -> list[str]:
    return re.findall(r'^[ \t]*#[ \t]*include[ \t]*"(?:[^"]*/)?([^"/]+)"', Source.read(path).text, re.MULTILINE)


class _Assembly:
    def __init__(self, files: _Files, overrides: Overrides) -> None:
        self.files, self.overrides = files, overrides
        self.macros = files.processor.macros
        self.records = {record.tag: record for record in files.of(Record) if not LIST.fullmatch(record.tag)}
        self.aliased: set[str] = set()
        self.names = self._names()
        self.tags: dict[str, str] = {}
        for tag, record in self.records.items():
            self._named("union" if record.union else "struct", tag)
        self.typedefs = self._typedefs()
        # without the types of pointers to the standard's functions
        self.pointers = [
            p for p in files.of(Pointer) if not re.match(r"CK_C_|_?ck_function_list", p.name, re.IGNORECASE)
        ]
        self.types = Types(
            {typedef.name: (typedef.target, typedef.pointers) for typedef in self.typedefs},
            frozenset(self.names[tag] for tag in self.records),
            frozenset(pointer.name for pointer in self.pointers),
        )
        self.values = Values(self.macros, self._integers())
        self.prototypes, self.entries = self._declared()
        self.lists = self._lists()

    def headers(self) -> Headers:
        constants = self._constants()
        known = {constant.name: constant.value for constant in constants}
        major, minor = known.get("CRYPTOKI_VERSION_MAJOR", 2), known.get("CRYPTOKI_VERSION_MINOR", 40)
        version = (int(major), int(minor))
        structs = tuple(self._struct(record) for record in self.records.values())
        functions = tuple(self._functions(version))
        callbacks = tuple(
            Callback(p.name, infer(p.name, self._spelled(p.arguments), self.types, self.overrides), p.returns)
            for p in self.pointers
        )
        callables: list[Function | Callback] = [*functions, *callbacks]
        self._check_overrides({c.name: [a.name for a in c.arguments] for c in callables}, structs)
        sources = tuple(sorted(path.name for path in self.files.read.values()))
        notes = [
            f"{new.place}: {new.name} is defined again; C uses the last, {new.body!r} (before: {old.body!r})"
            for old, new in self.files.processor.redefined
        ]
        return Headers(
            Model(functions, structs, tuple(self.typedefs), callbacks, tuple(constants), version, sources),
            tuple(self.files.read.values()),
            tuple(path for path in self.files.given if path.resolve() not in self.files.included),
            self.lists or self._implied_lists(functions),
            self.macros,
            self.files.missing,
            notes
            + [
                f'{path}: includes "{name}", which was not found beside it; it is ignored'
                for path, name in self.files.missing
            ],
            entries=self.entries,
            tags=self.tags,
        )

    def _names(self) -> dict[str, str]:
        """A name for every tag: the typedef of the same name, or else the first typedef, or else the tag itself."""
        names: dict[str, str] = {}
        for alias in self.files.of(Alias):
            kind, _, tag = alias.type.partition(" ")
            if kind in ("struct", "union") and "*" not in tag and (tag not in names or alias.name == tag):
                names[tag] = alias.name
                self.aliased.add(tag)
        return {**{tag: tag for tag in self.records}, **names}

    def _spell(self, spelled: str) -> str:
        """A type with each ``struct tag`` replaced by its name."""
        return re.sub(r"\b(struct|union) ([\w.]+)", lambda m: self._named(m[1], m[2]), spelled)

    def _named(self, kind: str, tag: str) -> str:
        if tag not in self.aliased and "." not in tag:
            self.tags[tag] = f"{kind} {tag}"
        return self.names.get(tag, tag)

    def _spelled(self, members: Iterable[Named]) -> tuple[Named, ...]:
        return tuple(Named(m.name, self._spell(m.type), m.place, m.sizes) for m in members)

    def _typedefs(self) -> list[Typedef]:
        made: dict[str, Typedef] = {}
        for alias in self.files.of(Alias):
            kind, _, tag = alias.type.partition(" ")
            if kind in ("struct", "union") and tag in self.records and self.names[tag] == alias.name:
                continue  # the struct has this name
            target = self._spell(alias.type.removeprefix("const ")).replace(" *", "*")
            new = Typedef(alias.name, target.rstrip("*"), len(target) - len(target.rstrip("*")))
            if made.setdefault(alias.name, new) != new:
                raise HeaderError(f"{alias.name} is declared before, as something else", alias.place)
        return list(made.values())

    def _integers(self) -> dict[str, tuple[int, bool]]:
        found = {}
        for typedef in self.typedefs:
            kind = integer(self.types.base(typedef.name).split())
            if not typedef.pointers and kind is not None:
                found[typedef.name] = kind
        return found

    def _struct(self, record: Record) -> Struct:
        name = self.names[record.tag]
        members = self._spelled(record.fields)
        fields = tuple(
            Field(member.name, member.type, self._count(member), self._field_length(name, member, members))
            for member in members
        )
        return Struct(name, fields, record.union, record.pack)

    def _count(self, member: Named) -> int | None:
        sizes = [self.values.compute(size, member.place) for size in member.sizes]
        if any(not isinstance(size, Number) or size.value < 0 for size in sizes):
            raise HeaderError(f"{member.name} has an array size that is no number", member.place)
        return math.prod(size.value for size in sizes if isinstance(size, Number)) if sizes else None

    def _field_length(self, owner: str, member: Named, members: Sequence[Named]) -> str | None:
        if self.types.target(member.type) is None or member.sizes:
            return None
        given = self.overrides.of(owner, member.name, members).get("length")
        stem, digits = re.fullmatch(r"(.*?)(\d*)", plain(member.name)).groups()  # type: ignore[union-attr]
        wanted = {stem + digits + ending for ending in ("len", "length", "bytes")} | {f"{stem}len{digits}"}
        if given is not None:
            wanted = {plain(given)}
        return next((m.name for m in members if m is not member and plain(m.name) in wanted), None)

    def _lists(self) -> dict[str, tuple[str, ...]]:
        """Function lists whose entries are spelled out, as in the single header.

        The three files include pkcs11f.h instead.
        """
        found = {}
        for record in self.files.of(Record):
            members = tuple(member.name for member in record.fields if member.name in self.prototypes)
            if LIST.fullmatch(record.tag) and members:
                found[record.tag] = members
        return found

    def _implied_lists(self, functions: Sequence[Function]) -> dict[str, tuple[str, ...]]:
        tags = [record.tag for record in self.files.of(Record) if LIST.fullmatch(record.tag)]
        return {tag: tuple(f.name for f in functions if f.version <= _list_version(tag)) for tag in tags}

    def _declared(self) -> tuple[dict[str, Prototype], dict[str, str]]:
        """Functions by name; and for those that are declared only by an entry in a list, the type of that entry."""
        declared: dict[str, Prototype] = {}
        for prototype in self.files.of(Prototype):
            old = declared.setdefault(prototype.name, prototype)
            if [a.type for a in old.arguments] != [a.type for a in prototype.arguments]:
                raise HeaderError(f"{prototype.name} is declared before, with other arguments", prototype.place)
        pointers = {pointer.name: pointer for pointer in self.files.of(Pointer)}
        entries = {}
        for record in self.files.of(Record):
            for member in record.fields if LIST.fullmatch(record.tag) else ():
                if member.name not in declared and member.type in pointers:
                    pointer = pointers[member.type]
                    declared[member.name] = Prototype(member.name, pointer.arguments, pointer.place, None, "")
                    entries[member.name] = member.type
        return declared, entries

    def _functions(self, version: tuple[int, int]) -> Iterable[Function]:
        declared = self.prototypes
        versions = {name: p.version or max(version, (2, 40)) for name, p in declared.items()}
        order = list(declared)
        if self.lists:  # the order of the functions is that of the list
            ranked = sorted(self.lists.items(), key=lambda item: _list_version(item[0]))
            for tag, members in reversed(ranked):
                versions.update(dict.fromkeys(members, _list_version(tag)))
            listed = list(dict.fromkeys(name for _, members in ranked for name in members))
            order = [*listed, *(name for name in declared if name not in listed)]
        for name in order:
            prototype = declared[name]
            arguments = infer(name, self._spelled(prototype.arguments), self.types, self.overrides)
            yield Function(name, arguments, versions[name], prototype.doc)

    def _constants(self) -> list[Constant]:
        made = []
        for name, macro in self.macros.items():
            promised = PROMISED.fullmatch(name) is not None
            if name in self.files.processor.given or macro.parameters is not None or not macro.body:
                continue
            if name.startswith("_") or (macro.setting and not promised):
                continue  # include guards, and values that a program may choose
            try:
                value = self.values.of(name)
            except Unevaluated:
                if promised:
                    raise
                continue
            made.append(Constant(name, value.value if isinstance(value, Number) else value, macro.body))
        for enum in self.files.of(Enum):
            last = -1
            for name, expression in enum.members:
                worth = self.values.compute(expression, enum.place) if expression else Number(last + 1)
                last = worth.value if isinstance(worth, Number) else 0
                made.append(Constant(name, last, expression or str(last)))
        return made

    def _check_overrides(self, arguments: Mapping[str, Sequence[str]], structs: Sequence[Struct]) -> None:
        """Raise :class:`HeaderError` if a file of the user names something that these headers do not have."""
        members = {**{s.name: [f.name for f in s.fields] for s in structs}, **arguments}
        for path, owner, member in self.overrides.given:
            if owner not in members:
                raise HeaderError(
                    f"{path}: [{owner}.{member}]: no function, callback or struct {owner} in these headers"
                )
            if plain(member) not in {plain(name) for name in members[owner]}:
                raise HeaderError(f"{path}: [{owner}.{member}]: {owner} has {', '.join(members[owner])}")


def _list_version(tag: str) -> tuple[int, int]:
    found = LIST.fullmatch(tag)
    return (int(found[1]), int(found[2])) if found and found[1] else (2, 40)
