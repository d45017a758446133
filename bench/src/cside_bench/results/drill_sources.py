# SPDX-License-Identifier: Apache-2.0
"""Digests of the sources that decide the outcomes of a drill, and what has changed in a checkout since a drill.

A drill records a digest for each binding, for the files of the library that the changes edit, and for the changes. So
an answer can tell that the outcomes, above all those that ship with cside, are of other sources than the checkout's.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from cside_bench.machine import checkout

CHANGES: Final = "changes"
"""Key of the digest of ``drill/changes.toml``, which has the changes and the questions about them."""
NATIVE: Final = "native"
"""Key of the digest of the files below ``native/`` that the changes edit, without their comments."""
DIGITS: Final = 16
NO_CODE: Final = ("README.md", "templates", "tests", "build", "dist", "__pycache__")
"""Files and folders of a binding that are not part of its code, and those that builds leave."""
LEFT: Final = (".so", ".pyd", ".pyc", ".o", ".obj", ".egg-info", ".tmp", ".pyi")
"""Ends of the names of files that builds leave, and of stubs."""
NOT_ASKED: Final = ("pkcs11", "docstrings.")
"""Parts of the names of files that no question of the drill reaches: it leaves PKCS #11 as it is."""
COMMENT: Final = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def digests(root: Path | None) -> dict[str, str]:
    """Return the digests of a checkout: of each folder of ``bindings``, of the library and of the changes.

    Without a checkout only the changes, which are installed with cside, have one.
    """
    text = files("cside_bench").joinpath("drill", "changes.toml").read_text(encoding="utf-8")
    found = {CHANGES: _digest([(CHANGES, text.encode())])}
    if root is None:
        return found
    edited = sorted({edit["file"] for change in tomllib.loads(text)["change"] for edit in change["edit"]})
    found[NATIVE] = _digest((name, _without_comments(root / NATIVE / name)) for name in edited)
    for folder in sorted(path.parent for path in (root / "bindings").glob("*/pyproject.toml")):
        found[folder.name] = _digest((path.relative_to(folder).as_posix(), path.read_bytes()) for path in _code(folder))
    return found


def moved_on(document: Mapping[str, Any], root: Path | None = None) -> list[str]:
    """Return what has changed since a drill, by the keys of :func:`digests`; without ``root``, in this checkout.

    Only what the drill recorded and what is there to compare is told; the bindings come first, by name.
    """
    if not (recorded := document.get("sources")):
        return []
    now = digests(checkout.root() if root is None else root)
    changed = [name for name in recorded if name in now and now[name] != recorded[name]]
    return sorted(changed, key=lambda name: (name in (NATIVE, CHANGES), name))


def _code(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        built = any(part in NO_CODE or part.startswith(".") or part.endswith(LEFT) for part in parts)
        if not built and not any(part in path.name for part in NOT_ASKED) and path.is_file():
            yield path


def _without_comments(path: Path) -> bytes:
    """A C source as its compiler sees it: comments, which are the library's manual, and spaces decide nothing.

    A file that is not there is empty: the changes do not fit this checkout's library, which a digest has to show.
    """
    if not path.is_file():
        return b""
    return " ".join(COMMENT.sub(" ", path.read_text(encoding="utf-8")).split()).encode()


def _digest(named: Iterable[tuple[str, bytes]]) -> str:
    total = hashlib.sha256()
    for name, content in named:
        total.update(f"{name}\0{hashlib.sha256(content).hexdigest()}\n".encode())
    return total.hexdigest()[:DIGITS]
