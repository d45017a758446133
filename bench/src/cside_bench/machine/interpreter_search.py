# SPDX-License-Identifier: Apache-2.0
"""Find the Python interpreters of this machine: on the PATH, in pyenv and in uv's folder; each describes itself.

This is the only search of the project. ``cside doctor`` and ``cside list`` import it. nox, which needs an interpreter
before anything is installed, runs it as a program: ``python interpreter_search.py [FOLDER]...`` prints a JSON list, and
searches the folders too. So it imports nothing but the standard library.
"""

import glob
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

PROGRAM: Final = re.compile(r"(?:python(?:3(?:\.(?P<python>\d+)t?)?)?|pypy3(?:\.(?P<pypy>\d+))?)(?:\.exe)?")
"""Names of interpreters. A program whose name tells that it is older than :data:`OLDEST` is not asked."""
OLDEST: Final = (3, 11)
SECONDS: Final = 30.0
"""Time for an interpreter to describe itself."""
AT_ONCE: Final = 4
"""Interpreters that describe themselves at the same time."""
SYSTEM: Final = ("/usr/bin", "/usr/local/bin", "/opt/homebrew/bin")
"""Searched where they are not on the PATH."""
FACTS: Final = Path(__file__).with_name("interpreter_facts.py")


def find(more: Iterable[str] = ()) -> list[dict[str, Any]]:
    """Describe every interpreter of Python 3.11 or newer, in the order of search; each base interpreter once.

    An object has the facts that :mod:`.interpreter_facts` prints, and ``source``: ``system``, ``pyenv`` or ``uv``. An
    interpreter of an environment is replaced by its base. Pre-releases and debug builds are left out. ``more`` are
    folders of programs that are searched as well.
    """
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(_base_facts, _programs(more)))
    found: dict[str, dict[str, Any]] = {}
    for facts in answers:
        if facts is not None and facts["final"] and not facts["debug"] and tuple(facts["version"][:2]) >= OLDEST:
            executable = str(facts["base_executable"])
            found.setdefault(executable, {**facts, "source": _source_of(executable)})
    return list(found.values())


def describe(executable: Path) -> dict[str, Any] | None:
    """What an interpreter says of itself; None where it does not run."""
    command = [str(executable), "-I", str(FACTS)]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=True
        )
        facts = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return facts if isinstance(facts, dict) else None


def _base_facts(executable: Path) -> dict[str, Any] | None:
    """The same; for the interpreter of an environment, what its base says."""
    facts = describe(executable)
    if facts is not None and facts["virtual"]:
        base = Path(str(facts["base_executable"]))
        return describe(base) if base.exists() and base != executable else facts
    return facts


def _programs(more: Iterable[str]) -> list[Path]:
    """Every program that may be an interpreter, each file once."""
    found: dict[Path, None] = {}
    for folder in dict.fromkeys(_folders(more)):
        # An environment's python is a link to its base, and describes itself differently from its base.
        environment = Path(folder).parent.joinpath("pyvenv.cfg").exists()
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            continue
        for name in names:
            if (match := PROGRAM.fullmatch(name)) is not None:
                minor = match["python"] or match["pypy"]
                if minor is None or int(minor) >= OLDEST[1]:
                    path = Path(folder, name)
                    found.setdefault(path if environment else path.resolve())
    return list(found)


def _folders(more: Iterable[str]) -> Iterator[str]:
    """Folders of programs, in the order of search."""
    for folder in (*os.environ.get("PATH", "").split(os.pathsep), *SYSTEM):
        if folder and Path(folder).name != "shims":  # pyenv's shims are scripts, which start what it is set to or fail
            yield folder
    yield from sorted(glob.glob(os.path.join(glob.escape(_pyenv()), "versions", "*", "bin")), reverse=True)
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    managed = os.environ.get("UV_PYTHON_INSTALL_DIR") or os.path.join(data, "uv", "python")
    yield from sorted(glob.glob(os.path.join(glob.escape(managed), "*", "bin")), reverse=True)
    yield from more


def _pyenv() -> str:
    return os.environ.get("PYENV_ROOT") or str(Path.home() / ".pyenv")


def _source_of(executable: str) -> str:
    """What installed an interpreter, by the folder that it is in."""
    if executable.startswith(_pyenv() + os.sep) or f"{os.sep}.pyenv{os.sep}" in executable:
        return "pyenv"
    return "uv" if f"{os.sep}uv{os.sep}" in executable else "system"


if __name__ == "__main__":
    print(json.dumps(find(sys.argv[1:])))
