# SPDX-License-Identifier: Apache-2.0
"""The pages of the reference of Python modules, which Sphinx fills from the docstrings of the modules."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = "api"
"""The folder of the pages on the site."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A package whose modules are documented."""

    package: str
    source: str
    """The folder of the checkout that has the package."""
    title: str
    about: str


PACKAGES: Final = (
    Shown(
        "cside_suite.contract",
        "bench/suite/src",
        "The contract",
        "What every binding offers, as protocols. A binding has the same names and never imports these modules.",
    ),
    Shown(
        "cside_native",
        "native/python",
        "The native library",
        "Where the library and its headers are, and what all bindings share.",
    ),
    Shown(
        "cside_bench.results",
        "bench/src",
        "Results",
        "Readers of the files of a run, for programs that argue from its numbers.",
    ),
    Shown(
        "cside_bench.statistics",
        "bench/src",
        "Statistics",
        "Statistics over arrays, which know nothing of runs and bindings.",
    ),
)


def texts(root: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the Markdown of each page: one for each package, and one that lists them."""
    names = [shown.package.replace(".", "-") for shown in PACKAGES]
    rows = [f"| [`{shown.package}`]({name}.md) | {shown.about} |" for shown, name in zip(PACKAGES, names, strict=True)]
    toctree = ["```{toctree}", ":hidden:", "", *names, "```"]
    about = "What modules say of themselves in their docstrings."
    lines = ["# Python modules", "", about, "", "| package | what it has |", "|---|---|", *rows, "", *toctree]
    yield f"{FOLDER}/index", "\n".join([*lines, ""])
    for shown, name in zip(PACKAGES, names, strict=True):
        yield f"{FOLDER}/{name}", _page(root, shown)


def _page(root: Path, shown: Shown) -> str:
    lines = [f"# {shown.title}", "", shown.about, ""]
    for module in modules(root, shown):
        lines += [f"## `{module}`", "", "```{eval-rst}", f".. automodule:: {module}", "   :members:", "```", ""]
    return "\n".join(lines)


def modules(root: Path, shown: Shown) -> list[str]:
    """Return the public modules of a package that have members to show, the package itself first."""
    folder = root.joinpath(shown.source, *shown.package.split("."))
    found = []
    for path in sorted(folder.glob("*.py"), key=lambda it: (it.stem != "__init__", it.stem)):
        if path.stem == "__init__" and _has_members(path):
            found.append(shown.package)
        elif not path.stem.startswith("_"):
            found.append(f"{shown.package}.{path.stem}")
    return found


def _has_members(path: Path) -> bool:
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in body)
