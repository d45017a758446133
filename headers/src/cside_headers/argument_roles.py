# SPDX-License-Identifier: Apache-2.0
"""Infers the role of each argument from the conventions of the standard.

A role that does not follow from them is an error.

The conventions (PKCS #11 base specification 2.40; 3.x has the same):

- Prefixes of names, "Definitions": ``p`` a pointer, ``ul`` a CK_ULONG, ``pul`` a pointer to one, ``h`` a handle,
  ``ph`` a pointer to one, ``pp`` a pointer to a pointer.
- Input of variable length: a pointer, and its count by value directly after it.
- Output of variable length, 5.2: a pointer, and a pointer to its count directly after it.
- Text is CK_UTF8CHAR, data CK_BYTE.
- A mechanism is an input; a struct that is called CK_..._INFO is an output.

The name of a count tells to which pointer it belongs: ``ulPinLen`` and ``pulPinLen`` belong to ``pPin``, ``ulOldLen``
to ``pOldPin`` (which begins with the same word), ``ulCount`` to any pointer, ``ulPublicKeyAttributeCount`` to
``pPublicKeyTemplate``. The names of the single header, in lower case with underscores and without prefixes, are
compared in the same way. Everything else is in overrides.toml, with the section of the standard that defines it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from cside_headers.declarations import Named
from cside_headers.errors import HeaderError
from cside_headers.macro_values import integer
from cside_headers.model import Argument, Role

__all__ = ["Overrides", "Types", "belongs", "infer", "plain"]

BUILTIN = frozenset({"unsigned", "signed", "long", "short", "int", "char", "float", "double", "void"})
BYTES = ("unsigned char", "char", "signed char")
COUNTS = ("len", "length", "count", "bytes")
KEYS = {"role": str, "length": str, "limit": str, "width": int, "optional": bool, "why": str}


@dataclass(frozen=True)
class Types:
    """The types of the headers: target and number of stars of each typedef, and the names of structs and callbacks."""

    aliases: Mapping[str, tuple[str, int]]
    structs: frozenset[str]
    callbacks: frozenset[str]

    def target(self, spelled: str) -> str | None:
        """The type that a pointer points to: CK_BYTE for CK_BYTE_PTR and ``const CK_BYTE *``; None for other types."""
        name = spelled.removeprefix("const ")
        if name.endswith("*"):
            return name[:-1].strip()
        if name in self.aliases and self.aliases[name][1]:
            target, stars = self.aliases[name]
            return target if stars == 1 else f"{target} {'*' * (stars - 1)}"
        return self.target(self.aliases[name][0]) if name in self.aliases and self.aliases[name][0] != name else None

    def known(self, spelled: str) -> bool:
        """Whether the headers, or C itself, define a type."""
        name = spelled.removeprefix("const ").rstrip("* ")
        declared = name in self.aliases or name in self.structs or name in self.callbacks
        return declared or "*" in spelled or set(name.split()) <= BUILTIN or integer([name]) is not None

    def base(self, name: str) -> str:
        """The end of a chain of typedefs: ``unsigned char`` for CK_UTF8CHAR."""
        seen = set()
        while name in self.aliases and self.aliases[name][1] == 0 and name not in seen:
            seen.add(name)
            name = self.aliases[name][0]
        return name


class Overrides:
    """Explicit roles and lengths, by ``[function.argument]`` or ``[struct.field]``.

    Later files override earlier ones.
    """

    def __init__(self, *paths: Path) -> None:
        self.entries: dict[str, dict[str, dict[str, Any]]] = {}
        self.given: list[tuple[Path, str, str]] = []
        self._load(files(__package__).joinpath("overrides.toml").read_text(encoding="utf-8"), Path("overrides.toml"))
        for path in paths:
            try:
                text = path.read_text(encoding="utf-8")
            except OSError as error:
                raise HeaderError(f"{path}: {error.strerror or error}") from error
            self.given += [(path, owner, member) for owner, member in self._load(text, path)]

    def _load(self, text: str, path: Path) -> list[tuple[str, str]]:
        try:
            tables = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise HeaderError(f"{path}: {error}") from error
        loaded = []
        for owner, members in tables.items():
            for member, entry in members.items() if isinstance(members, dict) else ((str(members), None),):
                where = f"{path}: [{owner}.{member}]"
                if not isinstance(entry, dict):
                    raise HeaderError(f"{where}: expected a table such as [C_InitToken.pLabel]")
                for key, value in entry.items():
                    if key not in KEYS or not isinstance(value, KEYS[key]):
                        raise HeaderError(f"{where}: {key} = {value!r}: known are {', '.join(KEYS)}")
                if "role" in entry and entry["role"] not in set(Role):
                    raise HeaderError(f"{where}: no role {entry['role']!r}; the roles are {', '.join(Role)}")
                self.entries.setdefault(owner, {})[member] = entry
                loaded.append((owner, member))
        return loaded

    def of(self, owner: str, member: str, members: Iterable[Named]) -> dict[str, Any]:
        """The entry for an argument of a function or a field of a struct; empty if there is none.

        If no member is spelled as in the entry, the names are compared across the two conventions of spelling.
        """
        entries = self.entries.get(owner, {})
        if member in entries or not entries:
            return entries.get(member, {})
        taken = {other.name for other in members}
        return next((e for name, e in entries.items() if name not in taken and plain(name) == plain(member)), {})


@cache
def plain(name: str) -> str:
    """A name in lower case, without prefix and underscores: ``oldpin`` for ``pOldPin`` and for ``old_pin``."""
    stripped = re.sub(r"^(?:pul|pus|pp|ph|pb|ul|us|p|h|b)(?=[A-Z])", "", name)
    stripped = re.sub(r"templ$", "template", stripped)  # the single header avoids C++'s reserved word
    return stripped.replace("_", "").lower()


def belongs(count: str, pointer: str) -> bool:
    """Whether `count` is the name of a count for `pointer`."""
    of, stem = plain(pointer), plain(count)
    ending = next((ending for ending in COUNTS if stem.endswith(ending)), None)
    if ending is None:
        return False
    stem = stem.removesuffix(ending).removeprefix("max")
    return of.startswith(stem) or (of.endswith("template") and stem == of.removesuffix("template") + "attribute")


def infer(owner: str, arguments: Sequence[Named], types: Types, overrides: Overrides) -> tuple[Argument, ...]:
    """The arguments of a function or callback with their roles.

    Raise :class:`HeaderError` if a role cannot be inferred.
    """
    return tuple(_Inference(owner, arguments, types, overrides).run())


class _Inference:
    def __init__(self, owner: str, arguments: Sequence[Named], types: Types, overrides: Overrides) -> None:
        self.owner, self.arguments, self.types, self.overrides = owner, arguments, types, overrides
        self.counts: set[str] = set()
        self.tried: list[str] = []

    def run(self) -> list[Argument]:
        made: dict[str, Argument] = {}
        for index, argument in enumerate(self.arguments):
            if argument.name in made:
                raise HeaderError(f"{self.owner} has two arguments {argument.name}", argument.place)
            made[argument.name] = self._argument(index, argument)
        for name in self.counts:
            count = made[name]
            made[name] = Argument(count.name, count.type, Role.LENGTH, target=count.target)
        return list(made.values())

    def _argument(self, index: int, argument: Named) -> Argument:
        given = self.overrides.of(self.owner, argument.name, self.arguments)
        target = self.types.target(argument.type)
        facts: dict[str, Any] = {key: given[key] for key in ("width", "optional") if key in given}
        facts.update({key: self._called(given[key], argument) for key in ("length", "limit") if key in given})
        if "role" in given:
            role = Role(given["role"])
        elif argument.name in self.counts:
            role = Role.LENGTH
        else:
            self.tried = []
            role, found = self._by_convention(index, argument, target)
            facts = {**found, **facts}
        self.counts.update(facts[key] for key in ("length", "limit") if key in facts)
        return Argument(argument.name, argument.type, role, target=target, **facts)

    def _called(self, name: str, argument: Named) -> str:
        """The name, as this header spells it, of the argument that an override names."""
        others = [other.name for other in self.arguments if other is not argument]
        for other in sorted(others, key=lambda other: other != name):
            if plain(other) == plain(name):
                return other
        raise HeaderError(f"an override names {self.owner}.{name}, which is not there", argument.place)

    def _by_convention(self, index: int, argument: Named, target: str | None) -> tuple[Role, dict[str, Any]]:
        if not self.types.known(argument.type):
            message = f"{self.owner}: the type {argument.type} of {argument.name} is not in these headers"
            raise HeaderError(message, argument.place, "Name the header that declares it as well.")
        if target is None and self.types.base(argument.type) in self.types.structs:
            raise self._open(argument, "a struct by value has no role")
        if target is None:
            return (Role.CALLBACK if argument.type in self.types.callbacks else Role.SCALAR_IN), {}
        if self.types.target(target) is not None:
            return Role.POINTER_OUT, {}
        if target == "void":
            return self._void(index, argument)
        base = self.types.base(target)
        value, pointer, limited = self._count_after(index, argument)
        if base in self.types.structs:
            return self._structs(argument, target, value, pointer)
        if base in BYTES and target != "CK_BBOOL":
            return self._bytes(argument, target, value, pointer)
        if limited is not None:
            return Role.SCALARS_LIMITED, {"limit": limited[0], "length": limited[1]}
        if pointer is not None:
            return Role.SCALARS_OUT, {"length": pointer}
        if value is not None:
            raise self._open(
                argument, "an array of integers with its count by value is in neither direction by convention"
            )
        if argument.type.startswith("const "):
            raise self._open(argument, "a pointer to one constant integer")
        return Role.SCALAR_OUT, {}

    def _void(self, index: int, argument: Named) -> tuple[Role, dict[str, Any]]:
        name = plain(argument.name)
        value = self._count_after(index, argument)[0]
        if name == "reserved":
            return Role.RESERVED, {}
        if name == "initargs":
            return Role.INIT_ARGS, {}
        if name == "parameter" and value is not None:
            return Role.PARAMETER, {"length": value}
        if name in ("application", "mutex"):
            return Role.USER_DATA, {}
        raise self._open(
            argument,
            "a void pointer is known by its name: pReserved, pInitArgs, pApplication, pMutex, pParameter with a count",
        )

    def _structs(
        self, argument: Named, target: str, value: str | None, pointer: str | None
    ) -> tuple[Role, dict[str, Any]]:
        if value is not None:
            return Role.STRUCTS_IN, {"length": value}
        if pointer is not None:
            return Role.STRUCTS_OUT, {"length": pointer}
        if argument.type.startswith("const ") or target.upper() == "CK_MECHANISM":
            return Role.STRUCT_IN, {}
        if target.upper().endswith("_INFO"):
            return Role.STRUCT_OUT, {}
        raise self._open(
            argument, f"one {target}: only const, CK_MECHANISM (in) and CK_..._INFO (out) have a direction"
        )

    def _bytes(
        self, argument: Named, target: str, value: str | None, pointer: str | None
    ) -> tuple[Role, dict[str, Any]]:
        if value is not None:
            return (Role.TEXT_IN if target == "CK_UTF8CHAR" else Role.BYTES_IN), {"length": value}
        if pointer is not None:
            return Role.BYTES_OUT, {"length": pointer}
        raise self._open(argument, "bytes need a count; whether these end in NUL or have a fixed width, no name tells")

    def _count_after(self, index: int, argument: Named) -> tuple[str | None, str | None, tuple[str, str] | None]:
        """Names of the counts that follow an argument.

        These are a count by value, a count by pointer, and a pair of a room by value and a count by pointer.
        """
        first, second = [*self.arguments[index + 1 : index + 3], None, None][:2]
        value = self._is(first, argument, lambda a: self._is_count(a.type))
        pointer = self._is(first, argument, lambda a: self._is_count(self.types.target(a.type)))
        after = self._is(second, argument, lambda a: self._is_count(self.types.target(a.type)))
        limited = (value, after) if value is not None and after is not None else None
        return value, pointer, limited

    def _is(self, count: Named | None, argument: Named, fits: Callable[[Named], bool]) -> str | None:
        if count is None or not fits(count):
            return None
        if belongs(count.name, argument.name):
            return count.name
        self.tried.append(f"{count.name} after it, whose name is not that of a count of {argument.name}")
        return None

    def _is_count(self, spelled: str | None) -> bool:
        return spelled in ("CK_ULONG", "CK_USHORT", "unsigned long", "unsigned long int")  # CK_USHORT: before 2.0

    def _open(self, argument: Named, rule: str) -> HeaderError:
        tried = "; ".join(dict.fromkeys([*self.tried, rule]))
        return HeaderError(
            f"{self.owner}: what {argument.name} ({argument.type}) is for cannot be inferred",
            argument.place,
            f"tried: {tried}\nSay it in a file for --overrides, with one of these roles: {', '.join(Role)}\n\n"
            f'    [{self.owner}.{argument.name}]\n    role = "..."\n    # length = "ulItsCount", where it has one\n'
            f'    why = "the section that says so"\n',
        )
