# SPDX-License-Identifier: Apache-2.0
"""Changes of the native library, as data: read, checked, and applied to a copy."""

import difflib
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


def data_file() -> Path:
    """The file in which the changes are described."""
    return packages.bench().folder / "src" / "cside_bench" / "drill" / "changes.toml"


def read(only: Collection[str] = ()) -> list[Change]:
    """All changes, or ``only`` those of these ids. Raises `Problem` for an id that there is not."""
    told = tomllib.loads(data_file().read_text(encoding="utf-8"))["change"]
    found = [_change(each) for each in told]
    unknown = set(only) - {change.id for change in found}
    if unknown:
        known = ", ".join(change.id for change in found)
        raise commands.Problem(f"no such change: {', '.join(sorted(unknown))}; there are {known}")
    return [change for change in found if not only or change.id in only]


def _change(told: dict[str, Any]) -> Change:
    edits = tuple(Edit(str(each["file"]), str(each["old"]), str(each["new"])) for each in told["edit"])
    return Change(str(told["id"]), edits, str(told["truth"]))


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
