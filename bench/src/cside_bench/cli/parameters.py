# SPDX-License-Identifier: Apache-2.0
"""Types of parameters that name something of this checkout, as a run or a workload, so that a shell can complete them.

The names are read when the user presses the key, from the files of the checkout and of its runs. Files that cannot be
read add no names, because a shell shows no errors.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import click
from click.shell_completion import CompletionItem

from cside_bench.machine import checkout
from cside_bench.machine.checkout import declared, read_json, read_toml
from cside_bench.results.files import LATEST, RUN_FILE

Names = Callable[[], Iterator[tuple[str, str]]]
"""Yields names that can be typed, each with a short explanation or an empty one."""


class Named(click.ParamType[str]):
    """The name of something; any text is accepted, and a path where the parameter takes one."""

    name = "text"

    def __init__(self, names: Names) -> None:
        self.names = names

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the value as it is; the command says what is wrong with it."""
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The names that begin with what was typed. A path is left to the shell."""
        if "/" in incomplete:
            return [CompletionItem(incomplete, type="file")]
        return [CompletionItem(name, help=says or None) for name, says in self.names() if name.startswith(incomplete)]


def runs() -> Iterator[tuple[str, str]]:
    """Names of runs, the newest first."""
    folders = sorted((path.parent for path in checkout.results().glob(f"*/{RUN_FILE}")), reverse=True)
    for folder in folders:
        yield folder.name, "the newest" if folder.name == LATEST else f"tier {read_json(folder / RUN_FILE).get('tier')}"


def evidence() -> Iterator[tuple[str, str]]:
    """Names of runs that a command argues from: those of this machine, and the one that ships."""
    yield from runs()
    yield "reference", "another machine's, which ships with cside"


def campaigns() -> Iterator[tuple[str, str]]:
    """Names of the campaigns of ``cside lab``, the newest first."""
    for path in sorted((checkout.results() / "labs").glob("*/"), reverse=True):
        yield path.name, "the newest" if path.name == LATEST else ""


def workloads() -> Iterator[tuple[str, str]]:
    """Workloads of the newest run that has a summary; before them the beginnings that several workloads share."""
    names: set[str] = set()
    for path in sorted(checkout.results().glob("*/summary.json"), reverse=True):
        names = {str(cell["workload"]) for cell in read_json(path).get("cells", ())}
        if names:
            break
    for name in sorted({name.partition(".")[0] for name in names} | {name.partition("[")[0] for name in names}):
        yield name, ""
    for name in sorted(names):
        if "[" in name:
            yield name, ""


def bindings() -> Iterator[tuple[str, str]]:
    """Names of the bindings and variants of the checkout."""
    for name, _ in sorted(declared().items()):
        yield name, ""


def interpreters() -> Iterator[tuple[str, str]]:
    """Interpreters for which the bindings are built, as users type them: ``3.13``, ``pypy3.11``."""
    for label in checkout.environments():
        implementation, _, version = label.partition("-")
        yield (version if implementation == "cpython" else implementation + version), label


def profiles() -> Iterator[tuple[str, str]]:
    """Names of the profiles that come with ``cside recommend``."""
    for path in sorted((Path(__file__).parents[1] / "recommend" / "profiles").glob("*.toml")):
        yield path.stem, str(read_toml(path).get("title", ""))


def claims() -> Iterator[tuple[str, str]]:
    """Names of the claims that come with ``cside claims``."""
    for claim in read_toml(Path(__file__).parents[1] / "claims" / "claims.toml").get("claim", ()):
        yield claim["id"], claim["title"]


RUN: Final = Named(runs)
EVIDENCE: Final = Named(evidence)
CAMPAIGN: Final = Named(campaigns)
WORKLOAD: Final = Named(workloads)
BINDING: Final = Named(bindings)
PYTHON: Final = Named(interpreters)
PROFILE: Final = Named(profiles)
CLAIM: Final = Named(claims)
