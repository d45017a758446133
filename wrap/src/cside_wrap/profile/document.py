# SPDX-License-Identifier: Apache-2.0
"""profile.toml: which functions a program called, how often, for how long, and with how many bytes."""

from __future__ import annotations

import os
import tempfile
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomlkit

from cside_wrap.errors import WrapError
from cside_wrap.profile.counters import Sizes

__all__ = ["NAME", "Function", "Profile", "read", "write"]

NAME = "profile.toml"
VERSION = 1
SAYS = """Written by cside profile, which replaces it.
ns: mean time of a call, without the calls of the library that a callback makes meanwhile.
in, out: bytes that calls were given and returned; at-least counts calls by the power of two below their size."""


@dataclass
class Function:
    """The calls of one function."""

    calls: int
    ns: float | None
    """Mean time inside; None where calls are counted only."""
    incoming: Sizes = field(default_factory=Sizes)
    outgoing: Sizes = field(default_factory=Sizes)


@dataclass
class Profile:
    """The calls of a program into its library."""

    command: tuple[str, ...]
    exit_code: int
    seconds: float
    """From the program's start to its end."""
    programs: int
    """Programs that the command started, itself included; not processes that were forked."""
    libraries: tuple[str, ...]
    """The names of the files that the called functions are in."""
    clock_ns: float
    """What the measurement of a call takes by itself, which was subtracted from its time."""
    functions: dict[str, Function]
    """Those that were called."""

    @property
    def calls(self) -> int:
        """All calls."""
        return sum(one.calls for one in self.functions.values())

    @property
    def inside_seconds(self) -> float:
        """Time inside the library, of all threads and processes together."""
        return sum(one.calls * (one.ns or 0.0) for one in self.functions.values()) / 1e9

    @property
    def own_seconds(self) -> float:
        """Time of the program outside the library; at least a thousandth of all, since threads add up."""
        return max(self.seconds - self.inside_seconds, self.seconds / 1000)

    def plain(self) -> dict[str, Any]:
        """The profile as tables of TOML, or for JSON."""
        return {
            "version": VERSION,
            "command": list(self.command),
            "exit-code": self.exit_code,
            "seconds": _rounded(self.seconds),
            "programs": self.programs,
            "libraries": list(self.libraries),
            "clock-ns": _rounded(self.clock_ns),
            "functions": {name: _plain(one) for name, one in sorted(self.functions.items())},
        }


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")


def _plain(one: Function) -> dict[str, Any]:
    found: dict[str, Any] = {"calls": one.calls}
    if one.ns is not None:
        found["ns"] = _rounded(one.ns)
    for name, sizes in (("in", one.incoming), ("out", one.outgoing)):
        if sizes.calls:
            at_least = {str(low): calls for low, calls in sorted(sizes.at_least.items())}
            found[name] = {"calls": sizes.calls, "bytes": sizes.total, "at-least": at_least}
    return found


def write(folder: Path, profile: Profile) -> Path:
    """Write profile.toml in one step, each function on a line."""
    document = tomlkit.document()
    for line in SAYS.splitlines():
        document.add(tomlkit.comment(line))
    for name, value in profile.plain().items():
        if name != "functions":
            document[name] = value
    table = tomlkit.table()
    for name, one in profile.plain()["functions"].items():
        table[name] = _line(one)
    document["functions"] = table
    path = folder / NAME
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".profile-")
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(tomlkit.dumps(document))
    os.chmod(temporary, 0o644)
    os.replace(temporary, path)
    return path


def _line(table: dict[str, Any]) -> tomlkit.items.InlineTable:
    """A table on one line, with those in it."""
    line = tomlkit.inline_table()
    for name, value in table.items():
        line.append(name, _line(value) if isinstance(value, dict) else value)
    return line


def read(folder: Path) -> Profile | None:
    """Read profile.toml; None where the project has none. Raises `WrapError` where it is damaged."""
    path = folder / NAME
    if not path.exists():
        return None
    again = "Make it anew: cside profile."
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        if table["version"] != VERSION:
            raise WrapError(f"{path} is of version {table['version']}", again)
        functions = {
            name: Function(one["calls"], one.get("ns"), _sizes(one.get("in")), _sizes(one.get("out")))
            for name, one in table["functions"].items()
        }
        return Profile(
            tuple(table["command"]),
            table["exit-code"],
            float(table["seconds"]),
            table["programs"],
            tuple(table["libraries"]),
            float(table["clock-ns"]),
            functions,
        )
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WrapError(f"{path} is no TOML: {error}", again) from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise WrapError(f"{path} is no profile of cside: {error}", again) from error


def _sizes(table: dict[str, Any] | None) -> Sizes:
    if table is None:
        return Sizes()
    return Sizes(table["calls"], table["bytes"], {int(low): calls for low, calls in table["at-least"].items()})
