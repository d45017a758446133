# SPDX-License-Identifier: Apache-2.0
"""What the shell completes beside commands and options: names of runs, workloads, bindings, interpreters, and so on.

All of it is data of this checkout and its results, read when the key is pressed. A parameter is completed by its name,
whichever command has it; what cannot be read is not offered, since a shell has no place for an error.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

import click
from click.shell_completion import CompletionItem

from cside_bench.machine import checkout
from cside_bench.machine.checkout import declared, read_json, read_toml
from cside_bench.results.files import LATEST, RUN_FILE

Words = Callable[[], Iterator[tuple[str, str]]]
"""Yields what can be typed, each with a word of explanation or none."""


def runs() -> Iterator[tuple[str, str]]:
    """Names of runs, the newest first."""
    folders = sorted((path.parent for path in checkout.results().glob(f"*/{RUN_FILE}")), reverse=True)
    for folder in folders:
        yield folder.name, "the newest" if folder.name == LATEST else f"tier {read_json(folder / RUN_FILE).get('tier')}"


def campaigns() -> Iterator[tuple[str, str]]:
    """Campaigns of ``cside lab``, the newest first."""
    for path in sorted((checkout.results() / "labs").glob("*/"), reverse=True):
        yield path.name, "the newest" if path.name == LATEST else ""


def workloads() -> Iterator[tuple[str, str]]:
    """Workloads of the newest run that has a summary, before them what several of them have in common."""
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
    """Bindings and variants of the checkout."""
    for name, _ in sorted(declared().items()):
        yield name, ""


def interpreters() -> Iterator[tuple[str, str]]:
    """As people type them: ``3.13``, ``pypy3.11``."""
    for label in checkout.environments():
        implementation, _, version = label.partition("-")
        yield (version if implementation == "cpython" else implementation + version), label


def profiles() -> Iterator[tuple[str, str]]:
    """Profiles that ship."""
    for path in sorted((Path(__file__).parents[1] / "recommend" / "profiles").glob("*.toml")):
        yield path.stem, str(read_toml(path).get("title", ""))


def claims() -> Iterator[tuple[str, str]]:
    """Names of claims."""
    for claim in read_toml(Path(__file__).parents[1] / "claims" / "claims.toml").get("claim", ()):
        yield claim["id"], claim["title"]


COMPLETED: Final[dict[str, Words]] = {
    "run": runs,
    "runs": runs,
    "base": runs,
    "other": runs,
    "resume": runs,
    "only": workloads,
    "binding": bindings,
    "bindings": bindings,
    "python": interpreters,
    "pythons": interpreters,
    "profile": profiles,
    "profiles": profiles,
    "claim": claims,
    "claims": claims,
    "ids": claims,
    "lab resume": campaigns,
}
"""By the name of a parameter; where it means another thing in one command, by both names."""


def complete(command: click.Command) -> click.Command:
    """The same command, with the values of its parameters completed from :data:`COMPLETED`."""
    for parameter in command.params:
        words = COMPLETED.get(f"{command.name} {parameter.name}") or COMPLETED.get(parameter.name or "")
        if words is not None and not isinstance(parameter.type, click.Choice):
            setattr(parameter, "shell_complete", partial(offered, words))  # noqa: B010  # in the place of a method
    return command


def offered(words: Words, context: click.Context, incomplete: str) -> list[CompletionItem]:
    """What begins as the word that is being typed; a path is left to the shell."""
    if "/" in incomplete:
        return [CompletionItem(incomplete, type="file")]
    return [CompletionItem(word, help=says or None) for word, says in words() if word.startswith(incomplete)]
