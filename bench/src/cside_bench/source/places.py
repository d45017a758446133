# SPDX-License-Identifier: Apache-2.0
"""Finds the places of a function of the contract in a checkout, by the stem of its group."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cside_suite.subjects.groups import GROUPS, NOUNS, c_names, stem_of

from cside_bench.source import code
from cside_bench.source.code import Code

SUITE: Final = Path("bench", "suite", "src", "cside_suite")
"""Folder of the suite's package in the checkout."""
BINDINGS: Final = "bindings"
"""Folder of the bindings in the checkout."""
LEFT_OUT: Final = frozenset({"build", "dist", "templates", "tests", "__pycache__"})
"""Folders of a binding that are not searched."""


class UnknownName(Exception):
    """The contract has no such name; the message lists similar names."""


@dataclass(frozen=True, slots=True)
class Place:
    """One place of a function: what kind of place it is, and its code."""

    what: str
    """``C declaration``, ``C implementation``, the name of a binding, ``contract``, ``test`` or ``workload``."""
    code: Code


def resolve(text: str) -> str:
    """Return the name in the contract, for example ``each_call`` for ``each_call``, ``idioms.each_call`` or
    ``cs_each_call``.

    Raises :class:`UnknownName` if there is none.
    """
    names = [name for group in GROUPS.values() for name in group]
    wanted = text.strip().removesuffix("()").rpartition(".")[2]
    for name in (wanted, wanted.removeprefix("cs_")):
        if name in names:
            return name
    for name in names:
        if wanted in c_names(name):
            return name
    near = difflib.get_close_matches(wanted, names, n=4, cutoff=0.5)
    hint = f"; similar names: {', '.join(near)}" if near else ""
    raise UnknownName(f"the contract has no function {text!r}{hint}. `cside source` lists all functions")


def places(root: Path, name: str) -> list[Place]:
    """Return all places of a name of the contract, in reading order: C, bindings, contract, tests, workloads."""
    stem = stem_of(name)
    found = [Place("C declaration", it) for path in _headers(root, stem) for it in _declared(path, name)]
    found += [Place("C implementation", it) for path in _sources(root) for it in _implemented(path, name)]
    noun = stem.partition("_")[0]
    for binding in bindings(root):
        found += _bound(root, binding, stem, name) or _bound(root, binding, f"{noun}_", name)
    contract = root / SUITE / "contract"
    for path in (contract / f"{noun}.py", contract / f"_{noun}_functions.py"):
        if path.exists():
            found += [Place("contract", it) for it in code.defining(path, name)]
    for path in sorted((root / SUITE / "conformance").rglob("test_*.py")):
        found += [Place("test", it) for it in code.mentioning(path, name, "test_")]
    for path in sorted((root / SUITE / "workloads").glob("test_*.py")):
        found += [Place("workload", it) for it in code.mentioning(path, name, "test_")]
    return found


def bindings(root: Path) -> list[str]:
    """Return the folders of ``bindings/`` that have a package."""
    return sorted(path.parent.name for path in (root / BINDINGS).glob("*/pyproject.toml"))


def nouns(root: Path, binding: str) -> list[str]:
    """Return the nouns of a binding: those of whose public module its package has a file.

    The conformance suite holds that these are the nouns that the binding does not declare missing.
    """
    return [noun for noun in NOUNS if any((root / BINDINGS / binding / "src").glob(f"*/{noun}.py"))]


def files(root: Path, binding: str, stem: str) -> list[Path]:
    """Return the files of a binding and its variants that have this stem; those of the binding itself are first.

    A stem that ends in ``_``, as ``codec_``, stands for ``codec`` and for all that begin with it.
    """
    found = []
    for path in below(root / BINDINGS / binding):
        own = path.stem.removeprefix("_")
        if path.suffix in code.READERS and (own == stem or (stem.endswith("_") and f"{own}_".startswith(stem))):
            found.append(path)
    return sorted(found, key=lambda path: (len(path.parts), path))


def _bound(root: Path, binding: str, stem: str, name: str) -> list[Place]:
    return [
        Place(_called(path, root), it)
        for path in files(root, binding, stem)
        for it in code.defining(path, name, c_names(name))
    ]


def below(folder: Path) -> Iterator[Path]:
    """Every file in a folder, at any depth, that belongs to its code; not templates, tests and what builds leave."""
    for path in folder.iterdir():
        if path.is_dir():
            if path.name not in LEFT_OUT and not path.name.startswith("."):
                yield from below(path)
        else:
            yield path


def _called(path: Path, root: Path) -> str:
    """Return the name of the place of a file: ``cext``, or ``cext varargs`` for a file in the folder of a variant."""
    binding, *inner = path.relative_to(root / BINDINGS).parts[:-1]
    usual = {"src", "csrc", "interface", "variants", f"cside_{binding}"}
    return " ".join([binding, *(part for part in inner if part not in usual)])


def _headers(root: Path, stem: str) -> list[Path]:
    noun = "trace" if stem == "idioms_trace" else stem.partition("_")[0]
    folder = root / "native" / "include" / "cside"
    return [*sorted(folder.glob(f"{noun}*.h")), folder / "status.h"]


def _sources(root: Path) -> list[Path]:
    return sorted((root / "native" / "src").glob("*.c"))


def _declared(path: Path, name: str) -> Iterator[Code]:
    text = path.read_text(encoding="utf-8")
    for c_name in c_names(name):
        if c_name in text:
            yield from code.declaring(path, c_name)
            yield from code.macro_calls(path, c_name)


def _implemented(path: Path, name: str) -> Iterator[Code]:
    text = path.read_text(encoding="utf-8")
    for c_name in c_names(name):
        if c_name.removeprefix("cs_") in text:
            yield from code.implementing(path, c_name)
