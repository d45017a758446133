# SPDX-License-Identifier: Apache-2.0
"""The file by which mypy compares each binding and variant with the contract: one assignment per noun."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from provision import commands, packages
from provision.wheels import Wheel


def protocol_of(noun: str, contract: Path) -> str:
    """The protocol of a noun: the class in its module of the contract that has its name, as ``Codec``."""
    source = (contract / f"{noun}.py").read_text(encoding="utf-8")
    named = [name for name in re.findall(r"^class (\w+)\(", source, re.MULTILINE) if name.lower() == noun]
    if len(named) != 1:
        raise commands.Problem(f"contract/{noun}.py needs exactly one class that has the name of the module")
    return str(named[0])


def packages_of(wheels: Iterable[Wheel]) -> list[str]:
    """The packages behind the entry points of these wheels: bindings and variants."""
    return sorted(value for wheel in wheels for value in wheel.entry_points("cside.bindings").values())


def assignments(bound: Mapping[str, Sequence[str]], contract: Path) -> str:
    """The text of the file, for packages with the nouns that each of them has."""
    protocols = {noun: protocol_of(noun, contract) for noun in packages.nouns()}
    lines = ["from collections.abc import Mapping", ""]
    for package, nouns in bound.items():
        lines += [f"import {module}" for module in [package, *(f"{package}.{noun}" for noun in nouns)]]
    lines += [f"from cside_suite.contract.{noun} import {protocol}" for noun, protocol in protocols.items()]
    lines += [""]
    for count, (package, nouns) in enumerate(bound.items()):
        lines += [f"features_{count}: frozenset[str] = {package}.features"]
        lines += [f"gaps_{count}: Mapping[str, str] = {package}.gaps"]
        lines += [f"{noun}_{count}: {protocols[noun]} = {package}.{noun}" for noun in nouns]
    return "\n".join(lines) + "\n"
