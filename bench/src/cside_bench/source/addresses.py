# SPDX-License-Identifier: Apache-2.0
"""The table of addresses: the files that hold each group of functions."""

from pathlib import Path
from typing import Final

from cside_suite.subjects.groups import GROUPS

from cside_bench.source.places import SUITE, bindings, files

FEW: Final = 8
"""Largest number of functions that a row names; of more functions it names the first two and the last."""


def rows(root: Path) -> list[dict[str, str]]:
    """Return one row for each group: its functions, and the files that hold it in C, in each binding and in tests."""
    found = []
    for stem, names in GROUPS.items():
        row = {"group": stem, "functions": listed(names), "native": _native(root, stem)}
        for binding in bindings(root):
            row[binding] = ", ".join(_within(path, root / "bindings" / binding) for path in files(root, binding, stem))
        tests = sorted((root / SUITE / "conformance").rglob(f"test_{stem}.py"))
        noun = stem.partition("_")[0]
        rest = sorted((root / SUITE / "conformance" / noun).glob(f"test_{noun}_*.py"))
        row["conformance"] = ", ".join(path.name for path in tests) or f"{noun}/test_{noun}_*.py" * bool(rest)
        found.append(row)
    return found


def markdown(root: Path) -> str:
    """Return the table in Markdown; the files of a variant follow those of its binding."""
    table = rows(root)
    columns = list(table[0])
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    for row in table:
        cells = [
            row["group"],
            row["functions"],
            *(", ".join(_code(it) for it in row[key].split(", ")) for key in columns[2:]),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def listed(names: tuple[str, ...]) -> str:
    """Return the names of a group, shortened if there are many."""
    shown = [f"`{name}`" for name in names]
    return ", ".join(shown) if len(names) <= FEW else f"{shown[0]}, {shown[1]} … {shown[-1]} ({len(names)})"


def _native(root: Path, stem: str) -> str:
    path = root / "native" / "src" / f"{stem}.c"
    return path.name if path.exists() else ""


def _within(path: Path, folder: Path) -> str:
    """Return the path within a binding, without the folders that all files of the binding are in."""
    parts = path.relative_to(folder).parts
    usual = {"src", "csrc", "interface", f"cside_{folder.name}"}
    return "/".join(part for part in parts if part not in usual)


def _code(text: str) -> str:
    return f"`{text}`" if text else "—"
