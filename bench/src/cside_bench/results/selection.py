# SPDX-License-Identifier: Apache-2.0
"""Finds and selects runs, interpreters, bindings and workloads by the names that a user gives."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cside_suite.subjects.names import REFERENCES, is_control

from cside_bench.machine.checkout import read_json
from cside_bench.results.files import RUN_FILE, SUMMARY_FILE

NEWEST: Final = "newest"
"""The name of the newest run that is not complete; ``latest`` is the newest that has a summary."""


def matches(label: str, wanted: str) -> bool:
    """Whether a name (``3.13``, ``pypy3.11``, ``pypy`` or ``cpython-3.13``) means the interpreter with this label."""
    implementation, _, version = label.partition("-")
    return wanted in {
        label,
        implementation,
        f"{implementation}{version}",
        version if implementation == "cpython" else "",
    }


class NoRun(Exception):
    """There is no run of the given name; the message lists the runs that exist."""


def find_run(results: Path, name: str) -> Path:
    """Return the folder of a run, given by its name under ``results``, as ``latest``, or by its path.

    Raises :class:`NoRun` if there is no such run.
    """
    for folder in (results / name, Path(name)):
        if (folder / RUN_FILE).is_file():
            return folder.resolve()
    known = sorted({path.parent.resolve().name for path in results.glob(f"*/{RUN_FILE}")})
    there = f"there are: {', '.join(known[-5:])}" if known else "there is none: make one with cside run"
    raise NoRun(f"{name} is no run: neither {results / name} nor {name} has a {RUN_FILE} (under {results} {there})")


def newest_unfinished(results: Path) -> str:
    """Return the name of the newest timed run whose summary is missing or says that it is not complete.

    Runs that count instructions have no summary, and are gone on with by their names. Raises :class:`NoRun` if there is
    no such run.
    """
    for folder in sorted((path.parent for path in results.glob(f"*/{RUN_FILE}")), reverse=True):
        if folder.is_symlink() or read_json(folder / RUN_FILE).get("counted"):
            continue
        if not read_json(folder / SUMMARY_FILE).get("complete"):
            return folder.name
    raise NoRun(f"there is no run under {results} that is not complete, and so none to go on with")


def is_binding(subject: str) -> bool:
    """Whether a subject is a binding or a variant of one, and not a control or a reference."""
    return subject not in REFERENCES and not is_control(subject) and not subject.startswith("floor.")


@dataclass(frozen=True, slots=True)
class Selection:
    """The cells that the user asks for; an empty field selects all."""

    pythons: tuple[str, ...] = ()
    bindings: tuple[str, ...] = ()
    only: tuple[str, ...] = ()

    def interpreter(self, label: str) -> bool:
        """Whether an interpreter is selected."""
        return not self.pythons or any(matches(label, wanted) for wanted in self.pythons)

    def cell(self, workload: str, subject: str) -> bool:
        """Whether a cell is selected; a binding's name selects its variants as well."""
        named = not self.bindings or subject in self.bindings or subject.partition(".")[0] in self.bindings
        return named and (not self.only or any(text in workload for text in self.only))

    def words(self) -> str:
        """Return the selection as command-line options; empty if everything is selected."""
        options = (("--python", self.pythons), ("--binding", self.bindings), ("--only", self.only))
        return " ".join(f"{option} {value}" for option, values in options for value in values)
