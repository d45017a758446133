# SPDX-License-Identifier: Apache-2.0
"""Divides the constants into enumerations and plain integers.

A prefix is an enumeration if domains.toml lists it, which says that its values name one kind of thing. Within it, two
names with the same value must be listed as synonyms. So a member of an enumeration prints its own name or a synonym.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from cside_headers.errors import HeaderError
from cside_headers.model import Constant

__all__ = ["DATA", "Domain", "Domains", "divide", "listed"]

DATA = "domains.toml"


@dataclass(frozen=True, slots=True)
class Domain:
    """What domains.toml says of a prefix: a title, and tuples of names with the same value, the recommended first."""

    title: str
    synonyms: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Domains:
    """The integer constants of headers. Prefixes and plain constants are in the order of the headers."""

    enums: Mapping[str, tuple[Constant, ...]]
    """By prefix; of synonyms the recommended name is first."""
    plain: tuple[Constant, ...]
    synonyms: tuple[tuple[str, ...], ...]
    """Those of domains.toml of which the headers have more than one name."""


@cache
def listed() -> Mapping[str, Domain]:
    """The domains of domains.toml, by prefix."""
    tables = tomllib.loads(files(__package__).joinpath(DATA).read_text(encoding="utf-8"))
    return {
        prefix: Domain(table["title"], tuple(tuple(names) for names in table.get("synonyms", ())))
        for prefix, table in tables.items()
    }


def divide(constants: Iterable[Constant], known: Mapping[str, Domain] | None = None) -> Domains:
    """Divide the integer constants whose names begin with ``CK``, except for ``CRYPTOKI_``.

    Raise :class:`HeaderError` if two constants of a domain have the same value and are not listed as synonyms, or if
    synonyms have different values.
    """
    known = listed() if known is None else known
    groups: dict[str, list[Constant]] = {}
    plain: list[Constant] = []
    for constant in constants:
        if not isinstance(constant.value, int) or not constant.prefix.startswith("CK"):
            continue
        if constant.prefix in known:
            groups.setdefault(constant.prefix, []).append(constant)
        else:
            plain.append(constant)
    synonyms: list[tuple[str, ...]] = []
    enums = {}
    for prefix, members in groups.items():
        enums[prefix] = _recommended_first(prefix, members, known[prefix])
        there = {constant.name for constant in members}
        present = (tuple(name for name in names if name in there) for names in known[prefix].synonyms)
        synonyms += [names for names in present if len(names) > 1]
    return Domains(enums, tuple(plain), tuple(synonyms))


def _recommended_first(prefix: str, members: list[Constant], domain: Domain) -> tuple[Constant, ...]:
    """The members, with synonyms together, in the order of domains.toml, where the headers have the first of them."""
    group = {name: names for names in domain.synonyms for name in names}
    by_name = {constant.name: constant for constant in members}
    first: dict[int | str, str] = {}
    for constant in members:
        other = first.setdefault(constant.value, constant.name)
        if other != constant.name and constant.name not in group.get(other, ()):
            raise HeaderError(
                f"{other} and {constant.name} have the same value, {constant.value}: one would print the other's name."
                f"\nList them as synonyms of {prefix} in {DATA} if the standard does, or remove {prefix} there."
            )
    done: dict[str, Constant] = {}
    for constant in members:
        for name in group.get(constant.name, (constant.name,)):
            if name in by_name:
                if by_name[name].value != constant.value:
                    raise HeaderError(f"{DATA} lists {constant.name} and {name} as synonyms, but their values differ")
                done[name] = by_name[name]
    return tuple(done.values())
