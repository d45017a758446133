# SPDX-License-Identifier: Apache-2.0
"""Makes a project ready to be measured: its packages for each interpreter, and the file of subjects and workloads."""

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from cside_suite.files import write_json
from cside_wrap.errors import WrapError
from cside_wrap.header import exports
from cside_wrap.packages.make import Built, Python, build, environment_python
from cside_wrap.packages.techniques import buildable
from cside_wrap.profile import document
from cside_wrap.project import reading

from cside_bench.library.workloads import draft
from cside_bench.results.files import LIBRARY_FILE

WHERE: Final = (
    "import json, sysconfig; print(json.dumps(sorted({sysconfig.get_path(n) for n in ('purelib', 'platlib')})))"
)


def stage(
    folder: Path,
    interpreters: Sequence[tuple[str, str]],
    techniques: Sequence[str] = (),
    only: tuple[str, ...] = (),
    tell: Callable[[str], None] = lambda _: None,
) -> tuple[dict[str, Any], list[str]]:
    """Build what has changed and draft the workloads; return the run's file of them, and what the user should know.

    ``interpreters`` are labels and programs. Raises `WrapError` where there is nothing to measure.
    """
    project = reading.read(folder)
    for line in reading.check_lock(project):
        tell(f"since cside init: {line}")
    profile = document.read(folder)
    found = draft(project, profile, only, lambda name: tell(f"drafting {name}"))
    if not found.entries:
        what = f"has a name like {', '.join(only)} and can be called again and again" if only else "can be measured"
        why = "; ".join(f"{name} {reason}" for name, reason in list(found.left_out.items())[:3])
        raise WrapError(f"no function of {project.settings.name} {what}: {why or 'none is bound'}", "Try: cside try")
    pythons = [Python(label, program) for label, program in interpreters]
    these, notes = buildable(techniques)
    _, unable, done = build(project, these, pythons, lambda line: tell(f"building {line}"))
    notes += [f"no package of {it.technique} for {it.python}: {it.failed.splitlines()[-1]}" for it in done if it.failed]
    packages = {one.label: _packages(done, one.label) for one in pythons}
    if empty := [label for label, its in packages.items() if not its]:
        raise WrapError(f"no package could be built for {', '.join(empty)}", f"See why: cside build {folder}")
    library = project.libraries[0]
    content = {
        "name": project.settings.name,
        "stem": library.name.partition(".")[0],
        "sha256": exports.sha256(library),
        "files": [str(path) for path in project.libraries],
        "paths": {one.label: _paths(folder, one.label) for one in pythons},
        "packages": packages,
        "single": {one.name: one.single for one in these if one.single},
        "workloads": found.entries,
        "left_out": found.left_out,
        "not_built": unable,
        "bound": len(project.form().plans),
        "lines": project.overrides.lines,
        "profile": None if profile is None else {name: it.calls for name, it in profile.functions.items()},
    }
    return content, notes


def write(run: Path, content: dict[str, Any]) -> None:
    """Write the file into the folder of a run."""
    write_json(run / LIBRARY_FILE, content, indent=1)


def _packages(done: Sequence[Built], label: str) -> dict[str, str]:
    return {it.technique: it.package for it in done if it.python == label and not it.failed}


def _paths(folder: Path, label: str) -> list[str]:
    """Return the folders in which the environment of an interpreter has its packages."""
    program = environment_python(folder.resolve(), label)
    done = subprocess.run([program, "-c", WHERE], capture_output=True, text=True, check=True)
    return list(json.loads(done.stdout))
