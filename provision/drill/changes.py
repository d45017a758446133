# SPDX-License-Identifier: Apache-2.0
"""Changes of the native library, as data: read, checked, and applied to a copy."""

import difflib
import re
import tomllib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from provision import commands, packages


@dataclass(frozen=True)
class Edit:
    """One replacement in one file, whose path is relative to ``native/``."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Change:
    """A documented change, with the C program that tells what the library answers then."""

    id: str
    edits: tuple[Edit, ...]
    truth: str


NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""What an id looks like. It is the name of a folder too."""
UNCHANGED = "unchanged"
"""The name of the copy without a change; no change has this id."""


def data_file() -> Path:
    """The file in which the changes that cside makes are described."""
    return packages.bench().folder / "src" / "cside_bench" / "drill" / "changes.toml"


def read(only: Collection[str] = (), file: Path | None = None) -> list[Change]:
    """All changes of a file, or ``only`` those of these ids; without a file, the changes that cside makes.

    Raises `Problem` for an id that there is not, and for a file that cannot be read or describes no change.
    """
    file = file or data_file()
    try:
        found = [_change(each) for each in tomllib.loads(file.read_text(encoding="utf-8"))["change"]]
    except OSError as error:
        raise commands.Problem(f"the changes cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise commands.Problem(f"{file} is not TOML: {error}") from error
    except (KeyError, TypeError) as error:
        raise commands.Problem(f"{file}: an entry [[change]] lacks {error}; docs/drill.md says what it has") from error
    for change in found:
        _check(change, file)
    unknown = set(only) - {change.id for change in found}
    if unknown:
        known = ", ".join(change.id for change in found)
        raise commands.Problem(f"no such change: {', '.join(sorted(unknown))}; there are {known}")
    return [change for change in found if not only or change.id in only]


def _change(told: dict[str, Any]) -> Change:
    edits = tuple(Edit(str(each["file"]), str(each["old"]), str(each["new"])) for each in told["edit"])
    return Change(str(told["id"]), edits, str(told["truth"]))


def _check(change: Change, file: Path) -> None:
    """Raise `Problem` where a change could not be made in a copy of ``native/``, or would reach beyond it."""
    if not NAME.fullmatch(change.id) or change.id == UNCHANGED:
        raise commands.Problem(
            f"{file}: the id {change.id!r} is no name of a change: lower-case letters, digits, single hyphens between, "
            f"and not {UNCHANGED!r}"
        )
    top = packages.native().folder.resolve()
    for edit in change.edits:
        if not (top / edit.file).resolve().is_relative_to(top):
            raise commands.Problem(f"{file}: change {change.id} edits {edit.file}, which is not below native/")


def apply(change: Change, folder: Path) -> str:
    """Make the change in ``folder``, a copy of ``native/``; return it as a unified diff.

    Raises `Problem` where a text to be replaced does not stand in its file exactly once: the headers have moved on, and
    the change has to follow them.
    """
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    for edit in change.edits:
        if edit.file not in after:
            try:
                before[edit.file] = after[edit.file] = (folder / edit.file).read_text(encoding="utf-8")
            except OSError as error:
                raise commands.Problem(f"change {change.id}: {error}") from error
        count = after[edit.file].count(edit.old)
        if count != 1:
            first = edit.old.strip().splitlines()[0]
            raise commands.Problem(f"change {change.id}: {edit.file} holds {count} times, not once: {first}")
        after[edit.file] = after[edit.file].replace(edit.old, edit.new)
    lines: list[str] = []
    for name, text in after.items():
        (folder / name).write_text(text, encoding="utf-8")
        old, new = before[name].splitlines(keepends=True), text.splitlines(keepends=True)
        lines += difflib.unified_diff(old, new, f"a/native/{name}", f"b/native/{name}")
    return "".join(lines)
