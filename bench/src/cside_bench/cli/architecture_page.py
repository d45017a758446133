# SPDX-License-Identifier: Apache-2.0
"""Parts of ``docs/architecture.md`` that are generated: ``python -m cside_bench.cli.architecture_page [--check]``.

``rooms``      the rooms of both halves, what each is, and which rooms it imports, by the imports themselves
``contracts``  what import-linter holds (``bench/importlinter.toml``)
``addresses``  which files hold each group of functions

Each stands between two comments, ``<!-- rooms: begin -->`` and ``<!-- rooms: end -->``. People write the text
around them.
"""

import ast
import re
import tomllib
from pathlib import Path
from typing import Final

import click

from cside_bench.cli import generated
from cside_bench.source import addresses

PAGE: Final = "docs/architecture.md"
HALVES: Final = {
    "cside_wrap": ("header", "roles", "project", "review", "trial", "packages", "check", "profile"),
    "cside_suite": ("contract", "subjects", "workloads", "process", "conformance"),
    "cside_bench": (
        "machine",
        "results",
        "run",
        "statistics",
        "summary",
        "compare",
        "claims",
        "recommend",
        "predict",
        "library",
        "drill",
        "hazards",
        "report",
        "lab",
        "source",
        "site",
        "cli",
    ),
}
"""Rooms in reading order."""
FOLDERS: Final = {"cside_wrap": "wrap/src", "cside_suite": "bench/suite/src", "cside_bench": "bench/src"}


def rooms(root: Path) -> str:
    """A table of the rooms and a drawing of their arrows."""
    import grimp  # only this page needs it

    graph = grimp.build_graph(*HALVES, cache_dir=None)
    known = {(half, room) for half, names in HALVES.items() for room in names}
    there = {
        (half, path.parent.name) for half in HALVES for path in (root / FOLDERS[half] / half).glob("*/__init__.py")
    }
    if there != known:
        raise click.ClickException(f"rooms of this page and folders differ: {sorted(there ^ known)}")
    arrows: dict[str, set[str]] = {}
    for module in graph.modules:
        own = module.split(".")[1:2]
        if own and own[0] in arrows | {room: set() for _, room in known}:
            for other in graph.find_modules_directly_imported_by(module):
                its = other.split(".")[1:2]
                if its and its != own and any(room == its[0] for _, room in known):
                    arrows.setdefault(own[0], set()).add(its[0])
    order = [room for names in HALVES.values() for room in names]
    lines = ["| half | room | what it is | modules | imports |", "|---|---|---|--:|---|"]
    for half, names in HALVES.items():
        for room in names:
            folder = root / FOLDERS[half] / half / room
            modules = sum(1 for path in folder.rglob("*.py") if path.name != "__init__.py")
            uses = sorted(arrows.get(room, ()), key=order.index)
            lines.append(
                f"| {half} | `{room}` | {first_words(folder / '__init__.py')} | {modules} | {', '.join(uses) or '—'} |"
            )
    drawn = ["```mermaid", "flowchart BT"]
    for half, names in HALVES.items():
        drawn += [f"  subgraph {half}", *(f"    {room}" for room in names), "  end"]
    for room in order:
        drawn += [f"  {room} --> {other}" for other in sorted(shortest(room, arrows), key=order.index)]
    return "\n".join([*lines, "", *drawn, "```"])


def shortest(room: str, arrows: dict[str, set[str]]) -> set[str]:
    """The rooms that a room imports and that none of the others that it imports leads to."""

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        for other in arrows.get(start, ()):
            found |= {other} | reached(other)
        return found

    own = arrows.get(room, set())
    return own - {other for each in own for other in reached(each)}


def first_words(path: Path) -> str:
    """The first paragraph of a package's docstring, as one line."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return re.sub(r":\w+:`\.?([^`]*)`", r"\1", " ".join(text.partition("\n\n")[0].split())).rstrip(".")


def contracts(root: Path) -> str:
    """The names of import-linter's contracts."""
    told = tomllib.loads((root / "bench" / "importlinter.toml").read_text(encoding="utf-8"))
    return "\n".join(f"- {entry['name']}" for entry in told["tool"]["importlinter"]["contracts"])


def page(root: Path) -> str:
    """The whole page, with its generated parts made anew."""
    parts = {"rooms": rooms(root), "contracts": contracts(root), "addresses": addresses.markdown(root)}
    return generated.filled(root, PAGE, parts)


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; fail where the page is not as it would be.")
def command(check: bool) -> None:
    """Write the generated parts of docs/architecture.md."""
    root = generated.root()
    generated.write(root, {root / PAGE: page(root)}, check=check)


if __name__ == "__main__":
    command()
