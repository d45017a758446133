# SPDX-License-Identifier: Apache-2.0
"""The reference run: compact evidence of a run on another machine, which ships with cside.

``run_reference/`` beside this module has, as gzip files, the parts of ``summary.json``, ``environment.json`` and
``evidence.json`` from which recommendations are computed. ``cside reference`` makes it from a finished run. Where there
is no run, answers come from it, and say so.
"""

import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from cside_suite.subjects.names import is_control, subject_of

from cside_bench.results.evidence import FILE, Run, RunError
from cside_bench.results.files import PACKED, SUMMARY_FILE, read_document
from cside_bench.results.selection import is_binding

NAME: Final = "reference"
"""The name by which a user asks for the reference run: ``--run reference``."""
FOLDER: Final = "run_reference"
ENVIRONMENT_FILE: Final = "environment.json"
FILES: Final = (SUMMARY_FILE, ENVIRONMENT_FILE, FILE)
OTHERS: Final = ("shapes.json",)
"""Files that ship if the run has them; their ``interpreters`` is a list of objects with a ``label``."""
LIMIT_BYTES: Final = 2**20
"""Most bytes of all files together: they are in every checkout and every installed wheel."""
LEFT_OUT: Final = ("targets", "models", "steady", "threads", "sample")
"""Sections of the summary that no recommendation reads."""
OF_A_CELL: Final = (
    "interpreter",
    "binding",
    "variant",
    "workload",
    "ns_net",
    "ratio",
    "ratio_low",
    "ratio_high",
    "gil",
    "verdict",
    "void",
    "unsteady",
)
TITLES: Final = {"cpython": "CPython", "pypy": "PyPy"}
OF_A_MACHINE: Final = ("id", "name", "system", "libc", "architecture", "cpu", "cpus")
OF_AN_INTERPRETER: Final = (
    "label",
    "version",
    "implementation",
    "implementation_version",
    "compiler",
    "cflags",
    "pgo",
    "lto",
    "shared",
    "free_threaded",
    "debug",
    "native",
    "packages",
)
OF_ITS_BUILD: Final = ("release", "source", "optimised", "optimised_evidence")
"""Fields of ``provisioned``; the others are paths and the times of builds."""

Documents = dict[str, dict[str, Any]]
"""Documents of a run by the names of their files, as in :data:`FILES`."""


def folder() -> Path:
    """Return the folder of the reference run, whether one ships or not."""
    return Path(__file__).with_name(FOLDER)


def ships() -> bool:
    """Return whether a reference run ships with this version of cside."""
    return all((folder() / f"{name}{PACKED}").is_file() for name in FILES)


def load(results: Path | None = None) -> Run:
    """Read the reference run. ``results`` is the user's folder of runs, whose newest drill counts for it.

    Raises `RunError` if none ships, or if it cannot be read.
    """
    if not ships():
        raise RunError("no reference run ships with this version of cside; to measure one of your own: nox -s bench")
    return Run.load(folder(), results)


def provenance(run: Run) -> str:
    """Return when, on what and with what a run was measured."""
    machine = run.environment["machine"]
    cpus = machine["cpus"]
    where = f"{machine['cpu']} ({cpus} {'CPU' if cpus == 1 else 'CPUs'}; {machine['architecture']}, {machine['libc']})"
    builds = []
    for each in run.environment["interpreters"]:
        source = (each.get("provisioned") or {}).get("source")
        told = ", ".join(part for part in (f"build of {source}" if source else "", each["compiler"]) if part)
        name = f"{TITLES.get(each['implementation'], each['implementation'])} {each['implementation_version']}"
        builds.append(f"{name} ({told})" if told else name)
    date = run.environment["started"][:10]
    return f"measured on {date} on {where} with {' and '.join(builds)}, {run.tier} tier"


def banner(run: Run) -> str:
    """Return the sentences that say of answers from the reference run where they come from."""
    return (
        f"Another machine's numbers: these answers come from the run that ships with cside, {provenance(run)}, "
        "trustworthy by its own checks. On your machine times differ, and an answer may. To measure it: nox -s bench."
    )


def told(run: Run) -> str | None:
    """Return the sentences of :func:`banner` for the reference run; None for a run of this machine."""
    return banner(run) if run.shipped else None


def restricted(documents: Mapping[str, dict[str, Any]], labels: Iterable[str]) -> Documents:
    """Return the documents of a run without all interpreters but ``labels``; the costs stay as they are.

    Lines, builds and the coverage of wheels belong to the bindings and not to an interpreter that was measured.
    """
    kept = set(labels)
    found = {name: dict(document) for name, document in documents.items()}
    summary, environment, evidence = (found[name] for name in FILES)
    for section, key in (("interpreters", "label"), ("cells", "interpreter"), ("parity", "interpreter")):
        summary[section] = [each for each in summary[section] if each[key] in kept]
    evidence["interpreters"] = {label: each for label, each in evidence["interpreters"].items() if label in kept}
    for document in (environment, *(found[name] for name in OTHERS if name in found)):
        document["interpreters"] = [each for each in document["interpreters"] if each["label"] in kept]
    return found


def trimmed(documents: Mapping[str, dict[str, Any]]) -> Documents:
    """Return the parts of the documents of a run from which recommendations are computed, marked as shipped.

    Controls are left out, of cells what only reports show, and every path of the machine.
    """
    summary, environment, evidence = (dict(documents[name]) for name in FILES)
    summary |= dict.fromkeys(LEFT_OUT) | {"shipped": True}
    summary["cells"] = [
        {name: each.get(name) for name in OF_A_CELL} for each in summary["cells"] if not is_control(subject_of(each))
    ]
    environment = {
        "started": environment["started"],
        "machine": _only(environment["machine"], OF_A_MACHINE),
        "interpreters": [
            _only(each, OF_AN_INTERPRETER) | {"provisioned": _only(each.get("provisioned") or {}, OF_ITS_BUILD)}
            for each in environment["interpreters"]
        ],
    }
    evidence["interpreters"] = {
        label: each | {"workloads": {name: _observed(it) for name, it in each["workloads"].items()}}
        for label, each in evidence["interpreters"].items()
    }
    return {**documents, **dict(zip(FILES, (summary, environment, evidence), strict=True))}


def _only(entry: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: entry.get(name) for name in names}


def _observed(workload: Mapping[str, Any]) -> dict[str, Any]:
    """Return the observations of a workload without controls, and its comparisons of bindings and variants."""
    kept: dict[str, Any] = {
        kind: {name: values for name, values in entries.items() if not is_control(name)}
        for kind, entries in workload.items()
        if kind != "pairs"
    }
    kept["pairs"] = {
        pair: values for pair, values in workload["pairs"].items() if all(is_binding(name) for name in pair.split("/"))
    }
    return kept


def packed(documents: Mapping[str, dict[str, Any]]) -> dict[str, bytes]:
    """Return the files of a run as gzip files by their names, the same bytes for the same documents."""
    found = {}
    for name, document in documents.items():
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        found[f"{name}{PACKED}"] = gzip.compress(text.encode(), compresslevel=9, mtime=0)
    return found


def read(run: Path) -> Documents:
    """Return the documents of a run's folder from which a reference run is made."""
    return {name: read_document(run / name) for name in (*FILES, *(it for it in OTHERS if (run / it).is_file()))}


def write(target: Path, contents: Mapping[str, bytes]) -> None:
    """Write the files of :func:`packed` into a folder, in the place of those of an older reference run."""
    target.mkdir(parents=True, exist_ok=True)
    for old in target.glob(f"*{PACKED}"):
        old.unlink()
    for name, content in contents.items():
        (target / name).write_bytes(content)
