# SPDX-License-Identifier: Apache-2.0
"""cside.toml: which headers and libraries, and with which flags."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit

from cside_wrap.errors import WrapError
from cside_wrap.header import compiler

__all__ = ["NAME", "Settings", "read", "write"]

NAME = "cside.toml"
LISTS = ("headers", "libraries", "include", "define", "gil-held")


@dataclass(frozen=True)
class Settings:
    """What is bound. Relative folders in `include` are relative to the project's folder."""

    name: str
    headers: tuple[str, ...]
    libraries: tuple[str, ...]
    pkg_config: str = ""
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    gil_held: tuple[str, ...] = ()
    """Names and patterns of functions that are called with the GIL held, where a technique can; by default none."""

    def flags(self, folder: Path) -> list[str]:
        """The compiler's flags. Raises `WrapError` where pkg-config does not know the package."""
        found = compiler.pkg_config(self.pkg_config, "--cflags") if self.pkg_config else []
        return [
            *(f"-I{(folder / one).resolve()}" for one in self.include),
            *(f"-D{one}" for one in self.define),
            *found,
        ]

    def library_folders(self) -> list[str]:
        """The folders in which the library is looked for before the compiler's."""
        if not self.pkg_config:
            return []
        return [word[2:] for word in compiler.pkg_config(self.pkg_config, "--libs") if word.startswith("-L")]

    def header_paths(self, folder: Path) -> list[Path]:
        """The files of the headers. Raises `WrapError` where one is not there."""
        folders = [word[2:] for word in self.flags(folder) if word.startswith("-I")]
        return [compiler.find_header(one, [str(folder), *folders, *compiler.system_folders()]) for one in self.headers]


def write(folder: Path, settings: Settings) -> Path:
    """Write cside.toml."""
    document = tomlkit.document()
    document.add(tomlkit.comment("What is bound. Edit it, and then run `cside init --update`."))
    table = tomlkit.table()
    table["name"] = settings.name
    table["headers"] = list(settings.headers)
    table["libraries"] = list(settings.libraries)
    if settings.pkg_config:
        table["pkg-config"] = settings.pkg_config
    for name in ("include", "define", "gil-held"):
        if value := getattr(settings, name.replace("-", "_")):
            table[name] = list(value)
    document["library"] = table
    path = folder / NAME
    path.write_text(tomlkit.dumps(document), encoding="utf-8")
    return path


def read(folder: Path) -> Settings:
    """Read cside.toml. Raises `WrapError` where it is missing or wrong."""
    path = folder / NAME
    try:
        table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))["library"]
    except FileNotFoundError:
        raise WrapError(f"there is no {path}", "Make one: cside init --header NAME.h --library NAME.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WrapError(f"{path} is no TOML: {error}", "Correct it; nothing was changed.") from error
    except KeyError:
        raise WrapError(f"{path} has no table [library]", "Make one anew: cside init --header NAME.h …") from None
    if unknown := set(table) - {"name", "pkg-config", *LISTS}:
        raise WrapError(f"{path}: [library] has {', '.join(sorted(unknown))}, which is not known")
    for name in LISTS:
        value = table.get(name, [])
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise WrapError(f"{path}: {name} has to be a list of texts")
    for name in ("name", "pkg-config"):
        if not isinstance(table.get(name, ""), str):
            raise WrapError(f"{path}: {name} has to be text")
    if not table.get("headers") or not table.get("libraries"):
        raise WrapError(f"{path} names no header or no library")
    return Settings(
        table.get("name") or str(table["libraries"][0]),
        tuple(table["headers"]),
        tuple(table["libraries"]),
        table.get("pkg-config", ""),
        tuple(table.get("include", [])),
        tuple(table.get("define", [])),
        tuple(table.get("gil-held", [])),
    )
