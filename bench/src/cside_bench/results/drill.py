# SPDX-License-Identifier: Apache-2.0
"""Schema, checking, writing and reading of ``drill.json``, and the outcomes that ship with cside.

A drill is kept in ``results/drills/<stamp>/``, with the output of its processes and compilers in ``logs/``.
``results/drills/latest`` is a link to the newest drill that covers all interpreters, bindings and changes.
``drill_reference.json`` beside this module was made by the same command. It counts where a machine has no drill.
"""

import json
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from cside_suite.files import write_json

from cside_bench.machine.checkout import read_json
from cside_bench.results import outcomes
from cside_bench.results.drill_sources import CHANGES, NATIVE, digests, moved_on
from cside_bench.results.evidence import Run
from cside_bench.results.files import DRILL_FILE

DRILLS: Final = "drills"
LATEST: Final = "latest"
FILE: Final = DRILL_FILE
REFERENCE: Final = "drill_reference.json"

LIBRARY = "library"
"""Name of the pass in which the changed library replaces the old one and the binding stays as it is."""
REBUILT = "rebuilt"
"""Name of the pass in which the binding is rebuilt from unchanged sources against the changed header and library."""
PASSES: Final = (LIBRARY, REBUILT)


class DrillError(Exception):
    """The drill itself failed, so there is no outcome to record; the message gives the reason."""


def schema() -> dict[str, Any]:
    """Return the JSON schema of ``drill.json``."""
    return outcomes.shipped("drill.schema.json")


def reference() -> dict[str, Any]:
    """Return the outcomes that ship with cside; they were measured on another machine, which they name."""
    return outcomes.shipped(REFERENCE)


def check(document: Mapping[str, Any]) -> None:
    """Raise `DrillError` unless the document fits its schema and has one outcome for every cell of the table."""
    axes: dict[str, outcomes.Axis] = {
        "interpreter": lambda it: [each["label"] for each in it["interpreters"]],
        "binding": lambda it: it["bindings"],
        "change": lambda it: [each["id"] for each in it["changes"]],
        "pass": lambda _: PASSES,
    }
    try:
        outcomes.check(document, FILE, schema(), axes)
    except outcomes.IncompleteError as error:
        raise DrillError(str(error)) from error


def write(folder: Path, document: Mapping[str, Any], logs: Mapping[str, str]) -> Path:
    """Check the document, write it and its logs into a new folder, and return the path of the document."""
    check(document)
    (folder / "logs").mkdir(parents=True)
    for name, text in logs.items():
        (folder / "logs" / f"{name}.txt").write_text(text, encoding="utf-8")
    target = folder / FILE
    write_json(target, document, indent=1)
    return target


def write_reference(root: Path, document: Mapping[str, Any]) -> Path:
    """Check the document, write it into a checkout as the outcomes that ship, and return its path.

    The logs stay where they are. Raises `DrillError` where a change, or a binding of the checkout, is not in it.
    """
    document = {**document, "shipped": True, "outcomes": [{**each, "log": None} for each in document["outcomes"]]}
    check(document)
    drilled = {*document["bindings"], *(each["id"] for each in document["changes"])}
    lacking = [*changes(), *(name for name in digests(root) if name not in (CHANGES, NATIVE))]
    if lacking := [name for name in lacking if name not in drilled]:
        raise DrillError(f"a drill of everything ships, and this one lacks {', '.join(lacking)}")
    target = root / "bench" / "src" / "cside_bench" / "results" / REFERENCE
    target.write_text(outcomes.in_lines(document), encoding="utf-8")
    return target


def newest(results: Path) -> Path | None:
    """Return the path of the newest drill's document below ``results``, or ``None`` if there is no drill."""
    path = results / DRILLS / LATEST / FILE
    return path.resolve() if path.is_file() else None


def counting(run: Run) -> dict[str, Any]:
    """Return the drill that counts for a run: its own or the newest one of this machine, else the one that ships."""
    path = of_run(run)
    found: dict[str, Any] = reference() if path is None else json.loads(path.read_text(encoding="utf-8"))
    return found


def of_run(run: Run) -> Path | None:
    """Return the path of the drill of this machine that counts for a run, or ``None`` if there is none.

    It is the newest drill beside the run, whenever it was made, unless the run's folder has a drill of the run's own
    library and the newest drill used another one. A copy of the outcomes that ship, which a
    report leaves in the run's folder, is no drill of this machine.
    """
    newest_, kept, library = newest(run.results), run.folder / FILE, run.summary.get("library_sha256")
    if not kept.is_file():
        return newest_
    own = read_json(kept)
    if own.get("shipped"):
        return newest_
    if newest_ is None or (own.get("library") == library and read_json(newest_).get("library") != library):
        return kept
    return newest_


def changes() -> list[str]:
    """Return the ids of the changes that a drill makes today.

    They are data of the room ``drill``, read as a file since rooms that read a drill do not import the one that makes
    it.
    """
    text = files("cside_bench").joinpath("drill", "changes.toml").read_text(encoding="utf-8")
    return [each["id"] for each in tomllib.loads(text)["change"]]


def provenance(document: Mapping[str, Any]) -> str:
    """Return a sentence that says when, with what and on what a drill was made."""
    tools = [
        f"{each['label']} ({', '.join([each['release'], *map(' '.join, sorted(each.get('versions', {}).items()))])})"
        for each in document["interpreters"]
    ]
    compiler = document["compiler"].get("compiler", "an unknown compiler")
    where = " on ".join(part for part in (document.get("platform"), document["machine"]) if part)
    by = f" by `{document['command']}`" if document.get("command") else ""
    return f"made on {document['created'][:10]}{by} with {', '.join(tools)} and {compiler}; {where}"


def origin(document: Mapping[str, Any]) -> list[str]:
    """Return sentences for whoever shows a drill: that its outcomes ship with cside, and which sources are newer.

    Empty for a drill of one's own from the sources of this checkout.
    """
    found = []
    if document.get("shipped"):
        found.append(
            "What goes wrong unnoticed when the header changes was not tried on this machine: these are the outcomes "
            f"that ship with cside, {provenance(document)}. To replace them with your own: nox -s drill."
        )
    if changed := moved_on(document):
        what = {NATIVE: "the library's files that are changed", CHANGES: "the changes themselves"}
        listed = ", ".join(what.get(each, each) for each in changed)
        found.append(
            f"{_name(document)} is older than these sources of this checkout: {listed}. To make it again: nox -s drill."
        )
    return found


def misfits(document: Mapping[str, Any], library: str | None) -> list[str]:
    """Return where a drill is from, and how it differs from the run that it is used for, each as a sentence.

    Empty if it was made here with the run's library. That the shipped one was made with another build of the library
    is not told: every build of another compiler is another. Approaches that a drill lacks are not told here: what
    follows from that depends on who reads it.
    """
    found = origin(document)
    name = _name(document)
    if library is not None and not document.get("shipped") and document.get("library") not in (None, library):
        found.append(f"{name} was made with another build of the library than the run; to make it again: nox -s drill.")
    drilled = {each["id"] for each in document.get("changes", ())}
    gone, new = sorted(drilled - set(changes())), sorted(set(changes()) - drilled)
    if gone or new:
        told = [f"it has {', '.join(gone)}, which are made no more"] if gone else []
        told += [f"it lacks {', '.join(new)}"] if new else []
        found.append(
            f"{name} has other changes than a drill makes today: {'; '.join(told)}. To make it again: nox -s drill."
        )
    return found


def _name(document: Mapping[str, Any]) -> str:
    if document.get("shipped"):
        return "The drill that ships"
    return f"The drill of {document['created'][:10]}" if document.get("created") else "The drill"


def load(path: Path) -> dict[str, Any]:
    """Read a drill's document. Raises `DrillError` if it cannot be read or is incomplete."""
    try:
        document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DrillError(f"{path} cannot be read: {error}") from error
    check(document)
    return document
