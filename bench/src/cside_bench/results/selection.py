# SPDX-License-Identifier: Apache-2.0
"""How a user names a run, an interpreter, a binding, a workload."""

from dataclasses import dataclass
from pathlib import Path

from cside_bench.results.files import RUN_FILE
from cside_suite.subjects.names import REFERENCES


def matches(label: str, wanted: str) -> bool:
    """Whether ``3.13``, ``pypy3.11``, ``pypy`` or ``cpython-3.13`` names the interpreter labelled ``cpython-3.13``."""
    implementation, _, version = label.partition("-")
    return wanted in {
        label,
        implementation,
        f"{implementation}{version}",
        version if implementation == "cpython" else "",
    }




class NoRun(Exception):
    """There is no run of that name; the message tells which there are."""


def find_run(results: Path, name: str) -> Path:
    """The folder of a run given by its name under ``results``, as ``latest``, or by its path.

    Raises :class:`NoRun`.
    """
    for folder in (results / name, Path(name)):
        if (folder / RUN_FILE).is_file():
            return folder.resolve()
    known = sorted({path.parent.resolve().name for path in results.glob(f"*/{RUN_FILE}")})
    there = f"there are: {', '.join(known[-5:])}" if known else "there is none"
    raise NoRun(f"{name} is no run: no {RUN_FILE} in {results / name} nor in {name} (under {results} {there})")


def is_binding(subject: str) -> bool:
    """Whether a subject is a binding or a variant of one, and no control or reference."""
    return subject not in REFERENCES and not subject.startswith("floor.")


@dataclass(frozen=True, slots=True)
class Selection:
    """Which cells are asked for; empty means all."""

    pythons: tuple[str, ...] = ()
    bindings: tuple[str, ...] = ()
    only: tuple[str, ...] = ()

    def interpreter(self, label: str) -> bool:
        """Whether an interpreter is meant."""
        return not self.pythons or any(matches(label, wanted) for wanted in self.pythons)

    def cell(self, workload: str, subject: str) -> bool:
        """Whether a cell is: a binding's name stands for its variants as well."""
        named = not self.bindings or subject in self.bindings or subject.partition(".")[0] in self.bindings
        return named and (not self.only or any(text in workload for text in self.only))

    def words(self) -> str:
        """What was selected, as the options say it; empty where everything was."""
        options = (("--python", self.pythons), ("--binding", self.bindings), ("--only", self.only))
        return " ".join(f"{option} {value}" for option, values in options for value in values)
